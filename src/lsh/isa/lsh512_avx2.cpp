#include "lsh/kernels.hpp"
#include "lsh/rows512.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
const lsh512_table lsh512_avx2 = {cpu::head(cpu::level::avx2), lsh512_compress_rows<simd::ops, lsh512_swapped_halves>};
}
