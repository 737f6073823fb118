// LEA on as many blocks as a register has 32-bit words: word w of all blocks in x[w]. Blocks come and go by 4-by-4
// transposition within 16-byte groups, which leaves them in the order of lea_lane_block.
#pragma once

#include <string.h>

#include "lea/kernels.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

template <class Ops>
using lea_vector = typename Ops::wide32;

template <class Ops>
constexpr int lea_lanes = simd::lanes_of<lea_vector<Ops>>;

template <class Ops>
struct lea_group {
    lea_vector<Ops> x[4];
};

// Which of the group's consecutive blocks is in each lane.
template <class Ops>
struct lea_lane_blocks {
    uint32_t at[lea_lanes<Ops>];

    constexpr lea_lane_blocks() : at() {
        constexpr int groups = lea_lanes<Ops> / 4;
        for (int i = 0; i < lea_lanes<Ops>; ++i) at[i] = static_cast<uint32_t>(groups * (i % 4) + i / 4);
    }
};
template <class Ops>
constexpr lea_lane_blocks<Ops> lea_lane_block{};

// With a 128-bit key the words 1, 3 and 5 of a round key are equal.
template <class Ops, bool Key128>
struct lea_round_key {
    lea_vector<Ops> k0, k1, k2, k3, k4, k5;

    explicit HWACHA_INLINE lea_round_key(const uint32_t* k)
        : k0(word(k[0])),
          k1(word(k[1])),
          k2(word(k[2])),
          k3(Key128 ? k1 : word(k[3])),
          k4(word(k[4])),
          k5(Key128 ? k1 : word(k[5])) {}

    static HWACHA_INLINE lea_vector<Ops> word(uint32_t w) { return Ops::template splat<lea_vector<Ops>>(w); }
};

// KS X 3246 section 6: one round on each of the groups.
template <class Ops, bool Key128, int Groups>
HWACHA_INLINE void lea_encrypt_round(lea_group<Ops> (&g)[Groups], const uint32_t* round_key) {
    using V = lea_vector<Ops>;
    const lea_round_key<Ops, Key128> k(round_key);
    for (int i = 0; i < Groups; ++i) {
        V(&x)[4] = g[i].x;
        const V y0 = Ops::template rotl<9>((x[0] ^ k.k0) + (x[1] ^ k.k1));
        const V y1 = Ops::template rotl<32 - 5>((x[1] ^ k.k2) + (x[2] ^ k.k3));
        const V y2 = Ops::template rotl<32 - 3>((x[2] ^ k.k4) + (x[3] ^ k.k5));
        x[3] = x[0];
        x[0] = y0;
        x[1] = y1;
        x[2] = y2;
    }
}

template <class Ops, bool Key128, int Groups>
HWACHA_INLINE void lea_decrypt_round(lea_group<Ops> (&g)[Groups], const uint32_t* round_key) {
    using V = lea_vector<Ops>;
    const lea_round_key<Ops, Key128> k(round_key);
    for (int i = 0; i < Groups; ++i) {
        V(&x)[4] = g[i].x;
        const V y0 = x[3];
        const V y1 = (Ops::template rotl<32 - 9>(x[0]) - (y0 ^ k.k0)) ^ k.k1;
        const V y2 = (Ops::template rotl<5>(x[1]) - (y1 ^ k.k2)) ^ k.k3;
        const V y3 = (Ops::template rotl<3>(x[2]) - (y2 ^ k.k4)) ^ k.k5;
        x[0] = y0;
        x[1] = y1;
        x[2] = y2;
        x[3] = y3;
    }
}

// Four rounds a turn: the renaming of words then costs nothing.
template <class Ops, bool Key128, int Groups>
HWACHA_INLINE void lea_encrypt_groups(lea_group<Ops> (&g)[Groups], const uint32_t* round_keys, uint32_t rounds) {
    for (uint32_t r = 0; r < rounds; r += 4, round_keys += 24) {
        lea_encrypt_round<Ops, Key128>(g, round_keys);
        lea_encrypt_round<Ops, Key128>(g, round_keys + 6);
        lea_encrypt_round<Ops, Key128>(g, round_keys + 12);
        lea_encrypt_round<Ops, Key128>(g, round_keys + 18);
    }
}

template <class Ops, bool Key128, int Groups>
HWACHA_INLINE void lea_decrypt_groups(lea_group<Ops> (&g)[Groups], const uint32_t* round_keys, uint32_t rounds) {
    round_keys += 6 * rounds;
    for (uint32_t r = 0; r < rounds; r += 4) {
        lea_decrypt_round<Ops, Key128>(g, round_keys - 6);
        lea_decrypt_round<Ops, Key128>(g, round_keys - 12);
        lea_decrypt_round<Ops, Key128>(g, round_keys - 18);
        lea_decrypt_round<Ops, Key128>(g, round_keys -= 24);
    }
}

// One block in general registers, whose ports vectors leave idle.
template <bool Key128>
HWACHA_INLINE simd::row32 lea_encrypt_single(const uint32_t* k, uint32_t rounds, const uint8_t* in) {
    const auto rotl = [](uint32_t x, int n) { return x << n | x >> (32 - n); };
    uint32_t x[4];
    for (int i = 0; i < 4; ++i) x[i] = simd::load_word_le<uint32_t>(in + 4 * i);
    for (const uint32_t* end = k + 6 * rounds; k != end; k += 6) {
        uint32_t y0 = rotl((x[0] ^ k[0]) + (x[1] ^ k[1]), 9);
        uint32_t y1 = rotl((x[1] ^ k[2]) + (x[2] ^ k[Key128 ? 1 : 3]), 32 - 5);
        uint32_t y2 = rotl((x[2] ^ k[4]) + (x[3] ^ k[Key128 ? 1 : 5]), 32 - 3);
        __asm__("" : "+r"(y0), "+r"(y1), "+r"(y2));  // or clang 19 gathers the words in a vector
        x[3] = x[0];
        x[0] = y0;
        x[1] = y1;
        x[2] = y2;
    }
    return simd::row32{x[0], x[1], x[2], x[3]};
}

template <class Ops>
HWACHA_INLINE void lea_load(lea_group<Ops>& g, const uint8_t* in) {
    using V = lea_vector<Ops>;
    for (int i = 0; i < 4; ++i) g.x[i] = Ops::template load_le<V>(in + sizeof(V) * i);
    Ops::transpose(g.x[0], g.x[1], g.x[2], g.x[3]);
}

template <class Ops>
HWACHA_INLINE void lea_store(lea_group<Ops>& g, uint8_t* out) {
    using V = lea_vector<Ops>;
    Ops::transpose(g.x[0], g.x[1], g.x[2], g.x[3]);
    for (int i = 0; i < 4; ++i) Ops::store_le(out + sizeof(V) * i, g.x[i]);
}

template <class Ops>
HWACHA_INLINE void lea_store_xor(lea_group<Ops>& g, const uint8_t* in, uint8_t* out) {
    using V = lea_vector<Ops>;
    Ops::transpose(g.x[0], g.x[1], g.x[2], g.x[3]);
    for (int i = 0; i < 4; ++i)
        Ops::store_le(out + sizeof(V) * i, g.x[i] ^ Ops::template load_le<V>(in + sizeof(V) * i));
}

template <class Ops, bool Key128, bool Decrypt, int Groups>
HWACHA_INLINE void lea_ecb_groups(const uint32_t* round_keys, uint32_t rounds, const uint8_t* in, uint8_t* out) {
    constexpr size_t group_size = 16 * lea_lanes<Ops>;
    lea_group<Ops> g[Groups];
    for (int i = 0; i < Groups; ++i) lea_load<Ops>(g[i], in + group_size * i);
    if constexpr (Decrypt) {
        lea_decrypt_groups<Ops, Key128>(g, round_keys, rounds);
    } else {
        lea_encrypt_groups<Ops, Key128>(g, round_keys, rounds);
    }
    for (int i = 0; i < Groups; ++i) lea_store<Ops>(g[i], out + group_size * i);
}

template <class Ops, bool Key128, bool Decrypt>
HWACHA_INLINE void lea_ecb_with(const uint32_t* round_keys, uint32_t rounds, const uint8_t* in, uint8_t* out,
                                size_t count) {
    constexpr size_t lanes = lea_lanes<Ops>;
    constexpr size_t group_size = 16 * lanes;
    for (; count >= 2 * lanes; count -= 2 * lanes, in += 2 * group_size, out += 2 * group_size) {
        lea_ecb_groups<Ops, Key128, Decrypt, 2>(round_keys, rounds, in, out);
    }
    for (; count >= lanes; count -= lanes, in += group_size, out += group_size) {
        lea_ecb_groups<Ops, Key128, Decrypt, 1>(round_keys, rounds, in, out);
    }
    if (count != 0) {
        alignas(64) uint8_t rest[group_size] = {};
        memcpy(rest, in, 16 * count);
        lea_ecb_groups<Ops, Key128, Decrypt, 1>(round_keys, rounds, rest, rest);
        memcpy(out, rest, 16 * count);
        simd::wipe(rest, sizeof rest);
    }
}

template <class Ops, bool Decrypt>
void lea_ecb(const uint32_t* round_keys, uint32_t rounds, const uint8_t* in, uint8_t* out, size_t count) {
    if (rounds == 24) {
        lea_ecb_with<Ops, true, Decrypt>(round_keys, rounds, in, out, count);
    } else {
        lea_ecb_with<Ops, false, Decrypt>(round_keys, rounds, in, out, count);
    }
}

// ---- Counter mode -------------------------------------------------------------------------------------------------

template <class Ops>
struct lea_counters {
    const uint8_t* fixed;  // the first three words, the same in every lane: from memory, whenever they are needed
    lea_vector<Ops> next;  // the counters of the next group, as numbers
};

// The last four bytes of a counter block, as a number.
HWACHA_INLINE uint32_t lea_counter(const uint8_t* block) {
    return __builtin_bswap32(simd::load_word_le<uint32_t>(block + 12));
}

// From the block with the first 12 bytes of `block` and the number `counter`.
template <class Ops>
HWACHA_INLINE lea_counters<Ops> lea_start_counters(const uint8_t* block, uint32_t counter) {
    using V = lea_vector<Ops>;
    return {block, Ops::template splat<V>(counter) + Ops::template load<V>(lea_lane_block<Ops>.at)};
}

template <class Ops, int Groups>
HWACHA_INLINE void lea_start_groups(lea_group<Ops> (&g)[Groups], lea_counters<Ops>& c) {
    for (int i = 0; i < Groups; ++i) {
        const uint8_t* fixed = c.fixed;
        Ops::hide(fixed);
        for (int j = 0; j < 3; ++j) {
            g[i].x[j] = Ops::template splat<lea_vector<Ops>>(simd::load_word_le<uint32_t>(fixed + 4 * j));
        }
        g[i].x[3] = Ops::byte_swap(c.next);
        c.next += lea_lanes<Ops>;
    }
}

template <class Ops, bool Key128, int Groups>
HWACHA_INLINE void lea_keystream_groups(lea_group<Ops> (&g)[Groups], lea_counters<Ops>& c, const uint32_t* round_keys,
                                        uint32_t rounds) {
    lea_start_groups<Ops>(g, c);
    lea_encrypt_groups<Ops, Key128>(g, round_keys, rounds);
}

// To the counter of the block `count` further on.
HWACHA_INLINE void lea_advance_counter(uint8_t* block, size_t count) {
    const uint32_t next = lea_counter(block) + (uint32_t)count;
    for (int i = 0; i < 4; ++i) block[12 + i] = (uint8_t)(next >> (24 - 8 * i));
}

template <class Ops, bool Key128>
HWACHA_INLINE void lea_ctr32_with(const uint32_t* round_keys, uint32_t rounds, const uint8_t* counter,
                                  const uint8_t* in, uint8_t* out, size_t count) {
    constexpr size_t lanes = lea_lanes<Ops>;
    constexpr size_t group_size = 16 * lanes;
    lea_counters<Ops> c = lea_start_counters<Ops>(counter, lea_counter(counter));
    for (; count >= 2 * lanes; count -= 2 * lanes, in += 2 * group_size, out += 2 * group_size) {
        lea_group<Ops> g[2];
        lea_keystream_groups<Ops, Key128>(g, c, round_keys, rounds);
        lea_store_xor<Ops>(g[0], in, out);
        lea_store_xor<Ops>(g[1], in + group_size, out + group_size);
    }
    for (; count >= lanes; count -= lanes, in += group_size, out += group_size) {
        lea_group<Ops> g[1];
        lea_keystream_groups<Ops, Key128>(g, c, round_keys, rounds);
        lea_store_xor<Ops>(g[0], in, out);
    }
    if (count != 0) {
        alignas(64) uint8_t rest[group_size] = {};
        memcpy(rest, in, 16 * count);
        lea_group<Ops> g[1];
        lea_keystream_groups<Ops, Key128>(g, c, round_keys, rounds);
        lea_store_xor<Ops>(g[0], rest, rest);
        memcpy(out, rest, 16 * count);
        simd::wipe(rest, sizeof rest);
    }
}

template <class Ops>
void lea_ctr32(const uint32_t* round_keys, uint32_t rounds, const uint8_t* counter, const uint8_t* in, uint8_t* out,
               size_t count) {
    if (rounds == 24) {
        lea_ctr32_with<Ops, true>(round_keys, rounds, counter, in, out, count);
    } else {
        lea_ctr32_with<Ops, false>(round_keys, rounds, counter, in, out, count);
    }
}

template <class Ops>
constexpr lea_table lea_table_of(cpu::level level) {
    return {cpu::head(level), lea_ecb<Ops, false>, lea_ecb<Ops, true>, lea_ctr32<Ops>};
}

}  // namespace
}  // namespace hwacha
