// Messages of equal shape next to each other: a group of LEA holds block b of each, so that counters are constants, and
// GHASH a message in each 128 bits, so that one reduction serves them all.
#pragma once

#include "gcm/kernels.hpp"
#include "ghash/clmul.inl.hpp"
#include "lea/blocks.inl.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

template <class Form>
class gcm_hashes {
    using Clmul = typename Form::Clmul;
    using V = ghash_vector<Clmul>;
    using words = typename simd::vector_of<uint32_t, sizeof(V) / 4>::type;
    static constexpr size_t vectors = Form::lanes / Clmul::blocks;

  public:
    // `count` blocks of each message are to come.
    HWACHA_INLINE gcm_hashes(const uint8_t* powers, size_t count) : powers_(powers), left_(count) {}

    // The next block of each message.
    HWACHA_INLINE void add(const uint8_t* blocks) {
        const size_t follow = --left_ % ghash_powers;  // before the reduction
        const V h = (V)simd::plain_ops::repeat_row<words>(powers_ + 16 * (ghash_powers - 1 - follow));
#pragma GCC unroll 16
        for (size_t i = 0; i < vectors; ++i) {
            ghash_add(sums_[i], ghash_multiply<Clmul>(load(blocks, i) ^ states_[i], h));
            states_[i] = V{};
        }
        if (follow == 0) {
#pragma GCC unroll 16
            for (size_t i = 0; i < vectors; ++i) {
                states_[i] = ghash_reduce<Clmul>(sums_[i]);
                sums_[i] = ghash_sum<V>{};
            }
        }
    }

    HWACHA_INLINE V value(size_t i) const { return Clmul::reverse_bytes(states_[i]); }
    static constexpr size_t values = vectors;

  private:
    static HWACHA_INLINE V load(const uint8_t* blocks, size_t i) {
        return Clmul::reverse_bytes(simd::plain_ops::load<V>(blocks + sizeof(V) * i));
    }

    const uint8_t* powers_;
    size_t left_;
    V states_[vectors] = {};
    ghash_sum<V> sums_[vectors] = {};
};

template <class Form, bool Key128, bool Sealing>
struct gcm_side_by_side {
    using Ops = typename Form::Ops;
    using V = lea_vector<Ops>;
    static constexpr size_t lanes = Form::lanes;
    static constexpr size_t group_size = 16 * lanes;
    // Registers for three groups and what a round needs.
    static constexpr bool many_registers = sizeof(V) == 64;

    const lea_gcm_keys& keys;
    const gcm_messages& m;
    gcm_hashes<Form> hashes;
    lea_group<Ops> first;
    alignas(64) uint8_t masks[group_size];
    alignas(64) uint8_t hashed[group_size];
    alignas(64) uint8_t plain[Sealing ? 1 : group_size];

    HWACHA_INLINE gcm_side_by_side(const lea_gcm_keys& k, const gcm_messages& messages)
        : keys(k), m(messages), hashes(k.powers, messages.aad_blocks + messages.text_blocks + 1) {
        lea_load<Ops>(first, m.first_counters);
    }

    // Of the text: its block `at`.
    HWACHA_INLINE void block(const lea_group<Ops>& keystream, size_t at) {
        const bool last = m.last_mask != nullptr && at + 1 == m.text_blocks;
        const uint8_t* const* in = last ? m.last_in : m.in;
        uint8_t* const* out = last ? m.last_out : m.out;
        const size_t offset = last ? 0 : 16 * at;
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; ++i) {
            const V text = simd::plain_ops::load_groups<V, 1>(in + lanes / 4 * i, offset);
            V x = text ^ keystream.x[i];
            if constexpr (Sealing) {
                if (last) x &= simd::plain_ops::load<V>(m.last_mask + sizeof(V) * i);
                simd::plain_ops::store(hashed + sizeof(V) * i, x);
            } else {
                simd::plain_ops::store(hashed + sizeof(V) * i, text);
                simd::plain_ops::store(plain + sizeof(V) * i, x);
            }
        }
        const uint8_t* const made = Sealing ? hashed : plain;
        for (size_t i = 0; i < lanes; ++i) memcpy(out[i] + offset, made + 16 * i, 16);
        hashes.add(hashed);
    }

    // Counter blocks from `at` on; block 0 is J0.
    template <int Groups>
    HWACHA_INLINE void blocks(size_t at) {
        lea_group<Ops> g[Groups];
        for (int i = 0; i < Groups; ++i) {
            g[i] = first;
            g[i].x[3] = Ops::template splat<V>(__builtin_bswap32((uint32_t)(at + (size_t)i + 1)));
        }
        lea_encrypt_groups<Ops, Key128>(g, keys.round_keys, Key128 ? 24 : keys.rounds);
        for (int i = 0; i < Groups; ++i) {
            Ops::transpose(g[i].x[0], g[i].x[1], g[i].x[2], g[i].x[3]);
            if (at + (size_t)i != 0) {
                block(g[i], at + (size_t)i - 1);
            } else {
                for (size_t r = 0; r < 4; ++r) simd::plain_ops::store(masks + sizeof(V) * r, g[i].x[r]);
            }
        }
    }

    HWACHA_INLINE void run(uint8_t* tags) {
        for (size_t b = 0; b < m.aad_blocks; ++b) hashes.add(m.aad + group_size * b);
        for (size_t at = 0; at <= m.text_blocks;) {
            const size_t left = m.text_blocks + 1 - at;
            if (many_registers && left >= 3 && left != 4) {
                blocks<3>(at);
                at += 3;
            } else if (left >= 2) {
                blocks<2>(at);
                at += 2;
            } else {
                blocks<1>(at);
                at += 1;
            }
        }
        hashes.add(m.lengths);
        for (size_t i = 0; i < gcm_hashes<Form>::values; ++i) {
            const auto hash = hashes.value(i);
            simd::plain_ops::store(tags + sizeof hash * i,
                                   hash ^ simd::plain_ops::load<decltype(hashes.value(0))>(masks + sizeof hash * i));
        }
        simd::wipe(masks, sizeof masks);
        if constexpr (!Sealing) simd::wipe(plain, sizeof plain);
    }
};

template <class Form, bool Sealing>
void gcm_messages_side_by_side(const lea_gcm_keys* keys, const gcm_messages* messages, uint8_t* tags) {
    if (keys->rounds == 24) {
        gcm_side_by_side<Form, true, Sealing>(*keys, *messages).run(tags);
    } else {
        gcm_side_by_side<Form, false, Sealing>(*keys, *messages).run(tags);
    }
}

}  // namespace
}  // namespace hwacha
