#include "lea/blocks.inl.hpp"
#include "lea/kernels.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
const lea_table lea_avx2 = lea_table_of<simd::ops>(cpu::level::avx2);
}
