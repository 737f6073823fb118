// One enumeration in two languages; texts; the built-in self-test.
#include <cstring>
#include <set>

#include <hwacha/hwacha.hpp>
#include <hwacha/selftest.hpp>

#include "support/tables.hpp"

namespace hwacha::test {
namespace {

#define SAME(cpp, c) static_assert(static_cast<int>(status::cpp) == static_cast<int>(c))
SAME(ok, HWACHA_OK);
SAME(bad_key_length, HWACHA_BAD_KEY_LENGTH);
SAME(bad_nonce_length, HWACHA_BAD_NONCE_LENGTH);
SAME(bad_tag_length, HWACHA_BAD_TAG_LENGTH);
SAME(message_too_long, HWACHA_MESSAGE_TOO_LONG);
SAME(auth_failed, HWACHA_AUTH_FAILED);
SAME(counter_exhausted, HWACHA_COUNTER_EXHAUSTED);
SAME(buffer_too_small, HWACHA_BUFFER_TOO_SMALL);
SAME(overlap, HWACHA_OVERLAP);
SAME(unknown_algorithm, HWACHA_UNKNOWN_ALGORITHM);
SAME(finished, HWACHA_FINISHED);
SAME(wrong_order, HWACHA_WRONG_ORDER);
SAME(null_pointer, HWACHA_NULL_POINTER);
SAME(bad_bit_count, HWACHA_BAD_BIT_COUNT);
SAME(bad_block_length, HWACHA_BAD_BLOCK_LENGTH);
SAME(rng_failed, HWACHA_RNG_FAILED);
SAME(out_of_memory, HWACHA_OUT_OF_MEMORY);
SAME(bad_option, HWACHA_BAD_OPTION);
SAME(wrong_count, HWACHA_WRONG_COUNT);
SAME(cancelled, HWACHA_CANCELLED);
SAME(bad_offsets, HWACHA_BAD_OFFSETS);
SAME(executor_failed, HWACHA_EXECUTOR_FAILED);
SAME(bad_padding, HWACHA_BAD_PADDING);
SAME(weak_key, HWACHA_WEAK_KEY);
SAME(bad_iterations, HWACHA_BAD_ITERATIONS);
SAME(output_too_long, HWACHA_OUTPUT_TOO_LONG);
#undef SAME

// The numbers are frozen.
static_assert(HWACHA_OK == 0 && HWACHA_BAD_KEY_LENGTH == 1 && HWACHA_BAD_NONCE_LENGTH == 2 &&
              HWACHA_BAD_TAG_LENGTH == 3);
static_assert(HWACHA_MESSAGE_TOO_LONG == 4 && HWACHA_AUTH_FAILED == 5 && HWACHA_COUNTER_EXHAUSTED == 6);
static_assert(HWACHA_BUFFER_TOO_SMALL == 7 && HWACHA_OVERLAP == 8 && HWACHA_UNKNOWN_ALGORITHM == 9 &&
              HWACHA_FINISHED == 10);
static_assert(HWACHA_WRONG_ORDER == 11 && HWACHA_NULL_POINTER == 12 && HWACHA_BAD_BIT_COUNT == 13);
static_assert(HWACHA_BAD_BLOCK_LENGTH == 14 && HWACHA_RNG_FAILED == 15 && HWACHA_OUT_OF_MEMORY == 16);
static_assert(HWACHA_BAD_OPTION == 17 && HWACHA_WRONG_COUNT == 18 && HWACHA_CANCELLED == 19);
static_assert(HWACHA_BAD_OFFSETS == 20 && HWACHA_EXECUTOR_FAILED == 21);
static_assert(HWACHA_BAD_PADDING == 22 && HWACHA_WEAK_KEY == 23 && HWACHA_BAD_ITERATIONS == 24 &&
              HWACHA_OUTPUT_TOO_LONG == 25);
static_assert(static_cast<int>(lsh_variant::lsh256_224) == 1 && static_cast<int>(lsh_variant::lsh256_256) == 2);
static_assert(static_cast<int>(lsh_variant::lsh512_224) == 3 && static_cast<int>(lsh_variant::lsh512_256) == 4);
static_assert(static_cast<int>(lsh_variant::lsh512_384) == 5 && static_cast<int>(lsh_variant::lsh512_512) == 6);

TEST(ApiStatus, EveryStatusHasItsText) {
    std::set<std::string_view> texts;
    for (int n = HWACHA_OK; n <= HWACHA_OUTPUT_TOO_LONG; ++n) {
        const std::string_view text = to_string(static_cast<status>(n));
        EXPECT_FALSE(text.empty());
        EXPECT_TRUE(texts.insert(text).second) << text;
        EXPECT_EQ(text, hwacha_strerror(static_cast<hwacha_status>(n)));
    }
    EXPECT_FALSE(texts.contains(to_string(static_cast<status>(77))));
    const error e(status::overlap, "text");
    EXPECT_EQ(e.code(), status::overlap);
    EXPECT_STREQ(e.what(), "text");
}

// The errors of constructors name the algorithm, what was given and what was expected.
TEST(ApiStatus, ErrorsExplainThemselves) {
    const auto text_of = [](auto f) -> std::string {
        try {
            f();
        } catch (const error& e) {
            return e.what();
        }
        return "";
    };
    const bytes five(5);
    const struct {
        std::string text;
        const char* parts[3];
    } rows[] = {
        {text_of([&] { lea k(five); }), {"LEA", "5", "16, 24 or 32"}},
        {text_of([&] { lea_gcm k(five); }), {"LEA", "5", "16, 24 or 32"}},
        {text_of([&] { lea_gcm k(bytes(16), {.tag_size = 5}); }), {"GCM", "5", "12"}},
        {text_of([&] { lea_ctr c(bytes(16), five); }), {"CTR", "5", "16"}},
        {text_of([&] { lea_gcm_sealer s(lea_gcm(bytes(16)), {}); }), {"GCM", "0", "1"}},
        {text_of([&] { lsh h(static_cast<lsh_variant>(5000)); }), {"LSH", "5000", "1 to 6"}},
    };
    for (const auto& r : rows) {
        for (const char* part : r.parts) EXPECT_NE(r.text.find(part), std::string::npos) << r.text << " lacks " << part;
    }
}

TEST(ApiSelftest, EveryRunnableTablePasses) {
    const std::vector<selftest_result> results = selftest();
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const selftest_result& r : results) {
        EXPECT_EQ(r.failures, 0U) << r.algorithm << ' ' << r.table;
        EXPECT_GT(r.checks, 0U) << r.algorithm << ' ' << r.table;
        EXPECT_TRUE(seen.emplace(r.algorithm, r.table).second);
    }
    for_each_registry([&](const auto& algorithm) {
        for (const auto* t : algorithm.tables()) {
            const bool usable =
                cpu::judge(t->head, cpu::detected(), cpu::process_cap().highest) == cpu::verdict::usable;
            if constexpr (requires { t->forms; }) {
                if (t->count == 0) continue;  // nothing to check
            }
            EXPECT_EQ(seen.contains({algorithm.algorithm(), t->head.name()}), usable)
                << algorithm.algorithm() << ' ' << t->head.name();
        }
    });
}

}  // namespace
}  // namespace hwacha::test
