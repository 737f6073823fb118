// Parts of the engine of encrypted files, from and to memory.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "crypt/armor.hpp"
#include "crypt/fault.hpp"
#include "crypt/header.hpp"
#include "crypt/key_file.hpp"
#include "crypt/pipeline.hpp"

namespace hwacha::crypt {
namespace {

std::vector<std::byte> pattern(std::size_t size, unsigned seed = 1) {
    std::vector<std::byte> out(size);
    for (std::byte& b : out) b = static_cast<std::byte>((seed = seed * 1103515245 + 12345) >> 16);
    return out;
}

template <class Function>
std::optional<fault> fault_of(Function f) {
    try {
        f();
    } catch (const file_fault& e) {
        return e.kind();
    }
    return std::nullopt;
}

// What is written, with no place to lend.
class collecting_sink final : public sink {
  public:
    void write(bytes_view bytes) override { append(content, bytes); }
    std::vector<std::byte> content;
};

// Bytes in small pieces, with none to lend.
class piecewise_source final : public source {
  public:
    piecewise_source(bytes_view bytes, std::size_t piece) : from_(bytes), piece_(piece) {}
    std::size_t read(bytes_span room) override { return from_.read(room.first(std::min(room.size(), piece_))); }

  private:
    memory_source from_;
    std::size_t piece_;
};

const file_key a_file_key(pattern(32, 2));
const secret<32> a_key(pattern(32, 3));
const secret<32> other_key(pattern(32, 4));

header a_header(std::string_view comment = "a comment", unsigned log2 = 12) {
    const std::vector<std::vector<std::byte>> slots = {
        write_key_slot(a_file_key, a_key, pattern(32, 5)),
        write_passphrase_slot(a_file_key, bytes_of("passphrase"), 1000, pattern(32, 6))};
    return write_header(comment, log2, pattern(32, 7), slots, a_file_key);
}

header reread(bytes_view bytes) {
    memory_source from(bytes);
    return read_header(from);
}

holders with_key(const secret<32>& key) {
    holders h;
    h.keys.push_back(key);
    return h;
}

TEST(CryptHeader, ComesBack) {
    for (const std::string& comment : {std::string(), std::string("x"), std::string(1024, 'c')}) {
        const header made = a_header(comment, 17);
        const header read = reread(made.bytes);
        EXPECT_EQ(read.comment, comment);
        EXPECT_EQ(read.chunk_log2, 17U);
        EXPECT_EQ(read.bytes, made.bytes);
        EXPECT_EQ(read.bytes.size(), 100 + comment.size() + 104 + 112);
        ASSERT_EQ(read.slots.size(), 2U);
        EXPECT_EQ(read.slots[1].iterations(), 1000U);
        EXPECT_EQ(find_file_key(read, with_key(a_key), 0), a_file_key);
        holders typed;
        typed.passphrases.emplace_back(bytes_of("passphrase"));
        EXPECT_EQ(find_file_key(read, typed, 1000), a_file_key);
        EXPECT_EQ(fault_of([&] { find_file_key(read, typed, 999); }), fault::too_many_iterations);
        EXPECT_EQ(fault_of([&] { find_file_key(read, with_key(other_key), 0); }), fault::wrong_key);
    }
}

TEST(CryptHeader, EveryBitAndEveryCutIsRefused) {
    const header made = a_header("");
    for (std::size_t i = 0; i < made.bytes.size(); ++i) {
        auto bytes = made.bytes;
        bytes[i] ^= static_cast<std::byte>(1U << i % 8);
        const auto kind = fault_of([&] { find_file_key(reread(bytes), with_key(a_key), 10'000'000); });
        ASSERT_TRUE(kind) << i;
        const bool in_mac = i + 32 >= bytes.size();
        if (in_mac || i >= 20) {
            EXPECT_EQ(kind, in_mac ? fault::header_altered : fault::header_damaged) << i;
        }
        EXPECT_EQ(fault_of([&] { reread(bytes_view(made.bytes).first(i)); }), i == 0 ? fault::empty : fault::truncated);
    }
}

TEST(CryptHeader, Comments) {
    for (const char* good : {"", "a b", "\xed\x95\x9c\xea\xb5\xad", "\xc2\xa0", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_EQ(why_no_comment(good), nullptr) << good;
    }
    for (const char* bad : {"\n", "\x7f", "\xc2\x80", "\xc2\x9f", "\xff", "\xc0\x80", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xe0\x9f\xbf"}) {
        EXPECT_NE(why_no_comment(bad), nullptr) << bad;
    }
    EXPECT_EQ(why_no_comment(std::string(1024, 'x')), nullptr);
    EXPECT_NE(why_no_comment(std::string(1025, 'x')), nullptr);
}

TEST(CryptSlots, SkippedIfUnknownRefusedIfCritical) {
    std::vector<std::byte> bytes;
    const auto add = [&](unsigned type, unsigned flags, std::size_t size) {
        append_number(bytes, type, 2);
        append_number(bytes, flags, 2);
        append_number(bytes, size, 4);
        append(bytes, pattern(size));
    };
    add(3, 0, 0);
    add(0, 0, 10);
    append(bytes, write_key_slot(a_file_key, a_key, pattern(32)));
    add(65535, 0, 300);
    EXPECT_EQ(read_slots(bytes, 4).size(), 4U);
    EXPECT_EQ(fault_of([&] { read_slots(bytes, 3); }), fault::malformed);
    EXPECT_EQ(fault_of([&] { read_slots(bytes, 5); }), fault::malformed);
    EXPECT_EQ(fault_of([&] { read_slots(bytes_view(bytes).first(bytes.size() - 1), 4); }), fault::malformed);
    add(3, 1, 5);
    EXPECT_EQ(fault_of([&] { read_slots(bytes, 5); }), fault::unsupported);
}

TEST(CryptKey, ComesBackAndEveryBitIsRefused) {
    const secret_buffer file = write_secret_key({"of a test", a_key});
    const auto read = [](bytes_view bytes) {
        memory_source from(bytes);
        kept_bytes kept(from);
        container_head head = read_head(kept);
        if (head.type != file_type::secret_key) throw file_fault(fault::not_ours, "");
        return read_secret_key(kept, std::move(head), from);
    };
    EXPECT_EQ(read(file.bytes()).key, a_key);
    EXPECT_EQ(read(file.bytes()).comment, "of a test");
    for (std::size_t i = 0; i < file.size(); ++i) {
        std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
        bytes[i] ^= std::byte{1};
        EXPECT_TRUE(fault_of([&] { read(bytes); })) << i;
        EXPECT_TRUE(fault_of([&] { read(file.bytes().first(i)); })) << i;
    }
    std::vector<std::byte> longer(file.bytes().begin(), file.bytes().end());
    longer.push_back({});
    EXPECT_EQ(fault_of([&] { read(longer); }), fault::trailing);
}

std::string armored(bytes_view bytes) {
    collecting_sink out;
    armor_sink armor(file_type::encrypted, out);
    for (std::size_t at = 0, n = 1; at < bytes.size(); at += n++) {
        armor.write(bytes.subspan(at, std::min(n, bytes.size() - at)));
    }
    armor.finish();
    return {reinterpret_cast<const char*>(out.content.data()), out.content.size()};
}

std::vector<std::byte> dearmored(std::string_view text, std::size_t piece = 1000) {
    piecewise_source from(bytes_of(text), piece);
    armor_source armor(from);
    std::vector<std::byte> out(text.size() + 1);
    out.resize(read_fully(armor, out));
    return out;
}

TEST(CryptArmor, EveryLengthComesBack) {
    for (std::size_t size = 1; size < 200; ++size) {
        const auto bytes = pattern(size);
        const std::string text = armored(bytes);
        EXPECT_EQ(dearmored(text), bytes) << size;
        EXPECT_EQ(dearmored(text, 7), bytes) << size;
        std::string crlf = " \r\n\t";
        for (const char c : text) crlf.append(c == '\n' ? "\r" : "").push_back(c);
        EXPECT_EQ(dearmored(crlf + "\r\n  "), bytes) << size;
        EXPECT_EQ(dearmored(text.substr(0, text.size() - 1)), bytes) << size;
    }
    const auto large = pattern(300000);
    EXPECT_EQ(dearmored(armored(large), 5000), large);
}

TEST(CryptArmor, OneTextForEachContent) {
    std::byte out[48];
    unsigned taken = 0;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            const char quad[] = {'A', static_cast<char>(a), static_cast<char>(b), '='};
            const std::size_t size = decode_base64({quad, 4}, out);
            if (size == std::string_view::npos) continue;
            char again[4];
            encode_base64(bytes_view(out, size), again);
            EXPECT_EQ(std::string_view(again, 4), std::string_view(quad, 4));
            ++taken;
        }
    }
    EXPECT_EQ(taken, 64U * 16 + 4);  // 64 * 16 pairs for two bytes, 4 for one
    for (const char* bad : {"A", "AAA", "====", "A===", "AA=A", "AAAA=", "-_-_", "AAA\n"}) {
        EXPECT_EQ(decode_base64(bad, out), std::string_view::npos) << bad;
    }
}

TEST(CryptPayload, NumberAndFlagAreBound) {
    const chunk_cipher cipher(a_header().bytes, a_file_key);
    const auto text = pattern(100);
    std::vector<std::byte> sealed(116);
    std::vector<std::byte> out(100);
    cipher.seal(0x01020304, false, text, sealed);
    EXPECT_TRUE(cipher.open(0x01020304, false, sealed, out));
    EXPECT_EQ(out, text);
    EXPECT_FALSE(cipher.open(0x01020304, true, sealed, out));
    EXPECT_FALSE(cipher.open(0x04030201, false, sealed, out));
    EXPECT_EQ(out, std::vector<std::byte>(100));
}

// Through memory and through buffers, by any number of threads: the same bytes, and what is missing is noticed.
TEST(CryptPipeline, AllWaysAgree) {
    const header head = a_header();
    const chunk_cipher cipher(head.bytes, a_file_key);
    constexpr std::size_t chunk = 4096;
    for (const std::size_t size : {0UL, 1UL, 4095UL, 4096UL, 4097UL, 262144UL, 262145UL, 1048576UL, 1500000UL}) {
        const auto text = pattern(size);
        const std::size_t chunks = std::max<std::size_t>(1, (size + chunk - 1) / chunk);
        std::vector<std::byte> sealed(size + 16 * chunks);
        memory_source whole(text);
        memory_sink place(sealed);
        seal_payload(cipher, chunk, whole, place);
        for (const std::size_t threads : {1UL, 2UL, 5UL}) {
            pipeline_options how;
            how.threads = threads;
            piecewise_source pieces(text, 100000);
            collecting_sink out;
            seal_payload(cipher, chunk, pieces, out, how);
            EXPECT_EQ(out.content, sealed) << size;
            collecting_sink back;
            piecewise_source again(sealed, 70000);
            open_payload(cipher, chunk, again, back, 0, how);
            EXPECT_EQ(back.content, text) << size;
            collecting_sink lent;
            memory_source from_memory(sealed);
            open_payload(cipher, chunk, from_memory, lent, 0, how);
            EXPECT_EQ(lent.content, text) << size;
            if (chunks > 1) {
                collecting_sink part;
                memory_source cut(bytes_view(sealed).first((chunks - 1) * (chunk + 16)));
                EXPECT_EQ(fault_of([&] { open_payload(cipher, chunk, cut, part, 0, how); }), fault::truncated);
                ASSERT_LE(part.content.size(), (chunks - 2) * chunk);
                EXPECT_TRUE(std::ranges::equal(part.content, bytes_view(text).first(part.content.size())));
            }
        }
    }
}

}  // namespace
}  // namespace hwacha::crypt
