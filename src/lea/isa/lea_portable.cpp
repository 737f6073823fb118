#include "lea/blocks.inl.hpp"
#include "lea/kernels.hpp"
#include "simd/vec_portable.hpp"

namespace hwacha {
const lea_table lea_portable = lea_table_of<simd::ops>(cpu::level::portable);
}
