// SSSE3: 128-bit registers with a byte shuffle. A row of 64-bit words takes a pair of them.
#pragma once

#include "simd/vec_x86.hpp"

namespace hwacha::simd {
namespace {

struct ops : x86_ops {
    using wide32 = row32;
    using x86_ops::permute_rotl;

    static HWACHA_INLINE wide32 byte_swap(wide32 x) { return (wide32)_mm_shuffle_epi8((__m128i)x, reversed_words()); }

    template <int n, class V>
    static HWACHA_INLINE V rotl_bytes(V x) {
        static_assert(sizeof(V) == 16);
        if constexpr (n == 0) {
            return x;
        } else {
            const uint8_t* map = byte_rotation<word_of<V>, n>::value.at;
            return (V)_mm_shuffle_epi8((__m128i)x, _mm_load_si128((const __m128i*)map));
        }
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
