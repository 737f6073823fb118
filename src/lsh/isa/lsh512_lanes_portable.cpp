// None: the single-message kernel does the work.
#include "lsh/kernels.hpp"

namespace hwacha {
const lsh512_lanes_table lsh512_lanes_portable = {cpu::head(cpu::level::portable), 0, {}};
}
