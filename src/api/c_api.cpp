// hwacha.h: argument checks, status mapping, ownership. No logic of its own, and no exception leaves it.
#include <hwacha/hwacha.h>

#include <algorithm>

#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lsh.hpp>

#include "api/c_api.hpp"
#include "batch/lsh_batch.hpp"

struct hwacha_lsh_ctx {
    hwacha::lsh value;
    bool finished = false;
};
struct hwacha_hmac_lsh_ctx {
    hwacha::hmac_lsh value;
    bool finished = false;
};
struct hwacha_lea_gcm_sealer {
    hwacha::lea_gcm_sealer value;
};
struct hwacha_lea_gcm_opener {
    hwacha::lea_gcm_opener value;
};

namespace {

using namespace hwacha::c;

hwacha_status hash_batch(hwacha_lsh_variant variant, const batch_input& messages, void* digests, size_t size,
                         const hwacha_batch_options* options) noexcept {
    if (messages.null || bad(digests, size)) return HWACHA_NULL_POINTER;
    return run_batch(options, [&](const hwacha::batch_options& o) {
        return hwacha::hash_messages(to_cpp(variant), messages.list, span(digests, size), o);
    });
}

hwacha_status hmac_batch(hwacha_lsh_variant variant, const void* key, size_t key_size, const batch_input& messages,
                         void* macs, size_t size, const hwacha_batch_options* options) noexcept {
    if (bad(key, key_size) || messages.null || bad(macs, size)) return HWACHA_NULL_POINTER;
    return run_batch(options, [&](const hwacha::batch_options& o) {
        return hwacha::hmac_messages(to_cpp(variant), view(key, key_size), messages.list, span(macs, size), o);
    });
}

hwacha_status hmac_batch(hwacha_lsh_variant variant, const batch_input& keys, const batch_input& messages, void* macs,
                         size_t size, const hwacha_batch_options* options) noexcept {
    if (keys.null || messages.null || bad(macs, size)) return HWACHA_NULL_POINTER;
    return run_batch(options, [&](const hwacha::batch_options& o) {
        return hwacha::hmac_messages(to_cpp(variant), keys.list, messages.list, span(macs, size), o);
    });
}

hwacha_status update_batch(hwacha_lsh_ctx* const* streams, const batch_input& pieces,
                           const hwacha_batch_options* options) noexcept {
    const std::size_t count = pieces.list.count();
    if (bad(streams, count) || pieces.null) return HWACHA_NULL_POINTER;
    if (std::any_of(streams, streams + count, [](const auto* s) { return s == nullptr; })) return HWACHA_NULL_POINTER;
    if (std::any_of(streams, streams + count, [](const auto* s) { return s->finished; })) return HWACHA_FINISHED;
    const auto at = [](const void* list, std::size_t i) {
        return &static_cast<hwacha_lsh_ctx* const*>(list)[i]->value;
    };
    return run_batch(
        options, [&](const hwacha::batch_options& o) { return hwacha::update_streams({streams, at}, pieces.list, o); });
}

}  // namespace

const char* hwacha_strerror(hwacha_status status) noexcept {
    return hwacha::to_string(static_cast<hwacha::status>(status)).data();
}

const char* hwacha_version(void) noexcept {
    return HWACHA_VERSION;
}

// ---- LSH ------------------------------------------------------------------------------------------------------------

hwacha_status hwacha_lsh_by_name(const char* name, hwacha_lsh_variant* variant) noexcept {
    if (name == nullptr || variant == nullptr) return HWACHA_NULL_POINTER;
    const hwacha::lsh_info* i = hwacha::find_lsh(std::string_view(name));
    if (i == nullptr) return HWACHA_UNKNOWN_ALGORITHM;
    *variant = static_cast<hwacha_lsh_variant>(i->variant);
    return HWACHA_OK;
}

const char* hwacha_lsh_name(hwacha_lsh_variant variant) noexcept {
    const hwacha::lsh_info* i = hwacha::find_lsh(to_cpp(variant));
    return i == nullptr ? nullptr : i->name.data();
}

size_t hwacha_lsh_digest_size(hwacha_lsh_variant variant) noexcept {
    const hwacha::lsh_info* i = hwacha::find_lsh(to_cpp(variant));
    return i == nullptr ? 0 : i->digest_size;
}

size_t hwacha_lsh_block_size(hwacha_lsh_variant variant) noexcept {
    const hwacha::lsh_info* i = hwacha::find_lsh(to_cpp(variant));
    return i == nullptr ? 0 : i->block_size;
}

hwacha_status hwacha_lsh(hwacha_lsh_variant variant, const void* data, size_t size, void* digest,
                         size_t digest_size) noexcept {
    if (bad(data, size) || bad(digest, digest_size)) return HWACHA_NULL_POINTER;
    return to_c(hwacha::lsh::hash(to_cpp(variant), view(data, size), span(digest, digest_size)));
}

hwacha_status hwacha_lsh_new(hwacha_lsh_variant variant, hwacha_lsh_ctx** ctx) noexcept {
    return create(ctx, [variant] { return hwacha::lsh(to_cpp(variant)); });
}

hwacha_status hwacha_lsh_copy(const hwacha_lsh_ctx* from, hwacha_lsh_ctx** ctx) noexcept {
    return copy(from, ctx);
}

void hwacha_lsh_free(hwacha_lsh_ctx* ctx) noexcept {
    delete ctx;
}

hwacha_status hwacha_lsh_update(hwacha_lsh_ctx* ctx, const void* data, size_t size) noexcept {
    return update(ctx, data, size);
}

hwacha_status hwacha_lsh_finish(hwacha_lsh_ctx* ctx, void* digest, size_t digest_size) noexcept {
    return finish(ctx, digest, digest_size, [=](hwacha::lsh& h) { return h.finish(span(digest, digest_size)); });
}

hwacha_status hwacha_lsh_finish_bits(hwacha_lsh_ctx* ctx, uint8_t last, unsigned bits, void* digest,
                                     size_t digest_size) noexcept {
    return finish(ctx, digest, digest_size, [=](hwacha::lsh& h) {
        return h.finish_bits(static_cast<std::byte>(last), bits, span(digest, digest_size));
    });
}

hwacha_status hwacha_lsh_reset(hwacha_lsh_ctx* ctx) noexcept {
    return reset(ctx);
}

// ---- HMAC-LSH -------------------------------------------------------------------------------------------------------

hwacha_status hwacha_hmac_lsh(hwacha_lsh_variant variant, const void* key, size_t key_size, const void* data,
                              size_t size, void* mac, size_t mac_size) noexcept {
    if (bad(key, key_size) || bad(data, size) || bad(mac, mac_size)) return HWACHA_NULL_POINTER;
    return to_c(hwacha::hmac_lsh::mac(to_cpp(variant), view(key, key_size), view(data, size), span(mac, mac_size)));
}

hwacha_status hwacha_hmac_lsh_new(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                  hwacha_hmac_lsh_ctx** ctx) noexcept {
    if (bad(key, key_size)) {
        if (ctx != nullptr) *ctx = nullptr;
        return HWACHA_NULL_POINTER;
    }
    return create(ctx, [=] { return hwacha::hmac_lsh(to_cpp(variant), view(key, key_size)); });
}

hwacha_status hwacha_hmac_lsh_copy(const hwacha_hmac_lsh_ctx* from, hwacha_hmac_lsh_ctx** ctx) noexcept {
    return copy(from, ctx);
}

void hwacha_hmac_lsh_free(hwacha_hmac_lsh_ctx* ctx) noexcept {
    delete ctx;
}

hwacha_status hwacha_hmac_lsh_update(hwacha_hmac_lsh_ctx* ctx, const void* data, size_t size) noexcept {
    return update(ctx, data, size);
}

hwacha_status hwacha_hmac_lsh_finish(hwacha_hmac_lsh_ctx* ctx, void* mac, size_t mac_size) noexcept {
    return finish(ctx, mac, mac_size, [=](hwacha::hmac_lsh& h) { return h.finish(span(mac, mac_size)); });
}

hwacha_status hwacha_hmac_lsh_verify(hwacha_hmac_lsh_ctx* ctx, const void* mac, size_t mac_size) noexcept {
    return finish(ctx, mac, mac_size, [=](hwacha::hmac_lsh& h) { return h.verify(view(mac, mac_size)); });
}

hwacha_status hwacha_hmac_lsh_reset(hwacha_hmac_lsh_ctx* ctx) noexcept {
    return reset(ctx);
}

// ---- Batches --------------------------------------------------------------------------------------------------------

hwacha_status hwacha_pool_new(size_t threads, hwacha_pool** pool) noexcept {
    return create(pool, [threads] { return hwacha::thread_pool(threads); });
}

void hwacha_pool_free(hwacha_pool* pool) noexcept {
    delete pool;
}

size_t hwacha_pool_concurrency(const hwacha_pool* pool) noexcept {
    return pool == nullptr ? 0 : pool->value.concurrency();
}

hwacha_status hwacha_lsh_batch(hwacha_lsh_variant variant, const void* const* messages, const size_t* sizes,
                               size_t count, void* digests, size_t digests_size,
                               const hwacha_batch_options* options) noexcept {
    return hash_batch(variant, {messages, sizes, count}, digests, digests_size, options);
}

hwacha_status hwacha_lsh_batch_offsets32(hwacha_lsh_variant variant, const void* data, size_t data_size,
                                         const int32_t* offsets, size_t count, void* digests, size_t digests_size,
                                         const hwacha_batch_options* options) noexcept {
    return hash_batch(variant, {data, data_size, offsets, count}, digests, digests_size, options);
}

hwacha_status hwacha_lsh_batch_offsets64(hwacha_lsh_variant variant, const void* data, size_t data_size,
                                         const int64_t* offsets, size_t count, void* digests, size_t digests_size,
                                         const hwacha_batch_options* options) noexcept {
    return hash_batch(variant, {data, data_size, offsets, count}, digests, digests_size, options);
}

hwacha_status hwacha_hmac_lsh_batch(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                    const void* const* messages, const size_t* sizes, size_t count, void* macs,
                                    size_t macs_size, const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, key, key_size, {messages, sizes, count}, macs, macs_size, options);
}

hwacha_status hwacha_hmac_lsh_batch_offsets32(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                              const void* data, size_t data_size, const int32_t* offsets, size_t count,
                                              void* macs, size_t macs_size,
                                              const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, key, key_size, {data, data_size, offsets, count}, macs, macs_size, options);
}

hwacha_status hwacha_hmac_lsh_batch_offsets64(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                              const void* data, size_t data_size, const int64_t* offsets, size_t count,
                                              void* macs, size_t macs_size,
                                              const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, key, key_size, {data, data_size, offsets, count}, macs, macs_size, options);
}

hwacha_status hwacha_hmac_lsh_batch_keys(hwacha_lsh_variant variant, const void* const* keys, const size_t* key_sizes,
                                         const void* const* messages, const size_t* sizes, size_t count, void* macs,
                                         size_t macs_size, const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, {keys, key_sizes, count}, {messages, sizes, count}, macs, macs_size, options);
}

hwacha_status hwacha_hmac_lsh_batch_keys_offsets32(hwacha_lsh_variant variant, const void* key_data,
                                                   size_t key_data_size, const int32_t* key_offsets, const void* data,
                                                   size_t data_size, const int32_t* offsets, size_t count, void* macs,
                                                   size_t macs_size, const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, {key_data, key_data_size, key_offsets, count}, {data, data_size, offsets, count}, macs,
                      macs_size, options);
}

hwacha_status hwacha_hmac_lsh_batch_keys_offsets64(hwacha_lsh_variant variant, const void* key_data,
                                                   size_t key_data_size, const int64_t* key_offsets, const void* data,
                                                   size_t data_size, const int64_t* offsets, size_t count, void* macs,
                                                   size_t macs_size, const hwacha_batch_options* options) noexcept {
    return hmac_batch(variant, {key_data, key_data_size, key_offsets, count}, {data, data_size, offsets, count}, macs,
                      macs_size, options);
}

hwacha_status hwacha_lsh_update_batch(hwacha_lsh_ctx* const* streams, const void* const* pieces, const size_t* sizes,
                                      size_t count, const hwacha_batch_options* options) noexcept {
    return update_batch(streams, {pieces, sizes, count}, options);
}

hwacha_status hwacha_lsh_update_batch_offsets32(hwacha_lsh_ctx* const* streams, const void* data, size_t data_size,
                                                const int32_t* offsets, size_t count,
                                                const hwacha_batch_options* options) noexcept {
    return update_batch(streams, {data, data_size, offsets, count}, options);
}

hwacha_status hwacha_lsh_update_batch_offsets64(hwacha_lsh_ctx* const* streams, const void* data, size_t data_size,
                                                const int64_t* offsets, size_t count,
                                                const hwacha_batch_options* options) noexcept {
    return update_batch(streams, {data, data_size, offsets, count}, options);
}

// ---- LEA-GCM --------------------------------------------------------------------------------------------------------

hwacha_status hwacha_lea_gcm_new(const void* key, size_t key_size, size_t tag_size, unsigned options,
                                 hwacha_lea_gcm** gcm) noexcept {
    if (bad(key, key_size)) {
        if (gcm != nullptr) *gcm = nullptr;
        return HWACHA_NULL_POINTER;
    }
    if ((options & ~HWACHA_SHORT_TAGS) != 0) {
        if (gcm != nullptr) *gcm = nullptr;
        return HWACHA_BAD_OPTION;
    }
    return create(gcm, [=] {
        return hwacha::lea_gcm(view(key, key_size),
                               {.tag_size = tag_size, .short_tags = (options & HWACHA_SHORT_TAGS) != 0});
    });
}

void hwacha_lea_gcm_free(hwacha_lea_gcm* gcm) noexcept {
    delete gcm;
}

hwacha_status hwacha_lea_gcm_seal(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size, const void* aad,
                                  size_t aad_size, const void* plaintext, size_t size, void* out,
                                  size_t out_size) noexcept {
    if (gcm == nullptr || bad(nonce, nonce_size) || bad(aad, aad_size) || bad(plaintext, size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(
        gcm->value.seal(view(nonce, nonce_size), view(aad, aad_size), view(plaintext, size), span(out, out_size)));
}

hwacha_status hwacha_lea_gcm_open(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size, const void* aad,
                                  size_t aad_size, const void* sealed, size_t size, void* out,
                                  size_t out_size) noexcept {
    if (gcm == nullptr || bad(nonce, nonce_size) || bad(aad, aad_size) || bad(sealed, size) || bad(out, out_size)) {
        return HWACHA_NULL_POINTER;
    }
    return to_c(gcm->value.open(view(nonce, nonce_size), view(aad, aad_size), view(sealed, size), span(out, out_size)));
}

hwacha_status hwacha_lea_gcm_sealer_new(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size,
                                        hwacha_lea_gcm_sealer** sealer) noexcept {
    if (gcm == nullptr || bad(nonce, nonce_size)) {
        if (sealer != nullptr) *sealer = nullptr;
        return HWACHA_NULL_POINTER;
    }
    return create(sealer, [=] { return hwacha::lea_gcm_sealer(gcm->value, view(nonce, nonce_size)); });
}

void hwacha_lea_gcm_sealer_free(hwacha_lea_gcm_sealer* sealer) noexcept {
    delete sealer;
}

hwacha_status hwacha_lea_gcm_sealer_aad(hwacha_lea_gcm_sealer* sealer, const void* aad, size_t size) noexcept {
    if (sealer == nullptr || bad(aad, size)) return HWACHA_NULL_POINTER;
    return to_c(sealer->value.aad(view(aad, size)));
}

hwacha_status hwacha_lea_gcm_sealer_update(hwacha_lea_gcm_sealer* sealer, const void* plaintext, size_t size,
                                           void* ciphertext, size_t ciphertext_size) noexcept {
    if (sealer == nullptr || bad(plaintext, size) || bad(ciphertext, ciphertext_size)) return HWACHA_NULL_POINTER;
    return to_c(sealer->value.update(view(plaintext, size), span(ciphertext, ciphertext_size)));
}

hwacha_status hwacha_lea_gcm_sealer_finish(hwacha_lea_gcm_sealer* sealer, void* tag, size_t tag_size) noexcept {
    if (sealer == nullptr || bad(tag, tag_size)) return HWACHA_NULL_POINTER;
    return to_c(sealer->value.finish(span(tag, tag_size)));
}

hwacha_status hwacha_lea_gcm_opener_new(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size,
                                        hwacha_lea_gcm_opener** opener) noexcept {
    if (gcm == nullptr || bad(nonce, nonce_size)) {
        if (opener != nullptr) *opener = nullptr;
        return HWACHA_NULL_POINTER;
    }
    return create(opener, [=] { return hwacha::lea_gcm_opener(gcm->value, view(nonce, nonce_size)); });
}

void hwacha_lea_gcm_opener_free(hwacha_lea_gcm_opener* opener) noexcept {
    delete opener;
}

hwacha_status hwacha_lea_gcm_opener_aad(hwacha_lea_gcm_opener* opener, const void* aad, size_t size) noexcept {
    if (opener == nullptr || bad(aad, size)) return HWACHA_NULL_POINTER;
    return to_c(opener->value.aad(view(aad, size)));
}

hwacha_status hwacha_lea_gcm_opener_update_unverified(hwacha_lea_gcm_opener* opener, const void* ciphertext,
                                                      size_t size, void* plaintext, size_t plaintext_size) noexcept {
    if (opener == nullptr || bad(ciphertext, size) || bad(plaintext, plaintext_size)) return HWACHA_NULL_POINTER;
    return to_c(opener->value.update_unverified(view(ciphertext, size), span(plaintext, plaintext_size)));
}

hwacha_status hwacha_lea_gcm_opener_finish(hwacha_lea_gcm_opener* opener, const void* tag, size_t tag_size) noexcept {
    if (opener == nullptr || bad(tag, tag_size)) return HWACHA_NULL_POINTER;
    return to_c(opener->value.finish(view(tag, tag_size)));
}
