#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_avx512 =
    lsh_planned<uint32_t>({cpu::head(cpu::level::avx512),
                           4,
                           {{16, 545, lsh_lanes<lsh256_core, simd::ops, 16>::compress_in_registers},
                            {8, 330, lsh256_compress_several<simd::ops, simd::row32x4, 2>},
                            {4, 168, lsh256_compress_several<simd::ops, simd::row32x4, 1>},
                            {2, 105, lsh256_compress_several<simd::ops, simd::row32x2, 1>}}});
}
