// The waist of LEA. Nothing below this line knows keys in user format, modes, partial blocks or errors.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha {

// round_keys: six words a round for every key size; rounds: 24, 28 or 32. `in` and `out` hold `count` blocks of 16
// bytes, any alignment, the same buffer or disjoint ones.
struct lea_table {
    cpu::table_head head;
    void (*encrypt_blocks)(const uint32_t* round_keys, uint32_t rounds, const uint8_t* in, uint8_t* out, size_t count);
    void (*decrypt_blocks)(const uint32_t* round_keys, uint32_t rounds, const uint8_t* in, uint8_t* out, size_t count);
    // out = in ^ E(counter), E(counter + 1), ...: the last 4 of the counter's 16 bytes count, big-endian, modulo 2^32.
    void (*ctr32)(const uint32_t* round_keys, uint32_t rounds, const uint8_t* counter, const uint8_t* in, uint8_t* out,
                  size_t count);
};

extern const lea_table lea_portable, lea_ssse3, lea_avx2, lea_avx512, lea_neon;

}  // namespace hwacha
