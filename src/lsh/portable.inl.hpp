// The portable kernel: the definition, over blocks of bytes.
#pragma once

#include <string.h>

#include "lsh/definition.hpp"

namespace hwacha {
namespace {

template <class Word>
Word lsh_load_le(const uint8_t* p) {
    Word x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    if constexpr (sizeof x == 4) {
        x = __builtin_bswap32(x);
    } else {
        x = __builtin_bswap64(x);
    }
#endif
    return x;
}

template <class Core>
void lsh_compress_portable(typename Core::word* cv, const uint8_t* blocks, size_t count) {
    using word = typename Core::word;
    word t[16];
    memcpy(t, cv, sizeof t);
    for (; count != 0; --count) {
        word block[32];
        for (int l = 0; l < 32; ++l, blocks += sizeof(word)) block[l] = lsh_load_le<word>(blocks);
        lsh_compress_words<Core>(t, block);
    }
    memcpy(cv, t, sizeof t);
}

}  // namespace
}  // namespace hwacha
