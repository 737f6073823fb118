#include "lea/blocks.inl.hpp"
#include "lea/kernels.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
const lea_table lea_avx512 = lea_table_of<simd::ops>(cpu::level::avx512);
}
