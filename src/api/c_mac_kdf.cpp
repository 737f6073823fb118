// hwacha.h: CMAC, GMAC, random bytes, key derivation. Argument checks and ownership, no logic.
#include <hwacha/hwacha.h>

#include <hwacha/cmac_lea.hpp>
#include <hwacha/gmac_lea.hpp>
#include <hwacha/kdf.hpp>
#include <hwacha/random.hpp>

#include "api/c_api.hpp"
#include "kdf/pbkdf2.hpp"

struct hwacha_cmac_lea_ctx {
    hwacha::cmac_lea value;
    bool finished = false;
};
struct hwacha_gmac_lea_ctx {
    hwacha::gmac_lea value;
};
struct hwacha_random_nonces {
    hwacha::random_nonces value;
};

using namespace hwacha::c;

// ---- CMAC-LEA -------------------------------------------------------------------------------------------------------

hwacha_status hwacha_cmac_lea(const void* key, size_t key_size, const void* data, size_t size, void* mac,
                              size_t mac_size) noexcept {
    if (bad(key, key_size) || bad(data, size) || bad(mac, mac_size)) return HWACHA_NULL_POINTER;
    return to_c(hwacha::cmac_lea::mac(view(key, key_size), view(data, size), span(mac, mac_size)));
}

hwacha_status hwacha_cmac_lea_new(const void* key, size_t key_size, size_t mac_size, unsigned options,
                                  hwacha_cmac_lea_ctx** ctx) noexcept {
    if (bad(key, key_size)) return none(ctx);
    return create(ctx, [=] {
        if ((options & ~HWACHA_SHORT_TAGS) != 0) throw hwacha::error(hwacha::status::bad_option, "CMAC-LEA option");
        return hwacha::cmac_lea(view(key, key_size),
                                {.mac_size = mac_size, .short_macs = (options & HWACHA_SHORT_TAGS) != 0});
    });
}

hwacha_status hwacha_cmac_lea_copy(const hwacha_cmac_lea_ctx* from, hwacha_cmac_lea_ctx** ctx) noexcept {
    return copy(from, ctx);
}

void hwacha_cmac_lea_free(hwacha_cmac_lea_ctx* ctx) noexcept {
    delete ctx;
}

hwacha_status hwacha_cmac_lea_update(hwacha_cmac_lea_ctx* ctx, const void* data, size_t size) noexcept {
    return update(ctx, data, size);
}

hwacha_status hwacha_cmac_lea_finish(hwacha_cmac_lea_ctx* ctx, void* mac, size_t mac_size) noexcept {
    return finish(ctx, mac, mac_size, [=](hwacha::cmac_lea& m) { return m.finish(span(mac, mac_size)); });
}

hwacha_status hwacha_cmac_lea_verify(hwacha_cmac_lea_ctx* ctx, const void* mac, size_t mac_size) noexcept {
    return finish(ctx, mac, mac_size, [=](hwacha::cmac_lea& m) { return m.verify(view(mac, mac_size)); });
}

hwacha_status hwacha_cmac_lea_reset(hwacha_cmac_lea_ctx* ctx) noexcept {
    return reset(ctx);
}

// ---- GMAC-LEA -------------------------------------------------------------------------------------------------------

hwacha_status hwacha_gmac_lea(const hwacha_lea_gcm* key, const void* nonce, size_t nonce_size, const void* data,
                              size_t size, void* mac, size_t mac_size) noexcept {
    if (key == nullptr || bad(nonce, nonce_size) || bad(data, size) || bad(mac, mac_size)) return HWACHA_NULL_POINTER;
    return to_c(hwacha::gmac_lea::mac(key->value, view(nonce, nonce_size), view(data, size), span(mac, mac_size)));
}

hwacha_status hwacha_gmac_lea_new(const hwacha_lea_gcm* key, const void* nonce, size_t nonce_size,
                                  hwacha_gmac_lea_ctx** ctx) noexcept {
    if (key == nullptr || bad(nonce, nonce_size)) return none(ctx);
    return create(ctx, [=] { return hwacha::gmac_lea(key->value, view(nonce, nonce_size)); });
}

void hwacha_gmac_lea_free(hwacha_gmac_lea_ctx* ctx) noexcept {
    delete ctx;
}

hwacha_status hwacha_gmac_lea_update(hwacha_gmac_lea_ctx* ctx, const void* data, size_t size) noexcept {
    if (ctx == nullptr || bad(data, size)) return HWACHA_NULL_POINTER;
    return to_c(ctx->value.update(view(data, size)));
}

hwacha_status hwacha_gmac_lea_finish(hwacha_gmac_lea_ctx* ctx, void* mac, size_t mac_size) noexcept {
    if (ctx == nullptr || bad(mac, mac_size)) return HWACHA_NULL_POINTER;
    return to_c(ctx->value.finish(span(mac, mac_size)));
}

hwacha_status hwacha_gmac_lea_verify(hwacha_gmac_lea_ctx* ctx, const void* mac, size_t mac_size) noexcept {
    if (ctx == nullptr || bad(mac, mac_size)) return HWACHA_NULL_POINTER;
    return to_c(ctx->value.verify(view(mac, mac_size)));
}

// ---- Random bytes ---------------------------------------------------------------------------------------------------

hwacha_status hwacha_random_bytes(void* out, size_t size) noexcept {
    return bad(out, size) ? HWACHA_NULL_POINTER : to_c(hwacha::random_bytes(span(out, size)));
}

hwacha_status hwacha_random_nonces_new(uint64_t used, hwacha_random_nonces** nonces) noexcept {
    return create(nonces, [=] { return hwacha::random_nonces(used); });
}

void hwacha_random_nonces_free(hwacha_random_nonces* nonces) noexcept {
    delete nonces;
}

hwacha_status hwacha_random_nonces_next(hwacha_random_nonces* nonces, void* nonce, size_t size) noexcept {
    if (nonces == nullptr || bad(nonce, size)) return HWACHA_NULL_POINTER;
    return to_c(nonces->value.next(span(nonce, size)));
}

uint64_t hwacha_random_nonces_used(const hwacha_random_nonces* nonces) noexcept {
    return nonces == nullptr ? 0 : nonces->value.used();
}

// ---- Key derivation -------------------------------------------------------------------------------------------------

hwacha_status hwacha_pbkdf2_hmac_lsh(hwacha_lsh_variant variant, const void* password, size_t password_size,
                                     const void* salt, size_t salt_size, uint64_t iterations, void* out,
                                     size_t out_size) noexcept {
    if (bad(password, password_size) || bad(salt, salt_size) || bad(out, out_size)) return HWACHA_NULL_POINTER;
    return to_c(hwacha::pbkdf2_hmac_lsh(to_cpp(variant), view(password, password_size), view(salt, salt_size),
                                        iterations, span(out, out_size)));
}

hwacha_status hwacha_pbkdf2_hmac_lsh_batch(hwacha_lsh_variant variant, const void* const* passwords,
                                           const size_t* password_sizes, const void* const* salts,
                                           const size_t* salt_sizes, size_t count, uint64_t iterations, size_t key_size,
                                           void* keys, size_t keys_size, const hwacha_batch_options* options) noexcept {
    const batch_input p(passwords, password_sizes, count);
    const batch_input s(salts, salt_sizes, count);
    if (p.null || s.null || bad(keys, keys_size)) return HWACHA_NULL_POINTER;
    return run_batch(options, [&](const hwacha::batch_options& o) {
        return hwacha::pbkdf2_messages(to_cpp(variant), p.list, s.list, iterations, key_size, span(keys, keys_size), o);
    });
}

hwacha_status hwacha_hkdf_hmac_lsh(hwacha_lsh_variant variant, const void* key, size_t key_size, const void* salt,
                                   size_t salt_size, const void* info, size_t info_size, void* out,
                                   size_t out_size) noexcept {
    if (bad(key, key_size) || bad(salt, salt_size) || bad(info, info_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::hkdf_hmac_lsh(to_cpp(variant), view(key, key_size), view(salt, salt_size),
                                      view(info, info_size), span(out, out_size)));
}

hwacha_status hwacha_hkdf_hmac_lsh_extract(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                           const void* salt, size_t salt_size, void* pseudorandom_key,
                                           size_t pseudorandom_key_size) noexcept {
    if (bad(key, key_size) || bad(salt, salt_size) || bad(pseudorandom_key, pseudorandom_key_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::hkdf_hmac_lsh_extract(to_cpp(variant), view(key, key_size), view(salt, salt_size),
                                              span(pseudorandom_key, pseudorandom_key_size)));
}

hwacha_status hwacha_hkdf_hmac_lsh_expand(hwacha_lsh_variant variant, const void* pseudorandom_key,
                                          size_t pseudorandom_key_size, const void* info, size_t info_size, void* out,
                                          size_t out_size) noexcept {
    if (bad(pseudorandom_key, pseudorandom_key_size) || bad(info, info_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::hkdf_hmac_lsh_expand(to_cpp(variant), view(pseudorandom_key, pseudorandom_key_size),
                                             view(info, info_size), span(out, out_size)));
}

hwacha_status hwacha_kbkdf_hmac_lsh(hwacha_lsh_variant variant, const void* key, size_t key_size, const void* label,
                                    size_t label_size, const void* context, size_t context_size, void* out,
                                    size_t out_size) noexcept {
    if (bad(key, key_size) || bad(label, label_size) || bad(context, context_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::kbkdf_hmac_lsh(to_cpp(variant), view(key, key_size), view(label, label_size),
                                       view(context, context_size), span(out, out_size)));
}

hwacha_status hwacha_kbkdf_cmac_lea(const void* key, size_t key_size, const void* label, size_t label_size,
                                    const void* context, size_t context_size, void* out, size_t out_size) noexcept {
    if (bad(key, key_size) || bad(label, label_size) || bad(context, context_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::kbkdf_cmac_lea(view(key, key_size), view(label, label_size), view(context, context_size),
                                       span(out, out_size)));
}

hwacha_status hwacha_kbkdf_hmac_lsh_fixed(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                          const void* before, size_t before_size, const void* after, size_t after_size,
                                          unsigned counter_bits, void* out, size_t out_size) noexcept {
    if (bad(key, key_size) || bad(before, before_size) || bad(after, after_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::kbkdf_hmac_lsh(to_cpp(variant), view(key, key_size),
                                       {view(before, before_size), view(after, after_size), counter_bits},
                                       span(out, out_size)));
}

hwacha_status hwacha_kbkdf_cmac_lea_fixed(const void* key, size_t key_size, const void* before, size_t before_size,
                                          const void* after, size_t after_size, unsigned counter_bits, void* out,
                                          size_t out_size) noexcept {
    if (bad(key, key_size) || bad(before, before_size) || bad(after, after_size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(hwacha::kbkdf_cmac_lea(
        view(key, key_size), {view(before, before_size), view(after, after_size), counter_bits}, span(out, out_size)));
}
