// The statistics of the harness against answers known by hand, by theory, and (where the shared fixtures are at hand)
// by SciPy.
#include "stats/statistics.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
    EXPECT_EQ(effect_class(0.1), "negligible");
    EXPECT_EQ(effect_class(-0.2), "small");
    EXPECT_EQ(effect_class(0.4), "medium");
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

TEST(Statistics, FalseAlarmsComeAtTheNominalRate) {
    int alarms = 0;
    constexpr int repeats = 2000;
    for (int i = 0; i < repeats; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        alarms +=
            mann_whitney_u(normal(60, 10, 1, 2 * seed), normal(60, 10, 1, 2 * seed + 1)).log10_p < std::log10(0.05);
    }
    EXPECT_LT(alarms, repeats * 0.1);
    EXPECT_GT(alarms, repeats * 0.02);
}

// Processes differ by a few per cent: only intervals that resample processes cover the truth as often as they say.
TEST(Statistics, HierarchicalIntervalsCoverTheTruth) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> process(0, 0.03);
    std::normal_distribution<double> noise(0, 0.02);
    int covered = 0;
    constexpr int repeats = 60;
    for (int r = 0; r < repeats; ++r) {
        clusters a;
        clusters b;
        for (int p = 0; p < 12; ++p) {
            const double common = process(random);
            a.emplace_back();
            b.emplace_back();
            for (int i = 0; i < 60; ++i) {
                a.back().push_back(1.08 * (1 + common) * (1 + noise(random)));
                b.back().push_back((1 + common) * (1 + noise(random)));
            }
        }
        const interval i = bootstrap_ratio(a, b, 0.95, 1000, static_cast<std::uint64_t>(r));
        covered += i.low <= 1.08 && 1.08 <= i.high;
        EXPECT_GT(i.low, 1.0);
        const interval m = bootstrap_median(b, 0.95, 1000, static_cast<std::uint64_t>(r));
        EXPECT_LT(m.low, m.high);
    }
    EXPECT_GE(covered, repeats * 85 / 100);
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
