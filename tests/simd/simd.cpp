// Runs the probes of the vocabulary that run on this processor: each vec_<level>.hpp, each carry-less multiplier.
#include "simd/probe.hpp"

#include <map>

#include "support/run.hpp"

namespace hwacha::test {

#define HWACHA_PROBE(symbol) extern const simd_probe symbol;
#include "probes.def"
#undef HWACHA_PROBE

namespace {

constexpr const simd_probe* probes[] = {
#define HWACHA_PROBE(symbol) &symbol,
#include "probes.def"
#undef HWACHA_PROBE
};

std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // operation: right, wrong

TEST(SimdVocabulary, EveryOperationAgreesWithItsModel) {
    for (const simd_probe* p : probes) {
        if (!takes_part(p->head)) continue;
        counts.clear();
        random_source random = seeded(80);
        for (std::size_t round = 0; round < scaled(2'000, 20); ++round) {
            const bytes input = random.take(simd_probe_input);
            p->run(reinterpret_cast<const std::uint8_t*>(input.data()), [](const char* operation, bool good) {
                auto& [right, wrong] = counts[operation];
                ++(good ? right : wrong);
            });
        }
        std::printf("vocabulary: %s %s", p->name, p->head.name());
        for (const auto& [operation, count] : counts) {
            std::printf(" %s:%zu", operation.c_str(), count.first);
            EXPECT_EQ(count.second, 0U) << p->name << ' ' << p->head.name() << ": " << operation;
        }
        std::printf("\n");
        const bool clmul = std::string_view(p->name) == "clmul";
        for (const char* needed :
             {"rotl", "rotl_bytes", "byte_rotation", "load", "load_le", "load_groups", "store", "store_groups",
              "store_le", "splat", "byte_swap", "transpose", "transpose_two", "permute", "repeat_row"}) {
            EXPECT_TRUE(clmul || counts.contains(needed)) << p->head.name() << " lacks " << needed;
        }
        EXPECT_TRUE(!clmul || counts.contains("multiply"));
    }
}

}  // namespace
}  // namespace hwacha::test
