#include "paper/forms.hpp"
#include "paper/rows.inl.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha::bench {
const paper_table paper003_neon = {cpu::head(cpu::level::neon),
                                   "003",
                                   4,
                                   {{"word permutation", 1, paper_word_permutation<simd::ops>},
                                    {"placement", 1, paper_one<lsh256_compress_rows<simd::ops>>},
                                    {"two messages", 2, paper_two<simd::ops>::compress},
                                    {"four lanes", 4, lsh_lanes<lsh256_core, simd::ops, 4>::compress_in_registers}},
                                   0,
                                   {}};
}
