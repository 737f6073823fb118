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

extern const lsh256_table lsh256_portable, lsh256_ssse3, lsh256_avx2, lsh256_avx512, lsh256_neon;
extern const lsh512_table lsh512_portable, lsh512_ssse3, lsh512_avx2, lsh512_avx512, lsh512_neon;

}  // namespace hwacha
