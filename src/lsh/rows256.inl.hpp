// LSH-256 by rows: four registers l0, l1, r0, r1 of four words each, or of four words of each of several messages.
//
// WordPerm costs one byte shuffle a step. Its column permutations p (to the even half) and q (to the odd half) are
// applied to r only; l is never moved but renamed, and the columns that a register holds by place are tracked instead:
// the frame. p has order 3, so frames repeat after three steps. Constants are stored by frame; a message row needs a
// shuffle in two steps of three. gamma's rotations are multiples of 8 and ride on r's shuffle.
#pragma once

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

using simd::row32;
using simd::row32x2;
using simd::row_map;

struct lsh256_frame {
    int column[4];  // by place in the register
};

// sigma of KS X 3262 by rows: l1 -> l0 and l0 -> r0 by p, r1 -> l1 and r0 -> r1 by q (an involution).
constexpr int lsh256_p[4] = {1, 2, 0, 3};
constexpr int lsh256_q[4] = {0, 3, 2, 1};

constexpr lsh256_frame lsh256_frame_at(int step) {
    lsh256_frame f{{0, 1, 2, 3}};
    for (int k = 0; k < step % 3; ++k) {
        for (int& c : f.column) c = lsh256_p[c];
    }
    return f;
}

constexpr int lsh256_place(const lsh256_frame& f, int column) {
    for (int s = 0; s < 4; ++s) {
        if (f.column[s] == column) return s;
    }
    return -1;
}

// Step `Step`: what the shuffle of r0 (Half 0) and r1 (Half 1) does.
template <int Step, int Half>
struct lsh256_r_map {
    static constexpr row_map make() {
        const lsh256_frame f = lsh256_frame_at(Step);
        row_map m{};
        for (int s = 0; s < 4; ++s) {
            const int column = lsh256_q[lsh256_p[f.column[s]]];
            m.from[s] = lsh256_place(f, column);
            m.rotation[s] = lsh256_core::gamma[4 * Half + column];
        }
        return m;
    }
    static constexpr row_map value = make();
};

struct lsh256_framed_constants {
    alignas(64) uint32_t at[lsh256_core::steps][8];

    constexpr lsh256_framed_constants() : at() {
        for (int j = 0; j < lsh256_core::steps; ++j) {
            const lsh256_frame f = lsh256_frame_at(j);
            for (int s = 0; s < 8; ++s) at[j][s] = lsh_step_constants<lsh256_core>.at[j][(s & 4) + f.column[s & 3]];
        }
    }
};
constexpr lsh256_framed_constants lsh256_row_constants{};

// From the order of the standard to the frame of a step, and back.
template <class Ops, int Step, class V>
HWACHA_INLINE V lsh256_to_frame(V x) {
    constexpr lsh256_frame f = lsh256_frame_at(Step);
    return Ops::template permute<f.column[0], f.column[1], f.column[2], f.column[3]>(x);
}

template <class Ops, int Step, class V>
HWACHA_INLINE V lsh256_from_frame(V x) {
    constexpr lsh256_frame f = lsh256_frame_at(Step);
    return Ops::template permute<lsh256_place(f, 0), lsh256_place(f, 1), lsh256_place(f, 2), lsh256_place(f, 3)>(x);
}

template <class V>
struct lsh256_rows {
    V l0, l1, r0, r1;
};

template <class V>
HWACHA_INLINE void lsh256_add_message(lsh256_rows<V>& t, V m0, V m1, V m2, V m3) {
    t.l0 ^= m0;
    t.l1 ^= m1;
    t.r0 ^= m2;
    t.r1 ^= m3;
}

template <class Ops, int Step, class V>
HWACHA_INLINE void lsh256_mix_and_permute(lsh256_rows<V>& t, const uint32_t (*constants)[8]) {
    constexpr int alpha = lsh256_core::alpha[Step % 2];
    constexpr int beta = lsh256_core::beta[Step % 2];
    V l0 = t.l0 + t.r0;
    V l1 = t.l1 + t.r1;
    l0 = Ops::template rotl<alpha>(l0) ^ Ops::template repeat_row<V>(constants[Step]);
    l1 = Ops::template rotl<alpha>(l1) ^ Ops::template repeat_row<V>(constants[Step] + 4);
    const V r0 = Ops::template rotl<beta>(t.r0 + l0);
    const V r1 = Ops::template rotl<beta>(t.r1 + l1);
    t.l0 = l1 + r1;
    t.r0 = l0 + r0;
    t.l1 = Ops::template permute_rotl<lsh256_r_map<Step % 3, 1>>(r1);
    t.r1 = Ops::template permute_rotl<lsh256_r_map<Step % 3, 0>>(r0);
}

template <class Ops, class V>
HWACHA_INLINE lsh256_rows<V> lsh256_load_rows(uint32_t* const* cvs) {
    return {Ops::template load_groups<V, 1>(cvs, 0), Ops::template load_groups<V, 1>(cvs, 16),
            Ops::template load_groups<V, 1>(cvs, 32), Ops::template load_groups<V, 1>(cvs, 48)};
}

template <class Ops, class V>
HWACHA_INLINE void lsh256_store_rows(uint32_t* const* cvs, const lsh256_rows<V>& t) {
    Ops::template store_groups<1>(cvs, 0, t.l0);
    Ops::template store_groups<1>(cvs, 16, t.l1);
    Ops::template store_groups<1>(cvs, 32, t.r0);
    Ops::template store_groups<1>(cvs, 48, t.r1);
}

template <class Ops, class V>
HWACHA_INLINE void lsh256_leave_frames(lsh256_rows<V>& t) {
    t.l0 = lsh256_from_frame<Ops, lsh256_core::steps>(t.l0);
    t.l1 = lsh256_from_frame<Ops, lsh256_core::steps>(t.l1);
    t.r0 = lsh256_from_frame<Ops, lsh256_core::steps>(t.r0);
    t.r1 = lsh256_from_frame<Ops, lsh256_core::steps>(t.r1);
}

// ---- Form A: message schedule in registers like those of the state; for several messages too, as many as a vector has
// rows, `Sets` times, whose steps take turns

template <class V>
struct lsh256_message {
    V row[4];
};

// `oldest` holds M_{j-2} and becomes M_j; `newest` holds M_{j-1}.
template <class Ops, class V>
HWACHA_INLINE void lsh256_expand(lsh256_message<V>& oldest, const lsh256_message<V>& newest) {
    oldest.row[0] = newest.row[0] + Ops::template permute<3, 2, 0, 1>(oldest.row[0]);
    oldest.row[1] = newest.row[1] + Ops::template permute<3, 0, 1, 2>(oldest.row[1]);
    oldest.row[2] = newest.row[2] + Ops::template permute<3, 2, 0, 1>(oldest.row[2]);
    oldest.row[3] = newest.row[3] + Ops::template permute<3, 0, 1, 2>(oldest.row[3]);
}

template <class Ops, int Step, class V, int Sets>
HWACHA_INLINE void lsh256_steps(lsh256_rows<V> (&t)[Sets], lsh256_message<V> (&current)[Sets],
                                lsh256_message<V> (&other)[Sets], const uint32_t (*constants)[8]) {
#pragma GCC unroll 4
    for (int s = 0; s < Sets; ++s) {
        V(&m)[4] = current[s].row;
        if constexpr (Step >= 2) lsh256_expand<Ops>(current[s], other[s]);
        lsh256_add_message(t[s], lsh256_to_frame<Ops, Step>(m[0]), lsh256_to_frame<Ops, Step>(m[1]),
                           lsh256_to_frame<Ops, Step>(m[2]), lsh256_to_frame<Ops, Step>(m[3]));
        if constexpr (Step < lsh256_core::steps) lsh256_mix_and_permute<Ops, Step>(t[s], constants);
    }
    if constexpr (Step < lsh256_core::steps) lsh256_steps<Ops, Step + 1>(t, other, current, constants);
}

template <class Ops, class V, int Sets>
HWACHA_INLINE void lsh256_compress_sets(uint32_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    constexpr int messages = simd::lanes_of<V> / 4;  // in a set
    const uint32_t(*constants)[8] = lsh256_row_constants.at;
    lsh256_rows<V> t[Sets];
#pragma GCC unroll 4
    for (int s = 0; s < Sets; ++s) t[s] = lsh256_load_rows<Ops, V>(cvs + messages * s);
    for (size_t offset = 0; count != 0; --count, offset += 128) {
        Ops::hide(constants);  // each turn, or g++ 12 repeats all of them before the first one
        lsh256_message<V> even[Sets];
        lsh256_message<V> odd[Sets];
#pragma GCC unroll 4
        for (int s = 0; s < Sets; ++s) {
#pragma GCC unroll 4
            for (size_t i = 0; i < 4; ++i) {
                even[s].row[i] = Ops::template load_groups<V, 1>(blocks + messages * s, offset + 16 * i);
                odd[s].row[i] = Ops::template load_groups<V, 1>(blocks + messages * s, offset + 64 + 16 * i);
            }
        }
        lsh256_steps<Ops, 0>(t, even, odd, constants);
#pragma GCC unroll 4
        for (int s = 0; s < Sets; ++s) lsh256_leave_frames<Ops>(t[s]);
    }
#pragma GCC unroll 4
    for (int s = 0; s < Sets; ++s) lsh256_store_rows<Ops>(cvs + messages * s, t[s]);
}

template <class Ops>
void lsh256_compress_rows(uint32_t* cv, const uint8_t* blocks, size_t count) {
    lsh256_compress_sets<Ops, row32, 1>(&cv, &blocks, count);
}

template <class Ops, class V, int Sets>
void lsh256_compress_several(uint32_t* const* cvs, const uint8_t* const* blocks, size_t count) {
    lsh256_compress_sets<Ops, V, Sets>(cvs, blocks, count);
}

// ---- Form B: message schedule in 256-bit registers, a few steps ahead, handed over through memory ------------------

constexpr int lsh256_slots = 4;  // sub-messages in memory: the current one and those made ahead

struct lsh256_message_pair {
    row32x2 l, r;
};

// M_Step into its slot of the schedule, in the frame of that step.
template <class Ops, int Step>
HWACHA_INLINE void lsh256_schedule(lsh256_message_pair& current, const lsh256_message_pair& other,
                                   uint32_t (*schedule)[16]) {
    if constexpr (Step >= 2) {
        current.l = other.l + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current.l);
        current.r = other.r + Ops::template permute_rows<3, 2, 0, 1, 3, 0, 1, 2>(current.r);
    }
    Ops::store(schedule[Step % lsh256_slots], lsh256_to_frame<Ops, Step>(current.l));
    Ops::store(schedule[Step % lsh256_slots] + 8, lsh256_to_frame<Ops, Step>(current.r));
}

template <class Ops, int Step, int Ahead>
HWACHA_INLINE void lsh256_scheduled_steps(lsh256_rows<row32>& t, lsh256_message_pair& even, lsh256_message_pair& odd,
                                          uint32_t (*schedule)[16], const uint32_t (*constants)[8]) {
    if constexpr (Step + Ahead <= lsh256_core::steps) {
        constexpr int next = Step + Ahead;
        if constexpr (next % 2 == 0) {
            lsh256_schedule<Ops, next>(even, odd, schedule);
        } else {
            lsh256_schedule<Ops, next>(odd, even, schedule);
        }
    }
    const uint32_t* m = schedule[Step % lsh256_slots];
    Ops::hide(m);  // or g++ 12 takes the words out of the wide registers, lane by lane
    lsh256_add_message(t, Ops::template load<row32>(m), Ops::template load<row32>(m + 4),
                       Ops::template load<row32>(m + 8), Ops::template load<row32>(m + 12));
    if constexpr (Step < lsh256_core::steps) {
        lsh256_mix_and_permute<Ops, Step>(t, constants);
        lsh256_scheduled_steps<Ops, Step + 1, Ahead>(t, even, odd, schedule, constants);
    }
}

template <class Ops>
void lsh256_compress_scheduled(uint32_t* cv, const uint8_t* blocks, size_t count) {
    constexpr int ahead = lsh256_slots - 1;
    alignas(64) uint32_t buffer[lsh256_slots][16];
    uint32_t(*schedule)[16] = buffer;
    const uint32_t(*constants)[8] = lsh256_row_constants.at;
    Ops::hide(constants);
    Ops::hide(schedule);
    lsh256_rows<row32> t = lsh256_load_rows<Ops, row32>(&cv);
    for (; count != 0; --count, blocks += 128) {
        lsh256_message_pair even{Ops::template load<row32x2>(blocks), Ops::template load<row32x2>(blocks + 32)};
        lsh256_message_pair odd{Ops::template load<row32x2>(blocks + 64), Ops::template load<row32x2>(blocks + 96)};
        lsh256_schedule<Ops, 0>(even, odd, schedule);
        lsh256_schedule<Ops, 1>(odd, even, schedule);
        lsh256_schedule<Ops, 2>(even, odd, schedule);
        lsh256_scheduled_steps<Ops, 0, ahead>(t, even, odd, schedule, constants);
        lsh256_leave_frames<Ops>(t);
    }
    lsh256_store_rows<Ops>(&cv, t);
    simd::wipe(buffer, sizeof buffer);
}

}  // namespace
}  // namespace hwacha
