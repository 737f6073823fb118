// LEA in counter mode with GHASH between its rounds: while the adders work on a turn's keystream, the carry-less
// multiplier works on ciphertext that is at hand: the turn before when sealing, this one when opening.
#pragma once

#include <string.h>

#include "gcm/kernels.hpp"
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

// The powers that a text needs: those of the key, or more, which live in the call that computes them.
template <class Form>
struct gcm_powers {
    alignas(64) uint8_t more[16 * Form::powers];
    const uint8_t* end;  // H^n is at end - 16 * n

    HWACHA_INLINE gcm_powers(const uint8_t* of_key, bool extend) : end(of_key + 16 * ghash_powers) {
        using Clmul = typename Form::Clmul;
        using V = ghash_vector<Clmul>;
        if constexpr (Form::powers > ghash_powers) {
            if (!extend) return;
            constexpr size_t step = 16 * ghash_powers;
            uint8_t* at = more + sizeof more - step;
            memcpy(at, of_key, step);
            using words = typename simd::vector_of<uint32_t, sizeof(V) / 4>::type;
            const V eighth = (V)Form::Ops::template repeat_row<words>(of_key);
            for (; at != more; at -= step) {
                for (size_t i = 0; i < step; i += sizeof(V)) {
                    const V power =
                        ghash_reduce<Clmul>(ghash_multiply<Clmul>(simd::plain_ops::load<V>(at + i), eighth));
                    simd::plain_ops::store(at - step + i, power);
                }
            }
            end = more + sizeof more;
        }
    }
    HWACHA_INLINE ~gcm_powers() {
        if (Form::powers > ghash_powers && end == more + sizeof more) simd::wipe(more, sizeof more);
    }
    HWACHA_INLINE size_t count() const { return end == more + sizeof more ? Form::powers : ghash_powers; }
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
    lea_encrypt_groups<Ops, Key128>(g, k, keys.rounds - 16);
    for (size_t i = 0; i < Form::groups; ++i) {
        lea_store_xor<Ops>(g[i], in + 16 * Form::lanes * i, out + 16 * Form::lanes * i);
    }
}

// `counter` moves on.
template <class Form, bool Key128, bool Sealing>
ghash_block gcm_turns(const lea_gcm_keys& keys, ghash_block state, uint8_t* counter, const uint8_t* powers_end,
                      const uint8_t* in, uint8_t* out, size_t turns) {
    constexpr size_t size = 16 * Form::turn;
    lea_counters<typename Form::Ops> c = lea_start_counters<typename Form::Ops>(counter);
    lea_advance_counter(counter, turns * Form::turn);
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
    const lea_gcm_keys k = *keys;
    const gcm_powers<Form> powers(k.powers, true);
    ghash_block s = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    s = k.rounds == 24 ? gcm_turns<Form, true, Sealing>(k, s, counter, powers.end, in, out, count / Form::turn)
                       : gcm_turns<Form, false, Sealing>(k, s, counter, powers.end, in, out, count / Form::turn);
    simd::plain_ops::store(state, Single::reverse_bytes(s));
}

// ---- The end of a text ---------------------------------------------------------------------------------------------

// GHASH over the last blocks of a message.
template <class Form>
class gcm_last_blocks {
    using Clmul = typename Form::Clmul;
    using Single = typename Form::Single;
    using V = ghash_vector<Clmul>;

  public:
    // `count` blocks are to come.
    HWACHA_INLINE gcm_last_blocks(ghash_block state, const gcm_powers<Form>& powers, size_t count)
        : state_(state), powers_(powers), left_(count) {
        if (left_ <= powers_.count()) start();
    }

    HWACHA_INLINE void add(const uint8_t* blocks, size_t count) {
        while (left_ > powers_.count()) {
            // So many that the rest shares one reduction.
            size_t n = (left_ - powers_.count() + Clmul::blocks - 1) / Clmul::blocks * Clmul::blocks;
            if (n > ghash_powers) n = ghash_powers;
            state_ = ghash_absorb_group<Clmul, Single>(state_, powers_.end - 16 * ghash_powers, blocks, n);
            blocks += 16 * n;
            count -= n;
            left_ -= n;
            if (left_ <= powers_.count()) start();
        }
        for (; count >= Clmul::blocks; count -= Clmul::blocks, blocks += sizeof(V), left_ -= Clmul::blocks) {
            const V x = Clmul::reverse_bytes(simd::plain_ops::load<V>(blocks));
            const auto more = ghash_multiply<Clmul>(x, simd::plain_ops::load<V>(powers_.end - 16 * left_));
            ghash_add(wide_, more);
        }
        for (; count != 0; --count, blocks += 16) {
            add(Single::reverse_bytes(simd::plain_ops::load<ghash_block>(blocks)));
        }
    }

    HWACHA_INLINE void add(ghash_block x) {
        ghash_add(single_, ghash_multiply<Single>(x, power()));
        --left_;
    }

    HWACHA_INLINE ghash_block value() {
        ghash_add(single_,
                  {Clmul::sum_blocks(wide_.low), Clmul::sum_blocks(wide_.middle), Clmul::sum_blocks(wide_.high)});
        return ghash_reduce<Single>(single_);
    }

  private:
    HWACHA_INLINE ghash_block power() const { return simd::plain_ops::load<ghash_block>(powers_.end - 16 * left_); }
    HWACHA_INLINE void start() { single_ = ghash_multiply<Single>(state_, power()); }

    ghash_block state_;
    const gcm_powers<Form>& powers_;
    size_t left_;
    ghash_sum<ghash_block> single_ = {};
    ghash_sum<V> wide_ = {};
};

// The last `size` bytes of a text of `text_size`, at most Groups groups, and the tag. E(K, J0) comes out of a lane that
// no block needs, if there is one.
template <class Form, bool Key128, bool Sealing, int Groups>
HWACHA_INLINE ghash_block gcm_end(const lea_gcm_keys& keys, ghash_block state, const uint8_t* first_counter,
                                  const uint8_t* counter, const gcm_powers<Form>& powers, uint64_t aad_size,
                                  uint64_t text_size, const uint8_t* in, uint8_t* out, size_t size) {
    using Ops = typename Form::Ops;
    using Single = typename Form::Single;
    using V = lea_vector<Ops>;
    const size_t blocks = (size + 15) / 16;
    const size_t whole = size / sizeof(V) * sizeof(V);  // bytes in whole vectors
    const bool lane_left = blocks < Form::lanes * Groups;

    gcm_last_blocks<Form> hash(state, powers, blocks + 1);
    if (!Sealing) hash.add(in, whole / 16);

    simd::row32 mask = {};
    if (!lane_left) mask = lea_encrypt_single<Key128>(keys.round_keys, keys.rounds, first_counter);

    lea_group<Ops> g[Groups];
    lea_counters<Ops> c = lea_start_counters<Ops>(counter);
    lea_start_groups<Ops>(g, c);
    if (lane_left) g[Groups - 1].x[3][Form::lanes - 1] = simd::load_word_le<uint32_t>(first_counter + 12);
    lea_encrypt_groups<Ops, Key128>(g, keys.round_keys, keys.rounds);
    for (int i = 0; i < Groups; ++i) Ops::transpose(g[i].x[0], g[i].x[1], g[i].x[2], g[i].x[3]);
    if (lane_left) memcpy(&mask, (const uint8_t*)&g[Groups - 1].x[3] + sizeof(V) - 16, 16);

    const uint8_t* ciphertext = out;
    alignas(64) uint8_t last[sizeof(V)];
    for (int i = 0; i < 4 * Groups; ++i, in += sizeof(V), out += sizeof(V), size -= sizeof(V)) {
        V& x = g[i / 4].x[i % 4];
        if (size >= sizeof(V)) {
            Ops::store_le(out, x ^ Ops::template load_le<V>(in));
            if (size == sizeof(V)) break;
        } else {
            const V text = Ops::template load_some<V>(in, size);
            const V crypted = Ops::first_bytes(x ^ text, size);
            Ops::store_some(out, crypted, size);
            simd::plain_ops::store(last, Sealing ? crypted : text);
            break;
        }
    }
    if (Sealing) hash.add(ciphertext, whole / 16);
    if (whole / 16 != blocks) {
        hash.add(last, blocks - whole / 16);
        simd::wipe(last, sizeof last);
    }
    hash.add(ghash_block{8 * text_size, 8 * aad_size});
    return Single::reverse_bytes(hash.value()) ^ (ghash_block)mask;
}

template <class Form, bool Key128, bool Sealing>
HWACHA_INLINE void gcm_text_with(const lea_gcm_keys& keys, uint8_t* state, const uint8_t* first_counter,
                                 uint64_t aad_size, const uint8_t* in, uint8_t* out, size_t size) {
    using Single = typename Form::Single;
    constexpr size_t turn_size = 16 * Form::turn;
    const gcm_powers<Form> powers(keys.powers, size > 16 * (ghash_powers - 1));
    ghash_block s = Single::reverse_bytes(simd::plain_ops::load<ghash_block>(state));
    uint8_t counter[16];
    memcpy(counter, first_counter, 16);
    lea_advance_counter(counter, 1);
    size_t left = size;
    if (size > turn_size) {
        const size_t turns = (size - 1) / turn_size;
        s = gcm_turns<Form, Key128, Sealing>(keys, s, counter, powers.end, in, out, turns);
        in += turns * turn_size;
        out += turns * turn_size;
        left -= turns * turn_size;
    }
    if (Form::groups == 1 || left <= 16 * Form::lanes) {
        s = gcm_end<Form, Key128, Sealing, 1>(keys, s, first_counter, counter, powers, aad_size, size, in, out, left);
    } else {
        s = gcm_end<Form, Key128, Sealing, Form::groups>(keys, s, first_counter, counter, powers, aad_size, size, in,
                                                         out, left);
    }
    simd::plain_ops::store(state, s);
}

template <class Form, bool Sealing>
void gcm_text(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
              const uint8_t* in, uint8_t* out, size_t size) {
    const lea_gcm_keys k = *keys;
    if (k.rounds == 24) {
        gcm_text_with<Form, true, Sealing>(k, state, first_counter, aad_size, in, out, size);
    } else {
        gcm_text_with<Form, false, Sealing>(k, state, first_counter, aad_size, in, out, size);
    }
}

template <class Form>
constexpr lea_gcm_table lea_gcm_table_of(cpu::level level, cpu::feature multiplier) {
    const cpu::table_head head = cpu::head(level, multiplier);
    return {head,
            {head, ghash_expand_key<typename Form::Single>, ghash_absorb<typename Form::Clmul, typename Form::Single>},
            Form::turn,
            gcm_blocks<Form, true>,
            gcm_blocks<Form, false>,
            gcm_text<Form, true>,
            gcm_text<Form, false>};
}

}  // namespace
}  // namespace hwacha
