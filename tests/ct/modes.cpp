// LEA in CBC, CFB, OFB, CCM and XTS. Keys and plaintexts are secret; IVs, tweaks, sector numbers and AAD are public.
#include <hwacha/lea_ccm.hpp>
#include <hwacha/lea_modes.hpp>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

const bytes iv = test::pattern(16);

// Sizes of whole blocks: one, some, more than a piece of the mode's (64 blocks).
constexpr std::size_t whole_sizes[] = {16, 48, 272, 1200};

template <class Function>
void for_each_key(const run& r, Function f) {
    for (const std::size_t n : key_sizes) f(lea(r.secret(n, 40)));
}

void cbc_encrypt(run& r) {
    for_each_key(r, [&](const lea& key) {
        for (const std::size_t size : text_sizes) {
            const bytes text = r.secret(size, 41);
            bytes out(cbc_ciphertext_size(size, cbc_padding::pkcs7));
            std::size_t written = 0;
            r.publish(lea_cbc_encrypt(key, iv, cbc_padding::pkcs7, text, out, written));
            r.publish(out);
            lea_cbc_encryptor s(key, iv, cbc_padding::pkcs7);
            bytes_span left = out;
            const auto take = [&](status answer) {
                r.publish(answer);
                left = left.subspan(written);
            };
            take(s.update(bytes_view(text).first(size / 3), left, written));
            take(s.update(bytes_view(text).subspan(size / 3), left, written));
            take(s.finish(left, written));
            r.publish(out);
        }
    });
}

void cbc_decrypt(run& r) {
    for_each_key(r, [&](const lea& key) {
        for (const std::size_t size : whole_sizes) {
            bytes out(size);
            std::size_t written = 0;
            r.publish(lea_cbc_decrypt(key, iv, cbc_padding::none, test::pattern(size), out, written));
            r.publish(out);
        }
    });
}

// The padding is wrong: of every kind of block that there is, since how it is wrong must not show either.
void cbc_bad_padding(run& r) {
    const lea key(r.secret(16, 42));
    for (unsigned last = 0; last < 256; last += last < 20 ? 1 : 59) {
        for (unsigned before : {0U, last}) {
            if (last == 1) continue;
            bytes text(32, std::byte{0xee});
            text[30] = static_cast<std::byte>(before);
            text[31] = static_cast<std::byte>(last);
            if (last == 2 && before == 2) continue;
            r.hide_here(text);
            bytes sealed(32);
            bytes out(32);
            std::size_t written = 0;
            r.publish(lea_cbc_encrypt(key, iv, cbc_padding::none, text, sealed, written));
            reveal(sealed);
            r.publish(lea_cbc_decrypt(key, iv, cbc_padding::pkcs7, sealed, out, written));
            r.publish_public(out);
            lea_cbc_decryptor s(key, iv, cbc_padding::pkcs7);
            r.publish(s.update(sealed, out, written));
            r.publish(bytes_view(out).first(written));
            r.publish(s.finish(out, written));
        }
    }
}

void cbc_good_padding(run& r) {
    for_each_key(r, [&](const lea& key) {
        for (std::size_t size = 16; size <= 32; ++size) {
            bytes sealed(cbc_ciphertext_size(size, cbc_padding::pkcs7));
            bytes out(sealed.size());
            std::size_t written = 0;
            r.publish(lea_cbc_encrypt(key, iv, cbc_padding::pkcs7, r.secret(size, 43), sealed, written));
            reveal(sealed);
            r.publish(lea_cbc_decrypt(key, iv, cbc_padding::pkcs7, sealed, out, written));
            r.publish_number(written);
            r.publish(bytes_view(out).first(written));
            lea_cbc_decryptor s(key, iv, cbc_padding::pkcs7);
            r.publish(s.update(sealed, out, written));
            r.publish(bytes_view(out).first(written));
            r.publish(s.finish(out, written));
            r.publish_number(written);
            r.publish(bytes_view(out).first(written));
        }
    });
}

void cfb(run& r, bool encrypt) {
    for_each_key(r, [&](const lea& key) {
        for (const cfb_segment segment : {cfb_segment::bits8, cfb_segment::bits64, cfb_segment::bits128}) {
            lea_cfb_encryptor e(key, iv, segment);
            lea_cfb_decryptor d(key, iv, segment);
            for (const std::size_t size : {1, 16, 40, 300}) {
                const bytes text = encrypt ? r.secret(size, 44) : test::pattern(size);
                bytes out(size);
                r.publish(encrypt ? lea_cfb_encrypt(key, iv, segment, text, out)
                                  : lea_cfb_decrypt(key, iv, segment, text, out));
                r.publish(out);
                r.publish(encrypt ? e.update(text, out) : d.update(text, out));
                r.publish(out);
            }
        }
    });
}

void ofb(run& r) {
    for_each_key(r, [&](const lea& key) {
        lea_ofb stream(key, iv);
        for (const std::size_t size : text_sizes) {
            bytes text = r.secret(size, 45);
            bytes out(size);
            r.publish(lea_ofb_crypt(key, iv, text, out));
            r.publish(out);
            r.publish(stream.update(text, text));
            r.publish(text);
        }
    });
}

void ccm_seal(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea_ccm key(r.secret(n, 46));
        for (const std::size_t size : text_sizes) {
            bytes out(size + 16);
            r.publish(key.seal(test::pattern(13), test::pattern(21), r.secret(size, 47), out));
            r.publish(out);
        }
        bytes text = r.secret(333, 48);
        lea_ccm_sealer s(key, test::pattern(7), 21, text.size());
        r.publish(s.aad(r.secret(21, 49)));
        r.publish(s.update(bytes_view(text).first(100), bytes_span(text).first(100)));
        r.publish(s.update(bytes_view(text).subspan(100), bytes_span(text).subspan(100)));
        r.publish(text);
        bytes tag(16);
        r.publish(s.finish(tag));
        r.publish(tag);
    }
}

void ccm_open(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_ccm key(r.secret(n, 50), 12);
        for (const std::size_t size : text_sizes) {
            bytes sealed(size + 12);
            r.publish(key.seal(test::pattern(13), test::pattern(21), r.secret(size, 51), sealed));
            reveal(sealed);
            if (!good) sealed.back() ^= std::byte{0x80};
            bytes out(size);
            r.publish(key.open(test::pattern(13), test::pattern(21), sealed, out));
            if (good) {
                r.publish(out);
            } else {
                r.publish_public(out);
            }
            lea_ccm_opener o(key, test::pattern(13), 21, size);
            r.publish(o.aad(test::pattern(21)));
            r.publish(o.update_unverified(bytes_view(sealed).first(size), out));
            r.publish(o.finish(bytes_view(sealed).last(12)));
            r.publish(out);
        }
    }
}

void xts(run& r, bool encrypt) {
    for (const std::size_t n : key_sizes) {
        const lea_xts key(r.secret(2 * n, 52));
        for (const std::size_t size : {16, 17, 31, 48, 300, 1200}) {
            const bytes in = r.secret(size, 53);
            bytes out(size);
            r.publish(encrypt ? key.encrypt(iv, in, out) : key.decrypt(iv, in, out));
            r.publish(out);
        }
        for (const std::size_t sector : {32, 33, 512}) {
            const bytes in = r.secret(40 * sector, 54);
            bytes out(in.size());
            r.publish(encrypt ? key.encrypt_sectors(7, sector, in, out) : key.decrypt_sectors(7, sector, in, out));
            r.publish(out);
        }
    }
}

// K1 = K2, or all but the last byte: that they are equal is public, since the constructor throws then.
void xts_weak_key(run& r) {
    for (const std::size_t n : key_sizes) {
        for (const unsigned difference : {0U, 1U}) {
            bytes key = test::random_source(55).take(n);
            key.insert(key.end(), key.begin(), key.end());
            key.back() ^= static_cast<std::byte>(difference);
            r.hide_here(key);
            status answer = status::ok;
            try {
                const lea_xts made(key);
            } catch (const error& e) {
                answer = e.code();
            }
            r.publish(answer);
        }
    }
}

constexpr named_case cases[] = {
    {"lea-cbc-encrypt", cbc_encrypt},
    {"lea-cbc-decrypt", cbc_decrypt},
    {"lea-cbc-good-padding", cbc_good_padding},
    {"lea-cbc-bad-padding", cbc_bad_padding},
    {"lea-cfb-encrypt", [](run& r) { cfb(r, true); }},
    {"lea-cfb-decrypt", [](run& r) { cfb(r, false); }},
    {"lea-ofb", ofb},
    {"lea-ccm-seal", ccm_seal},
    {"lea-ccm-open-good", [](run& r) { ccm_open(r, true); }},
    {"lea-ccm-open-bad", [](run& r) { ccm_open(r, false); }},
    {"lea-xts-encrypt", [](run& r) { xts(r, true); }},
    {"lea-xts-decrypt", [](run& r) { xts(r, false); }},
    {"lea-xts-weak-key", xts_weak_key},
};

}  // namespace

std::span<const named_case> modes_cases() {
    return cases;
}

}  // namespace hwacha::ct
