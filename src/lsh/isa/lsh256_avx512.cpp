#include "lsh/kernels.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
const lsh256_table lsh256_avx512 = {cpu::head(cpu::level::avx512), lsh256_compress_scheduled<simd::ops>};
}
