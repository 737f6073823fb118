// The papers' forms against the library: whatever runs on this processor, natively or under an emulator.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "paper/paper.hpp"

namespace hwacha::bench {
namespace {

std::vector<std::byte> random_bytes(std::size_t n) {
    static std::mt19937_64 random(20260401);
    std::vector<std::byte> bytes(n);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    return bytes;
}

template <class Word>
void check(const paper_table& t, const lsh_info& v) {
    for (const paper_form<Word>& f : forms_of<Word>(t)) {
        SCOPED_TRACE(label(t, f) + ", " + std::string(v.name));
        ASSERT_LE(f.messages, most_paper_messages);
        std::size_t checked = 0;
        for (std::size_t size = 0; size < 1100; size += size < 20 || size % v.block_size > 120 ? 1 : 13) {
            std::vector<std::vector<std::byte>> messages;
            std::vector<const std::uint8_t*> at;
            std::vector<std::byte> expected(f.messages * v.digest_size);
            for (std::size_t i = 0; i < f.messages; ++i) {
                // At unlike addresses, aligned to nothing.
                messages.push_back(random_bytes(size + i + 1));
                const bytes_view message = bytes_view(messages.back()).subspan(i + 1);
                at.push_back(reinterpret_cast<const std::uint8_t*>(message.data()));
                ASSERT_EQ(lsh::hash(v.variant, message, bytes_span(expected).subspan(i * v.digest_size)), status::ok);
            }
            std::vector<std::byte> got(expected.size());
            hash_at_once(v, f, at.data(), size, got.data());
            ASSERT_EQ(got, expected) << size << " bytes";
            ++checked;
        }
        std::cout << "    " << label(t, f) << ", " << v.name << ": " << checked << " lengths\n";
    }
}

TEST(PaperForms, HashAsTheLibrary) {
    for (const paper_table* t : paper_tables()) {
        for (const lsh_info& v : lsh_variants()) {
            if (is_lsh256(v)) {
                check<std::uint32_t>(*t, v);
            } else {
                check<std::uint64_t>(*t, v);
            }
        }
    }
}

// What a processor has is looked at: no level is left out in silence.
TEST(PaperForms, AreThereForEveryLevelThatHasOne) {
    std::vector<cpu::level> found;
    for (const paper_table* t : paper_tables()) found.push_back(t->head.at);
    const auto expect = [&](cpu::level l) {
        const bool runs = cpu::has_all(cpu::detected(), cpu::info(l).needs);
        EXPECT_EQ(std::find(found.begin(), found.end(), l) != found.end(), runs) << cpu::info(l).name;
    };
    expect(cpu::level::portable);
#ifdef HWACHA_HAVE_PAPER000_AVX512
    expect(cpu::level::avx512);
#endif
#ifdef HWACHA_HAVE_PAPER003_SSSE3
    expect(cpu::level::ssse3);
#endif
#ifdef HWACHA_HAVE_PAPER003_NEON
    expect(cpu::level::neon);
#endif
}

}  // namespace
}  // namespace hwacha::bench
