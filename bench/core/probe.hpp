// Facts about the counter and the processor at this moment: how coarse the counter is, how fast the core runs against
// it, and whether something else is using the core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hwacha::bench {

// Smallest step between two different readings of the counter, in ticks.
double counter_granularity();

// Ticks of an empty block: start, end, nothing between.
double empty_block();

// Ticks a second, against the system's monotonic clock; takes 50 ms.
double ticks_per_second();

// Core clock cycles a tick, from a chain of dependent additions, one cycle each: the best of many in a few
// milliseconds.
double core_cycles_per_tick();

// Contention probe: ticks of a short loop of independent additions. It takes longer when another thread shares the
// core, or when the core clock is lower; it does not see contention for caches or memory.
double contention_probe();

// A probe may take 1 / probe_tolerance of the fast end's time.
inline constexpr double probe_tolerance = 0.955;
// The fast end is this quantile of all probes.
inline constexpr double probe_fast_quantile = 0.05;

// The rule of acceptance: both probes around a block are fast.
constexpr bool undisturbed(double fast_end, double before, double after) {
    return before * probe_tolerance <= fast_end && after * probe_tolerance <= fast_end;
}

// Wide vectors lower the clock of their own core: registers of 512 bits by 7 % on an Emerald Rapids, and the probes
// around such a variant say so. So a variant is held to this quantile of its blocks' slower probes (in ascending
// order), of those up to the limit: what is slower is a neighbour's doing.
inline constexpr double own_clock_quantile = 0.75;
inline constexpr double own_clock_limit = 0.9;

inline double fast_end_of_variant(double fast_end, const std::vector<double>& slower_probes) {
    const auto end = std::upper_bound(slower_probes.begin(), slower_probes.end(), fast_end / own_clock_limit);
    if (end == slower_probes.begin()) return fast_end;
    const auto last = static_cast<double>(end - slower_probes.begin() - 1);
    return std::max(fast_end, slower_probes[static_cast<std::size_t>(own_clock_quantile * last)]);
}

// Keeps the fast end of the probes of this process, so that the sampler knows when it has enough. Never slower than
// `known`, the fast end of an earlier process on this machine (0: none).
class probe_judge {
  public:
    explicit probe_judge(double known = 0) : known_(known) {}

    void add(double probe);
    double fast_end() const { return fast_end_; }

  private:
    double known_;
    double fast_end_ = 0;
    std::vector<double> recent_;
    std::size_t next_ = 0;
};

}  // namespace hwacha::bench
