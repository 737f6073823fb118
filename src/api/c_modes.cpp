// hwacha.h: LEA in blocks, CTR, CBC, CFB, OFB, CCM and XTS. Argument checks and ownership, no logic.
#include <hwacha/hwacha.h>

#include <hwacha/lea.hpp>
#include <hwacha/lea_ccm.hpp>
#include <hwacha/lea_modes.hpp>

#include "api/c_api.hpp"

struct hwacha_lea {
    hwacha::lea value;
};
struct hwacha_lea_ctr {
    hwacha::lea_ctr value;
};
struct hwacha_lea_cbc_encryptor {
    hwacha::lea_cbc_encryptor value;
};
struct hwacha_lea_cbc_decryptor {
    hwacha::lea_cbc_decryptor value;
};
struct hwacha_lea_cfb_encryptor {
    hwacha::lea_cfb_encryptor value;
};
struct hwacha_lea_cfb_decryptor {
    hwacha::lea_cfb_decryptor value;
};
struct hwacha_lea_ofb {
    hwacha::lea_ofb value;
};
struct hwacha_lea_ccm {
    hwacha::lea_ccm value;
};
struct hwacha_lea_ccm_sealer {
    hwacha::lea_ccm_sealer value;
};
struct hwacha_lea_ccm_opener {
    hwacha::lea_ccm_opener value;
};
struct hwacha_lea_xts {
    hwacha::lea_xts value;
};

namespace {

using namespace hwacha::c;

// A number that is no enumerator's value becomes one that C++ refuses.
hwacha::cbc_padding to_cpp(hwacha_padding p) {
    return static_cast<unsigned>(p) > 255 ? hwacha::cbc_padding{255} : static_cast<hwacha::cbc_padding>(p);
}
hwacha::cfb_segment to_segment(unsigned bits) {
    return bits > 255 ? hwacha::cfb_segment{0} : static_cast<hwacha::cfb_segment>(bits);
}

// A stream over a key and an IV.
template <class Handle, class Make>
hwacha_status stream(const hwacha_lea* key, const void* iv, size_t iv_size, Handle** result, Make&& make) noexcept {
    if (key == nullptr || bad(iv, iv_size)) return none(result);
    return create(result, [&] { return make(key->value, view(iv, iv_size)); });
}

// Runs use(object, text, output) where no pointer is null that may not be.
template <class Handle, class Use>
hwacha_status crypt(Handle* handle, const void* in, size_t size, void* out, size_t out_size, Use&& use) noexcept {
    if (handle == nullptr || bad(in, size) || bad(out, out_size)) return HWACHA_NULL_POINTER;
    return to_c(use(handle->value, view(in, size), span(out, out_size)));
}

// The same where the number of bytes written is a result.
template <class Handle, class Use>
hwacha_status crypt(Handle* handle, const void* in, size_t size, void* out, size_t out_size, size_t* written,
                    Use&& use) noexcept {
    if (written == nullptr) return HWACHA_NULL_POINTER;
    *written = 0;
    return crypt(handle, in, size, out, out_size, use);
}

}  // namespace

hwacha_status hwacha_lea_new(const void* key, size_t key_size, hwacha_lea** lea) noexcept {
    if (bad(key, key_size)) return none(lea);
    return create(lea, [=] { return hwacha::lea(view(key, key_size)); });
}

void hwacha_lea_free(hwacha_lea* lea) noexcept {
    delete lea;
}

hwacha_status hwacha_lea_encrypt_blocks(const hwacha_lea* key, const void* in, size_t size, void* out,
                                        size_t out_size) noexcept {
    return crypt(key, in, size, out, out_size,
                 [](const auto& k, auto text, auto to) { return k.encrypt_blocks(text, to); });
}

hwacha_status hwacha_lea_decrypt_blocks(const hwacha_lea* key, const void* in, size_t size, void* out,
                                        size_t out_size) noexcept {
    return crypt(key, in, size, out, out_size,
                 [](const auto& k, auto text, auto to) { return k.decrypt_blocks(text, to); });
}

hwacha_status hwacha_lea_ctr_new(const hwacha_lea* key, const void* iv, size_t iv_size, hwacha_lea_ctr** ctr) noexcept {
    return stream(key, iv, iv_size, ctr, [](const auto& k, auto v) { return hwacha::lea_ctr(k, v); });
}

void hwacha_lea_ctr_free(hwacha_lea_ctr* ctr) noexcept {
    delete ctr;
}

hwacha_status hwacha_lea_ctr_update(hwacha_lea_ctr* ctr, const void* in, size_t size, void* out,
                                    size_t out_size) noexcept {
    return crypt(ctr, in, size, out, out_size, [](auto& c, auto text, auto to) { return c.update(text, to); });
}

size_t hwacha_lea_cbc_ciphertext_size(size_t plaintext_size, hwacha_padding padding) noexcept {
    return hwacha::cbc_ciphertext_size(plaintext_size, to_cpp(padding));
}

hwacha_status hwacha_lea_cbc_encrypt(const hwacha_lea* key, const void* iv, size_t iv_size, hwacha_padding padding,
                                     const void* plaintext, size_t size, void* ciphertext, size_t ciphertext_size,
                                     size_t* written) noexcept {
    return crypt(key, plaintext, size, ciphertext, ciphertext_size, written, [=](const auto& k, auto text, auto to) {
        if (bad(iv, iv_size)) return hwacha::status::null_pointer;
        return hwacha::lea_cbc_encrypt(k, view(iv, iv_size), to_cpp(padding), text, to, *written);
    });
}

hwacha_status hwacha_lea_cbc_decrypt(const hwacha_lea* key, const void* iv, size_t iv_size, hwacha_padding padding,
                                     const void* ciphertext, size_t size, void* plaintext, size_t plaintext_size,
                                     size_t* written) noexcept {
    return crypt(key, ciphertext, size, plaintext, plaintext_size, written, [=](const auto& k, auto text, auto to) {
        if (bad(iv, iv_size)) return hwacha::status::null_pointer;
        return hwacha::lea_cbc_decrypt(k, view(iv, iv_size), to_cpp(padding), text, to, *written);
    });
}

hwacha_status hwacha_lea_cbc_encryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                           hwacha_padding padding, hwacha_lea_cbc_encryptor** encryptor) noexcept {
    return stream(key, iv, iv_size, encryptor,
                  [=](const auto& k, auto v) { return hwacha::lea_cbc_encryptor(k, v, to_cpp(padding)); });
}

void hwacha_lea_cbc_encryptor_free(hwacha_lea_cbc_encryptor* encryptor) noexcept {
    delete encryptor;
}

hwacha_status hwacha_lea_cbc_encryptor_update(hwacha_lea_cbc_encryptor* encryptor, const void* plaintext, size_t size,
                                              void* ciphertext, size_t ciphertext_size, size_t* written) noexcept {
    return crypt(encryptor, plaintext, size, ciphertext, ciphertext_size, written,
                 [=](auto& e, auto text, auto to) { return e.update(text, to, *written); });
}

hwacha_status hwacha_lea_cbc_encryptor_finish(hwacha_lea_cbc_encryptor* encryptor, void* ciphertext,
                                              size_t ciphertext_size, size_t* written) noexcept {
    return crypt(encryptor, nullptr, 0, ciphertext, ciphertext_size, written,
                 [=](auto& e, auto, auto to) { return e.finish(to, *written); });
}

hwacha_status hwacha_lea_cbc_decryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                           hwacha_padding padding, hwacha_lea_cbc_decryptor** decryptor) noexcept {
    return stream(key, iv, iv_size, decryptor,
                  [=](const auto& k, auto v) { return hwacha::lea_cbc_decryptor(k, v, to_cpp(padding)); });
}

void hwacha_lea_cbc_decryptor_free(hwacha_lea_cbc_decryptor* decryptor) noexcept {
    delete decryptor;
}

hwacha_status hwacha_lea_cbc_decryptor_update(hwacha_lea_cbc_decryptor* decryptor, const void* ciphertext, size_t size,
                                              void* plaintext, size_t plaintext_size, size_t* written) noexcept {
    return crypt(decryptor, ciphertext, size, plaintext, plaintext_size, written,
                 [=](auto& d, auto text, auto to) { return d.update(text, to, *written); });
}

hwacha_status hwacha_lea_cbc_decryptor_finish(hwacha_lea_cbc_decryptor* decryptor, void* plaintext,
                                              size_t plaintext_size, size_t* written) noexcept {
    return crypt(decryptor, nullptr, 0, plaintext, plaintext_size, written,
                 [=](auto& d, auto, auto to) { return d.finish(to, *written); });
}

hwacha_status hwacha_lea_cfb_encrypt(const hwacha_lea* key, const void* iv, size_t iv_size, unsigned segment_bits,
                                     const void* plaintext, size_t size, void* ciphertext,
                                     size_t ciphertext_size) noexcept {
    if (bad(iv, iv_size)) return HWACHA_NULL_POINTER;
    return crypt(key, plaintext, size, ciphertext, ciphertext_size, [=](const auto& k, auto text, auto to) {
        return hwacha::lea_cfb_encrypt(k, view(iv, iv_size), to_segment(segment_bits), text, to);
    });
}

hwacha_status hwacha_lea_cfb_decrypt(const hwacha_lea* key, const void* iv, size_t iv_size, unsigned segment_bits,
                                     const void* ciphertext, size_t size, void* plaintext,
                                     size_t plaintext_size) noexcept {
    if (bad(iv, iv_size)) return HWACHA_NULL_POINTER;
    return crypt(key, ciphertext, size, plaintext, plaintext_size, [=](const auto& k, auto text, auto to) {
        return hwacha::lea_cfb_decrypt(k, view(iv, iv_size), to_segment(segment_bits), text, to);
    });
}

hwacha_status hwacha_lea_cfb_encryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size, unsigned segment_bits,
                                           hwacha_lea_cfb_encryptor** encryptor) noexcept {
    return stream(key, iv, iv_size, encryptor,
                  [=](const auto& k, auto v) { return hwacha::lea_cfb_encryptor(k, v, to_segment(segment_bits)); });
}

void hwacha_lea_cfb_encryptor_free(hwacha_lea_cfb_encryptor* encryptor) noexcept {
    delete encryptor;
}

hwacha_status hwacha_lea_cfb_encryptor_update(hwacha_lea_cfb_encryptor* encryptor, const void* plaintext, size_t size,
                                              void* ciphertext, size_t ciphertext_size) noexcept {
    return crypt(encryptor, plaintext, size, ciphertext, ciphertext_size,
                 [](auto& e, auto text, auto to) { return e.update(text, to); });
}

hwacha_status hwacha_lea_cfb_decryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size, unsigned segment_bits,
                                           hwacha_lea_cfb_decryptor** decryptor) noexcept {
    return stream(key, iv, iv_size, decryptor,
                  [=](const auto& k, auto v) { return hwacha::lea_cfb_decryptor(k, v, to_segment(segment_bits)); });
}

void hwacha_lea_cfb_decryptor_free(hwacha_lea_cfb_decryptor* decryptor) noexcept {
    delete decryptor;
}

hwacha_status hwacha_lea_cfb_decryptor_update(hwacha_lea_cfb_decryptor* decryptor, const void* ciphertext, size_t size,
                                              void* plaintext, size_t plaintext_size) noexcept {
    return crypt(decryptor, ciphertext, size, plaintext, plaintext_size,
                 [](auto& d, auto text, auto to) { return d.update(text, to); });
}

hwacha_status hwacha_lea_ofb_crypt(const hwacha_lea* key, const void* iv, size_t iv_size, const void* in, size_t size,
                                   void* out, size_t out_size) noexcept {
    if (bad(iv, iv_size)) return HWACHA_NULL_POINTER;
    return crypt(key, in, size, out, out_size, [=](const auto& k, auto text, auto to) {
        return hwacha::lea_ofb_crypt(k, view(iv, iv_size), text, to);
    });
}

hwacha_status hwacha_lea_ofb_new(const hwacha_lea* key, const void* iv, size_t iv_size, hwacha_lea_ofb** ofb) noexcept {
    return stream(key, iv, iv_size, ofb, [](const auto& k, auto v) { return hwacha::lea_ofb(k, v); });
}

void hwacha_lea_ofb_free(hwacha_lea_ofb* ofb) noexcept {
    delete ofb;
}

hwacha_status hwacha_lea_ofb_update(hwacha_lea_ofb* ofb, const void* in, size_t size, void* out,
                                    size_t out_size) noexcept {
    return crypt(ofb, in, size, out, out_size, [](auto& o, auto text, auto to) { return o.update(text, to); });
}

hwacha_status hwacha_lea_ccm_new(const void* key, size_t key_size, size_t tag_size, hwacha_lea_ccm** ccm) noexcept {
    if (bad(key, key_size)) return none(ccm);
    return create(ccm, [=] { return hwacha::lea_ccm(view(key, key_size), tag_size); });
}

void hwacha_lea_ccm_free(hwacha_lea_ccm* ccm) noexcept {
    delete ccm;
}

hwacha_status hwacha_lea_ccm_seal(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size, const void* aad,
                                  size_t aad_size, const void* plaintext, size_t size, void* out,
                                  size_t out_size) noexcept {
    if (bad(nonce, nonce_size) || bad(aad, aad_size)) return HWACHA_NULL_POINTER;
    return crypt(ccm, plaintext, size, out, out_size, [=](const auto& c, auto text, auto to) {
        return c.seal(view(nonce, nonce_size), view(aad, aad_size), text, to);
    });
}

hwacha_status hwacha_lea_ccm_open(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size, const void* aad,
                                  size_t aad_size, const void* sealed, size_t size, void* out,
                                  size_t out_size) noexcept {
    if (bad(nonce, nonce_size) || bad(aad, aad_size)) return HWACHA_NULL_POINTER;
    return crypt(ccm, sealed, size, out, out_size, [=](const auto& c, auto text, auto to) {
        return c.open(view(nonce, nonce_size), view(aad, aad_size), text, to);
    });
}

hwacha_status hwacha_lea_ccm_seal_detached(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                           const void* aad, size_t aad_size, const void* plaintext, size_t size,
                                           void* ciphertext, size_t ciphertext_size, void* tag,
                                           size_t tag_size) noexcept {
    if (bad(nonce, nonce_size) || bad(aad, aad_size) || bad(tag, tag_size)) return HWACHA_NULL_POINTER;
    return crypt(ccm, plaintext, size, ciphertext, ciphertext_size, [=](const auto& c, auto text, auto to) {
        return c.seal_detached(view(nonce, nonce_size), view(aad, aad_size), text, to, span(tag, tag_size));
    });
}

hwacha_status hwacha_lea_ccm_open_detached(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                           const void* aad, size_t aad_size, const void* ciphertext, size_t size,
                                           const void* tag, size_t tag_size, void* plaintext,
                                           size_t plaintext_size) noexcept {
    if (bad(nonce, nonce_size) || bad(aad, aad_size) || bad(tag, tag_size)) return HWACHA_NULL_POINTER;
    return crypt(ccm, ciphertext, size, plaintext, plaintext_size, [=](const auto& c, auto text, auto to) {
        return c.open_detached(view(nonce, nonce_size), view(aad, aad_size), text, view(tag, tag_size), to);
    });
}

hwacha_status hwacha_lea_ccm_sealer_new(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                        uint64_t aad_size, uint64_t text_size,
                                        hwacha_lea_ccm_sealer** sealer) noexcept {
    if (ccm == nullptr || bad(nonce, nonce_size)) return none(sealer);
    return create(sealer,
                  [=] { return hwacha::lea_ccm_sealer(ccm->value, view(nonce, nonce_size), aad_size, text_size); });
}

void hwacha_lea_ccm_sealer_free(hwacha_lea_ccm_sealer* sealer) noexcept {
    delete sealer;
}

hwacha_status hwacha_lea_ccm_sealer_aad(hwacha_lea_ccm_sealer* sealer, const void* aad, size_t size) noexcept {
    return crypt(sealer, aad, size, nullptr, 0, [](auto& s, auto data, auto) { return s.aad(data); });
}

hwacha_status hwacha_lea_ccm_sealer_update(hwacha_lea_ccm_sealer* sealer, const void* plaintext, size_t size,
                                           void* ciphertext, size_t ciphertext_size) noexcept {
    return crypt(sealer, plaintext, size, ciphertext, ciphertext_size,
                 [](auto& s, auto text, auto to) { return s.update(text, to); });
}

hwacha_status hwacha_lea_ccm_sealer_finish(hwacha_lea_ccm_sealer* sealer, void* tag, size_t tag_size) noexcept {
    return crypt(sealer, nullptr, 0, tag, tag_size, [](auto& s, auto, auto to) { return s.finish(to); });
}

hwacha_status hwacha_lea_ccm_opener_new(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                        uint64_t aad_size, uint64_t text_size,
                                        hwacha_lea_ccm_opener** opener) noexcept {
    if (ccm == nullptr || bad(nonce, nonce_size)) return none(opener);
    return create(opener,
                  [=] { return hwacha::lea_ccm_opener(ccm->value, view(nonce, nonce_size), aad_size, text_size); });
}

void hwacha_lea_ccm_opener_free(hwacha_lea_ccm_opener* opener) noexcept {
    delete opener;
}

hwacha_status hwacha_lea_ccm_opener_aad(hwacha_lea_ccm_opener* opener, const void* aad, size_t size) noexcept {
    return crypt(opener, aad, size, nullptr, 0, [](auto& o, auto data, auto) { return o.aad(data); });
}

hwacha_status hwacha_lea_ccm_opener_update_unverified(hwacha_lea_ccm_opener* opener, const void* ciphertext,
                                                      size_t size, void* plaintext, size_t plaintext_size) noexcept {
    return crypt(opener, ciphertext, size, plaintext, plaintext_size,
                 [](auto& o, auto text, auto to) { return o.update_unverified(text, to); });
}

hwacha_status hwacha_lea_ccm_opener_finish(hwacha_lea_ccm_opener* opener, const void* tag, size_t tag_size) noexcept {
    return crypt(opener, tag, tag_size, nullptr, 0, [](auto& o, auto given, auto) { return o.finish(given); });
}

hwacha_status hwacha_lea_xts_new(const void* keys, size_t keys_size, hwacha_lea_xts** xts) noexcept {
    if (bad(keys, keys_size)) return none(xts);
    return create(xts, [=] { return hwacha::lea_xts(view(keys, keys_size)); });
}

void hwacha_lea_xts_free(hwacha_lea_xts* xts) noexcept {
    delete xts;
}

hwacha_status hwacha_lea_xts_encrypt(const hwacha_lea_xts* xts, const void* tweak, size_t tweak_size, const void* in,
                                     size_t size, void* out, size_t out_size) noexcept {
    if (bad(tweak, tweak_size)) return HWACHA_NULL_POINTER;
    return crypt(xts, in, size, out, out_size,
                 [=](const auto& x, auto text, auto to) { return x.encrypt(view(tweak, tweak_size), text, to); });
}

hwacha_status hwacha_lea_xts_decrypt(const hwacha_lea_xts* xts, const void* tweak, size_t tweak_size, const void* in,
                                     size_t size, void* out, size_t out_size) noexcept {
    if (bad(tweak, tweak_size)) return HWACHA_NULL_POINTER;
    return crypt(xts, in, size, out, out_size,
                 [=](const auto& x, auto text, auto to) { return x.decrypt(view(tweak, tweak_size), text, to); });
}

hwacha_status hwacha_lea_xts_encrypt_sectors(const hwacha_lea_xts* xts, uint64_t first, size_t sector_size,
                                             const void* in, size_t size, void* out, size_t out_size) noexcept {
    return crypt(xts, in, size, out, out_size,
                 [=](const auto& x, auto text, auto to) { return x.encrypt_sectors(first, sector_size, text, to); });
}

hwacha_status hwacha_lea_xts_decrypt_sectors(const hwacha_lea_xts* xts, uint64_t first, size_t sector_size,
                                             const void* in, size_t size, void* out, size_t out_size) noexcept {
    return crypt(xts, in, size, out, out_size,
                 [=](const auto& x, auto text, auto to) { return x.decrypt_sectors(first, sector_size, text, to); });
}
