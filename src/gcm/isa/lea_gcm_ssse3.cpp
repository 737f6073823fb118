#include "gcm/fused.inl.hpp"
#include "gcm/kernels.hpp"
#include "simd/clmul_x86.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
const lea_gcm_table lea_gcm_ssse3 = lea_gcm_table_of<gcm_form<simd::ops, simd::clmul_single, simd::clmul_single, 2, 8>>(
    cpu::level::ssse3, cpu::feature::pclmulqdq);
}
