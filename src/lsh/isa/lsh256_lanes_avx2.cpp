#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_avx2 = lsh_planned<uint32_t>(
    {cpu::head(cpu::level::avx2), 1, {{8, 338, lsh_lanes<lsh256_core, simd::ops, 8>::compress_in_memory}}});
}
