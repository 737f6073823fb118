// The waist of GHASH. Nothing below this line knows lengths in bytes, padding, tags or nonces.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha {

// Powers of the hash key H that a short message needs, in the form of the table that computed them.
inline constexpr size_t ghash_powers = 8;

// h, state, blocks: 16-byte blocks in the byte order of GCM (NIST SP 800-38D section 6.3). Time depends on `count`
// only.
struct ghash_table {
    cpu::table_head head;
    // powers = H^1 ... H^8: 16 * ghash_powers bytes, 16-byte aligned.
    void (*expand_key)(const uint8_t* h, uint8_t* powers);
    // state = (...((state ^ b_0) * H ^ b_1) * H ...) * H over `count` blocks.
    void (*absorb)(uint8_t* state, const uint8_t* powers, const uint8_t* blocks, size_t count);
};

extern const ghash_table ghash_portable, ghash_ssse3, ghash_avx2, ghash_avx2_vpclmul, ghash_avx512_vpclmul, ghash_neon;

}  // namespace hwacha
