#include "stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include <boost/math/special_functions/erf.hpp>

namespace hwacha::bench {
namespace {

std::vector<double> sorted(sample values) {
    std::vector<double> v(values.begin(), values.end());
    std::sort(v.begin(), v.end());
    return v;
}

double median_in_place(std::vector<double>& v) {
    const std::size_t half = v.size() / 2;
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(half), v.end());
    const double upper = v[half];
    if (v.size() % 2 != 0) return upper;
    return (upper + *std::max_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(half))) / 2;
}

interval percentile_interval(std::vector<double>& statistics, double confidence) {
    std::sort(statistics.begin(), statistics.end());
    return {quantile_of_sorted(statistics, (1 - confidence) / 2), quantile_of_sorted(statistics, (1 + confidence) / 2)};
}

// Observations drawn with replacement from cluster `from`, appended to `to`.
void draw(const std::vector<double>& from, std::vector<double>& to, std::mt19937_64& random) {
    std::uniform_int_distribution<std::size_t> pick(0, from.size() - 1);
    for (std::size_t i = 0; i < from.size(); ++i) to.push_back(from[pick(random)]);
}

}  // namespace

double quantile_of_sorted(sample s, double p) {
    const double at = p * static_cast<double>(s.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= s.size()) return s.back();
    return s[below] + (at - static_cast<double>(below)) * (s[below + 1] - s[below]);
}

double median(sample values) {
    std::vector<double> v(values.begin(), values.end());
    return median_in_place(v);
}

double median_absolute_deviation(sample values) {
    const double m = median(values);
    std::vector<double> d(values.begin(), values.end());
    for (double& x : d) x = std::abs(x - m);
    return median_in_place(d);
}

double log10_two_sided_p(double z) {
    const double x = std::abs(z) / std::numbers::sqrt2;
    // erfc is still a normal number at 26; beyond it, erfc(x) = exp(-x^2) / (x sqrt(pi)) (1 - 1/(2x^2) + 3/(4x^4) -
    // ...).
    if (x < 26) return std::log10(boost::math::erfc(x));
    const double y = 1 / (2 * x * x);
    const double series = 1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y)));
    return (-x * x + std::log(series / (x * std::sqrt(std::numbers::pi)))) * std::numbers::log10e;
}

mann_whitney mann_whitney_u(sample first, sample second) {
    const std::vector<double> a = sorted(first);
    const std::vector<double> b = sorted(second);
    const auto n1 = static_cast<double>(a.size());
    const auto n2 = static_cast<double>(b.size());

    double u = 0;         // pairs with first > second, ties half
    double tie_term = 0;  // sum of t^3 - t over groups of equal values
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const double value = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
        const std::size_t below = j;
        std::size_t ties1 = 0;
        std::size_t ties2 = 0;
        for (; i < a.size() && a[i] == value; ++i) ++ties1;
        for (; j < b.size() && b[j] == value; ++j) ++ties2;
        u += static_cast<double>(ties1) * (static_cast<double>(below) + static_cast<double>(ties2) / 2);
        const auto t = static_cast<double>(ties1 + ties2);
        tie_term += t * t * t - t;
    }

    const double n = n1 + n2;
    const double mean = n1 * n2 / 2;
    const double variance = n1 * n2 / 12 * ((n + 1) - tie_term / (n * (n - 1)));
    const double distance = std::abs(u - mean);
    mann_whitney r{};
    r.u = u;
    r.cliffs_delta = 2 * u / (n1 * n2) - 1;
    if (variance > 0) {
        const double corrected = std::max(0.0, distance - 0.5) / std::sqrt(variance);
        r.z = u < mean ? -corrected : corrected;
    }
    r.log10_p = log10_two_sided_p(r.z);
    return r;
}

std::string_view effect_class(double cliffs_delta) {
    const double d = std::abs(cliffs_delta);
    if (d < 0.147) return "negligible";
    if (d < 0.33) return "small";
    if (d < 0.474) return "medium";
    return "large";
}

interval bootstrap_median(const clusters& x, double confidence, int resamples, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::size_t> pick(0, x.size() - 1);
    std::vector<double> medians;
    std::vector<double> drawn;
    for (int r = 0; r < resamples; ++r) {
        drawn.clear();
        for (std::size_t c = 0; c < x.size(); ++c) draw(x[pick(random)], drawn, random);
        medians.push_back(median_in_place(drawn));
    }
    return percentile_interval(medians, confidence);
}

interval bootstrap_ratio(const clusters& first, const clusters& second, double confidence, int resamples,
                         std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<std::size_t> pick(0, std::min(first.size(), second.size()) - 1);
    std::vector<double> ratios;
    std::vector<double> a;
    std::vector<double> b;
    for (int r = 0; r < resamples; ++r) {
        a.clear();
        b.clear();
        for (std::size_t c = 0; c < std::min(first.size(), second.size()); ++c) {
            const std::size_t process = pick(random);
            draw(first[process], a, random);
            draw(second[process], b, random);
        }
        ratios.push_back(median_in_place(a) / median_in_place(b));
    }
    return percentile_interval(ratios, confidence);
}

std::vector<double> holm(std::span<const double> log10_p) {
    std::vector<std::size_t> order(log10_p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return log10_p[a] < log10_p[b]; });
    std::vector<double> adjusted(log10_p.size());
    double least = -HUGE_VAL;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const double multiplied = log10_p[order[k]] + std::log10(static_cast<double>(order.size() - k));
        least = std::max(least, std::min(0.0, multiplied));
        adjusted[order[k]] = least;
    }
    return adjusted;
}

}  // namespace hwacha::bench
