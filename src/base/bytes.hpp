// Loads, stores, wiping and constant-time comparison. Knows no algorithm.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwacha/bytes.hpp>

#ifdef HWACHA_CT
#include <valgrind/memcheck.h>
#endif

namespace hwacha {

template <class Word>
constexpr Word byte_swap(Word x) {
    if constexpr (sizeof(Word) == 4) {
        return __builtin_bswap32(x);
    } else {
        static_assert(sizeof(Word) == 8);
        return __builtin_bswap64(x);
    }
}

template <class Word>
Word load_le(const void* p) {
    Word x;
    std::memcpy(&x, p, sizeof x);
    return std::endian::native == std::endian::little ? x : byte_swap(x);
}

template <class Word>
Word load_be(const void* p) {
    Word x;
    std::memcpy(&x, p, sizeof x);
    return std::endian::native == std::endian::big ? x : byte_swap(x);
}

template <class Word>
void store_le(void* p, Word x) {
    if constexpr (std::endian::native != std::endian::little) x = byte_swap(x);
    std::memcpy(p, &x, sizeof x);
}

template <class Word>
void store_be(void* p, Word x) {
    if constexpr (std::endian::native != std::endian::big) x = byte_swap(x);
    std::memcpy(p, &x, sizeof x);
}

// memcpy that may be called with (null, null, 0).
inline void copy_bytes(void* to, const void* from, std::size_t n) {
    if (n != 0) std::memcpy(to, from, n);
}

// Zeroes memory in a way that the compiler may not drop although nothing reads it again.
inline void wipe(void* p, std::size_t n) {
    std::memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

// Says that a value computed from secrets is public from here on, to the check of scripts/ct; nothing otherwise.
template <class T>
void declassify([[maybe_unused]] T& x) {
#ifdef HWACHA_CT
    VALGRIND_MAKE_MEM_DEFINED(&x, sizeof x);
#endif
}

// True if all n bytes are equal; the time depends on n only, and the answer is public.
inline bool equal_constant_time(const void* a, const void* b, std::size_t n) {
    const auto* x = static_cast<const unsigned char*>(a);
    const auto* y = static_cast<const unsigned char*>(b);
    std::uint64_t difference = 0;
    for (; n >= 8; n -= 8, x += 8, y += 8) {
        difference |= load_le<std::uint64_t>(x) ^ load_le<std::uint64_t>(y);
        __asm__ volatile("" : "+r"(difference));
    }
    for (std::size_t i = 0; i < n; ++i) {
        difference |= static_cast<std::uint64_t>(x[i] ^ y[i]);
        __asm__ volatile("" : "+r"(difference));
    }
    declassify(difference);
    return difference == 0;
}

// No byte in common.
inline bool disjoint(bytes_view a, bytes_view b) {
    const auto x = reinterpret_cast<std::uintptr_t>(a.data());
    const auto y = reinterpret_cast<std::uintptr_t>(b.data());
    // Without branches; the difference that is negative is larger than any size.
    return static_cast<bool>((static_cast<int>(x - y >= b.size()) & static_cast<int>(y - x >= a.size())) |
                             static_cast<int>(a.empty()) | static_cast<int>(b.empty()));
}

// In place (same start), or no byte in common.
inline bool aliasing_allowed(bytes_view in, bytes_view out) {
    return in.data() == out.data() || disjoint(in, out);
}

}  // namespace hwacha
