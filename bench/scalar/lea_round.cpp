#include "scalar/scalar.hpp"

namespace hwacha::scalar {

HWACHA_SCALAR_HELPER void lea_round(uint32_t (&x)[4], const uint32_t* k) {
    const uint32_t x0 = x[0];
    x[0] = rotl((x[0] ^ k[0]) + (x[1] ^ k[1]), 9);
    x[1] = rotl((x[1] ^ k[2]) + (x[2] ^ k[3]), -5);
    x[2] = rotl((x[2] ^ k[4]) + (x[3] ^ k[5]), -3);
    x[3] = x0;
}

}  // namespace hwacha::scalar
