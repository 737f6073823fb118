// Takes blocks of time: some runs of one variant between two readings of the counter, a contention probe before and
// after, variants of an operation in random order.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "core/counters.hpp"
#include "core/module.hpp"
#include "core/probe.hpp"

namespace hwacha::bench {

struct contender {
    run_function run;
    int operation;
    // More threads than processors: that they are switched is the operation itself, no disturbance.
    bool crowded = false;
};

struct block {
    std::size_t contender;
    std::uint32_t round;
    std::uint32_t calls;
    std::uint64_t ticks;
    double probe_before, probe_after;
    long switches;  // of context, involuntary, during the block; 0 if the contender is crowded
    std::size_t input_offset, output_offset, stack_offset;
    counts counted;
};

struct extent {
    std::size_t length;                 // bytes of input
    std::size_t target;                 // accepted blocks wanted of each contender
    std::chrono::duration<double> box;  // at most so long for all of them
};

// Input and output with room for random offsets; the input's content is a fixed sequence.
class buffers {
  public:
    // Throws std::bad_alloc if there is no memory for so long a message.
    explicit buffers(std::size_t longest);

    static constexpr std::size_t page = 4096;
    static constexpr std::size_t output_slack = std::size_t{1} << 20;  // peers/adapter.h

    const unsigned char* input(std::size_t offset = 0) const { return input_.data() + input_start_ + offset; }
    unsigned char* output(std::size_t offset = 0) { return output_.data() + output_start_ + offset; }

  private:
    std::vector<unsigned char> input_, output_;
    std::size_t input_start_, output_start_;  // of the first page
};

// This process: what its clock is like, and what it has seen.
class sampler {
  public:
    // `known_fast_end`: of an earlier process (probe.hpp), or 0.
    explicit sampler(std::uint64_t seed, double known_fast_end = 0);

    // Blocks go to `sink`, accepted or not. Rounds go on until every contender has `target` accepted ones or the box is
    // full. Contenders must have run before.
    void run(std::span<const contender> contenders, buffers& memory, const extent& wanted,
             const std::function<void(const block&)>& sink);

    double granularity() const { return granularity_; }
    double fast_end() const { return judge_.fast_end(); }
    bool counts_instructions() const { return counters_.available(); }
    std::mt19937_64& random() { return random_; }

  private:
    double probe();
    std::uint32_t calibrate(const contender& c, buffers& memory, std::size_t length) const;

    std::mt19937_64 random_;
    probe_judge judge_;
    counters counters_;
    double granularity_, ticks_per_second_;
};

// Long enough for the granularity and to amortise the first call, short enough to escape most disturbances.
inline constexpr double block_granules = 400;
inline constexpr double block_seconds = 20e-6;
// A variant runs so long unmeasured before its block: caches, predictors and power state are then its own.
inline constexpr double warm_up_seconds = 20e-6;
// And at most so long for the clock to return from that of a variant with wider registers.
inline constexpr double settle_seconds = 1e-3;

}  // namespace hwacha::bench
