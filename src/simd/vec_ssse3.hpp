// SSSE3: 128-bit registers with a byte shuffle. A row of 64-bit words takes a pair of them.
#pragma once

#include <tmmintrin.h>

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

struct ops : plain_ops {
    using wide32 = row32;

    static HWACHA_INLINE wide32 byte_swap(wide32 x) {
        return (wide32)_mm_shuffle_epi8((__m128i)x, _mm_set_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203));
    }

    template <class Map>
    static HWACHA_INLINE row32 permute_rotl(row32 x) {
        return (row32)_mm_shuffle_epi8((__m128i)x,
                                       _mm_load_si128((const __m128i*)byte_map_of<Map, uint32_t>::value.at));
    }
    template <class Map>
    static HWACHA_INLINE row64 permute_rotl(row64 x) {
        using half = vector_of<uint64_t, 2>::type;
        constexpr row_map m = Map::value;
        const row64 y = plain_ops::permute<m.from[0], m.from[1], m.from[2], m.from[3]>(x);
        const half low = __builtin_shufflevector(y, y, 0, 1);
        const half high = __builtin_shufflevector(y, y, 2, 3);
        const auto* map = (const __m128i*)byte_map_of<rotation_only<Map>, uint64_t>::value.at;
        const half a = (half)_mm_shuffle_epi8((__m128i)low, _mm_load_si128(map));
        const half b = (half)_mm_shuffle_epi8((__m128i)high, _mm_load_si128(map + 1));
        return __builtin_shufflevector(a, b, 0, 1, 2, 3);
    }
};

}  // namespace
}  // namespace hwacha::simd
