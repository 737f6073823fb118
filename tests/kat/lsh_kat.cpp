// Known answers of LSH and HMAC-LSH, each on every table.
#include <algorithm>

#include "support/lsh.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

struct official {
    const char* folder;
    const char* name;
    lsh_variant variant;
    std::size_t records;
};

constexpr official hash_files[] = {
    {"lsh-cavp", "LSH256-224_ShortMsg.txt", lsh_variant::lsh256_224, 129},
    {"lsh-cavp", "LSH256-224_LongMsg.txt", lsh_variant::lsh256_224, 128},
    {"lsh-cavp", "LSH256-256_ShortMsg.txt", lsh_variant::lsh256_256, 129},
    {"lsh-cavp", "LSH256-256_LongMsg.txt", lsh_variant::lsh256_256, 128},
    {"lsh-cavp", "LSH512-224_ShortMsg.txt", lsh_variant::lsh512_224, 257},
    {"lsh-cavp", "LSH512-256_ShortMsg.txt", lsh_variant::lsh512_256, 257},
    {"lsh-cavp", "LSH512-384_ShortMsg.txt", lsh_variant::lsh512_384, 257},
    {"lsh-cavp", "LSH512-512_ShortMsg.txt", lsh_variant::lsh512_512, 257},
    {"lsh-kisa", "LSH-256-256_bitlen.rsp", lsh_variant::lsh256_256, 16},
    {"lsh-kisa", "LSH-512-512_bitlen.rsp", lsh_variant::lsh512_512, 16},
};

constexpr official mac_files[] = {
    {"lsh-kisa", "HMAC-LSH-256-256.rsp", lsh_variant::lsh256_256, 2},
    {"lsh-kisa", "HMAC-LSH-512-512.rsp", lsh_variant::lsh512_512, 2},
};

struct hash_answer {
    std::string where;
    std::size_t bits;
    bytes message;  // (bits + 7) / 8 bytes
    bytes digest;
};

void check_answers(const lsh_info& i, const std::vector<hash_answer>& answers) {
    for (const hash_answer& a : answers) {
        if (a.bits % 8 == 0) check_bytes(a.digest, hash(i, a.message), a.where, " in one call");
        lsh h(i.variant);
        const std::size_t whole = a.bits / 8;
        const std::size_t half = whole / 2;
        h.update(bytes_view(a.message).first(half)).update(bytes_view(a.message).subspan(half, whole - half));
        const auto rest = static_cast<unsigned>(a.bits % 8);
        const bytes digest = rest == 0 ? finish(h) : finish_bits(h, a.message[whole], rest);
        check_bytes(a.digest, digest, a.where, " in two pieces");
    }
}

class KatLsh : public testing::TestWithParam<official> {};

TEST_P(KatLsh, OfficialFile) {
    const official& f = GetParam();
    const bool cavp = std::string_view(f.folder) == "lsh-cavp";
    auto file = official_file(f.folder, f.name, cavp ? first_record::header : first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    const lsh_info& i = *find_lsh(f.variant);
    if (cavp) {
        EXPECT_EQ(file->header.take_number("L"), i.digest_size);
        file->header.done();
    }
    ASSERT_EQ(file->records.size(), f.records);
    std::vector<hash_answer> answers;
    for (record& r : file->records) {
        hash_answer a{r.where(), r.take_number("Len"), r.take_hex("Msg"), r.take_hex("MD")};
        r.done();
        if (a.bits == 0) a.message.clear();
        ASSERT_EQ(a.message.size(), (a.bits + 7) / 8) << a.where;
        answers.push_back(std::move(a));
    }
    for_each_table_of(f.variant, [&] { check_answers(i, answers); });
}

std::string test_name(const official& f) {
    std::string name = f.name;
    std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

const auto name_of_parameter = [](const auto& info) { return test_name(info.param); };
INSTANTIATE_TEST_SUITE_P(Files, KatLsh, testing::ValuesIn(hash_files), name_of_parameter);

class KatHmac : public testing::TestWithParam<official> {};

TEST_P(KatHmac, OfficialFile) {
    const official& f = GetParam();
    auto file = official_file(f.folder, f.name, first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    ASSERT_EQ(file->records.size(), f.records);
    const lsh_info& i = *find_lsh(f.variant);
    for (record& r : file->records) {
        // The files disagree with themselves about the unit of KeyLen: the first record counts bytes, the second bits.
        const std::size_t length = r.take_number("KeyLen");
        const bytes key = r.take_hex("Key");
        const bytes message = r.take_hex("Msg");
        const bytes expected = r.take_hex("Mac");
        r.done();
        EXPECT_TRUE(length == key.size() || length == 8 * key.size()) << r.where();
        for_each_table_of(f.variant, [&] { check_bytes(expected, mac(i, key, message), r.where()); });
    }
}

INSTANTIATE_TEST_SUITE_P(Files, KatHmac, testing::ValuesIn(mac_files), name_of_parameter);

TEST(KatFiles, EveryLshFileIsRead) {
    for (const std::string folder : {"lsh-cavp", "lsh-kisa"}) {
        for (const std::string& name : official_names(folder)) {
            const auto listed = [&](const official& f) { return folder == f.folder && name == f.name; };
            EXPECT_TRUE(std::ranges::any_of(hash_files, listed) || std::ranges::any_of(mac_files, listed))
                << "no test reads " << folder << '/' << name;
        }
    }
}

// The repository's own files: LSH-256-224.kat, ...; HMAC-LSH-256-256.kat, ...
bytes message_of(record& r, std::size_t size) {
    if (r.has("message")) return r.take_hex("message");
    const std::string rule = r.take("pattern");
    if (rule == "counting") return counting(size);
    if (rule == "mod251") return pattern(size);
    throw std::runtime_error(r.where() + ": unknown pattern " + rule);
}

TEST(KatLsh, OwnFiles) {
    for (const lsh_info& i : lsh_variants()) {
        record_file file = own_records(std::string(i.name) + ".kat");
        check_header(file.header, std::string(i.name), file.records.size());
        EXPECT_GE(file.records.size(), 36U);
        std::vector<hash_answer> answers;
        for (record& r : file.records) {
            const std::size_t bits = r.take_number("bits");
            answers.push_back({r.where(), bits, message_of(r, (bits + 7) / 8), r.take_hex("digest")});
            ASSERT_EQ(answers.back().message.size(), (bits + 7) / 8) << r.where();
            r.done();
        }
        for_each_table_of(i.variant, [&] { check_answers(i, answers); });
    }
}

TEST(KatHmac, OwnFiles) {
    for (const lsh_variant v : {lsh_variant::lsh256_256, lsh_variant::lsh512_512}) {
        const lsh_info& i = *find_lsh(v);
        const std::string algorithm = "HMAC-" + std::string(i.name);
        record_file file = own_records(algorithm + ".kat");
        check_header(file.header, algorithm, file.records.size());
        for (record& r : file.records) {
            const bytes key = r.take_hex("key");
            const bytes message = r.take_hex("message");
            const bytes expected = r.take_hex("mac");
            r.done();
            for_each_table_of(v, [&] {
                check_bytes(expected, mac(i, key, message), r.where());
                hmac_lsh m(v, key);
                check(m.update(message).verify(expected) == status::ok, r.where(), " verify");
            });
        }
    }
}

// The judge of the other tests is itself judged by the official answers.
TEST(KatPlain, LshAgreesWithOwnFiles) {
    for (const lsh_info& i : lsh_variants()) {
        record_file file = own_records(std::string(i.name) + ".kat");
        for (record& r : file.records) {
            const std::size_t bits = r.take_number("bits");
            if (bits > 8 * 4096) continue;
            const bytes message = message_of(r, (bits + 7) / 8);
            check_bytes(r.take_hex("digest"), plain::lsh(word_bits(i), digest_bits(i), message, bits), r.where());
        }
    }
    for (const lsh_variant v : {lsh_variant::lsh256_256, lsh_variant::lsh512_512}) {
        const lsh_info& i = *find_lsh(v);
        record_file file = own_records("HMAC-" + std::string(i.name) + ".kat");
        for (record& r : file.records) {
            check_bytes(r.take_hex("mac"),
                        plain::hmac_lsh(word_bits(i), digest_bits(i), r.take_hex("key"), r.take_hex("message")),
                        r.where());
        }
    }
}

}  // namespace
}  // namespace hwacha::test
