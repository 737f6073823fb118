#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_neon = lsh_planned<uint32_t>(
    {cpu::head(cpu::level::neon), 1, {{4, 175, lsh_lanes<lsh256_core, simd::ops, 4>::compress_in_registers}}});
}
