// The limits of GCM, NIST SP 800-38D section 5.2.1.1, in bytes.
#pragma once

#include <cstdint>

namespace hwacha {

inline constexpr std::uint64_t gcm_max_text = (std::uint64_t{1} << 36) - 32;  // 2^39 - 256 bits: 2^32 - 2 blocks
inline constexpr std::uint64_t gcm_max_aad = (std::uint64_t{1} << 61) - 1;    // 2^64 - 1 bits, whole bytes of it
inline constexpr std::uint64_t gcm_max_nonce = gcm_max_aad;

// Whether `more` may follow `so_far`, without overflow.
constexpr bool gcm_fits(std::uint64_t so_far, std::uint64_t more, std::uint64_t limit) {
    return so_far <= limit && more <= limit - so_far;
}

}  // namespace hwacha
