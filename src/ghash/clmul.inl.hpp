// GHASH over a carry-less multiplier, in POLYVAL's form (RFC 8452 appendix A): with the bytes of each block reversed
// and H multiplied by x once, products need no bit reflection, and reduction is two multiplications by x^63 + x^62 +
// x^57. Eight blocks share one reduction: each is multiplied by its own power of H.
#pragma once

#include <string.h>

#include "ghash/kernels.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

template <class Clmul>
using ghash_vector = typename Clmul::vector;
using ghash_block = simd::vector_of<uint64_t, 2>::type;

// An unreduced sum of products, the middle words apart.
template <class V>
struct ghash_sum {
    V low, middle, high;
};

template <class Clmul>
HWACHA_INLINE ghash_sum<ghash_vector<Clmul>> ghash_multiply(ghash_vector<Clmul> x, ghash_vector<Clmul> y) {
    return {Clmul::template multiply<0, 0>(x, y),
            Clmul::template multiply<0, 1>(x, y) ^ Clmul::template multiply<1, 0>(x, y),
            Clmul::template multiply<1, 1>(x, y)};
}

template <class V>
HWACHA_INLINE void ghash_add(ghash_sum<V>& sum, const ghash_sum<V>& more) {
    sum.low ^= more.low;
    sum.middle ^= more.middle;
    sum.high ^= more.high;
}

// Every block's sum by itself.
template <class Clmul>
HWACHA_INLINE ghash_vector<Clmul> ghash_reduce(ghash_sum<ghash_vector<Clmul>> s) {
    using V = ghash_vector<Clmul>;
    using halves = typename simd::vector_of<uint32_t, sizeof(V) / 4>::type;  // the vocabulary pairs words of 32 bits
    const halves zero = {};
    const V polynomial = V{} + 0xc200000000000000;
    V low = s.low ^ (V)simd::plain_ops::unpack_pairs<0>(zero, (halves)s.middle);
    const V high = s.high ^ (V)simd::plain_ops::unpack_pairs<2>((halves)s.middle, zero);
    for (int i = 0; i < 2; ++i) {
        low = (V)simd::plain_ops::permute<2, 3, 0, 1>((halves)low) ^ Clmul::template multiply<0, 0>(low, polynomial);
    }
    return low ^ high;
}

// Of the whole sum, over all blocks.
template <class Clmul, class Single>
HWACHA_INLINE ghash_block ghash_reduce_all(ghash_sum<ghash_vector<Clmul>> s) {
    return ghash_reduce<Single>({Clmul::sum_blocks(s.low), Clmul::sum_blocks(s.middle), Clmul::sum_blocks(s.high)});
}

template <class Single>
HWACHA_INLINE ghash_block ghash_product(ghash_block x, ghash_block y) {
    return ghash_reduce<Single>(ghash_multiply<Single>(x, y));
}

// Powers are kept highest first, so that n blocks meet the last n of them in order.
template <class Single>
void ghash_expand_key(const uint8_t* h, uint8_t* powers) {
    const ghash_block reversed = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(h));
    // Times x in the reversed field; the bit that falls out brings the polynomial in.
    const uint64_t carry = reversed[1] >> 63;
    const uint64_t mask = 0 - carry;
    const ghash_block h1 = {(reversed[0] << 1) ^ carry,
                            ((reversed[1] << 1) | (reversed[0] >> 63)) ^ (mask & 0xc200000000000000)};

    ghash_block power[ghash_powers + 1];
    power[1] = h1;
    for (size_t i = 2; i <= ghash_powers; ++i) power[i] = ghash_product<Single>(power[i / 2], power[i - i / 2]);
    for (size_t i = 1; i <= ghash_powers; ++i) simd::plain_ops::store(powers + 16 * (ghash_powers - i), power[i]);
    simd::wipe(power, sizeof power);
}

// state = state and the blocks, times their powers: `count` is a multiple of Clmul::blocks, at most ghash_powers.
template <class Clmul, class Single>
HWACHA_INLINE ghash_block ghash_absorb_group(ghash_block state, const uint8_t* powers, const uint8_t* blocks,
                                             size_t count) {
    using V = ghash_vector<Clmul>;
    const uint8_t* power = powers + 16 * (ghash_powers - count);
    V x = Clmul::reverse_bytes(simd::plain_ops::load<V>(blocks)) ^ Clmul::first_only(state);
    auto sum = ghash_multiply<Clmul>(x, simd::plain_ops::load<V>(power));
    for (size_t i = Clmul::blocks; i < count; i += Clmul::blocks) {
        x = Clmul::reverse_bytes(simd::plain_ops::load<V>(blocks + 16 * i));
        ghash_add(sum, ghash_multiply<Clmul>(x, simd::plain_ops::load<V>(power + 16 * i)));
    }
    return ghash_reduce_all<Clmul, Single>(sum);
}

template <class Clmul, class Single>
void ghash_absorb(uint8_t* state, const uint8_t* powers, const uint8_t* blocks, size_t count) {
    ghash_block s = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    for (; count >= ghash_powers; count -= ghash_powers, blocks += 16 * ghash_powers) {
        s = ghash_absorb_group<Clmul, Single>(s, powers, blocks, ghash_powers);
    }
    if (const size_t whole = count / Clmul::blocks * Clmul::blocks; whole != 0) {
        s = ghash_absorb_group<Clmul, Single>(s, powers, blocks, whole);
        blocks += 16 * whole;
        count -= whole;
    }
    if (Clmul::blocks > 1 && count != 0) s = ghash_absorb_group<Single, Single>(s, powers, blocks, count);
    simd::plain_ops::store(state, Single::reverse_bytes(s));
}

}  // namespace
}  // namespace hwacha
