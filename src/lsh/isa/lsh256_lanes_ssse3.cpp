#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_ssse3 = lsh_planned<uint32_t>(
    {cpu::head(cpu::level::ssse3), 1, {{4, 312, lsh_lanes<lsh256_core, simd::ops, 4>::compress_in_registers}}});
}
