// The counter that time is taken from, serialised against the code under measurement.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#include <chrono>
#endif

namespace hwacha::bench {

#if defined(__x86_64__) || defined(__i386__)

inline constexpr const char* clock_name = "rdtsc";

// Nothing before the block is still under way, nothing of it has begun.
inline std::uint64_t block_start() {
    _mm_lfence();
    const std::uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

// All of the block is done.
inline std::uint64_t block_end() {
    unsigned processor = 0;
    const std::uint64_t t = __rdtscp(&processor);
    _mm_lfence();
    return t;
}

#elif defined(__aarch64__)

inline constexpr const char* clock_name = "cntvct_el0";

inline std::uint64_t block_start() {
    std::uint64_t t = 0;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t) : : "memory");
    return t;
}

inline std::uint64_t block_end() {
    return block_start();
}

#else

inline constexpr const char* clock_name = "steady_clock";

inline std::uint64_t block_start() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

inline std::uint64_t block_end() {
    return block_start();
}

#endif

}  // namespace hwacha::bench
