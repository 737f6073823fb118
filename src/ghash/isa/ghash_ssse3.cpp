#include "ghash/clmul.inl.hpp"
#include "ghash/kernels.hpp"
#include "simd/clmul_x86.hpp"

namespace hwacha {
const ghash_table ghash_ssse3 = {cpu::head(cpu::level::ssse3, cpu::feature::pclmulqdq),
                                 ghash_expand_key<simd::clmul_single>,
                                 ghash_absorb<simd::clmul_single, simd::clmul_single>};
}
