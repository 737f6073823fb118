#include "gcm/fused.inl.hpp"
#include "gcm/kernels.hpp"
#include "simd/clmul_neon.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
const lea_gcm_table lea_gcm_neon = lea_gcm_table_of<gcm_form<simd::ops, simd::clmul_single, simd::clmul_single, 2, 8>>(
    cpu::level::neon, cpu::feature::pmull);
}
