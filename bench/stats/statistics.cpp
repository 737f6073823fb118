#include "stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>

namespace hwacha::bench {
namespace {

std::vector<double> sorted(sample values) {
    require_observations(values);
    std::vector<double> v(values.begin(), values.end());
    std::sort(v.begin(), v.end());
    return v;
}

void require(bool condition, const char* otherwise) {
    if (!condition) throw std::invalid_argument(otherwise);
}

// SplitMix64 (Steele, Lea and Flood 2014): fast, and with what follows the same on any machine, which the distributions
// of the standard library are not.
class random_bits {
  public:
    random_bits(std::uint64_t seed, std::uint64_t stream) : state_(mixed(seed) + mixed(~stream)) {}
    std::uint64_t operator()() { return mixed(state_ += 0x9e3779b97f4a7c15); }

  private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }

    std::uint64_t state_;
};

// Either half of random bits chooses among `n`; the bias is below n / 2^32.
std::size_t high_choice(std::uint64_t bits, std::size_t n) {
    return (bits >> 32) * n >> 32;
}
std::size_t low_choice(std::uint64_t bits, std::size_t n) {
    return high_choice(bits << 32, n);
}

// Draws observations and finds the median of what was drawn, without sorting it: observations are known by the rank of
// their value among all values, draws are counted by rank.
class resampler {
  public:
    explicit resampler(const clusters& x) {
        for (const auto& c : x) values_.insert(values_.end(), c.begin(), c.end());
        std::sort(values_.begin(), values_.end());
        values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
        for (const auto& c : x) {
            auto& ranks = ranks_.emplace_back();
            for (const double v : c) {
                const auto at = std::lower_bound(values_.begin(), values_.end(), v);
                ranks.push_back(static_cast<std::uint32_t>(at - values_.begin()));
            }
        }
    }

    void clear() {
        drawn_.assign(values_.size(), 0);
        total_ = 0;
    }

    void draw_from(std::size_t cluster, random_bits& random) {
        const std::uint32_t* ranks = ranks_[cluster].data();
        const std::size_t n = ranks_[cluster].size();
        std::uint32_t* drawn = drawn_.data();
        for (std::size_t i = 0; i + 2 <= n; i += 2) {
            const std::uint64_t bits = random();
            ++drawn[ranks[high_choice(bits, n)]];
            ++drawn[ranks[low_choice(bits, n)]];
        }
        if (n % 2 != 0) ++drawn[ranks[high_choice(random(), n)]];
        total_ += n;
    }

    double median() const {
        std::size_t rank = 0;
        std::size_t up_to = drawn_[0];  // draws of this rank and below
        const auto value_at = [&](std::size_t position) {
            while (up_to <= position) up_to += drawn_[++rank];
            return values_[rank];
        };
        const double lower = value_at((total_ - 1) / 2);
        return (lower + value_at(total_ / 2)) / 2;
    }

  private:
    std::vector<double> values_;  // ascending, each once
    std::vector<std::vector<std::uint32_t>> ranks_;
    std::vector<std::uint32_t> drawn_;
    std::size_t total_ = 0;
};

// How much wider than between percentiles: see statistics.hpp.
double widening(std::size_t clusters, double confidence) {
    if (clusters < 2) return 1;
    const double others = static_cast<double>(clusters) - 1;
    const double p = (1 + confidence) / 2;
    const double t = quantile(boost::math::students_t(others), p);
    return t / quantile(boost::math::normal(), p) * std::sqrt(static_cast<double>(clusters) / others);
}

interval widened_interval(double estimate, std::vector<double> statistics, std::size_t clusters, double confidence) {
    require(confidence > 0 && confidence < 1, "a confidence outside (0, 1)");
    std::sort(statistics.begin(), statistics.end());
    const double low = quantile_of_sorted(statistics, (1 - confidence) / 2);
    const double high = quantile_of_sorted(statistics, (1 + confidence) / 2);
    const double factor = widening(clusters, confidence);
    // Percentiles may lie on one side of the estimate; nothing is made narrower then.
    return {std::min(low, estimate * std::pow(low / estimate, factor)),
            std::max(high, estimate * std::pow(high / estimate, factor))};
}

}  // namespace

double log10_two_sided_p(double z) {
    const double x = std::abs(z) / std::numbers::sqrt2;
    // erfc is still a normal number at 26. Beyond, with y = 1 / (2 x^2), it is
    // exp(-x^2) / (x sqrt(pi)) (1 - y + 3 y^2 - 15 y^3 + 105 y^4 - ...).
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

std::string_view effect_class(double cliffs_delta) {
    const double d = std::abs(cliffs_delta);
    if (d < 0.147) return "negligible";
    if (d < 0.33) return "small";
    if (d < 0.474) return "medium";
    return "large";
}

resampled resample(const clusters& x, int resamples, std::uint64_t seed, std::uint64_t stream) {
    require(resamples > 0, "no resamples");
    clusters observed;
    std::vector<double> all;
    for (const auto& c : x) {
        if (c.empty()) continue;
        observed.push_back(c);
        all.insert(all.end(), c.begin(), c.end());
    }
    resampled r{median(all), observed.size(), {}};
    require(*std::min_element(all.begin(), all.end()) > 0, "an observation that is not positive");

    resampler draws(observed);
    random_bits between(seed, 0);
    random_bits within(seed, stream + 1);
    r.medians.reserve(static_cast<std::size_t>(resamples));
    for (int i = 0; i < resamples; ++i) {
        draws.clear();
        for (std::size_t c = 0; c < observed.size(); ++c) {
            draws.draw_from(high_choice(between(), observed.size()), within);
        }
        r.medians.push_back(draws.median());
    }
    return r;
}

interval interval_of_median(const resampled& x, double confidence) {
    return widened_interval(x.median, x.medians, x.clusters, confidence);
}

interval interval_of_ratio(const resampled& first, const resampled& second, double confidence) {
    require(first.clusters == second.clusters && first.medians.size() == second.medians.size(),
            "resamples that are not pairs");
    std::vector<double> ratios(first.medians.size());
    std::transform(first.medians.begin(), first.medians.end(), second.medians.begin(), ratios.begin(),
                   std::divides<>());
    return widened_interval(first.median / second.median, std::move(ratios), first.clusters, confidence);
}

interval bootstrap_median(const clusters& x, double confidence, int resamples, std::uint64_t seed) {
    return interval_of_median(resample(x, resamples, seed, 0), confidence);
}

interval bootstrap_ratio(const clusters& first, const clusters& second, double confidence, int resamples,
                         std::uint64_t seed) {
    require(first.size() == second.size(), "clusters that are not pairs");
    clusters a;
    clusters b;
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (first[c].empty() || second[c].empty()) continue;
        a.push_back(first[c]);
        b.push_back(second[c]);
    }
    return interval_of_ratio(resample(a, resamples, seed, 0), resample(b, resamples, seed, 1), confidence);
}

bool is_real(double ratio, interval i, double floor) {
    return (i.low > 1 || i.high < 1) && std::max(ratio, 1 / ratio) - 1 > std::max(least_effect, floor);
}

}  // namespace hwacha::bench
