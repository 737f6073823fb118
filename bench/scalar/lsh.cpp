// Parameters, step constants and initial values are those of lsh/definition.hpp; the loops are written anew, without
// its pragmas.
#include <string.h>

#include "base/bytes.hpp"
#include "lsh/definition.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {
namespace {

template <class Word>
inline void lsh_expand_message(Word (&m)[16], const Word (&newer)[16]) {
    Word expanded[16];
    for (int l = 0; l < 16; ++l) expanded[l] = newer[l] + m[lsh_tau[l]];
    for (int l = 0; l < 16; ++l) m[l] = expanded[l];
}

// MsgAdd, Mix, WordPerm.
template <class Core, int Parity, class Word>
inline void lsh_step(Word (&t)[16], const Word (&m)[16], const Word (&constants)[8]) {
    for (int l = 0; l < 16; ++l) t[l] ^= m[l];
    for (int l = 0; l < 8; ++l) {
        lsh_mix_column<Word, Core::alpha[Parity], Core::beta[Parity]>(t[l], t[l + 8], constants[l]);
    }
    for (int l = 0; l < 8; ++l) t[l + 8] = rotl(t[l + 8], Core::gamma[l]);
    Word permuted[16];
    for (int l = 0; l < 16; ++l) permuted[l] = t[lsh_sigma[l]];
    for (int l = 0; l < 16; ++l) t[l] = permuted[l];
}

template <class Core, class Word>
void lsh_compress(Word (&cv)[16], const uint8_t* block) {
    Word t[16];
    Word message[2][16];
    for (size_t l = 0; l < 16; ++l) t[l] = cv[l];
    for (size_t l = 0; l < 16; ++l) message[0][l] = load_le<Word>(block + sizeof(Word) * l);
    for (size_t l = 0; l < 16; ++l) message[1][l] = load_le<Word>(block + sizeof(Word) * (16 + l));

    lsh_step<Core, 0>(t, message[0], lsh_step_constants<Core>.at[0]);
    lsh_step<Core, 1>(t, message[1], lsh_step_constants<Core>.at[1]);
    for (int j = 2; j < Core::steps; j += 2) {
        lsh_expand_message(message[0], message[1]);
        lsh_step<Core, 0>(t, message[0], lsh_step_constants<Core>.at[j]);
        lsh_expand_message(message[1], message[0]);
        lsh_step<Core, 1>(t, message[1], lsh_step_constants<Core>.at[j + 1]);
    }
    lsh_expand_message(message[0], message[1]);
    for (int l = 0; l < 16; ++l) cv[l] = t[l] ^ message[0][l];
}

template <class Core, class Word>
void lsh_hash_with(const Word (&iv)[16], size_t digest_size, const uint8_t* in, size_t length, uint8_t* digest) {
    constexpr size_t block = 32 * sizeof(Word);
    Word cv[16];
    for (int l = 0; l < 16; ++l) cv[l] = iv[l];
    for (; length >= block; length -= block, in += block) lsh_compress<Core>(cv, in);

    uint8_t last[block] = {};
    copy_bytes(last, in, length);
    last[length] = 0x80;
    lsh_compress<Core>(cv, last);

    uint8_t whole[8 * sizeof(Word)];
    for (size_t l = 0; l < 8; ++l) store_le<Word>(whole + sizeof(Word) * l, cv[l] ^ cv[l + 8]);
    memcpy(digest, whole, digest_size);
}

}  // namespace

void lsh_hash(const uint32_t (&iv)[16], size_t digest_size, const uint8_t* in, size_t length, uint8_t* digest) {
    lsh_hash_with<lsh256_core>(iv, digest_size, in, length, digest);
}

void lsh_hash(const uint64_t (&iv)[16], size_t digest_size, const uint8_t* in, size_t length, uint8_t* digest) {
    lsh_hash_with<lsh512_core>(iv, digest_size, in, length, digest);
}

}  // namespace hwacha::scalar
