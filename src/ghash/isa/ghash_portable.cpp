#include "ghash/integer.inl.hpp"
#include "ghash/kernels.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

uint64_t load_be(const uint8_t* p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

ghash_element load_block(const uint8_t* p) {
    return {load_be(p + 8), load_be(p)};
}

void expand_key(const uint8_t* h, uint8_t* powers) {
    const ghash_element h1 = polyval_key(load_block(h));
    memset(powers, 0, 16 * ghash_powers);  // only H itself is used here
    memcpy(powers, &h1, sizeof h1);
}

void absorb(uint8_t* state, const uint8_t* powers, const uint8_t* blocks, size_t count) {
    ghash_element h1;
    memcpy(&h1, powers, sizeof h1);
    ghash_element s = load_block(state);
    for (; count != 0; --count, blocks += 16) s = multiply(add(s, load_block(blocks)), h1);
    for (int i = 0; i < 8; ++i) {
        state[i] = static_cast<uint8_t>(s.high >> (56 - 8 * i));
        state[8 + i] = static_cast<uint8_t>(s.low >> (56 - 8 * i));
    }
}

}  // namespace

const ghash_table ghash_portable = {cpu::head(cpu::level::portable), expand_key, absorb};

}  // namespace hwacha
