#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_neon = lsh_planned<uint64_t>(
    {cpu::head(cpu::level::neon), 1, {{2, 160, lsh_lanes<lsh512_core, simd::ops, 2>::compress_in_registers}}});
}
