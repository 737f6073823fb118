// Carry-less multiplication on x86, which the vector extensions cannot say: PCLMULQDQ on one block of 128 bits,
// VPCLMULQDQ on two or four side by side. The names are those of clmul_neon.hpp.
#pragma once

#include <immintrin.h>

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

// One block of 128 bits, low word first.
struct clmul_single {
    using vector = vector_of<uint64_t, 2>::type;
    static constexpr int blocks = 1;

    // Word `a` of x times word `b` of y.
    template <int a, int b>
    static HWACHA_INLINE vector multiply(vector x, vector y) {
        return (vector)_mm_clmulepi64_si128((__m128i)x, (__m128i)y, a | b << 4);
    }
    static HWACHA_INLINE vector reverse_bytes(vector x) {
        return (vector)_mm_shuffle_epi8((__m128i)x, _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f));
    }
    static HWACHA_INLINE vector first_only(vector x) { return x; }
    static HWACHA_INLINE vector sum_blocks(vector x) { return x; }
};

#ifdef __VPCLMULQDQ__
struct clmul_double {
    using vector = row64;
    static constexpr int blocks = 2;

    template <int a, int b>
    static HWACHA_INLINE vector multiply(vector x, vector y) {
        return (vector)_mm256_clmulepi64_epi128((__m256i)x, (__m256i)y, a | b << 4);
    }
    static HWACHA_INLINE vector reverse_bytes(vector x) {
        const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
        return (vector)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(reversed));
    }
    // x as the first block, zero in the others.
    static HWACHA_INLINE vector first_only(clmul_single::vector x) {
        return __builtin_shufflevector(x, clmul_single::vector{}, 0, 1, 2, 3);
    }
    static HWACHA_INLINE clmul_single::vector sum_blocks(vector x) {
        return __builtin_shufflevector(x, x, 0, 1) ^ __builtin_shufflevector(x, x, 2, 3);
    }
};
#endif

#if defined(__VPCLMULQDQ__) && defined(__AVX512F__)
struct clmul_quadruple {
    using vector = row64x2;
    static constexpr int blocks = 4;

    template <int a, int b>
    static HWACHA_INLINE vector multiply(vector x, vector y) {
        return (vector)_mm512_clmulepi64_epi128((__m512i)x, (__m512i)y, a | b << 4);
    }
    static HWACHA_INLINE vector reverse_bytes(vector x) {
        const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
        return (vector)_mm512_shuffle_epi8((__m512i)x, _mm512_maskz_broadcast_i32x4(0xffff, reversed));
    }
    static HWACHA_INLINE vector first_only(clmul_single::vector x) {
        return (vector)_mm512_zextsi128_si512((__m128i)x);
    }
    static HWACHA_INLINE clmul_single::vector sum_blocks(vector x) {
        return clmul_double::sum_blocks(__builtin_shufflevector(x, x, 0, 1, 2, 3) ^
                                        __builtin_shufflevector(x, x, 4, 5, 6, 7));
    }
};
#endif

}  // namespace
}  // namespace hwacha::simd
