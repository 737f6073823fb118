// The statistics of the harness. Samples are ticks a call or a byte: positive, often tied, with a heavy right tail.
// docs/BENCHMARKING.md says what each is used for; tests/bench compares them with SciPy.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hwacha::bench {

using sample = std::span<const double>;

// Quantile of type 7 of Hyndman and Fan (linear interpolation; NumPy's default). `sorted` ascending, not empty.
double quantile_of_sorted(sample sorted, double p);
double median(sample values);
// Median absolute deviation from the median, unscaled.
double median_absolute_deviation(sample values);

struct mann_whitney {
    double u;             // of the first sample: pairs in which it is larger, ties half
    double z;             // normal deviate, tie-corrected, continuity-corrected (two-sided)
    double log10_p;       // two-sided; does not underflow
    double cliffs_delta;  // P(first > second) - P(first < second), -1 to 1
};
// Two-sided Mann-Whitney U test by the normal approximation, in O(n log n). Both samples not empty.
mann_whitney mann_whitney_u(sample first, sample second);

// log10 of P(|Z| >= |z|) for a standard normal Z, by the asymptotic series where erfc underflows.
double log10_two_sided_p(double z);

// "negligible", "small", "medium" or "large", by the thresholds 0.147, 0.33 and 0.474 of Romano and others (2006).
std::string_view effect_class(double cliffs_delta);

struct interval {
    double low, high;
};

// Observations by cluster: one process each.
using clusters = std::vector<std::vector<double>>;

// Hierarchical bootstrap: clusters are drawn with replacement, then observations within each drawn cluster.
// Percentile intervals of the median, and of the ratio median(first) / median(second) with clusters drawn in pairs
// (both variants ran in the same processes). Deterministic for a seed. `confidence` 0.95 and so on; `resamples` >=
// 1000.
interval bootstrap_median(const clusters& x, double confidence, int resamples, std::uint64_t seed);
interval bootstrap_ratio(const clusters& first, const clusters& second, double confidence, int resamples,
                         std::uint64_t seed);

// Holm's step-down correction: log10 of the adjusted p-values, in the order given.
std::vector<double> holm(std::span<const double> log10_p);

}  // namespace hwacha::bench
