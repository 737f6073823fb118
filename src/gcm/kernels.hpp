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
};

extern const lea_gcm_table lea_gcm_ssse3, lea_gcm_avx2, lea_gcm_avx2_vpclmul, lea_gcm_avx512, lea_gcm_avx512_vpclmul,
    lea_gcm_neon;

}  // namespace hwacha
