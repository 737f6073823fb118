#include "stats/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace hwacha::bench {
namespace {

std::vector<double> checked_copy(sample values) {
    require_observations(values);
    return {values.begin(), values.end()};
}

double median_in_place(std::vector<double>& v) {
    const std::size_t half = v.size() / 2;
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(half);
    std::nth_element(v.begin(), middle, v.end());
    if (v.size() % 2 != 0) return *middle;
    return (*std::max_element(v.begin(), middle) + *middle) / 2;
}

}  // namespace

void require_observations(sample values) {
    if (values.empty()) throw std::invalid_argument("a sample without observations");
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
        throw std::invalid_argument("an observation that is not finite");
    }
}

double quantile_of_sorted(sample s, double p) {
    if (s.empty() || !(p >= 0 && p <= 1)) throw std::invalid_argument("no such quantile");
    const double at = p * static_cast<double>(s.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= s.size()) return s.back();
    return s[below] + (at - static_cast<double>(below)) * (s[below + 1] - s[below]);
}

double median(sample values) {
    std::vector<double> v = checked_copy(values);
    return median_in_place(v);
}

double median_absolute_deviation(sample values) {
    std::vector<double> v = checked_copy(values);
    const double m = median_in_place(v);
    for (double& x : v) x = std::abs(x - m);
    return median_in_place(v);
}

distribution describe(sample values) {
    std::vector<double> v = checked_copy(values);
    std::sort(v.begin(), v.end());
    return {.minimum = v.front(),
            .p5 = quantile_of_sorted(v, 0.05),
            .p25 = quantile_of_sorted(v, 0.25),
            .median = median(v),
            .p75 = quantile_of_sorted(v, 0.75),
            .p95 = quantile_of_sorted(v, 0.95),
            .maximum = v.back(),
            .deviation = median_absolute_deviation(v)};
}

}  // namespace hwacha::bench
