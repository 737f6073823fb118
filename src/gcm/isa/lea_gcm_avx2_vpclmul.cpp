#include "gcm/fused.inl.hpp"
#include "gcm/kernels.hpp"
#include "simd/clmul_x86.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
const lea_gcm_table lea_gcm_avx2_vpclmul =
    lea_gcm_table_of<gcm_form<simd::ops, simd::clmul_double, simd::clmul_single, 2, 16>>(cpu::level::avx2_vpclmul,
                                                                                         cpu::feature::pclmulqdq);
}
