#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_avx2 =
    lsh_planned<uint32_t>({cpu::head(cpu::level::avx2),
                           3,
                           {{8, 350, lsh_lanes<lsh256_core, simd::ops, 8>::compress_in_memory},
                            {4, 188, lsh256_compress_several<simd::ops, simd::row32x2, 2>},
                            {2, 103, lsh256_compress_several<simd::ops, simd::row32x2, 1>}}});
}
