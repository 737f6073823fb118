// LSH-512, one message, by halves: the even and the odd half of the state in one register of eight words each, WordPerm
// a choice of eight words out of both. For processors with such a choice in one instruction.
#pragma once

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

using simd::row64x2;

template <class Ops, int Step>
HWACHA_INLINE void lsh512_half_steps(row64x2& l, row64x2& r, row64x2 (&current)[2], row64x2 (&other)[2],
                                     const uint64_t (*constants)[8]) {
    if constexpr (Step >= 2) {
        current[0] = other[0] + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current[0]);
        current[1] = other[1] + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current[1]);
    }
    l ^= current[0];
    r ^= current[1];
    if constexpr (Step < lsh512_core::steps) {
        constexpr const int(&s)[16] = lsh_sigma;
        constexpr const int(&g)[8] = lsh512_core::gamma;
        l = Ops::template rotl<lsh512_core::alpha[Step % 2]>(l + r) ^ Ops::template load<row64x2>(constants[Step]);
        r = Ops::template rotl<lsh512_core::beta[Step % 2]>(r + l);
        l += r;
        r = Ops::template rotl_each<g[0], g[1], g[2], g[3], g[4], g[5], g[6], g[7]>(r);
        const row64x2 moved = Ops::template choose<s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]>(l, r);
        r = Ops::template choose<s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15]>(l, r);
        l = moved;
        lsh512_half_steps<Ops, Step + 1>(l, r, other, current, constants);
    }
}

template <class Ops>
void lsh512_compress_halves(uint64_t* cv, const uint8_t* blocks, size_t count) {
    const uint64_t(*constants)[8] = lsh_step_constants<lsh512_core>.at;
    Ops::hide(constants);
    row64x2 l = Ops::template load<row64x2>(cv);
    row64x2 r = Ops::template load<row64x2>(cv + 8);
    for (; count != 0; --count, blocks += 256) {
        row64x2 even[2] = {Ops::template load_le<row64x2>(blocks), Ops::template load_le<row64x2>(blocks + 64)};
        row64x2 odd[2] = {Ops::template load_le<row64x2>(blocks + 128), Ops::template load_le<row64x2>(blocks + 192)};
        lsh512_half_steps<Ops, 0>(l, r, even, odd, constants);
    }
    Ops::store(cv, l);
    Ops::store(cv + 8, r);
}

}  // namespace
}  // namespace hwacha
