// In the place of KISA's portable C, which the paper's ratios refer to: the definition, word by word.
#include "lsh/portable.inl.hpp"
#include "paper/forms.hpp"

namespace hwacha::bench {
namespace {

template <class Core>
void compress(typename Core::word* const* cvs, const uint8_t* const* blocks, size_t count) {
    lsh_compress_portable<Core>(cvs[0], blocks[0], count);
}

}  // namespace

const paper_table paper003_portable = {
    cpu::head(cpu::level::portable),         "003", 1,
    {{"plain C", 1, compress<lsh256_core>}}, 1,     {{"plain C", 1, compress<lsh512_core>}}};

}  // namespace hwacha::bench
