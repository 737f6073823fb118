// A file compiled with one level's flags that checks the vocabulary it was given. Included by such files: no C++
// library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha::test {

struct simd_probe {
    const char* name;  // "vec avx2", "clmul avx2-vpclmul"
    cpu::table_head head;
    // Runs every operation on words from `random` (at least simd_probe_input bytes) and says of each whether it was
    // right.
    void (*run)(const uint8_t* random, void (*report)(const char* operation, bool good));
};

inline constexpr size_t simd_probe_input = 512;

}  // namespace hwacha::test
