#include "lsh/kernels.hpp"
#include "lsh/rows256.inl.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
const lsh256_table lsh256_neon = {cpu::head(cpu::level::neon), lsh256_compress_rows<simd::ops>};
}
