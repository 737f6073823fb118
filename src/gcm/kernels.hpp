// The waist of LEA-GCM: counter mode and GHASH in one loop. Nothing below this line knows keys in user format, nonces,
// limits, tags of other lengths or errors.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"
#include "ghash/kernels.hpp"

namespace hwacha {

struct lea_gcm_keys {
    const uint32_t* round_keys;  // as LEA's tables take them
    uint32_t rounds;
    const uint8_t* powers;  // as `hash.expand_key` of the same table made them
};

// Of any table.
inline constexpr size_t gcm_most_lanes = 16;

// As many messages as the table has lanes, under one key, with nonces of 12 bytes and equal numbers of blocks. Their
// first counters, blocks of additional data and closing blocks lie side by side: first that of every message, then the
// second ones.
struct gcm_messages {
    const uint8_t* first_counters;  // J0 (NIST SP 800-38D section 7.1 step 2)
    const uint8_t* aad;             // padded
    size_t aad_blocks;              // of a message
    const uint8_t* lengths;         // closing blocks
    size_t text_blocks;             // of a message
    const uint8_t* in[gcm_most_lanes];
    uint8_t* out[gcm_most_lanes];
    // Null where all last blocks are whole; otherwise 1 bits where they have text, and they have places of their own,
    // of 16 bytes, padded.
    const uint8_t* last_mask;
    const uint8_t* last_in[gcm_most_lanes];
    uint8_t* last_out[gcm_most_lanes];
};

// A table with null functions stands for LEA's and GHASH's own tables in turn. state, counter: 16 bytes each, of GHASH
// and of counter mode (NIST SP 800-38D section 6). `in` and `out`: the same buffer or disjoint ones, any alignment.
struct lea_gcm_table {
    cpu::table_head head;
    ghash_table hash;
    // Text of `count` whole blocks, a multiple of `turn`: `counter` is the first one's and moves on, `state` takes the
    // ciphertext in.
    uint32_t turn;
    void (*seal_blocks)(const lea_gcm_keys* keys, uint8_t* state, uint8_t* counter, const uint8_t* in, uint8_t* out,
                        size_t count);
    void (*open_blocks)(const lea_gcm_keys* keys, uint8_t* state, uint8_t* counter, const uint8_t* in, uint8_t* out,
                        size_t count);
    // The text of a message from its first to its last byte. `state`: that of the padded additional data, of aad_size
    // bytes; afterwards the tag.
    void (*seal_text)(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
                      const uint8_t* in, uint8_t* out, size_t size);
    void (*open_text)(const lea_gcm_keys* keys, uint8_t* state, const uint8_t* first_counter, uint64_t aad_size,
                      const uint8_t* in, uint8_t* out, size_t size);
    // Messages side by side. Tags: 16 bytes each, next to each other.
    uint32_t lanes;
    void (*seal_lanes)(const lea_gcm_keys* keys, const gcm_messages* messages, uint8_t* tags);
    void (*open_lanes)(const lea_gcm_keys* keys, const gcm_messages* messages, uint8_t* tags);
};

extern const lea_gcm_table lea_gcm_ssse3, lea_gcm_avx2, lea_gcm_avx2_vpclmul, lea_gcm_avx512, lea_gcm_avx512_vpclmul,
    lea_gcm_neon;

}  // namespace hwacha
