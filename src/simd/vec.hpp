// The vector vocabulary in its plain form: types and operations that GCC's and Clang's vector extensions express on
// every processor. Each vec_<level>.hpp derives `struct ops` from it and replaces what the compilers would do badly
// there; the names are the same in every header, and each operation is used by some kernel. tests/simd checks each
// against a scalar model. Everything has internal linkage: these headers are compiled with a level's flags, and nothing
// may leak.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HWACHA_INLINE inline __attribute__((always_inline))

namespace hwacha::simd {
namespace {

template <class Word, int Lanes>
struct vector_of {
    typedef Word type __attribute__((vector_size(Lanes * sizeof(Word))));
};

// Rows of LSH: four neighbouring words of the state. x2, x4: two or four rows side by side.
using row32 = vector_of<uint32_t, 4>::type;
using row32x2 = vector_of<uint32_t, 8>::type;
using row32x4 = vector_of<uint32_t, 16>::type;
using row64 = vector_of<uint64_t, 4>::type;
using row64x2 = vector_of<uint64_t, 8>::type;

template <class Word>
Word word_like(const Word&);
template <class V>
using word_of = decltype(word_like(V{}[0]));

template <class V>
constexpr int lanes_of = static_cast<int>(sizeof(V) / sizeof(word_of<V>));

// The vector as wide as a register of the level.
template <class Ops, class Word>
using wide_of = typename vector_of<Word, sizeof(typename Ops::wide32) / sizeof(Word)>::type;

template <int...>
struct numbers {};

template <class V>
constexpr int word_bits_of = static_cast<int>(8 * sizeof(word_of<V>));

// Zeroes what held secrets in a way that the compiler may not drop.
HWACHA_INLINE void wipe(void* p, size_t n) {
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

// A word from little-endian bytes.
template <class Word>
HWACHA_INLINE Word load_word_le(const uint8_t* p) {
    Word x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    if constexpr (sizeof x == 4) {
        x = __builtin_bswap32(x);
    } else {
        x = __builtin_bswap64(x);
    }
#endif
    return x;
}

// The last 16 bytes.
template <class V>
HWACHA_INLINE row32 last_row(V v) {
    constexpr int n = static_cast<int>(sizeof v / 4);
    const auto words = (typename vector_of<uint32_t, n>::type)v;
    return __builtin_shufflevector(words, words, n - 4, n - 3, n - 2, n - 1);
}

// Words of the result by place: which word of the source comes there, and by how much it is rotated to the left.
struct row_map {
    int from[4];
    int rotation[4];
};

template <size_t Size>
struct byte_numbers_of {
    uint8_t at[Size];
    constexpr byte_numbers_of() : at() {
        for (size_t i = 0; i < Size; ++i) at[i] = static_cast<uint8_t>(i);
    }
};
template <size_t Size>
constexpr byte_numbers_of<Size> byte_numbers{};

struct plain_ops {
    template <class V>
    static HWACHA_INLINE V load(const void* p) {
        V v;
        memcpy(&v, p, sizeof v);
        return v;
    }

    template <class V>
    static HWACHA_INLINE void store(void* p, V v) {
        memcpy(p, &v, sizeof v);
    }

    // Words from little-endian bytes, whatever the processor's own order.
    template <class V>
    static HWACHA_INLINE V load_le(const void* p) {
        V v = load<V>(p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (int i = 0; i < lanes_of<V>; ++i) {
            if constexpr (word_bits_of<V> == 32) {
                v[i] = __builtin_bswap32(v[i]);
            } else {
                v[i] = __builtin_bswap64(v[i]);
            }
        }
#endif
        return v;
    }

    template <class V>
    static HWACHA_INLINE void store_le(void* p, V v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = load_le<V>(&v);
#endif
        store<V>(p, v);
    }

    // The first n bytes, n below sizeof(V): from memory, the others zero; to memory, no other is touched; in a
    // register, the others zero.
    template <class V>
    static HWACHA_INLINE V load_some(const void* p, size_t n) {
        uint8_t bytes[sizeof(V)] = {};
        memcpy(bytes, p, n);
        const V v = load<V>(bytes);
        wipe(bytes, sizeof bytes);
        return v;
    }

    template <class V>
    static HWACHA_INLINE void store_some(void* p, V v, size_t n) {
        uint8_t bytes[sizeof(V)];
        store(bytes, v);
        memcpy(p, bytes, n);
        wipe(bytes, sizeof bytes);
    }

    template <class V>
    static HWACHA_INLINE V first_bytes(V v, size_t n) {
        using octets = typename vector_of<uint8_t, sizeof(V)>::type;
        return v & (V)(load<octets>(byte_numbers<sizeof(V)>.at) < octets{} + (uint8_t)n);
    }

    // Hides what a pointer points to, so that tables of constants stay memory operands instead of being rebuilt from
    // immediates (g++ 12) or hoisted into registers and spilled (clang 19).
    template <class T>
    static HWACHA_INLINE void hide(T*& p) {
        __asm__ volatile("" : "+r"(p));
    }

    // The same for a pointer to constants that several places hide: they may share one result.
    template <class T>
    static HWACHA_INLINE void hide_constant(T*& p) {
        __asm__("" : "+r"(p));
    }

    template <int n, class V>
    static HWACHA_INLINE V rotl(V x) {
        if constexpr (n == 0) {
            return x;
        } else if constexpr (n == 1) {
            return (x + x) | (x >> (word_bits_of<V> - 1));
        } else {
            return (x << n) | (x >> (word_bits_of<V> - n));
        }
    }

    // rotl by a multiple of 8.
    template <int n, class V>
    static HWACHA_INLINE V rotl_bytes(V x) {
        return rotl<n>(x);
    }

    template <class V>
    static HWACHA_INLINE V splat(word_of<V> x) {
        return V{} + x;
    }

    // Each 32-bit word with its bytes in reverse order.
    template <class V>
    static HWACHA_INLINE V byte_swap(V x) {
        return (x << 24) | ((x & 0xff00) << 8) | ((x >> 8) & 0xff00) | (x >> 24);
    }

    // 4 by 4 words within each 16-byte group of the four vectors, rows to columns.
    template <class V>
    static HWACHA_INLINE void transpose(V& a, V& b, V& c, V& d) {
        const V ab_low = unpack<0, 1>(a, b);
        const V ab_high = unpack<2, 3>(a, b);
        const V cd_low = unpack<0, 1>(c, d);
        const V cd_high = unpack<2, 3>(c, d);
        a = unpack_pairs<0>(ab_low, cd_low);
        b = unpack_pairs<2>(ab_low, cd_low);
        c = unpack_pairs<0>(ab_high, cd_high);
        d = unpack_pairs<2>(ab_high, cd_high);
    }

    // 2 by 2 words of 64 bits within each 16-byte group of the two vectors.
    template <class V>
    static HWACHA_INLINE void transpose(V& a, V& b) {
        using half = typename vector_of<uint32_t, 2 * lanes_of<V>>::type;
        const V low = (V)unpack_pairs<0>((half)a, (half)b);
        b = (V)unpack_pairs<2>((half)a, (half)b);
        a = low;
    }

    // The same four words of 32 bits in every row.
    template <class V>
    static HWACHA_INLINE V repeat_row(const void* p) {
        const row32 row = load<row32>(p);
        if constexpr (lanes_of<V> == 4) {
            return row;
        } else if constexpr (lanes_of<V> == 8) {
            return __builtin_shufflevector(row, row, 0, 1, 2, 3, 0, 1, 2, 3);
        } else {
            return __builtin_shufflevector(row, row, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
        }
    }

    // 16-byte group g of the vector from p[Step * g] + offset.
    template <class V, int Step, class Memory>
    static HWACHA_INLINE V load_groups(Memory* const* p, size_t offset) {
        const auto group = [p, offset](int g) { return load<row32>((const uint8_t*)p[Step * g] + offset); };
        const auto pair = [group](int g) {
            return __builtin_shufflevector(group(g), group(g + 1), 0, 1, 2, 3, 4, 5, 6, 7);
        };
        if constexpr (sizeof(V) == 16) {
            return (V)group(0);
        } else if constexpr (sizeof(V) == 32) {
            return (V)pair(0);
        } else {
            return (V)__builtin_shufflevector(pair(0), pair(2), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        }
    }

    template <int Step, class Memory, class V>
    static HWACHA_INLINE void store_groups(Memory* const* p, size_t offset, V v) {
        const auto words = (typename vector_of<uint32_t, sizeof(V) / 4>::type) v;
        const auto put = [p, offset](int g, row32 group) { store((uint8_t*)p[Step * g] + offset, group); };
        if constexpr (sizeof(V) == 16) {
            put(0, words);
        } else {
            put(0, __builtin_shufflevector(words, words, 0, 1, 2, 3));
            put(1, __builtin_shufflevector(words, words, 4, 5, 6, 7));
            if constexpr (sizeof(V) == 64) {
                put(2, __builtin_shufflevector(words, words, 8, 9, 10, 11));
                put(3, __builtin_shufflevector(words, words, 12, 13, 14, 15));
            }
        }
    }

    // Words i, j of each group: x_i, y_i, x_j, y_j.
    template <int i, int j, class V>
    static HWACHA_INLINE V unpack(V x, V y) {
        constexpr int n = lanes_of<V>;
        if constexpr (n == 4) {
            return __builtin_shufflevector(x, y, i, n + i, j, n + j);
        } else if constexpr (n == 8) {
            return __builtin_shufflevector(x, y, i, n + i, j, n + j, 4 + i, n + 4 + i, 4 + j, n + 4 + j);
        } else {
            return __builtin_shufflevector(x, y, i, n + i, j, n + j, 4 + i, n + 4 + i, 4 + j, n + 4 + j, 8 + i,
                                           n + 8 + i, 8 + j, n + 8 + j, 12 + i, n + 12 + i, 12 + j, n + 12 + j);
        }
    }

    // The pair of words from i of each group: x_i, x_i+1, y_i, y_i+1.
    template <int i, class V>
    static HWACHA_INLINE V unpack_pairs(V x, V y) {
        constexpr int n = lanes_of<V>;
        constexpr int j = i + 1;
        if constexpr (n == 4) {
            return __builtin_shufflevector(x, y, i, j, n + i, n + j);
        } else if constexpr (n == 8) {
            return __builtin_shufflevector(x, y, i, j, n + i, n + j, 4 + i, 4 + j, n + 4 + i, n + 4 + j);
        } else {
            return __builtin_shufflevector(x, y, i, j, n + i, n + j, 4 + i, 4 + j, n + 4 + i, n + 4 + j, 8 + i, 8 + j,
                                           n + 8 + i, n + 8 + j, 12 + i, 12 + j, n + 12 + i, n + 12 + j);
        }
    }

    // Word s of each row becomes word p_s of that row.
    template <int p0, int p1, int p2, int p3, class V>
    static HWACHA_INLINE V permute(V x) {
        if constexpr (p0 == 0 && p1 == 1 && p2 == 2 && p3 == 3) {
            return x;
        } else if constexpr (lanes_of<V> == 4) {
            return __builtin_shufflevector(x, x, p0, p1, p2, p3);
        } else if constexpr (lanes_of<V> == 8) {
            return __builtin_shufflevector(x, x, p0, p1, p2, p3, 4 + p0, 4 + p1, 4 + p2, 4 + p3);
        } else {
            return __builtin_shufflevector(x, x, p0, p1, p2, p3, 4 + p0, 4 + p1, 4 + p2, 4 + p3, 8 + p0, 8 + p1, 8 + p2,
                                           8 + p3, 12 + p0, 12 + p1, 12 + p2, 12 + p3);
        }
    }

    // A permutation for each of the two rows.
    template <int a0, int a1, int a2, int a3, int b0, int b1, int b2, int b3, class V>
    static HWACHA_INLINE V permute_rows(V x) {
        return __builtin_shufflevector(x, x, a0, a1, a2, a3, 4 + b0, 4 + b1, 4 + b2, 4 + b3);
    }

    // permute, and each word rotated on its way by a multiple of 8 bits.
    template <class Map, class V>
    static HWACHA_INLINE V permute_rotl(V x) {
        constexpr row_map m = Map::value;
        using word = word_of<V>;
        constexpr int bits = word_bits_of<V>;
        V y = permute<m.from[0], m.from[1], m.from[2], m.from[3]>(x);
        constexpr V left = {word(m.rotation[0]), word(m.rotation[1]), word(m.rotation[2]), word(m.rotation[3])};
        constexpr V right = {word(-m.rotation[0] & (bits - 1)), word(-m.rotation[1] & (bits - 1)),
                             word(-m.rotation[2] & (bits - 1)), word(-m.rotation[3] & (bits - 1))};
        return (y << left) | (y >> right);
    }
};

// The byte permutation that does the same as permute_rotl, for processors with a byte shuffle. Bytes are numbered
// within 16-byte groups, each holding its own part of the row.
template <class Word>
struct byte_map {
    uint8_t at[4 * sizeof(Word)];

    constexpr explicit byte_map(const row_map& m) : at() {
        constexpr int size = static_cast<int>(sizeof(Word));
        for (int s = 0; s < 4; ++s) {
            for (int b = 0; b < size; ++b) {
                const int source = (b - m.rotation[s] / 8) & (size - 1);
                at[size * s + b] = static_cast<uint8_t>((size * m.from[s] + source) & 15);
            }
        }
    }
};

template <class Map, class Word>
struct byte_map_of {
    alignas(32) static constexpr byte_map<Word> value{Map::value};
};

// The byte permutation that rotates each word by `bits`, a multiple of 8.
template <class Word, int bits>
struct byte_rotation {
    struct map {
        uint8_t at[32];

        constexpr map() : at() {
            constexpr int size = static_cast<int>(sizeof(Word));
            for (int i = 0; i < 32; ++i) at[i] = static_cast<uint8_t>((i & 15 & -size) | ((i - bits / 8) & (size - 1)));
        }
    };
    alignas(32) static constexpr map value{};
};

// The rotations of a map, without its permutation.
template <class Map>
struct rotation_only {
    static constexpr row_map value{
        {0, 1, 2, 3}, {Map::value.rotation[0], Map::value.rotation[1], Map::value.rotation[2], Map::value.rotation[3]}};
};

// The byte permutation of permute_rows for 32-bit words.
template <int... from>
struct two_rows {
    struct map {
        uint8_t at[32];

        constexpr map() : at() {
            constexpr int words[8] = {from...};
            for (int i = 0; i < 32; ++i) at[i] = static_cast<uint8_t>(4 * words[i / 4] + i % 4);
        }
    };
    alignas(32) static constexpr map value{};
};

}  // namespace
}  // namespace hwacha::simd
