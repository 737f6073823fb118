// No carry-less multiplier assumed: products of integers whose bits are four places apart, so that carries never reach
// a bit that is kept. No table and no branch depends on data.
#include "ghash/kernels.hpp"
#include "simd/vec.hpp"

namespace hwacha {
namespace {

struct element {
    uint64_t low, high;
};

// The low 64 bits of the carry-less product.
uint64_t multiply_low(uint64_t x, uint64_t y) {
    constexpr uint64_t every_fourth = 0x1111111111111111;
    uint64_t product = 0;
    for (int k = 0; k < 4; ++k) {
        uint64_t sum = 0;
        for (int i = 0; i < 4; ++i) {
            sum ^= (x & (every_fourth << i)) * (y & (every_fourth << ((k - i) & 3)));
        }
        product |= sum & (every_fourth << k);
    }
    return product;
}

uint64_t reverse_bits(uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

// The whole carry-less product; its high half is the low half of the product of the reversed factors.
element multiply_words(uint64_t x, uint64_t y) {
    return {multiply_low(x, y), reverse_bits(multiply_low(reverse_bits(x), reverse_bits(y))) >> 1};
}

element add(element x, element y) {
    return {x.low ^ y.low, x.high ^ y.high};
}

// Product in POLYVAL's form (RFC 8452 appendix A): Karatsuba, then two folds of the low word by x^63 + x^62 + x^57.
element multiply(element x, element y) {
    element low = multiply_words(x.low, y.low);
    element high = multiply_words(x.high, y.high);
    const element middle = add(add(multiply_words(x.low ^ x.high, y.low ^ y.high), low), high);
    low.high ^= middle.low;
    high.low ^= middle.high;
    for (int i = 0; i < 2; ++i) {
        const uint64_t f = low.low;
        low = {low.high ^ f << 63 ^ f << 62 ^ f << 57, f ^ f >> 1 ^ f >> 2 ^ f >> 7};
    }
    return add(low, high);
}

uint64_t load_be(const uint8_t* p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

element load_block(const uint8_t* p) {
    return {load_be(p + 8), load_be(p)};
}

void expand_key(const uint8_t* h, uint8_t* powers) {
    const element e = load_block(h);
    const uint64_t carry = e.high >> 63;
    const element h1 = {e.low << 1 ^ carry, (e.high << 1 | e.low >> 63) ^ ((0 - carry) & 0xc200000000000000)};
    memset(powers, 0, 16 * ghash_powers);  // only H itself is used here
    memcpy(powers, &h1, sizeof h1);
}

void absorb(uint8_t* state, const uint8_t* powers, const uint8_t* blocks, size_t count) {
    element h1;
    memcpy(&h1, powers, sizeof h1);
    element s = load_block(state);
    for (; count != 0; --count, blocks += 16) s = multiply(add(s, load_block(blocks)), h1);
    for (int i = 0; i < 8; ++i) {
        state[i] = static_cast<uint8_t>(s.high >> (56 - 8 * i));
        state[8 + i] = static_cast<uint8_t>(s.low >> (56 - 8 * i));
    }
}

}  // namespace

const ghash_table ghash_portable = {cpu::head(cpu::level::portable), expand_key, absorb};

}  // namespace hwacha
