// None: the single-message kernel does the work.
#include "lsh/kernels.hpp"

namespace hwacha {
constinit const lsh512_lanes_table lsh512_lanes_portable =
    lsh_planned<uint64_t>({cpu::head(cpu::level::portable), 0, {}});
}
