#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_avx512 =
    lsh_planned<uint64_t>({cpu::head(cpu::level::avx512),
                           2,
                           {{8, 355, lsh_lanes<lsh512_core, simd::ops, 8>::compress_in_registers},
                            {4, 265, lsh_lanes<lsh512_core, simd::ops, 4>::compress_in_registers}}});
}
