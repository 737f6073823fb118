// The waist of LSH: what a kernel table is. Nothing below this line knows padding, digests or errors.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha {

// compress: `count` whole blocks (128 or 256 bytes each, any alignment) into the 16 words of the chaining value.
struct lsh256_table {
    cpu::table_head head;
    void (*compress)(uint32_t* cv, const uint8_t* blocks, size_t count);
};

struct lsh512_table {
    cpu::table_head head;
    void (*compress)(uint64_t* cv, const uint8_t* blocks, size_t count);
};

// Several messages at once. `lanes` messages take about `cost` hundredths of the time that the level's single-message
// kernel takes for one (docs/KERNELS.md says where that was measured). compress: `count` blocks at each of blocks[0]
// ... blocks[lanes - 1], any alignment, into the 16 words at each of cvs[0] ... cvs[lanes - 1].
inline constexpr uint32_t lsh_single_cost = 100;
inline constexpr uint32_t lsh_most_lanes = 16;

template <class Word>
struct lsh_lanes_form {
    uint32_t lanes;
    uint32_t cost;
    void (*compress)(Word* const* cvs, const uint8_t* const* blocks, size_t count);
};

// Widest form first.
template <class Word>
struct lsh_lanes_table {
    static constexpr uint32_t most_planned = 2 * lsh_most_lanes;

    cpu::table_head head;
    uint32_t count;
    lsh_lanes_form<Word> forms[4];
    uint8_t plan[most_planned + 1] =
        {};  // by messages left: the form that goes first; `count`: the single-message kernel

    // Null: the single-message kernel, for one message.
    constexpr const lsh_lanes_form<Word>* first_for(size_t messages) const {
        const uint8_t first = plan[messages < most_planned ? messages : most_planned];
        return first < count ? &forms[first] : nullptr;
    }
};

// With the plan that costs least where all messages are of one length: the widest form that belongs to it goes first.
template <class Word>
consteval lsh_lanes_table<Word> lsh_planned(lsh_lanes_table<Word> t) {
    uint32_t least[t.most_planned + 1] = {};
    for (uint32_t n = 1; n <= t.most_planned; ++n) {
        const auto with = [&](const lsh_lanes_form<Word>& f) { return f.cost + least[f.lanes < n ? n - f.lanes : 0]; };
        least[n] = lsh_single_cost + least[n - 1];
        for (uint32_t i = 0; i < t.count; ++i) least[n] = with(t.forms[i]) < least[n] ? with(t.forms[i]) : least[n];
        uint32_t first = 0;
        while (first < t.count && with(t.forms[first]) != least[n]) ++first;
        t.plan[n] = static_cast<uint8_t>(first);
    }
    return t;
}

using lsh256_lanes_table = lsh_lanes_table<uint32_t>;
using lsh512_lanes_table = lsh_lanes_table<uint64_t>;

extern const lsh256_table lsh256_portable, lsh256_ssse3, lsh256_avx2, lsh256_avx512, lsh256_neon;
extern const lsh512_table lsh512_portable, lsh512_ssse3, lsh512_avx2, lsh512_avx512, lsh512_neon;
extern const lsh256_lanes_table lsh256_lanes_portable, lsh256_lanes_ssse3, lsh256_lanes_avx2, lsh256_lanes_avx512,
    lsh256_lanes_neon;
extern const lsh512_lanes_table lsh512_lanes_portable, lsh512_lanes_ssse3, lsh512_lanes_avx2, lsh512_lanes_avx512,
    lsh512_lanes_neon;

}  // namespace hwacha
