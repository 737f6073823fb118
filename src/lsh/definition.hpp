// LSH as KS X 3262 defines it, evaluable at compile time: the parameters of the two cores, the step constants and
// initial values derived from their formulas, and the compression function word by word. Start here to read the
// algorithm. The portable table is this function; the other tables take their constants from here and must agree with
// it.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hwacha {
namespace {

// Section 5 (LSH-256) and section 6 (LSH-512): word size, number of steps, rotations, first step constant.
struct lsh256_core {
    using word = uint32_t;
    static constexpr int word_bits = 32;
    static constexpr int steps = 26;
    static constexpr int alpha[2] = {29, 5};  // even, odd step
    static constexpr int beta[2] = {1, 17};
    static constexpr int gamma[8] = {0, 8, 16, 24, 24, 16, 8, 0};
    static constexpr word first_constant[8] = {0x917caf90, 0x6c1b10a2, 0x6f352943, 0xcf778243,
                                               0x2ceb7472, 0x29e96ff2, 0x8a9ba428, 0x2eeb2642};
};

struct lsh512_core {
    using word = uint64_t;
    static constexpr int word_bits = 64;
    static constexpr int steps = 28;
    static constexpr int alpha[2] = {23, 7};
    static constexpr int beta[2] = {59, 3};
    static constexpr int gamma[8] = {0, 16, 32, 48, 8, 24, 40, 56};
    static constexpr word first_constant[8] = {0x97884283c938982a, 0xba1fca93533e2355, 0xc519a2e87aeb1c03,
                                               0x9a0fc95462af17b1, 0xfc3dda8ab019a82b, 0x02825d079a895407,
                                               0x79f2d0a7ee06a6f7, 0xd76d15eed9fdf5fe};
};

// WordPerm: X'[l] = X[sigma(l)]. MsgExp: M_j[l] = M_{j-1}[l] + M_{j-2}[tau(l)].
constexpr int lsh_sigma[16] = {6, 4, 5, 7, 12, 15, 14, 13, 2, 0, 1, 3, 8, 11, 10, 9};
constexpr int lsh_tau[16] = {3, 2, 0, 1, 7, 4, 5, 6, 11, 10, 8, 9, 15, 12, 13, 14};

template <class Word>
constexpr Word lsh_rotl(Word x, int n) {
    return n == 0 ? x : static_cast<Word>((x << n) | (x >> (8 * static_cast<int>(sizeof(Word)) - n)));
}

// Step constants: SC_j[l] = SC_{j-1}[l] + rotl(SC_{j-1}[l], 8).
template <class Core>
struct lsh_constants {
    typename Core::word at[Core::steps][8];

    constexpr lsh_constants() : at() {
        for (int l = 0; l < 8; ++l) at[0][l] = Core::first_constant[l];
        for (int j = 1; j < Core::steps; ++j) {
            for (int l = 0; l < 8; ++l) at[j][l] = at[j - 1][l] + lsh_rotl(at[j - 1][l], 8);
        }
    }
};

template <class Core>
constexpr lsh_constants<Core> lsh_step_constants{};

template <class Core>
struct lsh_chaining {
    typename Core::word word[16];
};

template <class Core>
constexpr void lsh_add_message(typename Core::word (&t)[16], const typename Core::word (&m)[16]) {
#pragma GCC unroll 16
    for (int l = 0; l < 16; ++l) t[l] ^= m[l];
}

// The next sub-message, in the place of the one before the last.
template <class Core>
constexpr void lsh_expand_message(typename Core::word (&m)[16], const typename Core::word (&newer)[16]) {
    typename Core::word expanded[16] = {};
#pragma GCC unroll 16
    for (int l = 0; l < 16; ++l) expanded[l] = newer[l] + m[lsh_tau[l]];
#pragma GCC unroll 16
    for (int l = 0; l < 16; ++l) m[l] = expanded[l];
}

// MsgAdd, Mix and WordPerm of step j, which is even or odd.
template <class Core, int Parity>
constexpr void lsh_step(typename Core::word (&t)[16], const typename Core::word (&m)[16], int j) {
    using word = typename Core::word;
    lsh_add_message<Core>(t, m);
    word mixed[16] = {};
#pragma GCC unroll 16
    for (int l = 0; l < 8; ++l) {
        word x = t[l];
        word y = t[l + 8];
        x = lsh_rotl(static_cast<word>(x + y), Core::alpha[Parity]) ^ lsh_step_constants<Core>.at[j][l];
        y = lsh_rotl(static_cast<word>(y + x), Core::beta[Parity]);
        mixed[l] = x + y;
        mixed[l + 8] = lsh_rotl(y, Core::gamma[l]);
    }
#pragma GCC unroll 16
    for (int l = 0; l < 16; ++l) t[l] = mixed[lsh_sigma[l]];
}

// One block, as its two sub-messages, into the chaining value: the steps, two a turn, and a last MsgAdd. The two
// sub-messages alternate as the newest one, expanded in place.
template <class Core>
constexpr void lsh_compress_words(typename Core::word (&t)[16], typename Core::word (&message)[2][16]) {
    static_assert(Core::steps % 2 == 0);
    for (int j = 0; j < Core::steps; j += 2) {
        if (j != 0) lsh_expand_message<Core>(message[0], message[1]);
        lsh_step<Core, 0>(t, message[0], j);
        if (j != 0) lsh_expand_message<Core>(message[1], message[0]);
        lsh_step<Core, 1>(t, message[1], j + 1);
    }
    lsh_expand_message<Core>(message[0], message[1]);
    lsh_add_message<Core>(t, message[0]);
}

// IV of the variant with digests of `digest_bits`: one block of zeros from (word bits, digest bits, 0, ..., 0).
template <class Core>
constexpr lsh_chaining<Core> lsh_initial_value(int digest_bits) {
    lsh_chaining<Core> iv{};
    iv.word[0] = Core::word_bits;
    iv.word[1] = static_cast<typename Core::word>(digest_bits);
    typename Core::word zeros[2][16] = {};
    lsh_compress_words<Core>(iv.word, zeros);
    return iv;
}

}  // namespace
}  // namespace hwacha
