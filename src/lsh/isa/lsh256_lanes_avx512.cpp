#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_avx512 =
    lsh_planned<uint32_t>({cpu::head(cpu::level::avx512),
                           3,
                           {{16, 523, lsh_lanes<lsh256_core, simd::ops, 16>::compress_in_registers},
                            {8, 380, lsh_lanes<lsh256_core, simd::ops, 8>::compress_in_registers},
                            {4, 294, lsh_lanes<lsh256_core, simd::ops, 4>::compress_in_registers}}});
}
