// What lies under an LSH object: for batches of streams, and for checks that name the table.
#pragma once

#include <hwacha/lsh.hpp>

#include "base/bytes.hpp"
#include "lsh/tables.hpp"

namespace hwacha {

struct lsh_access {
    // `table` belongs to the variant's core.
    static void use(lsh& h, const lsh256_table& table) { h.kernel_ = &table; }
    static void use(lsh& h, const lsh512_table& table) { h.kernel_ = &table; }

    static bool finished(const lsh& h) { return h.finished_; }
    static bool buffered(const lsh& h) { return h.buffered_ != 0; }

    // The 16 words of the chaining value; `Word` is that of the variant's core.
    template <class Word>
    static Word* chaining(lsh& h) {
        if constexpr (sizeof(Word) == 4) {
            return h.cv_.w32;
        } else {
            return h.cv_.w64;
        }
    }

    // If `piece` makes what is buffered a whole block: takes so much of it, and gives the block, which the caller is to
    // compress before anything else happens to `h`. Else nothing.
    static bytes_view fill_buffer(lsh& h, bytes_view& piece) {
        const std::size_t missing = h.block_size() - h.buffered_;
        if (h.buffered_ == 0 || piece.size() < missing) return {};
        copy_bytes(h.buffer_ + h.buffered_, piece.data(), missing);
        piece = piece.subspan(missing);
        h.buffered_ = 0;
        return {h.buffer_, h.block_size()};
    }
};

}  // namespace hwacha
