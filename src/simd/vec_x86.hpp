// What SSSE3, AVX2 and AVX-512 do alike.
#pragma once

#include <immintrin.h>

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

struct x86_ops : plain_ops {
    template <class Map>
    static HWACHA_INLINE row32 permute_rotl(row32 x) {
        const auto* map = (const __m128i*)byte_map_of<Map, uint32_t>::value.at;
        return (row32)_mm_shuffle_epi8((__m128i)x, _mm_load_si128(map));
    }

    // Without the way through memory, which takes longer than the short path has.
    template <class V>
    static HWACHA_INLINE V load_some(const void* p, size_t n) {
        const auto* from = (const uint8_t*)p;
        if constexpr (sizeof(V) == 16) {
            return (V)load_some_row(from, n);
        } else {
            static_assert(sizeof(V) == 32);
            const row32 low = n < 16 ? load_some_row(from, n) : load<row32>(from);
            const row32 high = n < 16 ? row32{} : load_some_row(from + 16, n - 16);
            return (V)__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
        }
    }

    template <class V>
    static HWACHA_INLINE void store_some(void* p, V v, size_t n) {
        auto* to = (uint8_t*)p;
        if constexpr (sizeof(V) == 16) {
            store_some_row(to, (row32)v, n);
        } else {
            static_assert(sizeof(V) == 32);
            const auto words = (row32x2)v;
            row32 row = __builtin_shufflevector(words, words, 0, 1, 2, 3);
            if (n >= 16) {
                store(to, row);
                to += 16;
                n -= 16;
                row = __builtin_shufflevector(words, words, 4, 5, 6, 7);
            }
            store_some_row(to, row, n);
        }
    }

    static HWACHA_INLINE row32 load_some_row(const uint8_t* p, size_t n) {
        uint64_t low = 0, high = 0;
        if (n >= 8) {
            low = load<uint64_t>(p);
            if (n > 8) high = load<uint64_t>(p + n - 8) >> (8 * (16 - n));
        } else if (n >= 4) {
            low = load<uint32_t>(p) | (uint64_t)load<uint32_t>(p + n - 4) << (8 * (n - 4));
        } else if (n != 0) {
            low = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
        }
        return (row32)_mm_set_epi64x((long long)high, (long long)low);
    }

    static HWACHA_INLINE void store_some_row(uint8_t* p, row32 row, size_t n) {
        const auto words = (vector_of<uint64_t, 2>::type)row;
        const uint64_t low = words[0];
        if (n >= 8) {
            store(p, low);
            if (n > 8) store(p + n - 8, low >> (8 * (n - 8)) | words[1] << (8 * (16 - n)));
        } else if (n >= 4) {
            store(p, (uint32_t)low);
            store(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
        } else if (n != 0) {
            p[0] = (uint8_t)low;
            p[n / 2] = (uint8_t)(low >> (8 * (n / 2)));
            p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
        }
    }

    // The byte shuffle that reverses the bytes of each 32-bit word.
    static HWACHA_INLINE __m128i reversed_words() {
        return _mm_set_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203);
    }
};

}  // namespace
}  // namespace hwacha::simd
