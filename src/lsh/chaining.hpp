// Where the chaining value of a variant begins and how it ends as a digest: for all that hashes, one message or many.
#pragma once

#include <hwacha/lsh.hpp>

#include "base/bytes.hpp"
#include "lsh/definition.hpp"

namespace hwacha {

inline bool is_lsh256(const lsh_info& v) {
    return v.block_size == 32 * sizeof(lsh256_core::word);
}

// 16 words of the variant's core.
const void* lsh_initial_value_of(const lsh_info& v);

// KS X 3262: the halves of the last chaining value added, as bytes, the first `size` of them. The digest lies apart
// from the chaining value.
template <class Word>
void write_digest(const Word (&cv)[16], std::byte* __restrict digest, std::size_t size) {
    const std::size_t words = size / sizeof(Word);
    std::size_t l = 0;
    for (; l + 4 <= words; l += 4) {  // four at once, as vectors
        for (std::size_t i = l; i < l + 4; ++i) store_le(digest + sizeof(Word) * i, cv[i] ^ cv[i + 8]);
    }
    for (; l < words; ++l) store_le(digest + sizeof(Word) * l, cv[l] ^ cv[l + 8]);
    if (const std::size_t rest = size % sizeof(Word); rest != 0) {
        std::byte last[sizeof(Word)];
        store_le(last, cv[l] ^ cv[l + 8]);
        std::memcpy(digest + size - rest, last, rest);
        wipe(last, sizeof last);
    }
}

}  // namespace hwacha
