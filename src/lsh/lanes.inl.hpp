// One message a lane: word w of all chaining values in vector w, so that WordPerm is a renaming and every operation
// serves all messages. Two forms of the same, chosen by level.
#pragma once

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

template <class Core, class Ops, int Lanes>
struct lsh_lanes {
    using word = typename Core::word;
    using V = typename simd::vector_of<word, Lanes>::type;
    static constexpr int lanes = Lanes;
    static constexpr size_t half_block = 16 * sizeof(word);

    static constexpr int inverse_of(int place) {
        for (int l = 0; l < 16; ++l) {
            if (lsh_sigma[l] == place) return l;
        }
        return -1;
    }

    static constexpr int words = 16 / static_cast<int>(sizeof(word));  // in 16 bytes

    static HWACHA_INLINE void transpose(V (&rows)[words]) {
        if constexpr (words == 4) {
            Ops::transpose(rows[0], rows[1], rows[2], rows[3]);
        } else {
            Ops::transpose(rows[0], rows[1]);
        }
    }

    // Sixteen words at `offset` of each message's memory: half a block, or a chaining value.
    template <class Memory>
    static HWACHA_INLINE void load(V* m, Memory* const* memory, size_t offset) {
#pragma GCC unroll 8
        for (int w = 0; w < 16; w += words) {
            V rows[words];
#pragma GCC unroll 4
            for (int i = 0; i < words; ++i) {
                rows[i] = Ops::template load_groups<V, words>(memory + i, offset + sizeof(word) * w);
            }
            transpose(rows);
#pragma GCC unroll 4
            for (int i = 0; i < words; ++i) m[w + i] = rows[i];
        }
    }

    static HWACHA_INLINE void store(word* const* cvs, const V* t) {
#pragma GCC unroll 8
        for (int w = 0; w < 16; w += words) {
            V rows[words];
#pragma GCC unroll 4
            for (int i = 0; i < words; ++i) rows[i] = t[w + i];
            transpose(rows);
#pragma GCC unroll 4
            for (int i = 0; i < words; ++i) Ops::template store_groups<words>(cvs + i, sizeof(word) * w, rows[i]);
        }
    }

    template <int Parity, int Column>
    static HWACHA_INLINE void mix(V& x, V& y, const word* constants) {
        x = Ops::template rotl<Core::alpha[Parity]>(x + y) ^ Ops::template splat<V>(constants[Column]);
        y = Ops::template rotl<Core::beta[Parity]>(x + y);
        x = x + y;
        y = Ops::template rotl_bytes<Core::gamma[Column]>(y);
    }

    // ---- State in registers: for 32 of them, and for SSSE3

    template <int Parity, int... column>
    static HWACHA_INLINE void step(V (&t)[16], const V* m, const word* constants, simd::numbers<column...>) {
#pragma GCC unroll 16
        for (int l = 0; l < 16; ++l) t[l] ^= m[l];
        (mix<Parity, column>(t[column], t[column + 8], constants), ...);
        V mixed[16];
#pragma GCC unroll 16
        for (int l = 0; l < 16; ++l) mixed[l] = t[lsh_sigma[l]];
#pragma GCC unroll 16
        for (int l = 0; l < 16; ++l) t[l] = mixed[l];
    }

    static HWACHA_INLINE void expand(V* m, const V* newer) {
#pragma GCC unroll 4
        for (int group = 0; group < 16; group += 4) {
            V expanded[4];
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) expanded[i] = newer[group + i] + m[lsh_tau[group + i]];
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) m[group + i] = expanded[i];
        }
    }

    static void compress_in_registers(word* const* cvs, const uint8_t* const* blocks, size_t count) {
        constexpr simd::numbers<0, 1, 2, 3, 4, 5, 6, 7> columns;
        alignas(64) V message[2][16];
        V* even = message[0];
        V* odd = message[1];
        Ops::hide(even);
        Ops::hide(odd);
        V t[16];
        load(t, cvs, 0);
        for (size_t offset = 0; count != 0; --count, offset += 2 * half_block) {
            load(even, blocks, offset);
            load(odd, blocks, offset + half_block);
            const word* constants = lsh_step_constants<Core>.at[0];
            Ops::hide(constants);
            step<0>(t, even, constants, columns);
            step<1>(t, odd, constants + 8, columns);
            for (int j = 2; j < Core::steps; j += 2) {
                constants += 16;
                expand(even, odd);
                step<0>(t, even, constants, columns);
                expand(odd, even);
                step<1>(t, odd, constants + 8, columns);
            }
            expand(even, odd);
#pragma GCC unroll 16
            for (int l = 0; l < 16; ++l) t[l] ^= even[l];
        }
        store(cvs, t);
        simd::wipe(message, sizeof message);
    }

    // ---- State in memory: for 16 registers. The columns c and c + 4 of an even step are all that two columns of the
    // odd step take, so that two steps fall into four parts of four live words.

    // even = odd + even[tau], next_odd = even + odd[tau].
    static HWACHA_INLINE void expand_both(V* even, const V* odd, V* next_odd) {
#pragma GCC unroll 4
        for (int group = 0; group < 16; group += 4) {
            V e[4];
            V o[4];
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) o[i] = odd[group + i];
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) e[i] = o[i] + even[lsh_tau[group + i]];
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) {
                even[group + i] = e[i];
                next_odd[group + i] = e[i] + o[lsh_tau[group + i] - group];
            }
        }
    }

    // `from` has its even sub-message added already, `to` gets that of the step after these two.
    template <int c>
    static HWACHA_INLINE void part(const V* from, V* to, const V* odd, const V* next_even, const word* constants) {
        constexpr int a = inverse_of(c + 4);
        constexpr int b = inverse_of(c + 12);
        V x0 = from[c];
        V y0 = from[c + 8];
        V x4 = from[c + 4];
        V y4 = from[c + 12];
        mix<0, c>(x0, y0, constants);
        mix<0, c + 4>(x4, y4, constants);
        V xa = x4 ^ odd[a];
        V ya = x0 ^ odd[a + 8];
        V xb = y4 ^ odd[b];
        V yb = y0 ^ odd[b + 8];
        mix<1, a>(xa, ya, constants + 8);
        mix<1, b>(xb, yb, constants + 8);
        to[inverse_of(a)] = xa ^ next_even[inverse_of(a)];
        to[inverse_of(a + 8)] = ya ^ next_even[inverse_of(a + 8)];
        to[inverse_of(b)] = xb ^ next_even[inverse_of(b)];
        to[inverse_of(b + 8)] = yb ^ next_even[inverse_of(b + 8)];
    }

    static HWACHA_INLINE void two_steps(const V* from, V* to, const V* odd, const V* next_even, const word* constants) {
        part<0>(from, to, odd, next_even, constants);
        part<1>(from, to, odd, next_even, constants);
        part<2>(from, to, odd, next_even, constants);
        part<3>(from, to, odd, next_even, constants);
    }

    static void compress_in_memory(word* const* cvs, const uint8_t* const* blocks, size_t count) {
        alignas(64) V area[5][16];
        V* even = area[0];
        V* odd = area[1];
        V* next_odd = area[2];
        V* from = area[3];
        V* to = area[4];
        Ops::hide(even);
        Ops::hide(odd);
        Ops::hide(next_odd);
        Ops::hide(from);
        Ops::hide(to);
        load(from, cvs, 0);
        for (size_t offset = 0; count != 0; --count, offset += 2 * half_block) {
            load(even, blocks, offset);
            load(odd, blocks, offset + half_block);
#pragma GCC unroll 16
            for (int l = 0; l < 16; ++l) from[l] ^= even[l];
            const word* constants = lsh_step_constants<Core>.at[0];
            Ops::hide(constants);
            for (int j = 0; j < Core::steps; j += 2, constants += 16) {
                expand_both(even, odd, next_odd);
                two_steps(from, to, odd, even, constants);
                swap(from, to);
                swap(odd, next_odd);
                Ops::hide(from);
                Ops::hide(odd);
            }
        }
        store(cvs, from);
        simd::wipe(area, sizeof area);
    }

    static HWACHA_INLINE void swap(V*& a, V*& b) {
        V* const t = a;
        a = b;
        b = t;
    }
};

}  // namespace
}  // namespace hwacha
