// GHASH of several messages at once, one in each 128 bits of a register: no sum over a register's blocks, and one
// reduction for all of them. The messages end together; a shorter one starts with blocks of zeros, which change
// nothing.
#pragma once

#include "ghash/clmul.inl.hpp"

namespace hwacha {
namespace {

// Up to Clmul::blocks messages. Same: all under one key.
template <class Clmul, bool Same>
HWACHA_INLINE ghash_vector<Clmul> ghash_side_by_side(const ghash_message* messages, int given) {
    using V = ghash_vector<Clmul>;
    using words = typename simd::vector_of<uint32_t, sizeof(V) / 4>::type;
    alignas(16) static constexpr uint8_t zeros[16] = {};
    constexpr int lanes = Clmul::blocks;
    const uint8_t* at[lanes];
    size_t step[lanes];
    size_t counts[lanes];
    const uint8_t* powers[lanes];
    size_t left = 0;
    for (int i = 0; i < lanes; ++i) {
        at[i] = zeros;
        step[i] = 0;
        counts[i] = i < given ? messages[i].count : 0;
        powers[i] = messages[i < given ? i : 0].powers;
        if (left < counts[i]) left = counts[i];
    }

    V state = {};
    while (left != 0) {
        size_t n = (left - 1) % ghash_powers + 1;  // blocks that share a reduction
        ghash_sum<V> sum = {};
        while (n != 0) {
            // As many as come before the next message starts.
            size_t run = n;
            for (int i = 0; i < lanes; ++i) {
                if (counts[i] == left) {
                    at[i] = messages[i].blocks;
                    step[i] = 16;
                } else if (counts[i] < left && left - counts[i] < run) {
                    run = left - counts[i];
                }
            }
            left -= run;
            for (; run != 0; --run, --n) {
                V x = Clmul::reverse_bytes(simd::plain_ops::load_groups<V, 1>(at, 0)) ^ state;
                state = V{};
                const size_t power = 16 * (ghash_powers - n);
                const V h = Same ? (V)simd::plain_ops::repeat_row<words>(powers[0] + power)
                                 : simd::plain_ops::load_groups<V, 1>(powers, power);
                ghash_add(sum, ghash_multiply<Clmul>(x, h));
                for (int i = 0; i < lanes; ++i) at[i] += step[i];
            }
        }
        state = ghash_reduce<Clmul>(sum);
    }
    return Clmul::reverse_bytes(state);
}

template <class Clmul, class Single>
void ghash_messages(uint8_t* results, const ghash_message* messages, size_t count) {
    constexpr size_t lanes = Clmul::blocks;
    while (lanes > 1 && count > 1) {
        const size_t n = count < lanes ? count : lanes;
        bool same = true;
        for (size_t i = 1; i < n; ++i) same &= messages[i].powers == messages[0].powers;
        const auto hashes = same ? ghash_side_by_side<Clmul, true>(messages, (int)n)
                                 : ghash_side_by_side<Clmul, false>(messages, (int)n);
        if (n == lanes) {
            simd::plain_ops::store(results, hashes);
        } else {
            memcpy(results, &hashes, 16 * n);
        }
        results += 16 * n;
        messages += n;
        count -= n;
    }
    for (; count != 0; --count, ++messages, results += 16) {
        memset(results, 0, 16);
        ghash_absorb<Clmul, Single>(results, messages->powers, messages->blocks, messages->count);
    }
}

}  // namespace
}  // namespace hwacha
