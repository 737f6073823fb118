#include "core/probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "core/clock.hpp"

namespace hwacha::bench {
namespace {

template <class Function>
double least(int times, Function f) {
    double best = f();
    for (int i = 1; i < times; ++i) best = std::min(best, f());
    return best;
}

double ticks_between(std::uint64_t start, std::uint64_t end) {
    return static_cast<double>(end - start);
}

}  // namespace

double counter_granularity() {
    return least(2000, [] {
        const std::uint64_t start = block_end();
        std::uint64_t now = start;
        while (now == start) now = block_end();
        return ticks_between(start, now);
    });
}

double empty_block() {
    return least(2000, [] {
        const std::uint64_t start = block_start();
        return ticks_between(start, block_end());
    });
}

double ticks_per_second() {
    using clock = std::chrono::steady_clock;
    const auto begun = clock::now();
    const std::uint64_t start = block_start();
    while (clock::now() - begun < std::chrono::milliseconds(50)) {
    }
    const auto ended = clock::now();
    return ticks_between(start, block_end()) / std::chrono::duration<double>(ended - begun).count();
}

// Additions of registers: newer cores add constants without a cycle.
double core_cycles_per_tick() {
    constexpr int turns = 2000;
    const double ticks = least(2000, [] {
        std::uint64_t x = 1;
        const std::uint64_t start = block_start();
        for (int i = 0; i < turns; ++i) {
            x += x;
            __asm__ volatile("" : "+r"(x));
        }
        return ticks_between(start, block_end());
    });
    return turns / ticks;
}

double contention_probe() {
    std::uint64_t a = 1;
    std::uint64_t b = 2;
    std::uint64_t c = 3;
    std::uint64_t d = 4;
    std::uint64_t step = 5;
    __asm__ volatile("" : "+r"(step));
    const std::uint64_t start = block_start();
    __asm__ volatile(".p2align 6");  // across two lines it takes half as long again and notices less
    for (int i = 0; i < 2500; ++i) {
        a += step;
        b += step;
        c += step;
        d += step;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    return ticks_between(start, block_end());
}

void probe_judge::add(double probe) {
    constexpr std::size_t window = 4000;
    constexpr std::size_t every = 200;
    if (recent_.size() < window) {
        recent_.push_back(probe);
    } else {
        recent_[next_] = probe;
    }
    next_ = (next_ + 1) % window;
    if (recent_.size() >= every && next_ % every != 0) return;
    std::vector<double> sorted = recent_;
    const auto at = static_cast<std::ptrdiff_t>(probe_fast_quantile * static_cast<double>(sorted.size()));
    std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
    fast_end_ = sorted[static_cast<std::size_t>(at)];
    if (known_ > 0) fast_end_ = std::min(fast_end_, known_);
}

}  // namespace hwacha::bench
