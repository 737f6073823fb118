// LSH-512 by halves: the even and the odd half of the state in one register of eight words each, WordPerm
// a choice of eight words out of both. For processors with such a choice in one instruction.
#pragma once

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

using simd::row64x2;

struct lsh512_halves {
    row64x2 l, r;
};

template <class Ops>
HWACHA_INLINE lsh512_halves lsh512_load_halves(const void* p) {
    return {Ops::template load<row64x2>(p), Ops::template load<row64x2>(static_cast<const uint64_t*>(p) + 8)};
}

template <class Ops, int Step>
HWACHA_INLINE void lsh512_half_step(lsh512_halves& t, lsh512_halves& current, const lsh512_halves& other,
                                    const uint64_t (*constants)[8]) {
    if constexpr (Step >= 2) {
        current.l = other.l + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current.l);
        current.r = other.r + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current.r);
    }
    row64x2 l = t.l ^ current.l;
    row64x2 r = t.r ^ current.r;
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
    }
    t = {l, r};
}

// `Messages` of them, whose steps take turns.
template <class Ops, int Step, int Messages>
HWACHA_INLINE void lsh512_half_steps(lsh512_halves (&t)[Messages], lsh512_halves (&current)[Messages],
                                     lsh512_halves (&other)[Messages], const uint64_t (*constants)[8]) {
#pragma GCC unroll 4
    for (int i = 0; i < Messages; ++i) lsh512_half_step<Ops, Step>(t[i], current[i], other[i], constants);
    if constexpr (Step < lsh512_core::steps) lsh512_half_steps<Ops, Step + 1>(t, other, current, constants);
}

template <class Ops, int Messages>
HWACHA_INLINE void lsh512_compress_halves_of(uint64_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    const uint64_t(*constants)[8] = lsh_step_constants<lsh512_core>.at;
    Ops::hide(constants);
    lsh512_halves t[Messages];
#pragma GCC unroll 4
    for (int i = 0; i < Messages; ++i) t[i] = lsh512_load_halves<Ops>(cvs[i]);
    for (size_t offset = 0; count != 0; --count, offset += 256) {
        lsh512_halves even[Messages];
        lsh512_halves odd[Messages];
#pragma GCC unroll 4
        for (int i = 0; i < Messages; ++i) {
            even[i] = lsh512_load_halves<Ops>(blocks[i] + offset);
            odd[i] = lsh512_load_halves<Ops>(blocks[i] + offset + 128);
        }
        lsh512_half_steps<Ops, 0>(t, even, odd, constants);
    }
#pragma GCC unroll 4
    for (int i = 0; i < Messages; ++i) {
        Ops::store(cvs[i], t[i].l);
        Ops::store(cvs[i] + 8, t[i].r);
    }
}

template <class Ops>
void lsh512_compress_halves(uint64_t* cv, const uint8_t* blocks, size_t count) {
    lsh512_compress_halves_of<Ops, 1>(&cv, &blocks, count);
}

template <class Ops, int Messages>
void lsh512_compress_several(uint64_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    lsh512_compress_halves_of<Ops, Messages>(cvs, blocks, count);
}

}  // namespace
}  // namespace hwacha
