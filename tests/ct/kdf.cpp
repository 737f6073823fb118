// PBKDF2, HKDF and KBKDF. Passwords, keys and pseudorandom keys are secret; salts, info, labels, contexts and the
// number of iterations are public.
#include <hwacha/kdf.hpp>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

// Sizes around the digest sizes and the block sizes of HMAC; outputs of one and of several blocks.
constexpr std::size_t password_sizes[] = {0, 1, 20, 130, 300};
constexpr std::size_t output_sizes[] = {1, 28, 64, 200};

void pbkdf2(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t n : password_sizes) {
            for (const std::size_t size : output_sizes) {
                bytes out(size);
                r.publish(pbkdf2_hmac_lsh(i.variant, r.secret(n, 60), test::pattern(16), 3, out));
                if (n == 0) {
                    r.publish_public(out);
                } else {
                    r.publish(out);
                }
            }
        }
    }
}

// As many as fill every form of lanes, and more.
void pbkdf2_batch(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        std::vector<bytes> passwords;
        for (unsigned k = 0; k < 21; ++k) passwords.push_back(r.secret(1 + 7 * k, 100 + k));
        const std::vector<bytes> salts(passwords.size(), test::pattern(16));
        bytes keys(32 * passwords.size());
        r.publish(pbkdf2_hmac_lsh_batch(i.variant, std::vector<bytes_view>(passwords.begin(), passwords.end()),
                                        std::vector<bytes_view>(salts.begin(), salts.end()), 2, 32, keys));
        r.publish(keys);
    }
}

void hkdf(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t size : output_sizes) {
            bytes out(size);
            r.publish(hkdf_hmac_lsh(i.variant, r.secret(32, 61), test::pattern(16), test::pattern(5), out));
            r.publish(out);
            bytes prk(i.digest_size);
            r.publish(hkdf_hmac_lsh_extract(i.variant, r.secret(300, 62), r.secret(32, 63), prk));
            r.publish(hkdf_hmac_lsh_expand(i.variant, prk, test::pattern(5), out));
            r.publish(out);
            r.publish(prk);
        }
    }
}

void kbkdf(run& r) {
    for (const std::size_t size : output_sizes) {
        bytes out(size);
        for (const lsh_info& i : lsh_variants()) {
            r.publish(kbkdf_hmac_lsh(i.variant, r.secret(32, 64), test::pattern(5), test::pattern(20), out));
            r.publish(out);
        }
        for (const std::size_t n : key_sizes) {
            r.publish(kbkdf_cmac_lea(r.secret(n, 65), test::pattern(5), test::pattern(20), out));
            r.publish(out);
        }
    }
}

constexpr named_case cases[] = {
    {"pbkdf2-hmac-lsh", pbkdf2},
    {"pbkdf2-hmac-lsh-batch", pbkdf2_batch},
    {"hkdf-hmac-lsh", hkdf},
    {"kbkdf", kbkdf},
};

}  // namespace

std::span<const named_case> kdf_cases() {
    return cases;
}

}  // namespace hwacha::ct
