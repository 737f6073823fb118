// LSH, LEA and GHASH as ordinary scalar code, one word or block at a time: what a compiler makes of it is measured,
// step by step, on the way to the kernels under src/ (docs/BENCHMARKING.md). No vectors, intrinsics or pragmas in this
// folder.
//
// It is compiled in two ways. Files apart, as C reference implementations come: the innermost helper of each algorithm
// is a call into another object, in the inner loop, and no compiler sees through it. As one unit (one_unit.cpp) nothing
// is hidden.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef HWACHA_SCALAR_ONE_UNIT
#define HWACHA_SCALAR_HELPER static inline
#else
#define HWACHA_SCALAR_HELPER
#endif

namespace hwacha::scalar {

// C has a macro for this, which -O0 does not turn into a call.
template <class Word>
[[gnu::always_inline]] inline Word rotl(Word x, int n) {
    constexpr int bits = 8 * sizeof(Word);
    return static_cast<Word>((x << (n & (bits - 1))) | (x >> (-n & (bits - 1))));
}

// ---- Helpers ------------------------------------------------------------------------------------------------------

// KS X 3262, Mix: one column, without the rotation by gamma.
template <class Word, int Alpha, int Beta>
HWACHA_SCALAR_HELPER void lsh_mix_column(Word& x, Word& y, Word constant);

// KS X 3246 section 6: one round of encryption.
HWACHA_SCALAR_HELPER void lea_round(uint32_t (&x)[4], const uint32_t* round_key);

// x = x * y, as elements of POLYVAL's field: low word, high word.
HWACHA_SCALAR_HELPER void ghash_multiply(uint64_t (&x)[2], const uint64_t (&y)[2]);

// ---- Operations ---------------------------------------------------------------------------------------------------

// LSH-256 and LSH-512.
void lsh_hash(const uint32_t (&iv)[16], size_t digest_size, const uint8_t* in, size_t length, uint8_t* digest);
void lsh_hash(const uint64_t (&iv)[16], size_t digest_size, const uint8_t* in, size_t length, uint8_t* digest);

struct lea_key {
    uint32_t rounds;
    uint32_t round_keys[6 * 32];
};

void lea_expand_key(lea_key& key, const uint8_t* user_key, size_t size);
void lea_ecb(const lea_key& key, const uint8_t* in, uint8_t* out, size_t blocks);
// The last 4 bytes of the counter count, big-endian, modulo 2^32.
void lea_ctr(const lea_key& key, const uint8_t* counter, const uint8_t* in, uint8_t* out, size_t length);
// The same results.
void lea_ecb_side_by_side(const lea_key& key, const uint8_t* in, uint8_t* out, size_t blocks);
void lea_ctr_side_by_side(const lea_key& key, const uint8_t* counter, const uint8_t* in, uint8_t* out, size_t length);

struct ghash_key {
    uint64_t h[2];
};

void ghash_expand_key(ghash_key& key, const uint8_t* h);
// The last block is filled up with zeros.
void ghash_absorb(const ghash_key& key, uint8_t* state, const uint8_t* in, size_t length);

struct gcm_key {
    lea_key cipher;
    ghash_key hash;
};

void gcm_expand_key(gcm_key& key, const uint8_t* user_key, size_t size);
// out: ciphertext, then 16 bytes of tag.
void gcm_seal(const gcm_key& key, const uint8_t* nonce, const uint8_t* in, uint8_t* out, size_t length);

}  // namespace hwacha::scalar
