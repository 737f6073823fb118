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

// KS X 3262: the halves of the last chaining value added, as bytes, the first `size` of them.
template <class Word>
void write_digest(const Word (&cv)[16], std::byte* digest, std::size_t size) {
    std::size_t l = 0;
    for (; size >= sizeof(Word); ++l, digest += sizeof(Word), size -= sizeof(Word)) store_le(digest, cv[l] ^ cv[l + 8]);
    if (size != 0) {
        std::byte last[sizeof(Word)];
        store_le(last, cv[l] ^ cv[l + 8]);
        std::memcpy(digest, last, size);
        wipe(last, sizeof last);
    }
}

}  // namespace hwacha
