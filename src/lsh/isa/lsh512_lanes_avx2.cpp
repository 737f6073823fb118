#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_avx2 = lsh_planned<uint64_t>(
    {cpu::head(cpu::level::avx2), 1, {{4, 243, lsh_lanes<lsh512_core, simd::ops, 4>::compress_in_memory}}});
}
