// AVX2: 256-bit registers, two rows of 32-bit words or one of 64-bit words.
#pragma once

#include "simd/vec_x86.hpp"

namespace hwacha::simd {
namespace {

struct ops : x86_ops {
    using wide32 = row32x2;
    using x86_ops::permute_rotl;

    static HWACHA_INLINE wide32 byte_swap(wide32 x) {
        return (wide32)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(reversed_words()));
    }

    template <int n, class V>
    static HWACHA_INLINE V rotl_bytes(V x) {
        static_assert(sizeof(V) == 32);
        if constexpr (n == 0) {
            return x;
        } else {
            const uint8_t* map = byte_rotation<word_of<V>, n>::value.at;
            return (V)_mm256_shuffle_epi8((__m256i)x, _mm256_load_si256((const __m256i*)map));
        }
    }

    // A row of 64-bit words crosses the halves of the register. Exchanging halves and shuffling within them is cheap on
    // every processor; vpermq is slow on AMD's before Zen 5.
    static HWACHA_INLINE row64 swap_halves(row64 x) {
        return (row64)_mm256_permute2x128_si256((__m256i)x, (__m256i)x, 0x01);
    }

    template <int p0, int p1, int p2, int p3>
    static HWACHA_INLINE row64 permute(row64 x) {
        constexpr int within = (p0 & 1) | (p1 & 1) << 1 | (p2 & 1) << 2 | (p3 & 1) << 3;
        constexpr bool own[4] = {p0 < 2, p1 < 2, p2 >= 2, p3 >= 2};
        if constexpr (p0 == 0 && p1 == 1 && p2 == 2 && p3 == 3) {
            return x;
        } else if constexpr (own[0] && own[1] && own[2] && own[3]) {
            return (row64)_mm256_permute_pd((__m256d)x, within);
        } else if constexpr (!own[0] && !own[1] && !own[2] && !own[3]) {
            const row64 swapped = swap_halves(x);
            if constexpr (within == 0b1010) return swapped;
            return (row64)_mm256_permute_pd((__m256d)swapped, within);
        } else if constexpr (own[0] && !own[1] && own[2] && !own[3]) {
            return (row64)_mm256_shuffle_pd((__m256d)x, (__m256d)swap_halves(x), within);
        } else if constexpr (!own[0] && own[1] && !own[2] && own[3]) {
            return (row64)_mm256_shuffle_pd((__m256d)swap_halves(x), (__m256d)x, within);
        } else {
            constexpr int other = (own[0] ? 0 : 0x03) | (own[1] ? 0 : 0x0c) | (own[2] ? 0 : 0x30) | (own[3] ? 0 : 0xc0);
            const row64 swapped = swap_halves(x);
            if constexpr (within == 0b1010) return (row64)_mm256_blend_epi32((__m256i)x, (__m256i)swapped, other);
            return (row64)_mm256_blend_epi32((__m256i)_mm256_permute_pd((__m256d)x, within),
                                             (__m256i)_mm256_permute_pd((__m256d)swapped, within), other);
        }
    }

    template <int p0, int p1, int p2, int p3>
    static HWACHA_INLINE row32 permute(row32 x) {
        return plain_ops::permute<p0, p1, p2, p3>(x);
    }
    template <int p0, int p1, int p2, int p3>
    static HWACHA_INLINE row32x2 permute(row32x2 x) {
        return plain_ops::permute<p0, p1, p2, p3>(x);
    }

    template <class Map>
    static HWACHA_INLINE row64 permute_rotl(row64 x) {
        constexpr row_map m = Map::value;
        constexpr int from[4] = {m.from[0], m.from[1], m.from[2], m.from[3]};
        const auto shuffle = [](row64 v, const uint8_t* map) {
            return (row64)_mm256_shuffle_epi8((__m256i)v, _mm256_load_si256((const __m256i*)map));
        };
        constexpr bool own0 = from[0] < 2;
        constexpr bool own1 = from[1] < 2;
        if constexpr (own0 && own1) {
            return shuffle(x, byte_map_of<Map, uint64_t>::value.at);
        } else if constexpr (!own0 && !own1) {
            return shuffle(swap_halves(x), byte_map_of<Map, uint64_t>::value.at);
        } else {
            // One word of its own half and one of the other in each half of the result: the first to place 0, the other
            // to place 1; the byte shuffle then puts them in order.
            constexpr int own_low = own0 ? from[0] : from[1];
            constexpr int other_low = own0 ? from[1] : from[0];
            constexpr int own_high = from[2] >= 2 ? from[2] : from[3];
            constexpr int other_high = from[2] >= 2 ? from[3] : from[2];
            constexpr int choice = (own_low & 1) | (other_low & 1) << 1 | (own_high & 1) << 2 | (other_high & 1) << 3;
            const row64 mixed = (row64)_mm256_shuffle_pd((__m256d)x, (__m256d)swap_halves(x), choice);
            return shuffle(mixed, byte_map_of<placed<Map>, uint64_t>::value.at);
        }
    }

    // Map after each half has its own word at place 0 and the other half's at place 1.
    template <class Map>
    struct placed {
        static constexpr row_map make() {
            row_map m = Map::value;
            for (int s = 0; s < 4; ++s) m.from[s] = (m.from[s] < 2) == (s < 2) ? 0 : 1;
            return m;
        }
        static constexpr row_map value = make();
    };

    template <class V>
    static HWACHA_INLINE V repeat_row(const void* p) {
        const __m128i row = _mm_loadu_si128((const __m128i*)p);
        if constexpr (sizeof(V) == 16) {
            return (V)row;
        } else {
            return (V)_mm256_broadcastsi128_si256(row);
        }
    }

    template <class Map>
    static HWACHA_INLINE row32x2 permute_rotl(row32x2 x) {
        const auto* map = (const __m128i*)byte_map_of<Map, uint32_t>::value.at;
        return (row32x2)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(_mm_load_si128(map)));
    }

    template <int a0, int a1, int a2, int a3, int b0, int b1, int b2, int b3>
    static HWACHA_INLINE row32x2 permute_rows(row32x2 x) {
        const uint8_t* map = two_rows<a0, a1, a2, a3, b0, b1, b2, b3>::value.at;
        hide_constant(map);  // or clang 19 turns the shuffle into one across lanes, of three times the latency
        return (row32x2)_mm256_shuffle_epi8((__m256i)x, _mm256_load_si256((const __m256i*)map));
    }
};

}  // namespace
}  // namespace hwacha::simd
