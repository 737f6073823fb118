// AVX-512 F, BW, DQ, VL: 512-bit registers; rotation is one instruction in every width.
#pragma once

#include "simd/vec_x86.hpp"

namespace hwacha::simd {
namespace {

struct ops : x86_ops {
    using wide32 = row32x4;
    using x86_ops::permute_rotl;

    static HWACHA_INLINE wide32 byte_swap(wide32 x) {
        return (wide32)_mm512_shuffle_epi8((__m512i)x, _mm512_maskz_broadcast_i32x4(0xffff, reversed_words()));
    }

    template <class V>
    static HWACHA_INLINE V load_some(const void* p, size_t n) {
        if constexpr (sizeof(V) == 64) {
            return (V)_mm512_maskz_loadu_epi8(first(n), p);
        } else {
            static_assert(sizeof(V) == 32);
            return (V)_mm256_maskz_loadu_epi8((__mmask32)first(n), p);
        }
    }
    template <class V>
    static HWACHA_INLINE void store_some(void* p, V v, size_t n) {
        if constexpr (sizeof(V) == 64) {
            _mm512_mask_storeu_epi8(p, first(n), (__m512i)v);
        } else {
            static_assert(sizeof(V) == 32);
            _mm256_mask_storeu_epi8(p, (__mmask32)first(n), (__m256i)v);
        }
    }
    template <class V>
    static HWACHA_INLINE V first_bytes(V v, size_t n) {
        if constexpr (sizeof(V) == 64) {
            return (V)_mm512_maskz_mov_epi8(first(n), (__m512i)v);
        } else {
            static_assert(sizeof(V) == 32);
            return (V)_mm256_maskz_mov_epi8((__mmask32)first(n), (__m256i)v);
        }
    }
    static HWACHA_INLINE __mmask64 first(size_t n) { return (uint64_t{1} << n) - 1; }

    // Word i rotated to the left by the i-th number. The unmasked intrinsic draws a false warning from g++ 12.
    template <int... n>
    static HWACHA_INLINE row64x2 rotl_each(row64x2 x) {
        constexpr row64x2 counts = {uint64_t(n)...};
        return (row64x2)_mm512_maskz_rolv_epi64(0xff, (__m512i)x, (__m512i)counts);
    }

    // Eight words out of the sixteen of x and y.
    template <int... from>
    static HWACHA_INLINE row64x2 choose(row64x2 x, row64x2 y) {
        return __builtin_shufflevector(x, y, from...);
    }

    template <class V>
    static HWACHA_INLINE V repeat_row(const void* p) {
        const __m128i row = _mm_loadu_si128((const __m128i*)p);
        if constexpr (sizeof(V) == 16) {
            return (V)row;
        } else if constexpr (sizeof(V) == 32) {
            return (V)_mm256_broadcastsi128_si256(row);
        } else {
            return (V)_mm512_maskz_broadcast_i32x4(0xffff, row);
        }
    }

    template <class Map>
    static HWACHA_INLINE row32x2 permute_rotl(row32x2 x) {
        const auto* map = (const __m128i*)byte_map_of<Map, uint32_t>::value.at;
        return (row32x2)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(_mm_load_si128(map)));
    }
    template <class Map>
    static row64 permute_rotl(row64 x) = delete;  // or clang takes it for a row32x2
    template <class Map>
    static HWACHA_INLINE row32x4 permute_rotl(row32x4 x) {
        const auto* map = (const __m128i*)byte_map_of<Map, uint32_t>::value.at;
        const __m512i maps = _mm512_maskz_broadcast_i32x4(0xffff, _mm_load_si128(map));
        return (row32x4)_mm512_maskz_shuffle_epi8(~__mmask64{}, (__m512i)x, maps);
    }

    template <int a0, int a1, int a2, int a3, int b0, int b1, int b2, int b3>
    static HWACHA_INLINE row64x2 permute_rows(row64x2 x) {
        return plain_ops::permute_rows<a0, a1, a2, a3, b0, b1, b2, b3>(x);
    }
    template <int a0, int a1, int a2, int a3, int b0, int b1, int b2, int b3>
    static HWACHA_INLINE row32x2 permute_rows(row32x2 x) {
        const uint8_t* map = two_rows<a0, a1, a2, a3, b0, b1, b2, b3>::value.at;
        hide_constant(map);  // or clang 19 turns the shuffle into one across lanes, of three times the latency
        return (row32x2)_mm256_shuffle_epi8((__m256i)x, _mm256_load_si256((const __m256i*)map));
    }

    // Without the addition that saves a shift elsewhere: both compilers see a rotation in this one.
    template <int n, class V>
    static HWACHA_INLINE V rotl(V x) {
        return (x << n) | (x >> (word_bits_of<V> - n));
    }
};

// The same in registers of 256 bits, of which three work at a time and not two.
struct half_ops : ops {
    using wide32 = row32x2;

    static HWACHA_INLINE wide32 byte_swap(wide32 x) {
        return (wide32)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(reversed_words()));
    }
};

}  // namespace
}  // namespace hwacha::simd
