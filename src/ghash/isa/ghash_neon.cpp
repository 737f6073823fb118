#include "ghash/clmul.inl.hpp"
#include "ghash/kernels.hpp"
#include "simd/clmul_neon.hpp"

namespace hwacha {
const ghash_table ghash_neon = {cpu::head(cpu::level::neon, cpu::feature::pmull), ghash_expand_key<simd::clmul_single>,
                                ghash_absorb<simd::clmul_single, simd::clmul_single>};
}
