#include "lsh/definition.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {

template <class Word, int Alpha, int Beta>
HWACHA_SCALAR_HELPER void lsh_mix_column(Word& x, Word& y, Word constant) {
    x = rotl<Word>(x + y, Alpha) ^ constant;
    y = rotl<Word>(x + y, Beta);
    x += y;
}

#ifndef HWACHA_SCALAR_ONE_UNIT
template void lsh_mix_column<uint32_t, lsh256_core::alpha[0], lsh256_core::beta[0]>(uint32_t&, uint32_t&, uint32_t);
template void lsh_mix_column<uint32_t, lsh256_core::alpha[1], lsh256_core::beta[1]>(uint32_t&, uint32_t&, uint32_t);
template void lsh_mix_column<uint64_t, lsh512_core::alpha[0], lsh512_core::beta[0]>(uint64_t&, uint64_t&, uint64_t);
template void lsh_mix_column<uint64_t, lsh512_core::alpha[1], lsh512_core::beta[1]>(uint64_t&, uint64_t&, uint64_t);
#endif

}  // namespace hwacha::scalar
