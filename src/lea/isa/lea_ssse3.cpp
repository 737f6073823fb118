#include "lea/blocks.inl.hpp"
#include "lea/kernels.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
const lea_table lea_ssse3 = lea_table_of<simd::ops>(cpu::level::ssse3);
}
