#include "lsh/kernels.hpp"
#include "lsh/rows512.inl.hpp"
#include "simd/vec_ssse3.hpp"

namespace hwacha {
const lsh512_table lsh512_ssse3 = {cpu::head(cpu::level::ssse3), lsh512_compress_rows<simd::ops, lsh512_still_left>};
}
