// LSH's compression functions, each table against the portable one.
#include <cstring>

#include "support/lsh.hpp"

namespace hwacha::test {
namespace {

template <class Table>
struct core_of;
template <>
struct core_of<lsh256_table> {
    using word = std::uint32_t;
    static cpu::registry<lsh256_table>& tables() { return lsh256_tables; }
    static const lsh256_table& portable() { return lsh256_portable; }
};
template <>
struct core_of<lsh512_table> {
    using word = std::uint64_t;
    static cpu::registry<lsh512_table>& tables() { return lsh512_tables; }
    static const lsh512_table& portable() { return lsh512_portable; }
};

template <class Table>
class KernelsLsh : public testing::Test {
  public:
    using word = typename core_of<Table>::word;
    static constexpr std::size_t block = 32 * sizeof(word);
    static constexpr std::size_t cv_size = 16 * sizeof(word);

    // The chaining value after `blocks`, on the portable table.
    static bytes expected(bytes_view cv, bytes_view blocks) {
        word words[16];
        std::memcpy(words, cv.data(), cv_size);
        core_of<Table>::portable().compress(words, reinterpret_cast<const std::uint8_t*>(blocks.data()),
                                            blocks.size() / block);
        return copy_of(bytes_of(words));
    }
    static void compress(const Table& t, bytes_span cv, bytes_view blocks) {
        t.compress(reinterpret_cast<word*>(cv.data()), reinterpret_cast<const std::uint8_t*>(blocks.data()),
                   blocks.size() / block);
    }
};

using lsh_cores = testing::Types<lsh256_table, lsh512_table>;
class core_names {
  public:
    template <class Table>
    static std::string GetName(int) {
        return sizeof(typename core_of<Table>::word) == 4 ? "Lsh256" : "Lsh512";
    }
};
TYPED_TEST_SUITE(KernelsLsh, lsh_cores, core_names);

// Every count up to 17 and some large ones, state and message between inaccessible pages.
TYPED_TEST(KernelsLsh, CountsBetweenGuardPages) {
    using suite = KernelsLsh<TypeParam>;
    for_each_table(core_of<TypeParam>::tables(), [](const TypeParam& t) {
        random_source random = seeded(1);
        guarded state(suite::cv_size);
        guarded message(256 * suite::block);
        std::vector<std::size_t> counts;
        for (std::size_t n = 0; n <= 17; ++n) counts.push_back(n);
        for (const std::size_t n : {31, 32, 33, 64, 255}) counts.push_back(n);
        for (const std::size_t n : counts) {
            for (const bool front : {false, true}) {
                const bytes cv = random.take(suite::cv_size);
                const bytes blocks = random.take(n * suite::block);
                const bytes_span cv_there = state.at(front, bytes_view(cv));
                const bytes_span blocks_there = message.at(front, bytes_view(blocks));
                suite::compress(t, cv_there, blocks_there);
                check_bytes(suite::expected(cv, blocks), cv_there, n, " blocks");
                check_bytes(blocks, blocks_there, "message changed, ", n, " blocks");
            }
        }
    });
}

TYPED_TEST(KernelsLsh, MessageAtEveryOffset) {
    using suite = KernelsLsh<TypeParam>;
    for_each_table(core_of<TypeParam>::tables(), [](const TypeParam& t) {
        random_source random = seeded(2);
        bytes area(5 * suite::block + 64);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            random.fill(area);
            const bytes cv = random.take(suite::cv_size);
            alignas(64) std::byte state[suite::cv_size];
            std::copy(cv.begin(), cv.end(), state);
            const bytes_view blocks = bytes_view(area).subspan(offset, (1 + offset % 5) * suite::block);
            suite::compress(t, state, blocks);
            check_bytes(suite::expected(cv, blocks), state, "offset ", offset);
        }
    });
}

// The state may be aligned no better than its words, and nothing around it changes.
TYPED_TEST(KernelsLsh, StateAlignedAsItsWords) {
    using suite = KernelsLsh<TypeParam>;
    for_each_table(core_of<TypeParam>::tables(), [](const TypeParam& t) {
        random_source random = seeded(3);
        alignas(64) std::byte area[suite::cv_size + 128];
        for (std::size_t offset = 0; offset <= 64; offset += sizeof(typename suite::word)) {
            random.fill(area);
            bytes before = copy_of(area);
            const bytes blocks = random.take(3 * suite::block);
            const bytes after = suite::expected(bytes_view(before).subspan(offset, suite::cv_size), blocks);
            put(after, before, offset);
            suite::compress(t, bytes_span(area).subspan(offset, suite::cv_size), blocks);
            check_bytes(before, area, "offset ", offset);
        }
    });
}

TYPED_TEST(KernelsLsh, RandomStatesAndMessages) {
    using suite = KernelsLsh<TypeParam>;
    for_each_table(core_of<TypeParam>::tables(), [](const TypeParam& t) {
        random_source random = seeded(4);
        bytes area(4 * suite::block);
        for (std::size_t i = 0; i < scaled(20'000); ++i) {
            const bytes_span blocks = bytes_span(area).first(random.between(1, 4) * suite::block);
            random.fill(blocks);
            const bytes cv = random.take(suite::cv_size);
            bytes state = cv;
            suite::compress(t, state, blocks);
            if (!check_bytes(suite::expected(cv, blocks), state, "round ", i)) break;
        }
    });
}

// Words of all ones and all zeros carry furthest and least.
TYPED_TEST(KernelsLsh, ExtremeWords) {
    using suite = KernelsLsh<TypeParam>;
    for_each_table(core_of<TypeParam>::tables(), [](const TypeParam& t) {
        for (const unsigned state_byte : {0x00U, 0xffU, 0x80U, 0x7fU, 0x01U}) {
            for (const unsigned message_byte : {0x00U, 0xffU, 0x80U, 0x7fU, 0x01U}) {
                const bytes cv = repeated(suite::cv_size, state_byte);
                const bytes blocks = repeated(2 * suite::block, message_byte);
                bytes state = cv;
                suite::compress(t, state, blocks);
                check_bytes(suite::expected(cv, blocks), state, "bytes ", state_byte, " and ", message_byte);
            }
        }
    });
}

}  // namespace
}  // namespace hwacha::test
