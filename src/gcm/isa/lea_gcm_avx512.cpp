#include "gcm/fused.inl.hpp"
#include "gcm/kernels.hpp"
#include "simd/clmul_x86.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
const lea_gcm_table lea_gcm_avx512 =
    lea_gcm_table_of<gcm_form<simd::ops, simd::clmul_single, simd::clmul_single, 2, 8>,
                     gcm_form<simd::half_ops, simd::clmul_single, simd::clmul_single, 1, 8>>(cpu::level::avx512,
                                                                                             cpu::feature::pclmulqdq);
}
