// The operations of one vec_<level>.hpp against a scalar model. Which of them a level has for which vectors is found
// out here; a kernel that needs a missing one does not compile.
#pragma once

#include "simd/probe.hpp"

namespace hwacha::test {
namespace {

using simd::byte_rotation;
using simd::lanes_of;
using simd::numbers;
using simd::ops;
using simd::row32;
using simd::row32x2;
using simd::row32x4;
using simd::row64;
using simd::row64x2;
using simd::row_map;
using simd::vector_of;
using simd::wide_of;
using simd::word_bits_of;
using simd::word_of;

using report_function = void (*)(const char*, bool);

// The words of a vector, one by one.
template <class V>
struct lanes {
    word_of<V> at[lanes_of<V>];
};

template <class V>
HWACHA_INLINE V vector(const lanes<V>& l) {
    V v;
    memcpy(&v, &l, sizeof v);
    return v;
}

template <class V>
HWACHA_INLINE bool same(const V& v, const lanes<V>& expected) {
    return memcmp(&v, &expected, sizeof v) == 0;
}

template <class V>
lanes<V> words_from(const uint8_t* random) {
    lanes<V> l;
    memcpy(&l, random, sizeof l);
    return l;
}

template <class Word>
Word rotated(Word x, int n) {
    const int bits = static_cast<int>(8 * sizeof x);
    n %= bits;
    return n == 0 ? x : static_cast<Word>(static_cast<Word>(x << n) | static_cast<Word>(x >> (bits - n)));
}

template <class V, int n>
void check_rotl(const uint8_t* random, report_function report) {
    if constexpr (requires { ops::template rotl<n>(V{}); }) {
        const auto x = words_from<V>(random);
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) expected.at[i] = rotated(x.at[i], n);
        report("rotl", same<V>(ops::template rotl<n>(vector<V>(x)), expected));
    }
}

template <class V, int... n>
void check_rotls(const uint8_t* random, report_function report) {
    (check_rotl<V, n>(random, report), ...);
}

template <class Word, int n>
void check_byte_rotation(report_function report) {
    constexpr int size = static_cast<int>(sizeof(Word));
    bool good = true;
    for (int i = 0; i < 32; ++i) {
        // Byte b of a word rotated to the left by n bits is its byte b - n / 8, and shuffles count within 16 bytes.
        const int word = i % 16 / size * size;
        good = good && byte_rotation<Word, n>::value.at[i] == word + (i % size + size - n / 8) % size;
    }
    report("byte_rotation", good);
}

template <class V, int... n>
void check_rotl_bytes(const uint8_t* random, report_function report, numbers<n...>) {
    const auto check = [&](const V& actual, int by) {
        const auto x = words_from<V>(random);
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) expected.at[i] = rotated(x.at[i], by);
        report("rotl_bytes", same<V>(actual, expected));
    };
    (check(ops::template rotl_bytes<n>(vector<V>(words_from<V>(random))), n), ...);
    (check_byte_rotation<word_of<V>, n>(report), ...);
}

template <class V>
void check_rotl_bytes(const uint8_t* random, report_function report) {
    if constexpr (word_bits_of<V> == 32) {
        check_rotl_bytes<V>(random, report, numbers<0, 8, 16, 24>{});
    } else {
        check_rotl_bytes<V>(random, report, numbers<0, 8, 16, 24, 32, 40, 48, 56>{});
    }
}

template <class V>
void check_memory(const uint8_t* random, report_function report) {
    for (size_t offset = 0; offset < 16; ++offset) {
        const uint8_t* from = random + offset;
        const V loaded = ops::template load<V>(from);
        report("load", memcmp(&loaded, from, sizeof(V)) == 0);
        lanes<V> expected;
        constexpr int size = static_cast<int>(sizeof(word_of<V>));
        for (int i = 0; i < lanes_of<V>; ++i) {
            expected.at[i] = 0;
            for (int b = size - 1; b >= 0; --b) {
                expected.at[i] =
                    static_cast<word_of<V>>(static_cast<word_of<V>>(expected.at[i] << 8) | from[size * i + b]);
            }
        }
        const V little = ops::template load_le<V>(from);
        report("load_le", same<V>(little, expected));
        uint8_t to[sizeof(V) + 18];
        memset(to, 0xa5, sizeof to);
        ops::template store_le<V>(to + 1 + offset, little);
        report("store_le", memcmp(to + 1 + offset, from, sizeof(V)) == 0);
        ops::template store<V>(to + 1 + offset, loaded);
        bool outside = true;
        for (size_t i = 0; i < sizeof to; ++i)
            outside = outside && (i > offset && i < offset + 1 + sizeof(V) ? true : to[i] == 0xa5);
        report("store", memcmp(to + 1 + offset, from, sizeof(V)) == 0 && outside);
    }
}

template <class V>
void check_splat(const uint8_t* random, report_function report) {
    const auto x = words_from<V>(random).at[0];
    lanes<V> expected;
    for (word_of<V>& w : expected.at) w = x;
    report("splat", same<V>(ops::template splat<V>(x), expected));
}

template <class V>
void check_byte_swap(const uint8_t* random, report_function report) {
    const auto x = words_from<V>(random);
    lanes<V> expected;
    for (int i = 0; i < lanes_of<V>; ++i) {
        const uint32_t w = x.at[i];
        expected.at[i] = w << 24 | (w << 8 & 0xff0000) | (w >> 8 & 0xff00) | w >> 24;
    }
    report("byte_swap", same<V>(ops::byte_swap(vector<V>(x)), expected));
}

template <class V>
void check_transpose(const uint8_t* random, report_function report) {
    lanes<V> in[4];
    memcpy(in, random, sizeof in);
    V v[4] = {vector<V>(in[0]), vector<V>(in[1]), vector<V>(in[2]), vector<V>(in[3])};
    ops::transpose(v[0], v[1], v[2], v[3]);
    for (int row = 0; row < 4; ++row) {
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) expected.at[i] = in[i % 4].at[i / 4 * 4 + row];
        report("transpose", same<V>(v[row], expected));
    }
}

template <class V>
void check_transpose_two(const uint8_t* random, report_function report) {
    lanes<V> in[2];
    memcpy(in, random, sizeof in);
    V v[2] = {vector<V>(in[0]), vector<V>(in[1])};
    ops::transpose(v[0], v[1]);
    for (int row = 0; row < 2; ++row) {
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) expected.at[i] = in[i % 2].at[i / 2 * 2 + row];
        report("transpose_two", same<V>(v[row], expected));
    }
}

// Groups from addresses in no order and of no alignment; the pointers between them are not to be looked at.
template <class V, int Step>
void check_load_groups(const uint8_t* random, report_function report) {
    constexpr int groups = static_cast<int>(sizeof(V) / 16);
    for (int offset = 0; offset < 80; offset += 1 + random[0] % 7) {
        const uint8_t* p[Step * (groups - 1) + 1] = {};
        uint8_t expected[sizeof(V)];
        for (int g = 0; g < groups; ++g) {
            p[Step * g] = random + (random[1 + g] + 37 * g) % (static_cast<int>(simd_probe_input) - 96);
            memcpy(expected + 16 * g, p[Step * g] + offset, 16);
        }
        const V v = ops::template load_groups<V, Step>(p, static_cast<size_t>(offset));
        report("load_groups", memcmp(&v, expected, sizeof v) == 0);
    }
}

template <class V, int Step>
void check_store_groups(const uint8_t* random, report_function report) {
    constexpr int groups = static_cast<int>(sizeof(V) / 16);
    const V v = ops::template load<V>(random);
    for (int offset = 0; offset < 80; offset += 1 + random[0] % 7) {
        uint8_t area[groups][128];
        uint8_t expected[groups][128];
        uint8_t* p[Step * (groups - 1) + 1] = {};
        memset(area, 0xa5, sizeof area);
        memset(expected, 0xa5, sizeof expected);
        for (int g = 0; g < groups; ++g) {
            const int other = groups - 1 - g;
            p[Step * g] = area[other] + random[1 + g] % 32;
            memcpy(expected[other] + random[1 + g] % 32 + offset, random + 16 * g, 16);
        }
        ops::template store_groups<Step>(p, static_cast<size_t>(offset), v);
        report("store_groups", memcmp(area, expected, sizeof area) == 0);
    }
}

// What kernels do with one message a lane, on vectors of `size` bytes.
template <int size>
void check_lanes(const uint8_t* random, report_function report) {
    using words32 = typename vector_of<uint32_t, size / 4>::type;
    using words64 = typename vector_of<uint64_t, size / 8>::type;
    check_rotl_bytes<words32>(random, report);
    check_rotl_bytes<words64>(random, report);
    check_rotls<words32, 1, 5, 17, 29>(random, report);
    check_rotls<words64, 3, 7, 23, 59>(random, report);
    check_splat<words32>(random, report);
    check_splat<words64>(random, report);
    check_transpose<words32>(random, report);
    check_transpose_two<words64>(random, report);
    check_load_groups<words32, 4>(random, report);
    check_load_groups<words64, 4>(random, report);
    check_load_groups<words32, 2>(random, report);
    check_load_groups<words64, 2>(random, report);
    check_store_groups<words32, 4>(random, report);
    check_store_groups<words64, 2>(random, report);
}

// The n-th of the 24 permutations of four places.
constexpr row_map permutation(int n) {
    row_map m = {};
    int left[4] = {0, 1, 2, 3};
    constexpr int faculty[4] = {6, 2, 1, 1};
    for (int i = 0; i < 4; ++i) {
        const int k = n / faculty[i];
        n %= faculty[i];
        m.from[i] = left[k];
        for (int j = k; j < 3 - i; ++j) left[j] = left[j + 1];
    }
    return m;
}

template <int n>
struct nth {
    static constexpr row_map m = permutation(n);
};

template <class V, int n>
void check_permute(const uint8_t* random, report_function report) {
    constexpr row_map m = nth<n>::m;
    if constexpr (requires { ops::template permute<m.from[0], m.from[1], m.from[2], m.from[3]>(V{}); }) {
        const auto x = words_from<V>(random);
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) expected.at[i] = x.at[i / 4 * 4 + m.from[i % 4]];
        report("permute",
               same<V>(ops::template permute<m.from[0], m.from[1], m.from[2], m.from[3]>(vector<V>(x)), expected));
    }
}

template <class V, int n>
void check_permute_rows(const uint8_t* random, report_function report) {
    constexpr row_map a = nth<n>::m;
    constexpr row_map b = nth<(7 * n + 5) % 24>::m;
    if constexpr (requires {
                      ops::template permute_rows<a.from[0], a.from[1], a.from[2], a.from[3], b.from[0], b.from[1],
                                                 b.from[2], b.from[3]>(V{});
                  }) {
        const auto x = words_from<V>(random);
        lanes<V> expected;
        for (int i = 0; i < 8; ++i) expected.at[i] = i < 4 ? x.at[a.from[i]] : x.at[4 + b.from[i - 4]];
        report("permute_rows", same<V>(ops::template permute_rows<a.from[0], a.from[1], a.from[2], a.from[3], b.from[0],
                                                                  b.from[1], b.from[2], b.from[3]>(vector<V>(x)),
                                       expected));
    }
}

template <int n, int r0, int r1, int r2, int r3>
struct rotating {
    static constexpr row_map value{{nth<n>::m.from[0], nth<n>::m.from[1], nth<n>::m.from[2], nth<n>::m.from[3]},
                                   {r0, r1, r2, r3}};
};

template <class V, class Map>
void check_permute_rotl(const uint8_t* random, report_function report) {
    if constexpr (requires { ops::template permute_rotl<Map>(V{}); }) {
        constexpr row_map m = Map::value;
        const auto x = words_from<V>(random);
        lanes<V> expected;
        for (int i = 0; i < lanes_of<V>; ++i) {
            expected.at[i] = rotated(x.at[i / 4 * 4 + m.from[i % 4]], m.rotation[i % 4]);
        }
        report("permute_rotl", same<V>(ops::template permute_rotl<Map>(vector<V>(x)), expected));
    }
}

// What kernels do with one row of each of several messages, in vectors that a register holds.
template <class V>
void check_repeat_row(const uint8_t* random, report_function report) {
    if constexpr (sizeof(V) <= sizeof(ops::wide32)) {
        for (int offset = 0; offset < 17; ++offset) {
            uint8_t expected[sizeof(V)];
            for (size_t g = 0; g < sizeof(V); g += 16) memcpy(expected + g, random + offset, 16);
            const V v = ops::template repeat_row<V>(random + offset);
            report("repeat_row", memcmp(&v, expected, sizeof v) == 0);
        }
        check_load_groups<V, 1>(random, report);
        check_store_groups<V, 1>(random, report);
    }
}

template <class V, class Map>
void check_wide_permute_rotl(const uint8_t* random, report_function report) {
    if constexpr (sizeof(V) <= sizeof(ops::wide32)) check_permute_rotl<V, Map>(random, report);
}

template <int n>
void check_permutation(const uint8_t* random, report_function report) {
    check_permute<row32, n>(random, report);
    check_permute<row32x2, n>(random, report);
    check_permute<row32x4, n>(random, report);
    check_permute<row64, n>(random, report);
    check_permute<row64x2, n>(random, report);
    check_permute_rows<row32x2, n>(random, report);
    check_permute_rows<row64x2, n>(random, report);
    check_permute_rotl<row32, rotating<n, 0, 8, 16, 24>>(random, report);
    check_permute_rotl<row32, rotating<n, 24, 16, 8, 0>>(random, report);
    check_wide_permute_rotl<row32x2, rotating<n, 0, 8, 16, 24>>(random, report);
    check_wide_permute_rotl<row32x2, rotating<n, 24, 16, 8, 0>>(random, report);
    check_wide_permute_rotl<row32x4, rotating<n, 0, 8, 16, 24>>(random, report);
    check_wide_permute_rotl<row32x4, rotating<n, 24, 16, 8, 0>>(random, report);
    check_permute_rotl<row64, rotating<n, 0, 16, 32, 48>>(random, report);
    check_permute_rotl<row64, rotating<n, 8, 24, 40, 56>>(random, report);
}

template <int... n>
void check_permutations(numbers<n...>, const uint8_t* random, report_function report) {
    (check_permutation<n>(random, report), ...);
}

template <class V, class Ops = ops>
void check_rotl_each(const uint8_t* random, report_function report) {
    if constexpr (requires { Ops::template rotl_each<1, 2, 3, 4, 5, 6, 7, 8>(V{}); }) {
        const auto x = words_from<V>(random);
        constexpr int counts[8] = {0, 16, 32, 48, 8, 24, 40, 63};
        lanes<V> expected;
        for (int i = 0; i < 8; ++i) expected.at[i] = rotated(x.at[i], counts[i]);
        report("rotl_each", same<V>(Ops::template rotl_each<0, 16, 32, 48, 8, 24, 40, 63>(vector<V>(x)), expected));
    }
}

template <class V, class Ops = ops>
void check_choose(const uint8_t* random, report_function report) {
    if constexpr (requires { Ops::template choose<0, 1, 2, 3, 4, 5, 6, 7>(V{}, V{}); }) {
        lanes<V> in[2];
        memcpy(in, random, sizeof in);
        constexpr int from[8] = {15, 0, 8, 7, 3, 12, 4, 11};
        lanes<V> expected;
        for (int i = 0; i < 8; ++i) expected.at[i] = in[from[i] / 8].at[from[i] % 8];
        report("choose",
               same<V>(Ops::template choose<15, 0, 8, 7, 3, 12, 4, 11>(vector<V>(in[0]), vector<V>(in[1])), expected));
    }
}

void run_probe(const uint8_t* random, report_function report) {
    using wide32 = ops::wide32;
    check_rotls<wide32, 1, 3, 5, 8, 9, 16, 17, 24, 27, 29, 31>(random, report);
    check_rotls<row32, 1, 3, 5, 8, 9, 16, 17, 24, 27, 29, 31>(random, report);
    check_rotls<row32x2, 1, 3, 5, 8, 9, 16, 17, 24, 27, 29, 31>(random, report);
    check_rotls<row64, 1, 3, 7, 8, 16, 23, 24, 32, 48, 59, 63>(random, report);
    check_rotls<row64x2, 1, 3, 7, 8, 16, 23, 24, 32, 48, 59, 63>(random, report);
    check_memory<wide32>(random, report);
    check_memory<row32>(random, report);
    check_memory<row32x2>(random, report);
    check_memory<row64>(random, report);
    check_memory<row64x2>(random, report);
    check_splat<wide32>(random, report);
    static_assert(sizeof(wide_of<ops, uint32_t>) == sizeof(wide32) &&
                  lanes_of<wide_of<ops, uint64_t>> * 8 == sizeof(wide32));
    check_lanes<sizeof(wide32)>(random, report);
#ifdef __AVX512F__  // has forms of all three sizes; SSSE3 and AVX2 shuffle bytes in whole registers only
    check_lanes<32>(random, report);
    check_lanes<16>(random, report);
#endif
    check_byte_swap<wide32>(random, report);
    check_transpose<wide32>(random, report);
    check_permutations(numbers<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23>{},
                       random, report);
    check_repeat_row<row32>(random, report);
    check_repeat_row<row32x2>(random, report);
    check_repeat_row<row32x4>(random, report);
    check_rotl_each<row64x2>(random, report);
    check_choose<row64x2>(random, report);
}

}  // namespace
}  // namespace hwacha::test
