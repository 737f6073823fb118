// LEA in counter mode with GHASH between its rounds: while the adders work on a turn's keystream, the carry-less
// multiplier works on ciphertext that is at hand: the turn before when sealing, this one when opening.
#pragma once

#include <string.h>

#include "gcm/kernels.hpp"
#include "gcm/side_by_side.inl.hpp"
#include "ghash/clmul.inl.hpp"
#include "lea/blocks.inl.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

// Clmul multiplies Clmul::blocks blocks at once. Groups: of lea_lanes blocks, in a turn. Powers: of H for long texts.
template <class Ops_, class Clmul_, class Single_, int Groups, int Powers>
struct gcm_form {
    using Ops = Ops_;
    using Clmul = Clmul_;
    using Single = Single_;
    static constexpr size_t lanes = static_cast<size_t>(lea_lanes<Ops>);
    static constexpr int groups = Groups;
    static constexpr size_t turn = lanes * Groups;
    static constexpr size_t powers = Powers;
    static constexpr size_t chunk = turn < powers ? turn : powers;  // blocks that share a reduction
    static_assert(turn % chunk == 0 && powers % ghash_powers == 0);
};

// ---- Powers of H ---------------------------------------------------------------------------------------------------

struct gcm_powers {
    const uint8_t* end;  // H^n is at end - 16 * n
    size_t count;
};

HWACHA_INLINE gcm_powers gcm_powers_of_key(const uint8_t* of_key) {
    return {of_key + 16 * ghash_powers, ghash_powers};
}

// More of them, up to Form::powers, which live in the call that computes them.
template <class Form>
class gcm_more_powers {
    static constexpr bool more = Form::powers > ghash_powers;

  public:
    // Enough for `blocks` to share one reduction.
    HWACHA_INLINE gcm_powers from(const uint8_t* of_key, size_t blocks) {
        if constexpr (!more) {
            return gcm_powers_of_key(of_key);
        } else {
            using Clmul = typename Form::Clmul;
            using V = ghash_vector<Clmul>;
            using words = typename simd::vector_of<uint32_t, sizeof(V) / 4>::type;
            constexpr size_t step = 16 * ghash_powers;
            uint8_t* at = at_ + sizeof at_ - step;
            memcpy(at, of_key, step);
            const V eighth = (V)Form::Ops::template repeat_row<words>(of_key);
            const size_t count =
                blocks >= Form::powers ? Form::powers : (blocks + ghash_powers - 1) / ghash_powers * ghash_powers;
            for (const uint8_t* last = at_ + sizeof at_ - 16 * count; at > last; at -= step) {
                for (size_t i = 0; i < step; i += sizeof(V)) {
                    const V power = simd::plain_ops::load<V>(at + i);
                    simd::plain_ops::store(at - step + i, ghash_reduce<Clmul>(ghash_multiply<Clmul>(power, eighth)));
                }
            }
            return {at_ + sizeof at_, count};
        }
    }
    HWACHA_INLINE void wipe() {
        if (more) simd::wipe(at_, sizeof at_);
    }

  private:
    alignas(64) uint8_t at_[more ? 16 * Form::powers : 1];
};

// ---- Turns ---------------------------------------------------------------------------------------------------------

// The blocks from `first` of a turn, as many as a quarter of it, into `sum`.
template <class Form>
HWACHA_INLINE void gcm_hash_quarter(ghash_sum<ghash_vector<typename Form::Clmul>>& sum, ghash_block& state,
                                    const uint8_t* powers_end, const uint8_t* blocks, size_t first) {
    using Clmul = typename Form::Clmul;
    using Single = typename Form::Single;
    using V = ghash_vector<Clmul>;
    for (size_t i = first; i < first + Form::turn / 4; i += Clmul::blocks) {
        const size_t at = i % Form::chunk;
        V x = Clmul::reverse_bytes(simd::plain_ops::load<V>(blocks + 16 * i));
        if (at == 0) x ^= Clmul::first_only(state);
        const auto more = ghash_multiply<Clmul>(x, simd::plain_ops::load<V>(powers_end - 16 * (Form::chunk - at)));
        if (at == 0) {
            sum = more;
        } else {
            ghash_add(sum, more);
        }
        if (at + Clmul::blocks == Form::chunk) state = ghash_reduce_all<Clmul, Single>(sum);
    }
}

template <class Form>
HWACHA_INLINE void gcm_hash_turn(ghash_block& state, const uint8_t* powers_end, const uint8_t* blocks) {
    ghash_sum<ghash_vector<typename Form::Clmul>> sum = {};
    for (size_t q = 0; q < 4; ++q) gcm_hash_quarter<Form>(sum, state, powers_end, blocks, q * Form::turn / 4);
}

template <class Form, bool Key128, bool Hash>
HWACHA_INLINE void gcm_turn(const lea_gcm_keys& keys, lea_counters<typename Form::Ops>& c, ghash_block& state,
                            const uint8_t* powers_end, const uint8_t* hashed, const uint8_t* in, uint8_t* out) {
    using Ops = typename Form::Ops;
    lea_group<Ops> g[Form::groups];
    lea_start_groups<Ops>(g, c);
    ghash_sum<ghash_vector<typename Form::Clmul>> sum = {};
    const uint32_t* k = keys.round_keys;
#pragma GCC unroll 4
    for (size_t q = 0; q < 4; ++q, k += 24) {
        lea_encrypt_groups<Ops, Key128>(g, k, 4);
        if constexpr (Hash) gcm_hash_quarter<Form>(sum, state, powers_end, hashed, q * Form::turn / 4);
    }
    if constexpr (Key128) {
        lea_encrypt_groups<Ops, Key128>(g, k, 4);
        lea_encrypt_groups<Ops, Key128>(g, k + 24, 4);
    } else {
        lea_encrypt_groups<Ops, Key128>(g, k, keys.rounds - 16);
    }
    for (size_t i = 0; i < Form::groups; ++i) {
        lea_store_xor<Ops>(g[i], in + 16 * Form::lanes * i, out + 16 * Form::lanes * i);
    }
}

// first_counter: its first 12 bytes; `counter` its number.
template <class Form, bool Key128, bool Sealing>
ghash_block gcm_turns(const lea_gcm_keys& keys, ghash_block state, const uint8_t* first_counter, uint32_t counter,
                      const uint8_t* powers_end, const uint8_t* in, uint8_t* out, size_t turns) {
    constexpr size_t size = 16 * Form::turn;
    lea_counters<typename Form::Ops> c = lea_start_counters<typename Form::Ops>(first_counter, counter);
    if constexpr (Sealing) {
        gcm_turn<Form, Key128, false>(keys, c, state, powers_end, nullptr, in, out);
        for (; --turns != 0; out += size) {
            gcm_turn<Form, Key128, true>(keys, c, state, powers_end, out, in += size, out + size);
        }
        gcm_hash_turn<Form>(state, powers_end, out);
    } else {
        for (; turns != 0; --turns, in += size, out += size) {
            gcm_turn<Form, Key128, true>(keys, c, state, powers_end, in, in, out);
        }
    }
    return state;
}

template <class Form, bool Sealing>
void gcm_blocks(const lea_gcm_keys* keys, uint8_t* state, uint8_t* counter, const uint8_t* in, uint8_t* out,
                size_t count) {
    using Single = typename Form::Single;
    if (count == 0) return;
    gcm_more_powers<Form> more;
    const uint8_t* powers_end = more.from(keys->powers, Form::turn).end;
    ghash_block s = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    s = (keys->rounds == 24 ? gcm_turns<Form, true, Sealing>
                            : gcm_turns<Form, false, Sealing>)(*keys, s, counter, lea_counter(counter), powers_end, in,
                                                               out, count / Form::turn);
    simd::plain_ops::store(state, Single::reverse_bytes(s));
    lea_advance_counter(counter, count);
    more.wipe();
}

// ---- The end of a text ---------------------------------------------------------------------------------------------

// GHASH over the last blocks of a message, with one reduction if there are powers enough.
template <class Form>
class gcm_last_blocks {
    using Clmul = typename Form::Clmul;
    using Single = typename Form::Single;

  public:
    using V = ghash_vector<Clmul>;

    // `count` blocks are to come.
    HWACHA_INLINE gcm_last_blocks(ghash_block state, gcm_powers powers, size_t count)
        : state_(state), powers_(powers), left_(count) {
        start();
    }

    HWACHA_INLINE void add(const uint8_t* blocks, size_t count) {
        for (; count >= Clmul::blocks; count -= Clmul::blocks, blocks += sizeof(V)) {
            add(simd::plain_ops::load<V>(blocks));
        }
        if constexpr (Clmul::blocks != 1) {
            for (; count != 0; --count, blocks += 16) {
                add_one(Single::reverse_bytes(simd::plain_ops::load<ghash_block>(blocks)));
            }
        }
    }

    HWACHA_INLINE void add(V blocks) {
        if (until_reduction_ == 0) reduce_and_start();
        const V x = Clmul::reverse_bytes(blocks);
        ghash_add(wide_, ghash_multiply<Clmul>(x, simd::plain_ops::load<V>(power())));
        until_reduction_ -= Clmul::blocks;
        left_ -= Clmul::blocks;
    }

    HWACHA_INLINE void add_one(ghash_block x) {
        if (until_reduction_ == 0) reduce_and_start();
        ghash_add(single_, ghash_multiply<Single>(x, simd::plain_ops::load<ghash_block>(power())));
        --until_reduction_;
        --left_;
    }

    HWACHA_INLINE ghash_block value() {
        ghash_add(single_, ghash_sum<ghash_block>{Clmul::sum_blocks(wide_.low), Clmul::sum_blocks(wide_.middle),
                                                  Clmul::sum_blocks(wide_.high)});
        return ghash_reduce<Single>(single_);
    }

  private:
    HWACHA_INLINE const uint8_t* power() const { return powers_.end - 16 * until_reduction_; }

    // So many blocks go before a first reduction that the rest shares the last one.
    HWACHA_INLINE void start() {
        until_reduction_ = left_;
        if (left_ > powers_.count) {
            until_reduction_ = (left_ - powers_.count + Clmul::blocks - 1) / Clmul::blocks * Clmul::blocks;
            if (until_reduction_ > powers_.count) until_reduction_ = powers_.count;
        }
        single_ = ghash_multiply<Single>(state_, simd::plain_ops::load<ghash_block>(power()));
    }
    HWACHA_INLINE void reduce_and_start() {
        state_ = value();
        wide_ = ghash_sum<V>{};
        start();
    }

    ghash_block state_;
    gcm_powers powers_;
    size_t left_;
    size_t until_reduction_;
    ghash_sum<ghash_block> single_ = {};
    ghash_sum<V> wide_ = {};
};

// The last `size` bytes of a text of `text_size`, at most Groups groups, and the tag. E(K, J0) comes out of a lane that
// no block needs, if there is one.
template <class Form, bool Key128, bool Sealing, int Groups>
HWACHA_INLINE ghash_block gcm_end(const uint32_t* round_keys, uint32_t rounds, gcm_powers powers, ghash_block state,
                                  const uint8_t* first_counter, uint32_t counter, uint64_t aad_size, uint64_t text_size,
                                  const uint8_t* in, uint8_t* out, size_t size) {
    using Ops = typename Form::Ops;
    using Single = typename Form::Single;
    using V = lea_vector<Ops>;
    constexpr bool same_vectors = sizeof(V) == sizeof(typename gcm_last_blocks<Form>::V);
    const size_t blocks = (size + 15) / 16;
    const size_t whole = size / sizeof(V) * sizeof(V);  // bytes in whole vectors
    const bool lane_left = blocks < Form::lanes * Groups;

    lea_group<Ops> g[Groups];
    lea_counters<Ops> c = lea_start_counters<Ops>(first_counter, counter);
    lea_start_groups<Ops>(g, c);
    if (lane_left) g[Groups - 1].x[3][Form::lanes - 1] = simd::load_word_le<uint32_t>(first_counter + 12);

    gcm_last_blocks<Form> hash(state, powers, blocks + 1);
    if (!Sealing) hash.add(in, whole / 16);

    simd::row32 mask = {};
    if (!lane_left) mask = lea_encrypt_single<Key128>(round_keys, rounds, first_counter);
    lea_encrypt_groups<Ops, Key128>(g, round_keys, rounds);
    for (int i = 0; i < Groups; ++i) Ops::transpose(g[i].x[0], g[i].x[1], g[i].x[2], g[i].x[3]);
    if (lane_left) mask = simd::last_row(g[Groups - 1].x[3]);

    const uint8_t* ciphertext = out;
    alignas(64) uint8_t last[sizeof(V)];
#pragma GCC unroll 8
    for (int i = 0; i < 4 * Groups; ++i, in += sizeof(V), out += sizeof(V), size -= sizeof(V)) {
        V x = g[i / 4].x[i % 4];
        if (size < sizeof(V)) {
            if (size == 0) break;
            const V text = Ops::template load_some<V>(in, size);
            x = Ops::first_bytes(x ^ text, size);
            Ops::store_some(out, x, size);
            simd::plain_ops::store(last, Sealing ? x : text);
            break;
        }
        x ^= Ops::template load_le<V>(in);
        Ops::store_le(out, x);
        if constexpr (Sealing && same_vectors) hash.add((typename gcm_last_blocks<Form>::V)x);
    }
    if (Sealing && !same_vectors) hash.add(ciphertext, whole / 16);
    if (whole / 16 != blocks) {
        hash.add(last, blocks - whole / 16);
        simd::wipe(last, sizeof last);
    }
    hash.add_one(ghash_block{8 * text_size, 8 * aad_size});
    return Single::reverse_bytes(hash.value()) ^ (ghash_block)mask;
}

template <class Form, bool Key128, bool Sealing>
void gcm_long_text(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
                   const uint8_t* in, uint8_t* out, size_t size) {
    using Single = typename Form::Single;
    constexpr size_t turn_size = 16 * Form::turn;
    gcm_more_powers<Form> more;
    const gcm_powers powers = more.from(keys->powers, (size + 15) / 16 + 1);
    ghash_block s = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    uint32_t counter = lea_counter(first_counter) + 1;
    size_t left = size;
    if (size > turn_size) {
        const size_t turns = (size - 1) / turn_size;
        s = gcm_turns<Form, Key128, Sealing>(*keys, s, first_counter, counter, powers.end, in, out, turns);
        counter += (uint32_t)(turns * Form::turn);
        in += turns * turn_size;
        out += turns * turn_size;
        left -= turns * turn_size;
    }
    if (Form::groups == 1 || left <= 16 * Form::lanes) {
        s = gcm_end<Form, Key128, Sealing, 1>(keys->round_keys, keys->rounds, powers, s, first_counter, counter,
                                              aad_size, size, in, out, left);
    } else {
        s = gcm_end<Form, Key128, Sealing, Form::groups>(keys->round_keys, keys->rounds, powers, s, first_counter,
                                                         counter, aad_size, size, in, out, left);
    }
    simd::plain_ops::store(state, s);
    more.wipe();
}

// All in one group, with the key's own powers.
template <class Form, bool Key128, bool Sealing>
void gcm_short_text(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
                    const uint8_t* in, uint8_t* out, size_t size) {
    const ghash_block s = Form::Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    const ghash_block tag = gcm_end<Form, Key128, Sealing, 1>(
        keys->round_keys, Key128 ? 24 : keys->rounds, gcm_powers_of_key(keys->powers), s, first_counter,
        lea_counter(first_counter) + 1, aad_size, size, in, out, size);
    simd::plain_ops::store(state, tag);
}

template <class Form, class Short, bool Sealing>
void gcm_text(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
              const uint8_t* in, uint8_t* out, size_t size) {
    constexpr size_t most = Short::lanes < ghash_powers ? Short::lanes - 1 : ghash_powers - 1;
    if (size <= 16 * most) {
        (keys->rounds == 24
             ? gcm_short_text<Short, true, Sealing>
             : gcm_short_text<Short, false, Sealing>)(keys, state, first_counter, aad_size, in, out, size);
    } else {
        (keys->rounds == 24 ? gcm_long_text<Form, true, Sealing>
                            : gcm_long_text<Form, false, Sealing>)(keys, state, first_counter, aad_size, in, out, size);
    }
}

// Short: the form for texts that one of its groups holds.
template <class Form, class Short = Form>
constexpr lea_gcm_table lea_gcm_table_of(cpu::level level, cpu::feature multiplier) {
    const cpu::table_head head = cpu::head(level, multiplier);
    return {head,
            {head, ghash_expand_key<typename Form::Single>, ghash_absorb<typename Form::Clmul, typename Form::Single>},
            Form::turn,
            gcm_blocks<Form, true>,
            gcm_blocks<Form, false>,
            gcm_text<Form, Short, true>,
            gcm_text<Form, Short, false>,
            Form::lanes,
            gcm_messages_side_by_side<Form, true>,
            gcm_messages_side_by_side<Form, false>};
}

}  // namespace
}  // namespace hwacha
