// The statistics on samples of which the truth is known: how often they see what is not there, and miss what is. Every
// sample is drawn from a fixed seed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stats/statistics.hpp"

namespace hwacha::bench {
namespace {

using engine = std::mt19937_64;
using draw = std::function<double(engine&)>;

// Factors around 1.
double none(engine&) {
    return 1;
}
draw log_normal(double deviation) {
    return [=](engine& random) { return std::exp(std::normal_distribution<double>(0, deviation)(random)); };
}
// A tenth of the observations is slowed down.
double disturbed(engine& random) {
    const double x = log_normal(0.01)(random);
    return std::bernoulli_distribution(0.1)(random) ? x * (1 + std::exponential_distribution<double>(3)(random)) : x;
}
double heavy_tailed(engine& random) {
    return 1 + 0.01 * std::min(std::abs(std::cauchy_distribution<double>()(random)), 1e6);
}
draw slow_start(double probability, double slowdown) {
    return [=](engine& random) { return std::bernoulli_distribution(probability)(random) ? 1 + slowdown : 1; };
}

std::vector<double> sample_of(const draw& x, std::size_t n, engine& random) {
    std::vector<double> v(n);
    for (double& value : v) value = x(random);
    return v;
}

// An observation is 1000 ticks, times what all variants of its process share, times what the variant has in its process
// alone (where its code and data happen to lie), times noise. With a resolution, ticks are its multiples.
struct world {
    const char* name;
    draw common, own, noise;
    double resolution = 0;
};

clusters observe(
    const world& w, const std::vector<double>& common, std::size_t n, engine& random,
    const std::function<double(double)>& effect = [](double x) { return x; }) {
    clusters x;
    for (const double process : common) {
        const double level = 1000 * process * w.own(random);
        x.emplace_back();
        for (std::size_t i = 0; i < n; ++i) {
            const double ticks = effect(level * w.noise(random));
            x.back().push_back(w.resolution > 0 ? std::round(ticks / w.resolution) * w.resolution : ticks);
        }
    }
    return x;
}

std::vector<double> pooled(const clusters& x) {
    std::vector<double> all;
    for (const auto& c : x) all.insert(all.end(), c.begin(), c.end());
    return all;
}

struct outcome {
    double ratio;
    interval range;
};
outcome compare(const clusters& slow, const clusters& fast, std::uint64_t seed) {
    const resampled a = resample(slow, 1000, seed, 0);
    const resampled b = resample(fast, 1000, seed, 1);
    return {a.median / b.median, interval_of_ratio(a, b, 0.95)};
}

const double log10_of_5_percent = std::log10(0.05);

// ---- Nothing is there ----

TEST(Synthetic, MannWhitneyRaisesFalseAlarmsAtTheNominalRate) {
    const std::vector<std::pair<const char*, draw>> shapes = {
        {"normal", [](engine& random) { return std::normal_distribution<double>(1000, 20)(random); }},
        {"log-normal", log_normal(0.5)},
        {"heavy-tailed", heavy_tailed},
        {"disturbed", disturbed},
        {"five values", [](engine& random) { return std::uniform_int_distribution<int>(1, 5)(random); }},
        {"nearly constant", slow_start(0.05, 0.5)}};
    constexpr int pairs = 600;
    for (const auto& [name, shape] : shapes) {
        SCOPED_TRACE(name);
        engine random(7);
        int alarms = 0;
        for (int i = 0; i < pairs; ++i) {
            const auto a = sample_of(shape, 120, random);
            const auto b = sample_of(shape, i % 2 == 0 ? 120 : 40, random);
            alarms += mann_whitney_u(a, b).log10_p < log10_of_5_percent;
        }
        EXPECT_LE(alarms, pairs * 0.10);
        EXPECT_GE(alarms, pairs * 0.02);
    }
}

// In each world two variants are alike. Widened percentiles (statistics.hpp) are what keeps this: plain ones exclude 1
// in a tenth of the cases and more.
TEST(Synthetic, TheRuleSeesNoDifferenceWhereThereIsNone) {
    const std::vector<world> worlds = {
        {"processes alike", none, none, log_normal(0.02)},
        {"processes alike, heavy tails", none, none, heavy_tailed},
        {"processes differ by 1 %", none, log_normal(0.01), disturbed},
        {"processes differ by 5 %", none, log_normal(0.05), disturbed},
        {"processes differ by 5 %, heavy tails", none, log_normal(0.05), heavy_tailed},
        {"processes differ by 5 %, coarse clock", none, log_normal(0.05), disturbed, 25},
        {"processes differ by 10 %, variants by 3 %", log_normal(0.1), log_normal(0.03), disturbed},
        {"three of ten are slow", none, slow_start(0.3, 0.06), log_normal(0.01)}};
    constexpr int pairs = 400;
    for (const world& w : worlds) {
        for (const int processes : {10, 5}) {
            SCOPED_TRACE(std::string(w.name) + ", " + std::to_string(processes) + " processes");
            engine random(11);
            int excluded = 0;
            int real = 0;
            for (int i = 0; i < pairs; ++i) {
                const auto common = sample_of(w.common, static_cast<std::size_t>(processes), random);
                const auto a = observe(w, common, 15, random);
                const auto b = observe(w, common, 15, random);
                const outcome o = compare(a, b, static_cast<std::uint64_t>(i));
                excluded += o.range.low > 1 || o.range.high < 1;
                real += is_real(o.ratio, o.range, 0);
                ASSERT_LE(o.range.low, o.ratio);
                ASSERT_GE(o.range.high, o.ratio);
            }
            EXPECT_LE(excluded, pairs * 0.10);
            EXPECT_LE(real, pairs * 0.10);
        }
    }
}

TEST(Synthetic, IntervalsOfTheMedianCoverIt) {
    const std::vector<world> worlds = {{"processes alike", none, none, log_normal(0.02)},
                                       {"processes differ by 1 %", none, log_normal(0.01), log_normal(0.02)},
                                       {"processes differ by 5 %", none, log_normal(0.05), log_normal(0.02)}};
    constexpr int repeats = 400;
    for (const world& w : worlds) {
        SCOPED_TRACE(w.name);
        engine random(13);
        int covered = 0;
        for (int i = 0; i < repeats; ++i) {
            const auto x = observe(w, std::vector<double>(10, 1.0), 20, random);
            const interval m = bootstrap_median(x, 0.95, 1000, static_cast<std::uint64_t>(i));
            covered += m.low <= 1000 && 1000 <= m.high;
        }
        EXPECT_GE(covered, repeats * 0.90);
    }
}

// ---- Something is there ----

TEST(Synthetic, KnownEffectsAreFound) {
    struct known {
        const char* name;
        std::function<double(double)> effect;
        double ratio;
    };
    const std::vector<known> effects = {{"shift by 5 %", [](double x) { return x + 50; }, 1.05},
                                        {"scale by 1.08", [](double x) { return x * 1.08; }, 1.08},
                                        {"scale by 1.25", [](double x) { return x * 1.25; }, 1.25},
                                        {"scale by 1 / 1.08", [](double x) { return x / 1.08; }, 1 / 1.08}};
    const std::vector<world> worlds = {{"processes alike", none, none, log_normal(0.02)},
                                       {"processes differ", log_normal(0.03), log_normal(0.005), disturbed},
                                       {"coarse clock", log_normal(0.03), log_normal(0.005), disturbed, 5}};
    constexpr int repeats = 200;
    constexpr double floor = 0.01;
    for (const world& w : worlds) {
        for (const known& k : effects) {
            SCOPED_TRACE(std::string(w.name) + ", " + k.name);
            engine random(17);
            int found = 0;
            int significant = 0;
            int covered = 0;
            for (int i = 0; i < repeats; ++i) {
                const auto common = sample_of(w.common, 10, random);
                const auto slow = observe(w, common, 20, random, k.effect);
                const auto fast = observe(w, common, 20, random);
                const outcome o = compare(slow, fast, static_cast<std::uint64_t>(i));
                found += is_real(o.ratio, o.range, floor) && (o.ratio > 1) == (k.ratio > 1);
                const mann_whitney m = mann_whitney_u(pooled(slow), pooled(fast));
                significant += m.log10_p < log10_of_5_percent && (m.cliffs_delta > 0) == (k.ratio > 1);
                // The shift and a coarse clock make the true ratio differ a little.
                covered += o.range.low <= k.ratio * 1.005 && k.ratio * 0.995 <= o.range.high;
            }
            EXPECT_GE(found, repeats * 0.95);
            EXPECT_GE(significant, repeats * 0.95);
            EXPECT_GE(covered, repeats * 0.90);
        }
    }
}

TEST(Synthetic, FarBelowTheSmallestDouble) {
    double last = -300;
    engine random(19);
    for (const std::size_t n : {1000u, 1500u, 2000u, 3000u, 10000u, 100000u}) {
        const auto low = sample_of([](engine& r) { return std::normal_distribution<double>(1, 0.01)(r); }, n, random);
        auto high = low;
        for (double& x : high) x += 1;
        const mann_whitney m = mann_whitney_u(high, low);
        EXPECT_EQ(m.cliffs_delta, 1);
        EXPECT_TRUE(std::isfinite(m.log10_p));
        EXPECT_LT(m.log10_p, last);
        last = m.log10_p;
    }
    for (double z = 1; z < 1e6; z *= 1.01) {
        ASSERT_TRUE(std::isfinite(log10_two_sided_p(z)));
        ASSERT_LT(log10_two_sided_p(z * 1.01), log10_two_sided_p(z));
    }
    const std::vector<double> adjusted = holm(std::vector<double>{-700, -650, -650, -1e9, -0.5});
    EXPECT_DOUBLE_EQ(adjusted[3], -1e9 + std::log10(5));
    EXPECT_DOUBLE_EQ(adjusted[0], -700 + std::log10(4));
    EXPECT_DOUBLE_EQ(adjusted[1], -650 + std::log10(3));
    EXPECT_EQ(adjusted[1], adjusted[2]);
}

// ---- Edges ----

TEST(Synthetic, IdenticalConstants) {
    const clusters x(10, std::vector<double>(50, 123.456));
    const mann_whitney m = mann_whitney_u(pooled(x), pooled(x));
    EXPECT_EQ(m.log10_p, 0);
    EXPECT_EQ(m.z, 0);
    EXPECT_EQ(m.cliffs_delta, 0);
    const interval ratio = bootstrap_ratio(x, x, 0.95, 1000, 1);
    EXPECT_EQ(ratio.low, 1);
    EXPECT_EQ(ratio.high, 1);
    EXPECT_FALSE(is_real(1, ratio, 0));
    const interval middle = bootstrap_median(x, 0.95, 1000, 1);
    EXPECT_EQ(middle.low, 123.456);
    EXPECT_EQ(middle.high, 123.456);
    EXPECT_EQ(median_absolute_deviation(pooled(x)), 0);
}

TEST(Synthetic, TheSameSampleTwice) {
    engine random(23);
    const world w{"", log_normal(0.03), log_normal(0.01), disturbed};
    const auto x = observe(w, sample_of(w.common, 10, random), 40, random);
    const mann_whitney m = mann_whitney_u(pooled(x), pooled(x));
    EXPECT_EQ(m.log10_p, 0);
    EXPECT_EQ(m.cliffs_delta, 0);
    const outcome o = compare(x, x, 1);
    EXPECT_EQ(o.ratio, 1);
    EXPECT_FALSE(is_real(o.ratio, o.range, 0));
}

TEST(Synthetic, DifferentConstants) {
    const clusters slow(10, std::vector<double>(50, 108));
    const clusters fast(10, std::vector<double>(50, 100));
    const outcome o = compare(slow, fast, 1);
    EXPECT_EQ(o.ratio, 1.08);
    EXPECT_EQ(o.range.low, 1.08);
    EXPECT_EQ(o.range.high, 1.08);
    EXPECT_TRUE(is_real(o.ratio, o.range, 0.05));
    EXPECT_FALSE(is_real(o.ratio, o.range, 0.09));
    EXPECT_EQ(mann_whitney_u(pooled(slow), pooled(fast)).cliffs_delta, 1);
}

TEST(Synthetic, OneObservation) {
    const std::vector<double> one = {5};
    const std::vector<double> two = {6};
    EXPECT_EQ(quantile_of_sorted(one, 0.95), 5);
    EXPECT_EQ(median(one), 5);
    EXPECT_EQ(median_absolute_deviation(one), 0);
    EXPECT_EQ(describe(one).maximum, 5);
    const mann_whitney same = mann_whitney_u(one, one);
    EXPECT_EQ(same.log10_p, 0);
    EXPECT_EQ(same.cliffs_delta, 0);
    const mann_whitney m = mann_whitney_u(two, one);
    EXPECT_EQ(m.cliffs_delta, 1);
    EXPECT_EQ(m.log10_p, 0);  // the continuity correction takes all of it
    const interval i = bootstrap_ratio({two}, {one}, 0.95, 1000, 1);
    EXPECT_EQ(i.low, 1.2);
    EXPECT_EQ(i.high, 1.2);
}

TEST(Synthetic, WhatIsNoSampleIsRefused) {
    const std::vector<double> empty;
    const std::vector<double> good = {1, 2, 3};
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL}) {
        const std::vector<double> x = {1, bad, 3};
        EXPECT_THROW(median(x), std::invalid_argument);
        EXPECT_THROW(median_absolute_deviation(x), std::invalid_argument);
        EXPECT_THROW(describe(x), std::invalid_argument);
        EXPECT_THROW(mann_whitney_u(x, good), std::invalid_argument);
        EXPECT_THROW(mann_whitney_u(good, x), std::invalid_argument);
        EXPECT_THROW(bootstrap_median({good, x}, 0.95, 1000, 1), std::invalid_argument);
    }
    EXPECT_THROW(median(empty), std::invalid_argument);
    EXPECT_THROW(median_absolute_deviation(empty), std::invalid_argument);
    EXPECT_THROW(describe(empty), std::invalid_argument);
    EXPECT_THROW(quantile_of_sorted(empty, 0.5), std::invalid_argument);
    for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(quantile_of_sorted(good, p), std::invalid_argument);
    }
    EXPECT_THROW(mann_whitney_u(empty, good), std::invalid_argument);
    EXPECT_THROW(mann_whitney_u(good, empty), std::invalid_argument);
    EXPECT_TRUE(holm({}).empty());
    EXPECT_THROW(bootstrap_median({}, 0.95, 1000, 1), std::invalid_argument);
    EXPECT_THROW(bootstrap_median({empty, empty}, 0.95, 1000, 1), std::invalid_argument);
    EXPECT_THROW(bootstrap_median({{1, 0}}, 0.95, 1000, 1), std::invalid_argument);
    EXPECT_THROW(bootstrap_median({good}, 0.95, 0, 1), std::invalid_argument);
    for (const double confidence : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(bootstrap_median({good}, confidence, 1000, 1), std::invalid_argument);
    }
    EXPECT_THROW(bootstrap_ratio({good}, {good, good}, 0.95, 1000, 1), std::invalid_argument);
    EXPECT_THROW(bootstrap_ratio({good, empty}, {empty, good}, 0.95, 1000, 1), std::invalid_argument);
    EXPECT_THROW(interval_of_ratio(resample({good}, 1000, 1, 0), resample({good}, 1001, 1, 0), 0.95),
                 std::invalid_argument);
}

}  // namespace
}  // namespace hwacha::bench
