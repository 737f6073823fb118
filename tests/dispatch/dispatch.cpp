// Which table is chosen: by processors that this machine is not, by HWACHA_CPU, and by the processor at hand.
#include <algorithm>
#include <cstdlib>
#include <set>

#include <hwacha/cpu.hpp>

#include "cpu/features.hpp"
#include "support/tables.hpp"

namespace hwacha::test {
namespace {

using cpu::feature;
using cpu::level;

constexpr feature all_features = ~feature::none;
constexpr feature avx512 = feature::avx512f | feature::avx512bw | feature::avx512dq | feature::avx512vl;
constexpr feature haswell = feature::ssse3 | feature::pclmulqdq | feature::avx2;

struct processor {
    const char* name;
    feature have;
    level best;  // no table above this level may be chosen
};

// The levels of one architecture are a ladder; those of the other never match.
constexpr processor processors[] = {
    {"nothing", feature::none, level::portable},
    {"SSSE3 alone", feature::ssse3, level::ssse3},
    {"Penryn to Sandy Bridge", feature::ssse3 | feature::pclmulqdq, level::ssse3},
    {"AVX2 without PCLMULQDQ", feature::ssse3 | feature::avx2, level::avx2},
    {"Haswell to Zen 2", haswell, level::avx2},
    {"Zen 3", haswell | feature::vpclmulqdq, level::avx2_vpclmul},
    {"AVX512F and BW without VL", haswell | feature::avx512f | feature::avx512bw | feature::avx512dq, level::avx2},
    {"AVX512F alone (Knights Landing)", haswell | feature::avx512f, level::avx2},
    {"AVX512VL without BW", haswell | feature::avx512f | feature::avx512dq | feature::avx512vl, level::avx2},
    {"Skylake-X", haswell | avx512, level::avx512},
    {"Ice Lake", haswell | feature::vpclmulqdq | avx512, level::avx512_vpclmul},
    {"VPCLMULQDQ with AVX-512 switched off", haswell | feature::vpclmulqdq, level::avx2_vpclmul},
};

// Row B64: a processor gets a table whose needs it meets in full, and the first such one of the list.
TEST(Dispatch, B64_ChoiceByInjectedFeatures) {
    for (const processor& p : processors) {
        for_each_registry([&](const auto& algorithm) {
            const auto tables = algorithm.tables();
            const auto* chosen = cpu::choose(tables, p.have, std::nullopt);
            ASSERT_NE(chosen, nullptr);
            EXPECT_TRUE(cpu::has_all(p.have, chosen->head.needs)) << algorithm.algorithm() << " on " << p.name;
            EXPECT_LE(chosen->head.at, p.best) << algorithm.algorithm() << " on " << p.name;
            for (const auto* t : tables) {
                if (t == chosen) break;
                EXPECT_FALSE(cpu::has_all(p.have, t->head.needs))
                    << algorithm.algorithm() << " on " << p.name << ": " << t->head.name();
            }
        });
    }
}

TEST(Dispatch, EveryTableNeedsAtLeastItsLevel) {
    for_each_registry([&](const auto& algorithm) {
        std::set<level> seen;
        for (const auto* t : algorithm.tables()) {
            EXPECT_TRUE(cpu::has_all(t->head.needs, cpu::info(t->head.at).needs))
                << algorithm.algorithm() << t->head.name();
            EXPECT_TRUE(seen.insert(t->head.at).second) << "two tables of one level: " << t->head.name();
        }
        ASSERT_FALSE(algorithm.tables().empty());
        const auto& last = *algorithm.tables().back();
        EXPECT_EQ(last.head.at, level::portable);
        EXPECT_EQ(last.head.needs, feature::none);
        EXPECT_EQ(cpu::choose(algorithm.tables(), feature::none, std::nullopt), &last);
        EXPECT_EQ(cpu::choose(algorithm.tables(), all_features, std::nullopt), algorithm.tables().front());
    });
}

TEST(Dispatch, CapsLimitTheChoice) {
    for_each_registry([&](const auto& algorithm) {
        for (const cpu::level_info& cap : cpu::levels) {
            const auto* chosen = cpu::choose(algorithm.tables(), all_features, cap.id);
            EXPECT_LE(chosen->head.at, cap.id) << algorithm.algorithm() << " capped to " << cap.name;
            for (const auto* t : algorithm.tables()) {
                const auto v = cpu::judge(t->head, all_features, cap.id);
                EXPECT_EQ(v, t->head.at > cap.id ? cpu::verdict::above_cap : cpu::verdict::usable);
                if (t->head.needs != feature::none) {
                    EXPECT_EQ(cpu::judge(t->head, feature::none, cap.id), cpu::verdict::not_supported);
                }
            }
        }
        EXPECT_EQ(cpu::choose(algorithm.tables(), all_features, level::portable)->head.at, level::portable);
    });
}

TEST(Dispatch, CapsAreParsed) {
    const cpu::cap unset = cpu::parse_cap(nullptr, all_features);
    EXPECT_FALSE(unset.highest.has_value());
    EXPECT_TRUE(unset.complaint(all_features).empty());
    const cpu::cap empty = cpu::parse_cap("", all_features);
    EXPECT_FALSE(empty.highest.has_value());
    EXPECT_TRUE(empty.complaint(all_features).empty());

    for (const cpu::level_info& l : cpu::levels) {
        const cpu::cap good = cpu::parse_cap(l.name, l.needs);
        EXPECT_EQ(good.highest == l.id, cpu::of_this_architecture(l)) << l.name;
        EXPECT_TRUE(good.complaint(l.needs).empty()) << good.complaint(l.needs);
        if (l.needs == feature::none) continue;
        const cpu::cap lacking = cpu::parse_cap(l.name, feature::none);
        EXPECT_EQ(lacking.highest == l.id, cpu::of_this_architecture(l)) << l.name << ": lacking, it caps all the same";
        EXPECT_NE(lacking.complaint(feature::none).find(l.name), std::string::npos) << lacking.complaint(feature::none);
        EXPECT_NE(lacking.complaint(feature::none).find(cpu::describe(l.needs)), std::string::npos)
            << lacking.complaint(feature::none);
    }
    for (const char* unknown : {"avx9000", "AVX2", " avx2", "avx2 ", "avx2_vpclmul", "avx", "native", "0"}) {
        const cpu::cap c = cpu::parse_cap(unknown, all_features);
        EXPECT_FALSE(c.highest.has_value()) << unknown;
        EXPECT_NE(c.complaint(all_features).find(unknown), std::string::npos) << c.complaint(all_features);
        for (const cpu::level_info& l : cpu::levels)
            EXPECT_NE(c.complaint(all_features).find(l.name), std::string::npos) << c.complaint(all_features);
    }
}

TEST(Dispatch, FeaturesDescribeThemselves) {
    EXPECT_EQ(cpu::describe(feature::none), "");
    EXPECT_EQ(cpu::describe(feature::ssse3), "ssse3");
    EXPECT_EQ(cpu::describe(feature::ssse3 | feature::pmull), "ssse3 pmull");
    EXPECT_EQ(cpu::detected(), cpu::detected());
}

TEST(Dispatch, ForcingAndReturning) {
    for_each_registry([](auto& algorithm) {
        const auto* chosen = &algorithm.active();
        for (const auto* t : algorithm.tables()) {
            if (!cpu::has_all(cpu::detected(), t->head.needs)) continue;
            algorithm.force(t);
            EXPECT_EQ(&algorithm.active(), t);
        }
        algorithm.force(nullptr);
        EXPECT_EQ(&algorithm.active(), chosen);
    });
}

// describe_cpu tells the truth about this process. Run with HWACHA_CPU set to a level, an unsupported one, or nonsense.
TEST(DispatchProcess, ReportAgreesWithTheRegistries) {
    const cpu_report report = describe_cpu();
    EXPECT_EQ(report.features, cpu::describe(cpu::detected()));
    EXPECT_EQ(report.levels.size(), std::size(cpu::levels));
    std::size_t at = 0;
    for_each_registry([&](auto& algorithm) {
        int chosen = 0;
        for (const auto* t : algorithm.tables()) {
            ASSERT_LT(at, report.kernels.size());
            const kernel_info& k = report.kernels[at++];
            EXPECT_EQ(k.algorithm, algorithm.algorithm());
            EXPECT_EQ(k.table, t->head.name());
            EXPECT_FALSE(k.reason.empty());
            const auto v = cpu::judge(t->head, cpu::detected(), cpu::process_cap().highest);
            switch (k.state) {
                case kernel_state::chosen:
                    ++chosen;
                    EXPECT_EQ(t, &algorithm.active());
                    EXPECT_EQ(v, cpu::verdict::usable);
                    break;
                case kernel_state::usable: EXPECT_EQ(v, cpu::verdict::usable); break;
                case kernel_state::above_cap: EXPECT_EQ(v, cpu::verdict::above_cap); break;
                case kernel_state::not_supported: EXPECT_EQ(v, cpu::verdict::not_supported); break;
            }
        }
        EXPECT_EQ(chosen, 1) << algorithm.algorithm();
    });
    EXPECT_EQ(at, report.kernels.size());
}

TEST(DispatchProcess, EnvironmentIsObeyed) {
    const char* wanted = std::getenv("HWACHA_CPU");
    const cpu_report report = describe_cpu();
    if (wanted == nullptr || *wanted == '\0') {
        EXPECT_EQ(report.cap, "");
        EXPECT_EQ(report.complaint, "");
        return;
    }
    const auto known = std::ranges::find(cpu::levels, std::string_view(wanted), &cpu::level_info::name);
    if (known == std::end(cpu::levels) || !cpu::has_all(cpu::detected(), known->needs)) {
        EXPECT_EQ(report.cap, "");
        EXPECT_NE(report.complaint.find(wanted), std::string::npos) << report.complaint;
        return;
    }
    EXPECT_EQ(report.cap, wanted);
    EXPECT_EQ(report.complaint, "");
    for_each_registry([&](auto& algorithm) {
        EXPECT_LE(algorithm.active().head.at, known->id) << algorithm.algorithm();
        // A level that this algorithm has and that the cap allows is not passed over for portable.
        const bool has_level = std::ranges::any_of(algorithm.tables(), [&](const auto* t) {
            return t->head.at == known->id && cpu::has_all(cpu::detected(), t->head.needs);
        });
        if (has_level && known->id != level::portable) {
            EXPECT_NE(algorithm.active().head.at, level::portable) << algorithm.algorithm();
        }
    });
}

}  // namespace
}  // namespace hwacha::test
