#include "lsh/halves512.inl.hpp"
#include "lsh/kernels.hpp"
#include "lsh/lanes.inl.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_avx512 =
    lsh_planned<uint64_t>({cpu::head(cpu::level::avx512),
                           4,
                           {{8, 362, lsh_lanes<lsh512_core, simd::ops, 8>::compress_in_registers},
                            {4, 227, lsh512_compress_several<simd::ops, 4>},
                            {3, 169, lsh512_compress_several<simd::ops, 3>},
                            {2, 133, lsh512_compress_several<simd::ops, 2>}}});
}
