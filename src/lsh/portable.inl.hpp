// The portable kernel: the definition, over blocks of bytes.
#pragma once

#include <string.h>

#include "lsh/definition.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

template <class Core>
void lsh_compress_portable(typename Core::word* cv, const uint8_t* blocks, size_t count) {
    using word = typename Core::word;
    word t[16];
    word message[2][16];
    memcpy(t, cv, sizeof t);
    for (; count != 0; --count) {
        for (auto& half : message) {
            for (int l = 0; l < 16; ++l, blocks += sizeof(word)) half[l] = simd::load_word_le<word>(blocks);
        }
        lsh_compress_words<Core>(t, message);
    }
    memcpy(cv, t, sizeof t);
    simd::wipe(t, sizeof t);
    simd::wipe(message, sizeof message);
}

}  // namespace
}  // namespace hwacha
