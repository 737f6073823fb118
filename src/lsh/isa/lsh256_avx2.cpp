#include "lsh/kernels.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_avx2.hpp"

namespace hwacha {
const lsh256_table lsh256_avx2 = {cpu::head(cpu::level::avx2), lsh256_compress_scheduled<simd::ops>};
}
