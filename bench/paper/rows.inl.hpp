// "Batched LSH on ARMv8 NEON and Its Application to K-SPHINCS+" (ePrint 2026/2351) tells in its abstract which forms of
// LSH-256 it wrote in assembly, not how. What follows is our reading, in registers of four words:
//
//   word permutation (2019)   one message, four rows; WordPerm by a table lookup for every row in every step, gamma's
//                             byte rotations on the way of those that need them
//   placement (2023)          one message; rows stay where WordPerm would move them, constants and messages are placed
//                             to suit. This is what rows256.inl.hpp calls frames: the library's own kernel
//   two messages (2023)       two neighbouring words of either message in a register, eight registers
//   four lanes                a word of each of four messages in a register: the library's own lanes
#pragma once

#include "lsh/definition.hpp"
#include "lsh/lanes.inl.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec.hpp"

namespace hwacha::bench {
namespace {

using simd::row32;
using simd::row_map;

// A form for one message in the shape of those for several.
template <void (*Compress)(uint32_t*, const uint8_t*, size_t)>
void paper_one(uint32_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    Compress(cvs[0], blocks[0], count);
}

// ---- Word permutation

// What sigma does to a row of the even half, and of the odd half, whose columns begin at First.
struct paper_even_map {
    static constexpr row_map value{{2, 0, 1, 3}, {0, 0, 0, 0}};
};
template <int First>
struct paper_odd_map {
    static constexpr row_map value{{0, 3, 2, 1},
                                   {lsh256_core::gamma[First], lsh256_core::gamma[First + 3],
                                    lsh256_core::gamma[First + 2], lsh256_core::gamma[First + 1]}};
};

template <class Ops, int Step>
HWACHA_INLINE void paper_permuting_steps(lsh256_rows<row32>& t, lsh256_message<row32>& current,
                                         lsh256_message<row32>& other, const uint32_t (*constants)[8]) {
    if constexpr (Step >= 2) lsh256_expand<Ops>(current, other);
    lsh256_add_message(t, current.row[0], current.row[1], current.row[2], current.row[3]);
    if constexpr (Step < lsh256_core::steps) {
        constexpr int alpha = lsh256_core::alpha[Step % 2];
        constexpr int beta = lsh256_core::beta[Step % 2];
        row32 l0 = Ops::template rotl<alpha>(t.l0 + t.r0) ^ Ops::template load<row32>(constants[Step]);
        row32 l1 = Ops::template rotl<alpha>(t.l1 + t.r1) ^ Ops::template load<row32>(constants[Step] + 4);
        const row32 r0 = Ops::template rotl<beta>(t.r0 + l0);
        const row32 r1 = Ops::template rotl<beta>(t.r1 + l1);
        l0 += r0;
        l1 += r1;
        t.l0 = Ops::template permute_rotl<paper_even_map>(l1);
        t.r0 = Ops::template permute_rotl<paper_even_map>(l0);
        t.l1 = Ops::template permute_rotl<paper_odd_map<4>>(r1);
        t.r1 = Ops::template permute_rotl<paper_odd_map<0>>(r0);
        paper_permuting_steps<Ops, Step + 1>(t, other, current, constants);
    }
}

template <class Ops>
void paper_word_permutation(uint32_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    const uint8_t* block = blocks[0];
    const uint32_t(*constants)[8] = lsh_step_constants<lsh256_core>.at;
    Ops::hide(constants);
    lsh256_rows<row32> t = lsh256_load_rows<Ops, row32>(cvs);
    for (; count != 0; --count, block += 128) {
        lsh256_message<row32> even;
        lsh256_message<row32> odd;
        for (int i = 0; i < 4; ++i) {
            even.row[i] = Ops::template load<row32>(block + 16 * i);
            odd.row[i] = Ops::template load<row32>(block + 64 + 16 * i);
        }
        paper_permuting_steps<Ops, 0>(t, even, odd, constants);
    }
    lsh256_store_rows<Ops>(cvs, t);
}

// ---- Two messages

template <class Ops>
struct paper_two {
    // Register k has the words 2k and 2k + 1: of the first message, then of the second.
    struct constants_of_steps {
        alignas(64) uint32_t at[lsh256_core::steps][4][4];

        constexpr constants_of_steps() : at() {
            for (int j = 0; j < lsh256_core::steps; ++j) {
                for (int k = 0; k < 4; ++k) {
                    for (int i = 0; i < 4; ++i) at[j][k][i] = lsh_step_constants<lsh256_core>.at[j][2 * k + i % 2];
                }
            }
        }
    };
    static constexpr constants_of_steps constants{};

    template <int k>
    struct gamma_map {
        static constexpr row_map value{{0, 1, 2, 3},
                                       {lsh256_core::gamma[2 * k], lsh256_core::gamma[2 * k + 1],
                                        lsh256_core::gamma[2 * k], lsh256_core::gamma[2 * k + 1]}};
    };

    // The words a and b of both messages.
    template <int a, int b>
    static HWACHA_INLINE row32 words(const row32* t) {
        return __builtin_shufflevector(t[a / 2], t[b / 2], a % 2, 4 + b % 2, 2 + a % 2, 6 + b % 2);
    }

    static HWACHA_INLINE void load(row32* m, const uint8_t* const* blocks, size_t offset) {
#pragma GCC unroll 4
        for (int row = 0; row < 4; ++row) {
            const row32 a = Ops::template load<row32>(blocks[0] + offset + 16 * row);
            const row32 b = Ops::template load<row32>(blocks[1] + offset + 16 * row);
            m[2 * row] = Ops::template unpack_pairs<0>(a, b);
            m[2 * row + 1] = Ops::template unpack_pairs<2>(a, b);
        }
    }

    template <int... k>
    static HWACHA_INLINE void expand(row32* m, const row32* newer, simd::numbers<k...>) {
        const row32 old[8] = {m[k]...};
        ((m[k] = newer[k] + words<lsh_tau[2 * k], lsh_tau[2 * k + 1]>(old)), ...);
    }

    template <int Parity, int k>
    static HWACHA_INLINE void mix(row32* t, const uint32_t (*c)[4]) {
        row32 x = Ops::template rotl<lsh256_core::alpha[Parity]>(t[k] + t[k + 4]) ^ Ops::template load<row32>(c[k]);
        const row32 y = Ops::template rotl<lsh256_core::beta[Parity]>(t[k + 4] + x);
        x += y;
        t[k] = x;
        t[k + 4] = Ops::template permute_rotl<gamma_map<k>>(y);
    }

    template <int Parity, int... k>
    static HWACHA_INLINE void step(row32* t, const row32* m, const uint32_t (*c)[4], simd::numbers<k...>) {
        ((t[k] ^= m[k]), ...);
        mix<Parity, 0>(t, c);
        mix<Parity, 1>(t, c);
        mix<Parity, 2>(t, c);
        mix<Parity, 3>(t, c);
        const row32 mixed[8] = {t[k]...};
        ((t[k] = words<lsh_sigma[2 * k], lsh_sigma[2 * k + 1]>(mixed)), ...);
    }

    static void compress(uint32_t* const* cvs, const uint8_t* const* blocks, size_t count) {
        constexpr simd::numbers<0, 1, 2, 3, 4, 5, 6, 7> all;
        row32 t[8];
        const uint8_t* const states[2] = {reinterpret_cast<const uint8_t*>(cvs[0]),
                                          reinterpret_cast<const uint8_t*>(cvs[1])};
        load(t, states, 0);
        for (size_t offset = 0; count != 0; --count, offset += 128) {
            row32 even[8];
            row32 odd[8];
            load(even, blocks, offset);
            load(odd, blocks, offset + 64);
            const uint32_t(*c)[4] = constants.at[0];
            Ops::hide(c);
            step<0>(t, even, c, all);
            step<1>(t, odd, c + 4, all);
            for (int j = 2; j < lsh256_core::steps; j += 2) {
                c += 8;
                expand(even, odd, all);
                step<0>(t, even, c, all);
                expand(odd, even, all);
                step<1>(t, odd, c + 4, all);
            }
            expand(even, odd, all);
            for (int k = 0; k < 8; ++k) t[k] ^= even[k];
        }
        for (int row = 0; row < 4; ++row) {
            Ops::store(cvs[0] + 4 * row, Ops::template unpack_pairs<0>(t[2 * row], t[2 * row + 1]));
            Ops::store(cvs[1] + 4 * row, Ops::template unpack_pairs<2>(t[2 * row], t[2 * row + 1]));
        }
    }
};

}  // namespace
}  // namespace hwacha::bench
