#include "ghash/clmul.inl.hpp"
#include "ghash/kernels.hpp"
#include "simd/clmul_x86.hpp"

namespace hwacha {
const ghash_table ghash_avx512_vpclmul = {cpu::head(cpu::level::avx512_vpclmul, cpu::feature::pclmulqdq),
                                          ghash_expand_key<simd::clmul_single>,
                                          ghash_absorb<simd::clmul_quadruple, simd::clmul_single>};
}
