#include "lsh/halves512.inl.hpp"
#include "lsh/kernels.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha {
const lsh512_table lsh512_avx512 = {cpu::head(cpu::level::avx512), lsh512_compress_halves<simd::ops>};
}
