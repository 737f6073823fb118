#include "lea/blocks.inl.hpp"
#include "lea/kernels.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
const lea_table lea_neon = lea_table_of<simd::ops>(cpu::level::neon);
}
