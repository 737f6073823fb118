// The waist of LSH: what a kernel table is. Nothing below this line knows padding, digests or errors.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha {

// compress: `count` whole blocks (128 or 256 bytes each, any alignment) into the 16 words of the chaining value.
struct lsh256_table {
    cpu::table_head head;
    void (*compress)(uint32_t* cv, const uint8_t* blocks, size_t count);
};

struct lsh512_table {
    cpu::table_head head;
    void (*compress)(uint64_t* cv, const uint8_t* blocks, size_t count);
};

// Several messages at once, one a lane. `lanes` messages take about `cost` hundredths of the time that the level's
// single-message kernel takes for one. compress: `count` blocks at each of blocks[0] ... blocks[lanes - 1], any
// alignment, into the chaining values; word w of lane i is state[w * lanes + i], aligned to 64 bytes.
inline constexpr uint32_t lsh_single_cost = 100;
inline constexpr uint32_t lsh_most_lanes = 16;

template <class Word>
struct lsh_lanes_form {
    uint32_t lanes;
    uint32_t cost;
    void (*compress)(Word* state, const uint8_t* const* blocks, size_t count);
};

// Widest form first.
struct lsh256_lanes_table {
    cpu::table_head head;
    uint32_t count;
    lsh_lanes_form<uint32_t> forms[3];
};

struct lsh512_lanes_table {
    cpu::table_head head;
    uint32_t count;
    lsh_lanes_form<uint64_t> forms[3];
};

extern const lsh256_table lsh256_portable, lsh256_ssse3, lsh256_avx2, lsh256_avx512, lsh256_neon;
extern const lsh512_table lsh512_portable, lsh512_ssse3, lsh512_avx2, lsh512_avx512, lsh512_neon;
extern const lsh256_lanes_table lsh256_lanes_portable, lsh256_lanes_ssse3, lsh256_lanes_avx2, lsh256_lanes_avx512,
    lsh256_lanes_neon;
extern const lsh512_lanes_table lsh512_lanes_portable, lsh512_lanes_ssse3, lsh512_lanes_avx2, lsh512_lanes_avx512,
    lsh512_lanes_neon;

}  // namespace hwacha
