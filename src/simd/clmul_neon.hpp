// Carry-less multiplication on AArch64: PMULL of the cryptography extension. The names are those of clmul_x86.hpp.
#pragma once

#include <arm_neon.h>

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

struct clmul_single {
    using vector = vector_of<uint64_t, 2>::type;
    static constexpr int blocks = 1;

    template <int a, int b>
    static HWACHA_INLINE vector multiply(vector x, vector y) {
        return (vector)vmull_p64((poly64_t)x[a], (poly64_t)y[b]);
    }
    static HWACHA_INLINE vector reverse_bytes(vector x) {
        const uint8x16_t swapped = vrev64q_u8((uint8x16_t)x);
        return (vector)vextq_u8(swapped, swapped, 8);
    }
    static HWACHA_INLINE vector first_only(vector x) { return x; }
    static HWACHA_INLINE vector sum_blocks(vector x) { return x; }
};

}  // namespace
}  // namespace hwacha::simd
