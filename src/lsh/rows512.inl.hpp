// LSH-512, one message, by rows: four registers l0, l1, r0, r1 of four 64-bit words each.
//
// As in rows256.inl.hpp the columns that a register holds by place are tracked (its frame), but lanes must be crossed,
// and what that costs differs by processor: the frames of each step come as a template argument. Between two steps
//   l1 -> l0 and l0 -> r0 move by p, r1 -> l1 and r0 -> r1 by q and take gamma's rotation with them.
#pragma once

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

using simd::row64;
using simd::row_map;

// Columns by place of (l0, r0) and of (l1, r1) in a step.
struct lsh512_frames {
    int even[4];
    int odd[4];
};

// sigma of KS X 3262 by rows, as inverse maps: the column c of the source that comes to column i.
constexpr int lsh512_p_source[4] = {2, 0, 1, 3};
constexpr int lsh512_q_source[4] = {0, 3, 2, 1};

// l stays where it is, r crosses lanes: the fewest moves where a row takes two registers.
struct lsh512_still_left {
    static constexpr int period = 3;
    static constexpr lsh512_frames at[period] = {
        {{0, 1, 2, 3}, {0, 1, 2, 3}}, {{1, 2, 0, 3}, {1, 2, 0, 3}}, {{2, 0, 1, 3}, {2, 0, 1, 3}}};
};

// Cheapest where exchanging the halves of a YMM register is fast and a free choice of words is slow (Zen 2 to 4): found
// by dynamic programming over all frames with the latencies of Zen 3, for a cycle of 14 steps, so that 28 steps end in
// the frame they began with.
struct lsh512_swapped_halves {
    static constexpr int period = 14;
    static constexpr lsh512_frames at[period] = {
        {{0, 2, 1, 3}, {2, 3, 1, 0}}, {{0, 3, 2, 1}, {0, 3, 2, 1}}, {{1, 3, 0, 2}, {0, 1, 3, 2}},
        {{3, 0, 1, 2}, {3, 0, 1, 2}}, {{3, 1, 2, 0}, {1, 0, 2, 3}}, {{2, 1, 0, 3}, {2, 1, 0, 3}},
        {{0, 2, 1, 3}, {2, 3, 1, 0}}, {{0, 3, 2, 1}, {0, 3, 2, 1}}, {{1, 3, 0, 2}, {1, 0, 2, 3}},
        {{2, 1, 0, 3}, {2, 1, 0, 3}}, {{0, 2, 1, 3}, {2, 3, 1, 0}}, {{0, 3, 2, 1}, {0, 3, 2, 1}},
        {{1, 3, 0, 2}, {1, 0, 2, 3}}, {{2, 1, 0, 3}, {2, 1, 0, 3}}};
};

constexpr int lsh512_place(const int (&frame)[4], int column) {
    for (int s = 0; s < 4; ++s) {
        if (frame[s] == column) return s;
    }
    return -1;
}

template <class Frames>
constexpr lsh512_frames lsh512_frames_at(int step) {
    return Frames::at[step % Frames::period];
}

// How a row moves from its frame in step `Step` to frame `to` of the next one: l by p, r by q with gamma.
template <class Frames, int Step, bool FromOdd, bool IsR>
struct lsh512_move {
    static constexpr row_map make() {
        const lsh512_frames now = lsh512_frames_at<Frames>(Step);
        const lsh512_frames next = lsh512_frames_at<Frames>(Step + 1);
        row_map m{};
        for (int s = 0; s < 4; ++s) {
            const int column = IsR ? lsh512_q_source[next.odd[s]] : lsh512_p_source[next.even[s]];
            m.from[s] = lsh512_place(FromOdd ? now.odd : now.even, column);
            m.rotation[s] = IsR ? lsh512_core::gamma[column + (FromOdd ? 4 : 0)] : 0;
        }
        return m;
    }
    static constexpr row_map value = make();
};

template <class Frames>
struct lsh512_framed_constants {
    alignas(64) uint64_t at[lsh512_core::steps][8];

    constexpr lsh512_framed_constants() : at() {
        for (int j = 0; j < lsh512_core::steps; ++j) {
            const lsh512_frames f = lsh512_frames_at<Frames>(j);
            for (int s = 0; s < 4; ++s) {
                at[j][s] = lsh_step_constants<lsh512_core>.at[j][f.even[s]];
                at[j][4 + s] = lsh_step_constants<lsh512_core>.at[j][4 + f.odd[s]];
            }
        }
    }
};
template <class Frames>
constexpr lsh512_framed_constants<Frames> lsh512_row_constants{};

template <class Ops, class Map>
HWACHA_INLINE row64 lsh512_permute(row64 x) {
    constexpr row_map m = Map::value;
    return Ops::template permute<m.from[0], m.from[1], m.from[2], m.from[3]>(x);
}

// From the order of the standard to the frame of a step, and back.
template <class Frames, int Step, bool Odd>
struct lsh512_entry {
    static constexpr row_map make() {
        const lsh512_frames f = lsh512_frames_at<Frames>(Step);
        row_map m{};
        for (int s = 0; s < 4; ++s) m.from[s] = Odd ? f.odd[s] : f.even[s];
        return m;
    }
    static constexpr row_map value = make();
};
template <class Frames, int Step, bool Odd>
struct lsh512_exit {
    static constexpr row_map make() {
        const lsh512_frames f = lsh512_frames_at<Frames>(Step);
        row_map m{};
        for (int c = 0; c < 4; ++c) m.from[c] = lsh512_place(Odd ? f.odd : f.even, c);
        return m;
    }
    static constexpr row_map value = make();
};

struct lsh512_rows {
    row64 l0, l1, r0, r1;
};

template <class Ops, class Frames, int Step>
HWACHA_INLINE void lsh512_steps(lsh512_rows& t, row64 (&current)[4], row64 (&other)[4],
                                const uint64_t (*constants)[8]) {
    if constexpr (Step >= 2) {
        current[0] = other[0] + Ops::template permute<3, 2, 0, 1>(current[0]);
        current[1] = other[1] + Ops::template permute<3, 0, 1, 2>(current[1]);
        current[2] = other[2] + Ops::template permute<3, 2, 0, 1>(current[2]);
        current[3] = other[3] + Ops::template permute<3, 0, 1, 2>(current[3]);
    }
    using even = lsh512_entry<Frames, Step, false>;
    using odd = lsh512_entry<Frames, Step, true>;
    t.l0 ^= lsh512_permute<Ops, even>(current[0]);
    t.l1 ^= lsh512_permute<Ops, odd>(current[1]);
    t.r0 ^= lsh512_permute<Ops, even>(current[2]);
    t.r1 ^= lsh512_permute<Ops, odd>(current[3]);
    if constexpr (Step < lsh512_core::steps) {
        constexpr int alpha = lsh512_core::alpha[Step % 2];
        constexpr int beta = lsh512_core::beta[Step % 2];
        row64 l0 = t.l0 + t.r0;
        row64 l1 = t.l1 + t.r1;
        l0 = Ops::template rotl<alpha>(l0) ^ Ops::template load<row64>(constants[Step]);
        l1 = Ops::template rotl<alpha>(l1) ^ Ops::template load<row64>(constants[Step] + 4);
        const row64 r0 = Ops::template rotl<beta>(t.r0 + l0);
        const row64 r1 = Ops::template rotl<beta>(t.r1 + l1);
        l0 += r0;
        l1 += r1;
        t.l0 = lsh512_permute<Ops, lsh512_move<Frames, Step, true, false>>(l1);
        t.r0 = lsh512_permute<Ops, lsh512_move<Frames, Step, false, false>>(l0);
        t.l1 = Ops::template permute_rotl<lsh512_move<Frames, Step, true, true>>(r1);
        t.r1 = Ops::template permute_rotl<lsh512_move<Frames, Step, false, true>>(r0);
        lsh512_steps<Ops, Frames, Step + 1>(t, other, current, constants);
    }
}

template <class Ops, class Frames>
void lsh512_compress_rows(uint64_t* cv, const uint8_t* blocks, size_t count) {
    const uint64_t(*constants)[8] = lsh512_row_constants<Frames>.at;
    Ops::hide(constants);
    using even_in = lsh512_entry<Frames, 0, false>;
    using odd_in = lsh512_entry<Frames, 0, true>;
    lsh512_rows t = {lsh512_permute<Ops, even_in>(Ops::template load<row64>(cv)),
                     lsh512_permute<Ops, odd_in>(Ops::template load<row64>(cv + 4)),
                     lsh512_permute<Ops, even_in>(Ops::template load<row64>(cv + 8)),
                     lsh512_permute<Ops, odd_in>(Ops::template load<row64>(cv + 12))};
    // Where 28 steps do not end in the first frame, one more permutation leads back to it.
    constexpr bool closes = lsh512_core::steps % Frames::period == 0;
    using even_out = lsh512_exit<Frames, lsh512_core::steps, false>;
    using odd_out = lsh512_exit<Frames, lsh512_core::steps, true>;
    for (; count != 0; --count, blocks += 256) {
        row64 even[4];
        row64 odd[4];
        for (int i = 0; i < 4; ++i) {
            even[i] = Ops::template load_le<row64>(blocks + 32 * i);
            odd[i] = Ops::template load_le<row64>(blocks + 128 + 32 * i);
        }
        lsh512_steps<Ops, Frames, 0>(t, even, odd, constants);
        if constexpr (!closes) {
            t.l0 = lsh512_permute<Ops, even_in>(lsh512_permute<Ops, even_out>(t.l0));
            t.l1 = lsh512_permute<Ops, odd_in>(lsh512_permute<Ops, odd_out>(t.l1));
            t.r0 = lsh512_permute<Ops, even_in>(lsh512_permute<Ops, even_out>(t.r0));
            t.r1 = lsh512_permute<Ops, odd_in>(lsh512_permute<Ops, odd_out>(t.r1));
        }
    }
    using even_end = lsh512_exit<Frames, 0, false>;
    using odd_end = lsh512_exit<Frames, 0, true>;
    Ops::store(cv, lsh512_permute<Ops, even_end>(t.l0));
    Ops::store(cv + 4, lsh512_permute<Ops, odd_end>(t.l1));
    Ops::store(cv + 8, lsh512_permute<Ops, even_end>(t.r0));
    Ops::store(cv + 12, lsh512_permute<Ops, odd_end>(t.r1));
}

}  // namespace
}  // namespace hwacha
