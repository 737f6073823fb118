// The carry-less multipliers of one level against multiplication bit by bit.
#pragma once

#include "simd/probe.hpp"

namespace hwacha::test {
namespace {

using report_function = void (*)(const char*, bool);

struct product {
    uint64_t low, high;
};

product plainly(uint64_t x, uint64_t y) {
    product p = {0, 0};
    for (int i = 0; i < 64; ++i) {
        if ((y >> i & 1) == 0) continue;
        p.low ^= x << i;
        if (i != 0) p.high ^= x >> (64 - i);
    }
    return p;
}

template <class Clmul>
struct blocks_of {
    uint64_t word[2 * Clmul::blocks];
};

template <class Clmul>
HWACHA_INLINE typename Clmul::vector as_vector(const blocks_of<Clmul>& b) {
    typename Clmul::vector v;
    memcpy(&v, &b, sizeof v);
    return v;
}

template <class Clmul, int a, int b>
void check_multiply(const blocks_of<Clmul>& x, const blocks_of<Clmul>& y, report_function report) {
    const auto v = Clmul::template multiply<a, b>(as_vector<Clmul>(x), as_vector<Clmul>(y));
    blocks_of<Clmul> expected;
    for (int i = 0; i < Clmul::blocks; ++i) {
        const product p = plainly(x.word[2 * i + a], y.word[2 * i + b]);
        expected.word[2 * i] = p.low;
        expected.word[2 * i + 1] = p.high;
    }
    report("multiply", memcmp(&v, &expected, sizeof v) == 0);
}

template <class Clmul>
void check_multiplier(const uint8_t* random, report_function report) {
    blocks_of<Clmul> x;
    blocks_of<Clmul> y;
    memcpy(&x, random, sizeof x);
    memcpy(&y, random + sizeof x, sizeof y);
    check_multiply<Clmul, 0, 0>(x, y, report);
    check_multiply<Clmul, 0, 1>(x, y, report);
    check_multiply<Clmul, 1, 0>(x, y, report);
    check_multiply<Clmul, 1, 1>(x, y, report);

    const auto reversed = Clmul::reverse_bytes(as_vector<Clmul>(x));
    uint8_t expected[sizeof x];
    for (size_t i = 0; i < sizeof x; ++i) expected[i] = random[i / 16 * 16 + 15 - i % 16];
    report("reverse_bytes", memcmp(&reversed, expected, sizeof x) == 0);

    blocks_of<simd::clmul_single> one = {{x.word[0], x.word[1]}};
    const auto first = Clmul::first_only(as_vector<simd::clmul_single>(one));
    blocks_of<Clmul> padded = {};
    padded.word[0] = x.word[0];
    padded.word[1] = x.word[1];
    report("first_only", memcmp(&first, &padded, sizeof first) == 0);

    const auto sum = Clmul::sum_blocks(as_vector<Clmul>(x));
    one = {};
    for (int i = 0; i < 2 * Clmul::blocks; ++i) one.word[i % 2] ^= x.word[i];
    report("sum_blocks", memcmp(&sum, &one, sizeof sum) == 0);
}

void run_probe(const uint8_t* random, report_function report) {
    check_multiplier<simd::clmul_single>(random, report);
#ifdef __VPCLMULQDQ__
    check_multiplier<simd::clmul_double>(random, report);
#ifdef __AVX512F__
    check_multiplier<simd::clmul_quadruple>(random, report);
#endif
#endif
}

}  // namespace
}  // namespace hwacha::test
