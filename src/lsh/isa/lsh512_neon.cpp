#include "lsh/kernels.hpp"
#include "lsh/rows512.inl.hpp"
#include "simd/vec_neon.hpp"

namespace hwacha {
const lsh512_table lsh512_neon = {cpu::head(cpu::level::neon), lsh512_compress_rows<simd::ops, lsh512_still_left>};
}
