// Quantiles and what is made of them. Without dependencies.
#pragma once

#include <span>

namespace hwacha::bench {

// Observations in any order. Everything in stats/ throws std::invalid_argument for a sample without observations or
// with one that is not finite.
using sample = std::span<const double>;

void require_observations(sample values);

// Quantile of type 7 of Hyndman and Fan (linear interpolation; NumPy's default), `p` in [0, 1]. `sorted` ascending; its
// values are not checked.
double quantile_of_sorted(sample sorted, double p);
double median(sample values);
// Median absolute deviation from the median, unscaled.
double median_absolute_deviation(sample values);

struct distribution {
    double minimum, p5, p25, median, p75, p95, maximum;
    double deviation;  // median absolute deviation
};
distribution describe(sample values);

}  // namespace hwacha::bench
