// Key derivation with LSH and LEA: PBKDF2 (RFC 8018, NIST SP 800-132), HKDF (RFC 5869), KBKDF in counter mode (NIST SP
// 800-108r1).
//
// Each writes all of `out`, of any size within the function's limit: output_too_long above it. Any status but ok: `out`
// is untouched. `out` overlaps no input (overlap). Nothing is allocated, and what lay between is wiped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <hwacha/bytes.hpp>
#include <hwacha/lsh.hpp>
#include <hwacha/lsh_batch.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// PBKDF2 (RFC 8018 section 5.2) with HMAC-LSH. 1 to 2^32-1 iterations (bad_iterations); up to 2^32-1 blocks of the
// digest size come out. unknown_algorithm if `v` is none of the six. The time depends on the sizes and the iterations
// only. The blocks of a long output share the lanes: eight take three to five times as long as one.
[[nodiscard]] HWACHA_API status pbkdf2_hmac_lsh(lsh_variant v, bytes_view password, bytes_view salt,
                                                std::uint64_t iterations, bytes_span out) noexcept;

// Password i with salt i, all at once, one in each lane of the vector registers and on as many threads as are lent:
// `key_size` bytes each to the start of `keys`, one after the other, as pbkdf2_hmac_lsh in a loop. For servers that
// verify many; it is also the speed of whoever guesses passwords, so choose iterations by it and not by one password
// alone.
//
// wrong_count: not as many salts as passwords. buffer_too_small: `keys` has less than key_size bytes for each. overlap:
// the keys would lie over a password, a salt or one of the lists. cancelled, executor_failed (hwacha/lsh_batch.hpp), or
// an exception of executor::run: zeros. `progress` hears how many passwords are done.
[[nodiscard]] HWACHA_API status pbkdf2_hmac_lsh_batch(lsh_variant v, std::span<const bytes_view> passwords,
                                                      std::span<const bytes_view> salts, std::uint64_t iterations,
                                                      std::size_t key_size, bytes_span keys,
                                                      const batch_options& options = {});

// HKDF (RFC 5869): extract and expand in one call, or apart. An empty salt stands for zeros of the digest size. Up to
// 255 digest sizes come out. The pseudorandom key has exactly the digest size (buffer_too_small for less room;
// bad_key_length for an expansion with less).
[[nodiscard]] HWACHA_API status hkdf_hmac_lsh(lsh_variant v, bytes_view key, bytes_view salt, bytes_view info,
                                              bytes_span out) noexcept;
[[nodiscard]] HWACHA_API status hkdf_hmac_lsh_extract(lsh_variant v, bytes_view key, bytes_view salt,
                                                      bytes_span pseudorandom_key) noexcept;
[[nodiscard]] HWACHA_API status hkdf_hmac_lsh_expand(lsh_variant v, bytes_view pseudorandom_key, bytes_view info,
                                                     bytes_span out) noexcept;

// KBKDF in counter mode (SP 800-108r1 section 4.1): block i is PRF(key, [i] || label || 0x00 || context || [L]), with
// counter and L, the number of bits that come out, as 32-bit big-endian numbers. Up to 2^32-1 bits come out. `key` is a
// key with the strength of what is derived, not a password.
[[nodiscard]] HWACHA_API status kbkdf_hmac_lsh(lsh_variant v, bytes_view key, bytes_view label, bytes_view context,
                                               bytes_span out) noexcept;
// With CMAC-LEA: the key has 16, 24 or 32 bytes (bad_key_length). Where someone who knows the key may choose label or
// context, take HMAC: CMAC lets them choose what comes out (section 6.7).
[[nodiscard]] HWACHA_API status kbkdf_cmac_lea(bytes_view key, bytes_view label, bytes_view context,
                                               bytes_span out) noexcept;

// The same for protocols that lay out the input in another way: block i is PRF(key, before || [i] || after), where the
// caller has encoded everything but the counter. What comes out is not bound to its length unless the input says it.
struct kbkdf_fixed_input {
    bytes_view before;
    bytes_view after;
    unsigned counter_bits = 32;  // of the big-endian counter: 8, 16, 24 or 32 (bad_option)
};
// Up to 2^counter_bits - 1 blocks of the digest size or, with CMAC, of 16 bytes come out.
[[nodiscard]] HWACHA_API status kbkdf_hmac_lsh(lsh_variant v, bytes_view key, const kbkdf_fixed_input& input,
                                               bytes_span out) noexcept;
[[nodiscard]] HWACHA_API status kbkdf_cmac_lea(bytes_view key, const kbkdf_fixed_input& input, bytes_span out) noexcept;

}  // namespace hwacha
