// None: the single-message kernel does the work.
#include "lsh/kernels.hpp"

namespace hwacha {
constinit const lsh256_lanes_table lsh256_lanes_portable =
    lsh_planned<uint32_t>({cpu::head(cpu::level::portable), 0, {}});
}
