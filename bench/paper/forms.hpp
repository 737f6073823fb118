// Forms of LSH as two papers describe them, to be measured beside the library's. Outside of it: nothing chooses them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cpu/levels.hpp"

namespace hwacha::bench {

// compress: `count` blocks at each of blocks[0] ... blocks[messages - 1] into the 16 words at each of cvs[0] ...
// cvs[messages - 1], as the library's forms for several messages.
template <class Word>
struct paper_form {
    const char* name;
    uint32_t messages;
    void (*compress)(Word* const* cvs, const uint8_t* const* blocks, size_t count);
};

struct paper_table {
    cpu::table_head head;
    const char* paper;
    uint32_t count256;
    paper_form<uint32_t> forms256[4];
    uint32_t count512;
    paper_form<uint64_t> forms512[2];
};

extern const paper_table paper000_avx512, paper003_ssse3, paper003_neon, paper003_portable;

}  // namespace hwacha::bench
