#include <string.h>

#include "base/bytes.hpp"
#include "ghash/integer.inl.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {

void ghash_expand_key(ghash_key& key, const uint8_t* h) {
    const ghash_element e = polyval_key({load_be<uint64_t>(h + 8), load_be<uint64_t>(h)});
    key.h[0] = e.low;
    key.h[1] = e.high;
}

void ghash_absorb(const ghash_key& key, uint8_t* state, const uint8_t* in, size_t length) {
    uint64_t s[2] = {load_be<uint64_t>(state + 8), load_be<uint64_t>(state)};
    for (; length >= 16; length -= 16, in += 16) {
        s[0] ^= load_be<uint64_t>(in + 8);
        s[1] ^= load_be<uint64_t>(in);
        ghash_multiply(s, key.h);
    }
    if (length != 0) {
        uint8_t last[16] = {};
        memcpy(last, in, length);
        s[0] ^= load_be<uint64_t>(last + 8);
        s[1] ^= load_be<uint64_t>(last);
        ghash_multiply(s, key.h);
    }
    store_be(state, s[1]);
    store_be(state + 8, s[0]);
}

}  // namespace hwacha::scalar
