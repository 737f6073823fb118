// LSH's compression functions over several messages at once, each form of each table against the portable function for
// one.
#include <cstring>
#include <memory>
#include <set>

#include "simd/lanes.hpp"

namespace hwacha::test {
namespace {

template <class Table>
class KernelsLanes : public testing::Test {
  public:
    using word = lanes_word<Table>;
    using form = lsh_lanes_form<word>;
    static constexpr std::size_t block = 32 * sizeof(word);
    static constexpr std::size_t cv_size = 16 * sizeof(word);
    static constexpr std::size_t most = lsh_most_lanes;

    static const std::uint8_t* octets(bytes_view b) { return reinterpret_cast<const std::uint8_t*>(b.data()); }

    static bytes joined(const std::vector<bytes>& cvs) {
        bytes state;
        for (const bytes& cv : cvs) state.insert(state.end(), cv.begin(), cv.end());
        return state;
    }

    // The chaining values after `count` blocks at each of `blocks`, by the portable function message by message.
    static std::vector<bytes> expected(std::vector<bytes> cvs, const std::vector<const std::uint8_t*>& blocks,
                                       std::size_t count) {
        for (std::size_t i = 0; i < cvs.size(); ++i) {
            word words[16];
            std::memcpy(words, cvs[i].data(), cv_size);
            lanes_core<Table>::single_portable().compress(words, blocks[i], count);
            std::memcpy(cvs[i].data(), words, cv_size);
        }
        return cvs;
    }

    static std::vector<bytes> random_cvs(random_source& random, const form& f) {
        std::vector<bytes> cvs;
        for (std::size_t i = 0; i < f.lanes; ++i) cvs.push_back(random.take(cv_size));
        return cvs;
    }

    // The chaining values stand one after the other at `state`, that of the last lane first.
    static void compress(const form& f, bytes_span state, const std::vector<const std::uint8_t*>& blocks,
                         std::size_t count) {
        word* cvs[most] = {};
        for (std::size_t i = 0; i < f.lanes; ++i) {
            cvs[i] = reinterpret_cast<word*>(state.data() + (f.lanes - 1 - i) * cv_size);
        }
        f.compress(cvs, blocks.data(), count);
    }
    static bytes reversed(std::vector<bytes> cvs) {
        std::reverse(cvs.begin(), cvs.end());
        return joined(cvs);
    }

    // One call against the portable function.
    template <class... What>
    static bool check_call(const form& f, const std::vector<bytes>& cvs, const std::vector<const std::uint8_t*>& blocks,
                           std::size_t count, const What&... what) {
        alignas(64) std::byte area[most * cv_size];
        const bytes_span state = bytes_span(area).first(f.lanes * cv_size);
        put(reversed(cvs), state, 0);
        compress(f, state, blocks, count);
        return check_bytes(reversed(expected(cvs, blocks, count)), state, what...);
    }
};

using lanes_cores = testing::Types<lsh256_lanes_table, lsh512_lanes_table>;
class lanes_core_names {
  public:
    template <class Table>
    static std::string GetName(int) {
        return lanes_core<Table>::name;
    }
};
TYPED_TEST_SUITE(KernelsLanes, lanes_cores, lanes_core_names);

// What the engine takes for granted (batch/lanes.hpp): forms widest first, and none dearer than its messages one by
// one.
TYPED_TEST(KernelsLanes, TablesAreInOrder) {
    for (const TypeParam* t : tables_taking_part(lanes_core<TypeParam>::tables())) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, t->head.name());
        EXPECT_EQ(t->count == 0, t->head.at == cpu::level::portable);
        ASSERT_LE(t->count, lanes_spy<TypeParam>::most);
        for (std::uint32_t i = 0; i < t->count; ++i) {
            const auto& f = t->forms[i];
            EXPECT_NE(f.compress, nullptr);
            EXPECT_GE(f.lanes, 2U);
            EXPECT_LE(f.lanes, lsh_most_lanes);
            EXPECT_LT(f.cost, f.lanes * lsh_single_cost);
            EXPECT_TRUE(i == 0 || t->forms[i - 1].lanes > f.lanes);
        }
    }
}

// What so many messages of one length cost if forms go first as planned.
template <class Table>
std::uint32_t planned_cost(const Table& t, std::uint32_t messages) {
    std::uint32_t cost = 0;
    while (messages != 0) {
        const auto* form = t.first_for(messages);
        cost += form != nullptr ? form->cost : lsh_single_cost;
        messages -= form != nullptr ? std::min(form->lanes, messages) : 1;
    }
    return cost;
}

// The least cost of so many messages by forms `i` and on, trying all numbers of turns of each.
template <class Table>
std::uint32_t least_cost(const Table& t, std::uint32_t messages, std::uint32_t i = 0) {
    if (i == t.count) return messages * lsh_single_cost;
    std::uint32_t least = ~0U;
    for (std::uint32_t turns = 0;; ++turns) {
        const std::uint32_t done = std::min(turns * t.forms[i].lanes, messages);
        least = std::min(least, turns * t.forms[i].cost + least_cost(t, messages - done, i + 1));
        if (done == messages) return least;
    }
}

TYPED_TEST(KernelsLanes, PlansCostLeast) {
    constexpr auto cost = [](std::uint32_t lanes, std::uint32_t c) {
        return typename KernelsLanes<TypeParam>::form{lanes, c, nullptr};
    };
    static constexpr TypeParam made_up[] = {
        lsh_planned<lanes_word<TypeParam>>({{}, 1, {cost(4, 300)}}),  // five messages: four at once and one
        lsh_planned<lanes_word<TypeParam>>({{}, 3, {cost(16, 600), cost(8, 350), cost(4, 200)}}),
        lsh_planned<lanes_word<TypeParam>>({{}, 3, {cost(13, 400), cost(5, 210), cost(3, 130)}}),
    };
    EXPECT_EQ(planned_cost(made_up[0], 5), 400U);
    EXPECT_EQ(planned_cost(made_up[1], 11), 550U);
    const auto check_plan = [](const TypeParam& t) {
        for (std::uint32_t n = 0; n <= 100; ++n) check(planned_cost(t, n) == least_cost(t, n), n, " messages");
    };
    for (const TypeParam& t : made_up) check_plan(t);
    for (const TypeParam* t : tables_taking_part(lanes_core<TypeParam>::tables())) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, t->head.name());
        check_plan(*t);
        // Not only cheap: no form without use.
        std::set<const void*> used;
        for (std::uint32_t n = 1; n <= lsh_most_lanes; ++n) used.insert(t->first_for(n));
        for (std::uint32_t i = 0; i < t->count; ++i) EXPECT_TRUE(used.contains(&t->forms[i])) << t->forms[i].lanes;
    }
}

// Each message, each chaining value and the lists of addresses between inaccessible pages of their own.
TYPED_TEST(KernelsLanes, CountsBetweenGuardPages) {
    using suite = KernelsLanes<TypeParam>;
    std::vector<std::unique_ptr<guarded>> memory;
    for (std::size_t i = 0; i < suite::most; ++i) memory.push_back(std::make_unique<guarded>(32 * suite::block));
    std::vector<std::unique_ptr<guarded>> cv_memory;
    for (std::size_t i = 0; i < suite::most; ++i) cv_memory.push_back(std::make_unique<guarded>(suite::cv_size));
    guarded list_memory(suite::most * sizeof(void*));
    guarded cv_list_memory(suite::most * sizeof(void*));
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(90);
        for (const std::size_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32}) {
            for (const std::size_t fronts : {0U, 0xffffU, 0x5a5aU, 0xa5a5U}) {
                const auto cvs = suite::random_cvs(random, f);
                std::vector<bytes> messages;
                std::vector<bytes_view> there;
                std::vector<const std::uint8_t*> blocks;
                std::vector<typename suite::word*> at;
                for (std::size_t i = 0; i < f.lanes; ++i) {
                    const bytes_span cv = cv_memory[i]->at((fronts >> (15 - i) & 1) != 0, bytes_view(cvs[i]));
                    at.push_back(reinterpret_cast<typename suite::word*>(cv.data()));
                    messages.push_back(random.take(n * suite::block));
                    there.push_back(memory[i]->at((fronts >> i & 1) != 0, bytes_view(messages[i])));
                    blocks.push_back(suite::octets(there[i]));
                }
                const bool front = (fronts & 1) != 0;
                const bytes_span list = list_memory.at(front, bytes_of(blocks));
                const bytes_span cv_list = cv_list_memory.at(front, bytes_of(at));
                f.compress(reinterpret_cast<typename suite::word* const*>(cv_list.data()),
                           reinterpret_cast<const std::uint8_t* const*>(list.data()), n);
                const std::vector<bytes> expected = suite::expected(cvs, blocks, n);
                check_bytes(bytes_of(blocks), list, "list changed, ", n, " blocks");
                check_bytes(bytes_of(at), cv_list, "list of chaining values changed, ", n, " blocks");
                for (std::size_t i = 0; i < f.lanes; ++i) {
                    check_bytes(expected[i], bytes_view(reinterpret_cast<const std::byte*>(at[i]), suite::cv_size),
                                "lane ", i, ", ", n, " blocks");
                    check_bytes(messages[i], there[i], "message ", i, " changed, ", n);
                }
            }
        }
    });
}

// All 64 alignments in every lane, a different one in each; what lies beside the blocks does not matter.
TYPED_TEST(KernelsLanes, EachLaneAtAnotherOffset) {
    using suite = KernelsLanes<TypeParam>;
    std::vector<std::unique_ptr<guarded>> memory;
    for (std::size_t i = 0; i < suite::most; ++i) memory.push_back(std::make_unique<guarded>(3 * suite::block + 64));
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(91);
        for (std::size_t shift = 0; shift < 64; ++shift) {
            const std::size_t n = 1 + shift % 3;
            std::vector<const std::uint8_t*> blocks;
            for (std::size_t i = 0; i < f.lanes; ++i) {
                const std::size_t offset = (shift + 5 * i) % 64;
                const bool front = (shift + i) % 2 != 0;
                // Between the page and the blocks: nothing, or `offset` bytes.
                const bytes_span area = memory[i]->at(front, n * suite::block + (front ? offset : 64 - offset));
                random.fill(area);
                blocks.push_back(suite::octets(area) + (front ? offset : 0));
            }
            if (!suite::check_call(f, suite::random_cvs(random, f), blocks, n, "shift ", shift)) break;
        }
    });
}

TYPED_TEST(KernelsLanes, StateAndNothingAroundIt) {
    using suite = KernelsLanes<TypeParam>;
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(92);
        alignas(64) std::byte area[suite::most * suite::cv_size + 1024];
        for (std::size_t offset = 0; offset <= 1024; offset += offset < 64 ? sizeof(typename suite::word) : 64) {
            random.fill(area);
            bytes around = copy_of(area);
            const auto cvs = suite::random_cvs(random, f);
            const bytes message = random.take(2 * suite::block * f.lanes);
            std::vector<const std::uint8_t*> blocks;
            for (std::size_t i = 0; i < f.lanes; ++i) blocks.push_back(suite::octets(message) + 2 * suite::block * i);
            put(suite::reversed(cvs), area, offset);
            put(suite::reversed(suite::expected(cvs, blocks, 2)), around, offset);
            suite::compress(f, bytes_span(area).subspan(offset), blocks, 2);
            check_bytes(around, area, "offset ", offset);
        }
    });
}

TYPED_TEST(KernelsLanes, RandomStatesAndMessages) {
    using suite = KernelsLanes<TypeParam>;
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(93);
        bytes area(suite::most * 4 * suite::block);
        for (std::size_t round = 0; round < scaled(5'000); ++round) {
            const std::size_t n = random.between(1, 4);
            random.fill(bytes_span(area).first(f.lanes * n * suite::block));
            std::vector<const std::uint8_t*> blocks;
            for (std::size_t i = 0; i < f.lanes; ++i) blocks.push_back(suite::octets(area) + n * suite::block * i);
            if (!suite::check_call(f, suite::random_cvs(random, f), blocks, n, "round ", round)) break;
        }
    });
}

// Words of all ones and all zeros carry furthest and least: everywhere, and next to lanes with others.
TYPED_TEST(KernelsLanes, ExtremeWords) {
    using suite = KernelsLanes<TypeParam>;
    constexpr unsigned values[] = {0x00, 0xff, 0x80, 0x7f, 0x01};
    std::vector<bytes> messages;
    std::vector<bytes> states;
    for (const unsigned v : values) {
        messages.push_back(repeated(2 * suite::block, v));
        states.push_back(repeated(suite::cv_size, v));
    }
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        for (std::size_t pair = 0; pair < 25; ++pair) {
            for (const std::size_t step : {0, 1, 6, 7}) {
                std::vector<bytes> cvs;
                std::vector<const std::uint8_t*> blocks;
                for (std::size_t i = 0; i < f.lanes; ++i) {
                    cvs.push_back(states[(pair + step * i) % 25 / 5]);
                    blocks.push_back(suite::octets(messages[(pair + step * i) % 5]));
                }
                suite::check_call(f, cvs, blocks, 2, "pair ", pair, ", step ", step);
            }
        }
    });
}

// The same blocks in all lanes, in some, and overlapping ones, with the same state and with different ones.
TYPED_TEST(KernelsLanes, SharedMessages) {
    using suite = KernelsLanes<TypeParam>;
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(94);
        const bytes area = random.take(3 * suite::block + suite::most * 61);
        for (const std::size_t distinct : {std::size_t{1}, std::size_t{2}, f.lanes - std::size_t{1}}) {
            for (const std::size_t distance : {std::size_t{1}, std::size_t{61}, suite::block / suite::most}) {
                std::vector<const std::uint8_t*> blocks;
                for (std::size_t i = 0; i < f.lanes; ++i) {
                    blocks.push_back(suite::octets(area) + i % distinct * distance);
                }
                auto cvs = suite::random_cvs(random, f);
                suite::check_call(f, cvs, blocks, 3, distinct, " messages, ", distance, " bytes apart");
                for (bytes& cv : cvs) cv = cvs[0];
                suite::check_call(f, cvs, blocks, 3, "one state, ", distinct, " messages, ", distance, " bytes apart");
            }
        }
    });
}

// A change in one lane changes that lane alone.
TYPED_TEST(KernelsLanes, LanesAreIndependent) {
    using suite = KernelsLanes<TypeParam>;
    for_each_form<TypeParam>([&](const typename suite::form& f) {
        random_source random = seeded(95);
        const bytes message = random.take(suite::block);
        bytes changed = message;
        changed[random.below(suite::block)] ^= std::byte{1};
        const auto cvs = suite::random_cvs(random, f);
        const std::vector<const std::uint8_t*> alike(f.lanes, suite::octets(message));
        alignas(64) std::byte area[suite::most * suite::cv_size];
        const bytes_span state = bytes_span(area).first(f.lanes * suite::cv_size);
        const auto run = [&](const std::vector<const std::uint8_t*>& blocks) {
            put(suite::reversed(cvs), state, 0);
            suite::compress(f, state, blocks, 1);
            return copy_of(state);
        };
        const bytes before = run(alike);
        for (std::size_t lane = 0; lane < f.lanes; ++lane) {
            auto blocks = alike;
            blocks[lane] = suite::octets(changed);
            const bytes after = run(blocks);
            std::set<std::size_t> touched;
            for (std::size_t at = 0; at < after.size(); ++at) {
                if (after[at] != before[at]) touched.insert(f.lanes - 1 - at / suite::cv_size);
            }
            check(touched == std::set<std::size_t>{lane}, "lane ", lane);
        }
    });
}

}  // namespace
}  // namespace hwacha::test
