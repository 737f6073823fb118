#include "ghash/integer.inl.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {

HWACHA_SCALAR_HELPER void ghash_multiply(uint64_t (&x)[2], const uint64_t (&y)[2]) {
    const ghash_element product = multiply({x[0], x[1]}, {y[0], y[1]});
    x[0] = product.low;
    x[1] = product.high;
}

}  // namespace hwacha::scalar
