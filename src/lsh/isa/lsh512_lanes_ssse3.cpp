#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_ssse3 = lsh_planned<uint64_t>(
    {cpu::head(cpu::level::ssse3), 1, {{2, 170, lsh_lanes<lsh512_core, simd::ops, 2>::compress_in_registers}}});
}
