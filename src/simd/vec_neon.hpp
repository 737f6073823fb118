// NEON (Advanced SIMD of AArch64): 128-bit registers; a rotation is a shift and a shift-with-insert.
#pragma once

#include <arm_neon.h>

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

struct ops : plain_ops {
    using wide32 = row32;

    template <int n>
    static HWACHA_INLINE row32 rotl(row32 x) {
        if constexpr (n == 16) {
            return (row32)vrev32q_u16((uint16x8_t)x);
        } else {
            return (row32)vsriq_n_u32(vshlq_n_u32((uint32x4_t)x, n), (uint32x4_t)x, 32 - n);
        }
    }

    template <int n>
    static HWACHA_INLINE row64 rotl(row64 x) {
        using half = vector_of<uint64_t, 2>::type;
        const auto rotate = [](half h) {
            return (half)vsriq_n_u64(vshlq_n_u64((uint64x2_t)h, n), (uint64x2_t)h, 64 - n);
        };
        const half low = rotate(__builtin_shufflevector(x, x, 0, 1));
        const half high = rotate(__builtin_shufflevector(x, x, 2, 3));
        return __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }

    template <int n>
    static HWACHA_INLINE vector_of<uint64_t, 2>::type rotl(vector_of<uint64_t, 2>::type x) {
        return (vector_of<uint64_t, 2>::type)vsriq_n_u64(vshlq_n_u64((uint64x2_t)x, n), (uint64x2_t)x, 64 - n);
    }

    template <int n, class V>
    static HWACHA_INLINE V rotl_bytes(V x) {
        if constexpr (n == 0) {
            return x;
        } else {
            return rotl<n>(x);
        }
    }

    static HWACHA_INLINE wide32 byte_swap(wide32 x) { return (wide32)vrev32q_u8((uint8x16_t)x); }

    template <class Map>
    static HWACHA_INLINE row64 permute_rotl(row64 x) {
        using half = vector_of<uint64_t, 2>::type;
        constexpr row_map m = Map::value;
        const row64 y = plain_ops::permute<m.from[0], m.from[1], m.from[2], m.from[3]>(x);
        const uint8_t* map = byte_map_of<rotation_only<Map>, uint64_t>::value.at;
        const half low = (half)vqtbl1q_u8((uint8x16_t)__builtin_shufflevector(y, y, 0, 1), vld1q_u8(map));
        const half high = (half)vqtbl1q_u8((uint8x16_t)__builtin_shufflevector(y, y, 2, 3), vld1q_u8(map + 16));
        return __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }

    template <class Map>
    static HWACHA_INLINE row32 permute_rotl(row32 x) {
        const uint8_t* map = byte_map_of<Map, uint32_t>::value.at;  // clang's vld1q_u8 is a macro
        return (row32)vqtbl1q_u8((uint8x16_t)x, vld1q_u8(map));
    }
};

}  // namespace
}  // namespace hwacha::simd
