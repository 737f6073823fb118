#include "lsh/kernels.hpp"
#include "lsh/portable.inl.hpp"

namespace hwacha {
const lsh512_table lsh512_portable = {cpu::head(cpu::level::portable), lsh_compress_portable<lsh512_core>};
}
