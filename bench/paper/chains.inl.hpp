// "Advanced Vector Extensions 512 Acceleration of LSH and LEA-GCM", sections 3.1 and 3.2, as we read them: the even and
// the odd chain of eight words in one register each; every operation on the whole chain; WordPerm a choice of words out
// of both registers.
//
//   LSH-512, one message      two ZMM registers
//   LSH-256, one message      two YMM registers, with the instructions of AVX-512VL
//   LSH-256, two messages     ZMM_e = [A.cv_e | B.cv_e], ZMM_o = [A.cv_o | B.cv_o]: a message in each half
//   LSH-512, two messages     not in the paper, whose registers are full: two sets of them, step by step in turn
#pragma once

#include <utility>

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha::bench {
namespace {

// `Copies` messages side by side in a register, `Sets` of registers.
template <class Ops, class Core, int Copies, int Sets>
struct paper_chains {
    using word = typename Core::word;
    static constexpr int words = 8 * Copies;
    using V = typename simd::vector_of<word, words>::type;
    using chain = typename simd::vector_of<word, 8>::type;
    struct pair {
        V e, o;
    };
    static constexpr auto all = std::make_integer_sequence<int, words>();

    // The chains of all copies in one register.
    template <class Load>
    static HWACHA_INLINE V join(Load load) {
        if constexpr (Copies == 1) {
            return load(0);
        } else {
            return __builtin_shufflevector(load(0), load(1), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        }
    }

    static HWACHA_INLINE V blocks_at(const uint8_t* const* blocks, size_t offset) {
        return join([=](int copy) { return Ops::template load<chain>(blocks[copy] + offset); });
    }

    static HWACHA_INLINE void store(word* const* cvs, int first, V v) {
        if constexpr (Copies == 1) {
            Ops::store(cvs[0] + first, v);
        } else {
            Ops::store(cvs[0] + first, __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7));
            Ops::store(cvs[1] + first, __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
        }
    }

    // Words sigma(First), ..., sigma(First + 7) of each copy.
    template <int First, int... k>
    static HWACHA_INLINE V permuted(V e, V o, std::integer_sequence<int, k...>) {
        return __builtin_shufflevector(
            e, o, (lsh_sigma[First + k % 8] / 8 * words + k / 8 * 8 + lsh_sigma[First + k % 8] % 8)...);
    }

    template <int... k>
    static HWACHA_INLINE V by_tau(V x, std::integer_sequence<int, k...>) {
        return __builtin_shufflevector(x, x, (k / 8 * 8 + lsh_tau[k % 8])...);
    }

    template <int... k>
    static HWACHA_INLINE V by_gamma(V x, std::integer_sequence<int, k...>) {
        constexpr V counts = {word(Core::gamma[k % 8])...};
        return Ops::rotl_each(x, counts);
    }

    template <int Step>
    static HWACHA_INLINE void steps(pair (&t)[Sets], pair (&current)[Sets], pair (&other)[Sets],
                                    const word (*constants)[8]) {
#pragma GCC unroll 2
        for (int s = 0; s < Sets; ++s) {
            if constexpr (Step >= 2) {
                current[s].e = other[s].e + by_tau(current[s].e, all);
                current[s].o = other[s].o + by_tau(current[s].o, all);
            }
            t[s].e ^= current[s].e;
            t[s].o ^= current[s].o;
            if constexpr (Step < Core::steps) {
                const V c = join([=](int) { return Ops::template load<chain>(constants[Step]); });
                V e = Ops::template rotl<Core::alpha[Step % 2]>(t[s].e + t[s].o) ^ c;
                V o = Ops::template rotl<Core::beta[Step % 2]>(t[s].o + e);
                e += o;
                o = by_gamma(o, all);
                t[s].e = permuted<0>(e, o, all);
                t[s].o = permuted<8>(e, o, all);
            }
        }
        if constexpr (Step < Core::steps) steps<Step + 1>(t, other, current, constants);
    }

    static void compress(word* const* cvs, const uint8_t* const* blocks, size_t count) {
        constexpr size_t chain_size = sizeof(chain);
        const word(*constants)[8] = lsh_step_constants<Core>.at;
        Ops::hide(constants);
        pair t[Sets];
        for (int s = 0; s < Sets; ++s) {
            word* const* from = cvs + Copies * s;
            t[s].e = join([=](int copy) { return Ops::template load<chain>(from[copy]); });
            t[s].o = join([=](int copy) { return Ops::template load<chain>(from[copy] + 8); });
        }
        for (size_t offset = 0; count != 0; --count, offset += 4 * chain_size) {
            pair even[Sets];
            pair odd[Sets];
            for (int s = 0; s < Sets; ++s) {
                const uint8_t* const* of_set = blocks + Copies * s;
                even[s] = {blocks_at(of_set, offset), blocks_at(of_set, offset + chain_size)};
                odd[s] = {blocks_at(of_set, offset + 2 * chain_size), blocks_at(of_set, offset + 3 * chain_size)};
            }
            steps<0>(t, even, odd, constants);
        }
        for (int s = 0; s < Sets; ++s) {
            store(cvs + Copies * s, 0, t[s].e);
            store(cvs + Copies * s, 8, t[s].o);
        }
    }
};

}  // namespace
}  // namespace hwacha::bench
