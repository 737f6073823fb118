// The modules that the harness measures, against each other and against known answers. HWACHA_BENCH_MODULES names
// another folder of modules than this build's.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/module.hpp"
#include "core/probe.hpp"
#include "peers/adapter.h"
#include "peers/division.hpp"

namespace hwacha::bench {
namespace {

using bytes = std::vector<unsigned char>;

struct named_module {
    std::string name;
    module library;
};

// Loaded once, each of them. A module that cannot be loaded is a failure of every test.
const std::vector<named_module>& modules() {
    static const std::vector<named_module> all = [] {
        const char* folder = std::getenv("HWACHA_BENCH_MODULES");
        std::vector<std::filesystem::path> paths;
        for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : HWACHA_BENCH_MODULES)) {
            if (entry.path().extension() == ".so") paths.push_back(entry.path());
        }
        std::ranges::sort(paths);
        std::vector<named_module> loaded;
        for (const auto& path : paths) loaded.push_back({path.stem().string(), module(path.string())});
        return loaded;
    }();
    return all;
}

struct contender {
    std::string name;  // "module:variant"
    run_function run;
    int number;
};

std::map<std::string, std::vector<contender>> contenders() {
    std::map<std::string, std::vector<contender>> by_operation;
    for (const named_module& m : modules()) {
        for (const offer& o : m.library.offers()) {
            by_operation[o.operation].push_back({m.name + ":" + o.variant, m.library.run(), o.number});
        }
    }
    return by_operation;
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

bool takes_blocks(std::string_view operation) {
    return operation == "GHASH" || ends_with_any(operation, {"-ECB", "-CTR", "-CBC decrypt", "-XTS"});
}

// Bytes that an operation writes, by its name; negative if the name does not say.
long expected_size(std::string_view operation, std::size_t length) {
    if (operation.find("-GCM open") != operation.npos) return static_cast<long>(length);
    if (const std::size_t many = operation.rfind(" x"); many != operation.npos) {
        long count = 0;
        std::from_chars(operation.data() + many + 2, operation.data() + operation.size(), count);
        if (operation.substr(0, many).ends_with("-GCM")) return static_cast<long>(length) + 16 * count;
        return count * expected_size(operation.substr(0, many), length / static_cast<std::size_t>(count));
    }
    if (operation == "GHASH") return 16;
    if (ends_with_any(operation, {"-ECB", "-CTR", "-CBC decrypt", "-XTS"})) return static_cast<long>(length);
    if (operation.ends_with("key setup")) return 1;
    if (ends_with_any(operation, {"-GCM", "-CCM"})) return static_cast<long>(length + 16);
    long bits = -8;
    const std::string_view last = operation.substr(operation.rfind('-') + 1);
    std::from_chars(last.data(), last.data() + last.size(), bits);
    return bits / 8;
}

struct answer {
    long written;  // negative: the length is not taken
    bytes output;
    friend bool operator==(const answer&, const answer&) = default;
};

// A run at these offsets from a multiple of 64, in areas that must stay as they are around the output's room.
answer run(const contender& c, const bytes& message, std::size_t input_offset, std::size_t output_offset) {
    constexpr std::size_t margin = 256;
    constexpr unsigned char untouched = 0xa5;
    const std::size_t room = message.size() + HWACHA_PEER_ROOM;
    struct alignas(64) line {
        unsigned char octets[64];
    };
    const auto area = [](std::size_t size) { return std::vector<line>(size / sizeof(line) + 1); };
    auto in = area(margin + input_offset + message.size() + margin);
    auto out = area(margin + output_offset + room + margin);
    unsigned char* const input = in.front().octets + margin + input_offset;
    unsigned char* const output = out.front().octets + margin + output_offset;
    std::ranges::copy(message, input);
    std::fill(out.front().octets, out.front().octets + out.size() * sizeof(line), untouched);

    const long written = c.run(c.number, input, message.size(), output);

    const auto intact = [&](const unsigned char* from, const unsigned char* to) {
        return std::all_of(from, to, [](unsigned char byte) { return byte == untouched; });
    };
    EXPECT_TRUE(intact(out.front().octets, output)) << "writes before the output";
    EXPECT_TRUE(intact(output + room, out.front().octets + out.size() * sizeof(line))) << "writes beyond its room";
    EXPECT_TRUE(std::equal(message.begin(), message.end(), input)) << "changes the input";
    EXPECT_LE(written, static_cast<long>(room));
    if (written < 0) return {-1, {}};
    return {written, bytes(output, output + std::min(static_cast<std::size_t>(written), room))};
}

bytes random_message(std::size_t size) {
    std::mt19937_64 random(size);
    bytes message(size);
    for (unsigned char& byte : message) byte = static_cast<unsigned char>(random());
    return message;
}

constexpr std::size_t sizes[] = {0, 1, 16, 64, 100, 255, 256, 1024, 4096};

struct offsets {
    std::size_t input, output;
};
constexpr offsets places[] = {{0, 0}, {1, 0}, {0, 1}, {8, 56}, {31, 33}, {63, 15}};

TEST(Modules, SayWhatTheyAre) {
    ASSERT_FALSE(modules().empty());
    for (const named_module& m : modules()) {
        for (const char* key : {"name", "version", "compiler", "flags"}) {
            EXPECT_NE(m.library.info(key), "") << m.name << " has no " << key;
        }
        EXPECT_EQ(m.library.info("no such key"), "") << m.name;
    }
}

TEST(Modules, OfferNothingTwice) {
    for (auto& [operation, all] : contenders()) {
        std::vector<std::string> names;
        for (const contender& c : all) names.push_back(c.name);
        std::ranges::sort(names);
        EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << operation;
    }
}

// The same answer at every place, and again: a run leaves nothing behind.
TEST(Modules, KeepTheContract) {
    for (const auto& [operation, all] : contenders()) {
        for (const contender& c : all) {
            for (const std::size_t size : sizes) {
                SCOPED_TRACE(operation + " of " + c.name + ", " + std::to_string(size) + " bytes");
                const bytes message = random_message(size);
                const answer first = run(c, message, 0, 0);
                const long expected = expected_size(operation, size);
                if (first.written >= 0 && expected >= 0) {
                    EXPECT_EQ(first.written, expected);
                }
                for (const offsets& place : places) {
                    EXPECT_EQ(run(c, message, place.input, place.output), first)
                        << "offsets " << place.input << " and " << place.output;
                }
            }
        }
    }
}

TEST(Modules, VariantsAgree) {
    for (const auto& [operation, all] : contenders()) {
        if (all.size() < 2) continue;
        for (const std::size_t size : sizes) {
            const bytes message = random_message(size);
            const answer expected = run(all.front(), message, 0, 0);
            for (const contender& c : all) {
                const answer got = run(c, message, 0, 0);
                if (takes_blocks(operation) && size % 16 != 0 && (got.written < 0 || expected.written < 0)) continue;
                EXPECT_EQ(got, expected) << operation << ", " << size << " bytes: " << c.name << " and "
                                         << all.front().name << " differ";
            }
        }
        std::cout << "    " << operation << ": " << all.size() << " variants\n";
    }
}

std::string hex(const bytes& b) {
    std::string text;
    for (const unsigned char byte : b) {
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

struct known_answer {
    const char* operation;
    bytes message;
    const char* output;
};

// AES: computed by Crypto++.
const known_answer known_answers[] = {
    {"LSH-256-256", {'a', 'b', 'c'}, "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741"},
    {"LSH-512-512",
     {'a', 'b', 'c'},
     "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208"
     "b5c57224bef21084d42083e95a4bd8eb33e869812b65031c428819a1e7ce596d"},
    {"SHA-256", {'a', 'b', 'c'}, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"SHA-512",
     {'a', 'b', 'c'},
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
     "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {"SHA3-256", {'a', 'b', 'c'}, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
    {"SHA3-512",
     {'a', 'b', 'c'},
     "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
     "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"},
    {"BLAKE2b-512",
     {'a', 'b', 'c'},
     "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
     "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"},
    {"AES-128-CTR", bytes(16), "0a940bb5416ef045f1c39458c653ea5a"},
    {"AES-256-CTR", bytes(16), "5a6e045708fb7196f02e553d02c3a692"},
    {"AES-128-GCM", bytes(16), "936ca7ce661bf7544bd2618a36a37008bbe959ebd8779d2fe9716464e3c8b660"},
    {"AES-256-GCM", bytes(16), "4702d61bc5e5c21b8d41978bb1e9786dff3989508f158307b8f1b756a169d9d1"},
};

TEST(Modules, KnownAnswers) {
    const auto all = contenders();
    for (const known_answer& k : known_answers) {
        const auto offered = all.find(k.operation);
        if (offered == all.end()) continue;
        for (const contender& c : offered->second) {
            EXPECT_EQ(hex(run(c, k.message, 0, 0).output), k.output) << k.operation << " of " << c.name;
        }
    }
}

// The sizes of the suites are these sums.
TEST(Lengths, AreTheSameEverywhere) {
    std::vector<std::uint64_t> sums(1024);
    EXPECT_EQ(hwacha_peer_lengths(hwacha_peer_uniform, 256, sums.data()), 1051177U);
    EXPECT_EQ(hwacha_peer_lengths(hwacha_peer_records, 1024, sums.data()), 166616U);
    std::uint64_t before = 0;
    for (const std::uint64_t sum : sums) {
        EXPECT_GE(sum - before, 16U);
        EXPECT_LE(sum - before, 1024U);
        before = sum;
    }
    division messages(256, division::lengths::uniform);
    ASSERT_TRUE(messages.divide(1051177));
    std::uint64_t longest = 0;
    std::size_t next = 0;
    messages.each([&](std::size_t i, std::size_t start, std::size_t size) {
        EXPECT_EQ(i, next);
        EXPECT_LE(start + size, 1051177U);
        longest = std::max<std::uint64_t>(longest, size);
        ++next;
    });
    EXPECT_EQ(next, 256U);
    EXPECT_EQ(longest, 8171U);
    EXPECT_FALSE(division(16, division::lengths::equal).divide(17));
}

// A clock that wide registers lower is a variant's own; a neighbour takes more, or not all the time.
TEST(Probe, OwnClock) {
    EXPECT_EQ(fast_end_of_variant(1000, {}), 1000);
    EXPECT_EQ(fast_end_of_variant(1000, {1070, 1071, 1072, 1073, 1074}), 1073);
    EXPECT_EQ(fast_end_of_variant(1000, {1070, 1500, 1501, 1502, 1503}), 1070);
    EXPECT_EQ(fast_end_of_variant(1000, {1500, 1501, 1502, 1503, 1504}), 1000);
    EXPECT_EQ(fast_end_of_variant(1000, {1000, 1001, 1002, 1003, 1075}), 1003);
    EXPECT_EQ(fast_end_of_variant(1000, {900, 950, 990}), 1000);
    EXPECT_TRUE(undisturbed(1071, 1071, 1100));
    EXPECT_FALSE(undisturbed(1071, 1071, 1200));
}

}  // namespace
}  // namespace hwacha::bench
