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

    // The byte shuffle that reverses the bytes of each 32-bit word.
    static HWACHA_INLINE __m128i reversed_words() {
        return _mm_set_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203);
    }
};

}  // namespace
}  // namespace hwacha::simd
