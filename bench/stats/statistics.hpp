// The statistics of the harness. Samples are ticks a call or a byte: positive, often tied, with a heavy right tail.
// docs/BENCHMARKING.md says what each is used for; tests/bench compares them with SciPy. Needs Boost.Math.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stats/quantiles.hpp"

namespace hwacha::bench {

// ---- Two samples ----

struct mann_whitney {
    double u;             // of the first sample: pairs in which it is larger, ties half
    double z;             // normal deviate, tie-corrected, continuity-corrected (two-sided)
    double log10_p;       // two-sided; does not underflow
    double cliffs_delta;  // P(first > second) - P(first < second), -1 to 1
};
// Two-sided Mann-Whitney U test by the normal approximation, in O(n log n). It takes observations for independent.
// Where processes differ by 1 %, it finds p < 0.05 between equal variants four times in five (ten processes of 200
// observations): p is no ground for a decision, is_real is.
mann_whitney mann_whitney_u(sample first, sample second);

// log10 of P(|Z| >= |z|) for a standard normal Z, by the asymptotic series where erfc underflows.
double log10_two_sided_p(double z);

// Holm's step-down correction: log10 of the adjusted p-values, in the order given.
std::vector<double> holm(std::span<const double> log10_p);

// "negligible", "small", "medium" or "large", by the thresholds 0.147, 0.33 and 0.474 of Romano and others (2006).
std::string_view effect_class(double cliffs_delta);

// ---- Intervals ----

struct interval {
    double low, high;
};

// Observations by cluster: one process each. Clusters without observations are passed over; a variant needs at least
// one other. Observations are positive, or std::invalid_argument is thrown.
using clusters = std::vector<std::vector<double>>;

// Hierarchical bootstrap: clusters are drawn with replacement, then observations within each drawn cluster. Of this,
// the interval is between percentiles, then widened about the estimate: distances (of logarithms) are multiplied by
// sqrt(k / (k - 1)) t / z, with k clusters and the quantiles of Student's t with k - 1 degrees of freedom and of the
// normal distribution. Few clusters vary less than what they are drawn from: where ten processes differ, percentiles
// for 95 % cover the true ratio in 87 to 93 % of simulated runs, widened ones in 94 to 99 %; where processes are alike,
// in more than 99 % (both stages of the bootstrap contain the variation within). No interval knows of what no process
// showed. One cluster says nothing about others: its interval is not widened and holds for this process.
//
// Same seed, same resamples, on any machine.
interval bootstrap_median(const clusters& x, double confidence, int resamples, std::uint64_t seed);
// Of median(first) / median(second). Clusters are drawn in pairs, since both variants ran in the same processes:
// equally many, and pairs with an empty half are passed over.
interval bootstrap_ratio(const clusters& first, const clusters& second, double confidence, int resamples,
                         std::uint64_t seed);

// The same in parts, so that several ratios share the work. Variants of one cell take the same seed (it draws the
// clusters, hence the pairs) and different streams (which draw within them).
struct resampled {
    double median;                // of the observations
    std::size_t clusters;         // with observations
    std::vector<double> medians;  // of each resample
};
resampled resample(const clusters& x, int resamples, std::uint64_t seed, std::uint64_t stream);
interval interval_of_median(const resampled& x, double confidence);
// Both with equally many clusters and resamples, or std::invalid_argument is thrown.
interval interval_of_ratio(const resampled& first, const resampled& second, double confidence);

// ---- The decision ----

// A smaller effect is never called a difference, whatever its interval.
inline constexpr double least_effect = 0.03;

// The interval excludes 1, and the ratio is off 1 by more than 3 % and more than `floor`, the spread of identical code.
// Being off is symmetric: 1.04 and 1 / 1.04 are both off by 4 %.
bool is_real(double ratio, interval i, double floor);

}  // namespace hwacha::bench
