#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
const lsh256_lanes_table lsh256_lanes_avx2 = {
    cpu::head(cpu::level::avx2), 1, {{8, 338, lsh_lanes<lsh256_core, simd::ops, 8>::compress_in_memory}}};
}
