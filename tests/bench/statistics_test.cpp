// The statistics of the harness against answers known by hand, by theory, and (where the shared fixtures are at hand)
// by SciPy.
#include "stats/statistics.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hwacha::bench {
namespace {

std::vector<double> normal(std::size_t n, double mean, double deviation, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> d(mean, deviation);
    std::vector<double> v(n);
    for (double& x : v) x = d(random);
    return v;
}

TEST(Statistics, QuantilesAreOfType7) {
    const std::vector<double> v = {1, 2, 3, 4};
    EXPECT_EQ(quantile_of_sorted(v, 0), 1);
    EXPECT_EQ(quantile_of_sorted(v, 1), 4);
    EXPECT_DOUBLE_EQ(quantile_of_sorted(v, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantile_of_sorted(v, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(quantile_of_sorted(std::vector<double>{7}, 0.3), 7);
}

TEST(Statistics, MedianAndDeviation) {
    EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
    EXPECT_EQ(median(std::vector<double>{9, 1, 5, 7}), 6);
    EXPECT_EQ(median_absolute_deviation(std::vector<double>{1, 1, 2, 2, 4, 6, 9}), 1);
}

TEST(Statistics, DescriptionInOneGo) {
    std::vector<double> v;
    for (int i = 100; i >= 0; --i) v.push_back(i * i);
    const distribution d = describe(v);
    EXPECT_EQ(d.minimum, 0);
    EXPECT_EQ(d.p5, 25);
    EXPECT_EQ(d.p25, 625);
    EXPECT_EQ(d.median, 2500);
    EXPECT_EQ(d.p75, 5625);
    EXPECT_EQ(d.p95, 9025);
    EXPECT_EQ(d.maximum, 10000);
    EXPECT_EQ(d.deviation, median_absolute_deviation(v));
}

TEST(Statistics, MannWhitneyOfASmallExampleByHand) {
    // Pairs with first > second: 3 over 1 and 2; 4 over 1 and 2; 4.5 over 1, 2 and 4; 4 ties 4.
    const mann_whitney m = mann_whitney_u(std::vector<double>{3, 4, 4.5}, std::vector<double>{1, 2, 4, 9});
    EXPECT_DOUBLE_EQ(m.u, 7.5);
    EXPECT_DOUBLE_EQ(m.cliffs_delta, 2 * 7.5 / 12 - 1);
    // Variance 3*4/12 * (8 - 6/(7*6)).
    EXPECT_DOUBLE_EQ(m.z, (7.5 - 6 - 0.5) / std::sqrt(1.0 * (8 - 6.0 / 42)));
}

TEST(Statistics, SeparatedSamplesDoNotUnderflow) {
    const mann_whitney m = mann_whitney_u(normal(2000, 1, 0.01, 1), normal(2000, 2, 0.01, 2));
    EXPECT_EQ(m.cliffs_delta, -1);
    EXPECT_NEAR(m.z, -54.7, 0.2);
    EXPECT_LT(m.log10_p, -600);
    EXPECT_TRUE(std::isfinite(m.log10_p));
}

TEST(Statistics, IdenticalSamplesShowNothing) {
    const std::vector<double> same(100, 5.0);
    const mann_whitney m = mann_whitney_u(same, same);
    EXPECT_EQ(m.z, 0);
    EXPECT_EQ(m.cliffs_delta, 0);
    EXPECT_EQ(m.log10_p, 0);
}

TEST(Statistics, LogOfTheNormalTail) {
    EXPECT_NEAR(log10_two_sided_p(1.959963984540054), std::log10(0.05), 1e-12);
    EXPECT_NEAR(log10_two_sided_p(5), std::log10(5.733031437583866e-07), 1e-10);
    // Both sides of the place where the series takes over.
    const double edge = 26 * std::sqrt(2.0);
    EXPECT_NEAR(log10_two_sided_p(edge - 1e-9), log10_two_sided_p(edge + 1e-9), 1e-6);
    EXPECT_NEAR(log10_two_sided_p(100), -2173.57051, 1e-4);
}

TEST(Statistics, EffectClasses) {
    EXPECT_EQ(effect_class(0.1469), "negligible");
    EXPECT_EQ(effect_class(0.147), "small");
    EXPECT_EQ(effect_class(-0.3299), "small");
    EXPECT_EQ(effect_class(-0.33), "medium");
    EXPECT_EQ(effect_class(0.4739), "medium");
    EXPECT_EQ(effect_class(0.474), "large");
    EXPECT_EQ(effect_class(-1), "large");
}

TEST(Statistics, HolmStepsDown) {
    const std::vector<double> p = {std::log10(0.01), std::log10(0.04), std::log10(0.03), std::log10(0.005)};
    const std::vector<double> adjusted = holm(p);
    EXPECT_NEAR(std::pow(10, adjusted[3]), 0.02, 1e-12);
    EXPECT_NEAR(std::pow(10, adjusted[0]), 0.03, 1e-12);
    EXPECT_NEAR(std::pow(10, adjusted[2]), 0.06, 1e-12);
    EXPECT_NEAR(std::pow(10, adjusted[1]), 0.06, 1e-12);
}

// Adds, for every way to draw the rest of `drawn`, its probability to its median.
void enumerate(const std::vector<const std::vector<double>*>& places, double probability, std::vector<double>& drawn,
               std::map<double, double>& medians) {
    if (drawn.size() == places.size()) {
        medians[median(drawn)] += probability;
        return;
    }
    const std::vector<double>& from = *places[drawn.size()];
    for (const double x : from) {
        drawn.push_back(x);
        enumerate(places, probability / static_cast<double>(from.size()), drawn, medians);
        drawn.pop_back();
    }
}

// The distribution of the bootstrap, from its definition.
std::map<double, double> exact_medians(const clusters& x) {
    std::map<double, double> medians;
    std::vector<std::size_t> choice(x.size(), 0);
    for (std::size_t done = 0; done < x.size();) {
        std::vector<const std::vector<double>*> places;
        for (const std::size_t c : choice) places.insert(places.end(), x[c].size(), &x[c]);
        std::vector<double> drawn;
        enumerate(places, std::pow(static_cast<double>(x.size()), -static_cast<double>(x.size())), drawn, medians);
        for (done = 0; done < x.size() && ++choice[done] == x.size(); ++done) choice[done] = 0;
    }
    return medians;
}

TEST(Statistics, ResamplesFollowTheDefinition) {
    constexpr int resamples = 200000;
    for (const clusters& x : {clusters{{1, 2, 4, 8, 16}}, clusters{{1, 2, 2, 3}}, clusters{{1, 2}, {4, 8, 16}},
                              clusters{{1, 9}, {2, 2}, {3, 5}}, clusters{{7}, {1}, {4, 4}}}) {
        std::map<double, double> seen;
        for (const double m : resample(x, resamples, 1, 0).medians) seen[m] += 1.0 / resamples;
        const std::map<double, double> exact = exact_medians(x);
        for (const auto& [value, p] : exact) {
            EXPECT_NEAR(seen[value], p, 5 * std::sqrt(p * (1 - p) / resamples)) << value;
        }
        EXPECT_EQ(seen.size(), exact.size());
    }
}

TEST(Statistics, ResamplesAreTheSameEverywhere) {
    const clusters x = {{1, 2, 3, 4, 5}, {6, 7, 8, 9}};
    const std::vector<double> medians = resample(x, 8, 1, 0).medians;
    EXPECT_EQ(medians, (std::vector<double>{7, 7, 4, 8, 4, 5, 3, 3}));
    EXPECT_EQ(resample(x, 8, 1, 0).medians, medians);
    EXPECT_NE(resample(x, 8, 1, 1).medians, medians);
    EXPECT_NE(resample(x, 8, 2, 0).medians, medians);
}

TEST(Statistics, VariantsAreDrawnInTheSameProcesses) {
    clusters slow;
    clusters fast;
    for (const double level : {1.0, 2.0, 5.0, 7.0, 11.0}) {
        slow.emplace_back(30, 2 * level);
        fast.emplace_back(20, level);
    }
    const interval i = bootstrap_ratio(slow, fast, 0.95, 1000, 3);
    EXPECT_EQ(i.low, 2);
    EXPECT_EQ(i.high, 2);
    const interval swapped = bootstrap_ratio(fast, slow, 0.95, 1000, 3);
    EXPECT_EQ(swapped.low, 0.5);
    EXPECT_EQ(swapped.high, 0.5);
}

TEST(Statistics, WithinProcessesVariantsAreDrawnApart) {
    const clusters x = {normal(50, 10, 1, 4), normal(50, 10, 1, 5)};
    const interval i = bootstrap_ratio(x, x, 0.95, 1000, 3);
    EXPECT_LT(i.low, 0.99);
    EXPECT_GT(i.high, 1.01);
}

TEST(Statistics, IntervalsAreWidenedPercentiles) {
    std::vector<double> medians;
    for (int i = 0; i <= 1000; ++i) medians.push_back(std::exp((i - 400) / 1000.0));
    const interval one = interval_of_median({1.0, 1, medians}, 0.95);
    EXPECT_NEAR(std::log(one.low), -0.375, 1e-12);
    EXPECT_NEAR(std::log(one.high), 0.575, 1e-12);
    // t of 9 degrees of freedom is 2.262157, z 1.959964.
    const double factor = 2.262157162740992 / 1.959963984540054 * std::sqrt(10.0 / 9);
    const interval ten = interval_of_median({1.0, 10, medians}, 0.95);
    EXPECT_NEAR(std::log(ten.low), -0.375 * factor, 1e-9);
    EXPECT_NEAR(std::log(ten.high), 0.575 * factor, 1e-9);
    const interval beside = interval_of_median({2.0, 10, medians}, 0.95);
    EXPECT_NEAR(std::log(beside.high), 0.575, 1e-12);
    EXPECT_LT(beside.low, ten.low);
}

TEST(Statistics, EmptyClustersArePassedOver) {
    const clusters full = {normal(30, 10, 1, 1), normal(31, 11, 1, 2), normal(32, 12, 1, 3)};
    clusters gaps = full;
    gaps.insert(gaps.begin() + 1, std::vector<double>());
    gaps.emplace_back();
    const interval a = bootstrap_median(full, 0.95, 1000, 1);
    const interval b = bootstrap_median(gaps, 0.95, 1000, 1);
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
    // Of pairs, what is opposite a gap is passed over too.
    clusters other = gaps;
    other[1] = {1000, 1000, 1000};
    const interval c = bootstrap_ratio(full, full, 0.95, 1000, 1);
    const interval d = bootstrap_ratio(gaps, other, 0.95, 1000, 1);
    EXPECT_EQ(c.low, d.low);
    EXPECT_EQ(c.high, d.high);
    const interval e = bootstrap_ratio(other, gaps, 0.95, 1000, 1);
    EXPECT_EQ(c.low, e.low);
    EXPECT_EQ(c.high, e.high);
}

TEST(Statistics, WhatIsReal) {
    EXPECT_TRUE(is_real(1.031, {1.001, 1.06}, 0));
    EXPECT_FALSE(is_real(1.0299, {1.02, 1.04}, 0));
    EXPECT_FALSE(is_real(1.05, {0.999, 1.1}, 0));
    EXPECT_FALSE(is_real(1.05, {1, 1.1}, 0));
    EXPECT_FALSE(is_real(1.05, {1.04, 1.06}, 0.06));
    EXPECT_TRUE(is_real(1.07, {1.04, 1.09}, 0.06));
    EXPECT_TRUE(is_real(1 / 1.031, {0.95, 0.99}, 0));
    EXPECT_FALSE(is_real(1 / 1.029, {0.95, 0.99}, 0));
    EXPECT_FALSE(is_real(std::nan(""), {1.1, 1.2}, 0));
}

TEST(Statistics, AgreesWithSciPyOnTheSharedSamples) {
    const char* given = std::getenv("HWACHA_VECTORS");
    const std::filesystem::path folder =
        std::filesystem::path(given != nullptr ? given : HWACHA_VECTORS_DIR) / "stats-fixtures";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared fixtures";
    std::ifstream file(folder / "expected.json");
    for (const auto& e : nlohmann::json::parse(file)) {
        SCOPED_TRACE(e["file"].get<std::string>());
        std::vector<double> baseline;
        std::vector<double> variant;
        std::ifstream csv(folder / e["file"].get<std::string>());
        std::string line;
        std::getline(csv, line);
        while (std::getline(csv, line)) {
            const std::size_t comma = line.find(',');
            if (comma != 0) baseline.push_back(std::stod(line.substr(0, comma)));
            if (comma + 1 < line.size()) variant.push_back(std::stod(line.substr(comma + 1)));
        }
        ASSERT_EQ(baseline.size(), e["n_baseline"].get<std::size_t>());
        ASSERT_EQ(variant.size(), e["n_variant"].get<std::size_t>());
        EXPECT_NEAR(median(baseline), e["median_baseline"].get<double>(), 1e-9);
        EXPECT_NEAR(median(variant), e["median_variant"].get<double>(), 1e-9);
        const mann_whitney m = mann_whitney_u(variant, baseline);
        EXPECT_EQ(m.u, e["U_variant"].get<double>());
        EXPECT_NEAR(-m.cliffs_delta, e["cliffs_delta"].get<double>(), 1e-12);
        if (const double p = e["p_two-sided"].get<double>(); p > 0) {
            EXPECT_NEAR(m.log10_p, std::log10(p), 1e-9 * std::abs(std::log10(p)));
        }
        if (m.z < 0) {
            EXPECT_NEAR(m.z, e["z_less_cc"].get<double>(), 1e-9);
            EXPECT_NEAR(m.log10_p - std::log10(2), e["log10_p_less"].get<double>(), 1e-6);
        }
        const interval i = bootstrap_ratio({baseline}, {variant}, 0.95, 2000, 1);
        const double width = e["boot95"][1].get<double>() - e["boot95"][0].get<double>();
        EXPECT_NEAR(i.low, e["boot95"][0].get<double>(), width / 2);
        EXPECT_NEAR(i.high, e["boot95"][1].get<double>(), width / 2);
    }
}

}  // namespace
}  // namespace hwacha::bench
