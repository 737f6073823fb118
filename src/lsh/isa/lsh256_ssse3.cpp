#include "lsh/kernels.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
const lsh256_table lsh256_ssse3 = {cpu::head(cpu::level::ssse3), lsh256_compress_rows<simd::ops>};
}
