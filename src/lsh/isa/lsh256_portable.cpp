#include "lsh/kernels.hpp"
#include "lsh/portable.inl.hpp"

namespace hwacha {
const lsh256_table lsh256_portable = {cpu::head(cpu::level::portable), lsh_compress_portable<lsh256_core>};
}
