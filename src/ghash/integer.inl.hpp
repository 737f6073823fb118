// Products in GF(2^128) without a carry-less multiplier: of integers whose bits are four places apart, so that carries
// never reach a bit that is kept. No table and no branch depends on data.
#pragma once

#include <stdint.h>

namespace hwacha {
namespace {

struct ghash_element {
    uint64_t low, high;
};

// The low 64 bits of the carry-less product.
inline uint64_t multiply_low(uint64_t x, uint64_t y) {
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

inline uint64_t reverse_bits(uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

// The whole carry-less product; its high half is the low half of the product of the reversed factors.
inline ghash_element multiply_words(uint64_t x, uint64_t y) {
    return {multiply_low(x, y), reverse_bits(multiply_low(reverse_bits(x), reverse_bits(y))) >> 1};
}

inline ghash_element add(ghash_element x, ghash_element y) {
    return {x.low ^ y.low, x.high ^ y.high};
}

// Product in POLYVAL's form (RFC 8452 appendix A): Karatsuba, then two folds of the low word by x^63 + x^62 + x^57.
inline ghash_element multiply(ghash_element x, ghash_element y) {
    ghash_element low = multiply_words(x.low, y.low);
    ghash_element high = multiply_words(x.high, y.high);
    const ghash_element middle = add(add(multiply_words(x.low ^ x.high, y.low ^ y.high), low), high);
    low.high ^= middle.low;
    high.low ^= middle.high;
    for (int i = 0; i < 2; ++i) {
        const uint64_t f = low.low;
        low = {low.high ^ f << 63 ^ f << 62 ^ f << 57, f ^ f >> 1 ^ f >> 2 ^ f >> 7};
    }
    return add(low, high);
}

// H in POLYVAL's form: times x.
inline ghash_element polyval_key(ghash_element h) {
    const uint64_t carry = h.high >> 63;
    return {h.low << 1 ^ carry, (h.high << 1 | h.low >> 63) ^ ((0 - carry) & 0xc200000000000000)};
}

}  // namespace
}  // namespace hwacha
