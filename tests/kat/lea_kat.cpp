// Known answers of LEA in ECB and CTR mode, each on every table: one block, many blocks, Monte Carlo.
#include <algorithm>

#include "support/lea.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

enum class mode { ecb, ctr };
enum class kind { answers, monte_carlo };

struct official {
    const char* folder;
    const char* name;
    std::size_t key_size;
    mode as;
    kind what;
    std::size_t records;
};

constexpr official files[] = {
    {"lea-cavp", "LEA-128_(ECB)_KAT.fax", 16, mode::ecb, kind::answers, 276},
    {"lea-cavp", "LEA-192_(ECB)_KAT.fax", 24, mode::ecb, kind::answers, 340},
    {"lea-cavp", "LEA-256_(ECB)_KAT.fax", 32, mode::ecb, kind::answers, 404},
    {"lea-cavp", "LEA-128_(ECB)_MMT.fax", 16, mode::ecb, kind::answers, 10},
    {"lea-cavp", "LEA-192_(ECB)_MMT.fax", 24, mode::ecb, kind::answers, 10},
    {"lea-cavp", "LEA-256_(ECB)_MMT.fax", 32, mode::ecb, kind::answers, 10},
    {"lea-cavp", "LEA-128_(ECB)_MCT.fax", 16, mode::ecb, kind::monte_carlo, 100},
    {"lea-cavp", "LEA-192_(ECB)_MCT.fax", 24, mode::ecb, kind::monte_carlo, 100},
    {"lea-cavp", "LEA-256_(ECB)_MCT.fax", 32, mode::ecb, kind::monte_carlo, 100},
    {"lea-cavp", "LEA-128_(CTR)_KAT.fax", 16, mode::ctr, kind::answers, 276},
    {"lea-cavp", "LEA-192_(CTR)_KAT.fax", 24, mode::ctr, kind::answers, 340},
    {"lea-cavp", "LEA-256_(CTR)_KAT.fax", 32, mode::ctr, kind::answers, 404},
    {"lea-cavp", "LEA-128_(CTR)_MMT.fax", 16, mode::ctr, kind::answers, 10},
    {"lea-cavp", "LEA-192_(CTR)_MMT.fax", 24, mode::ctr, kind::answers, 10},
    {"lea-cavp", "LEA-256_(CTR)_MMT.fax", 32, mode::ctr, kind::answers, 10},
    {"lea-cavp", "LEA-128_(CTR)_MCT.fax", 16, mode::ctr, kind::monte_carlo, 100},
    {"lea-cavp", "LEA-192_(CTR)_MCT.fax", 24, mode::ctr, kind::monte_carlo, 100},
    {"lea-cavp", "LEA-256_(CTR)_MCT.fax", 32, mode::ctr, kind::monte_carlo, 100},
    {"lea-kisa", "LEA128_ECB_MMT.rsp", 16, mode::ecb, kind::answers, 10},
    {"lea-kisa", "LEA192_ECB_MMT.rsp", 24, mode::ecb, kind::answers, 10},
    {"lea-kisa", "LEA256_ECB_MMT.rsp", 32, mode::ecb, kind::answers, 10},
    {"lea-kisa", "LEA128_CTR_MMT.rsp", 16, mode::ctr, kind::answers, 10},
    {"lea-kisa", "LEA192_CTR_MMT.rsp", 24, mode::ctr, kind::answers, 10},
    {"lea-kisa", "LEA256_CTR_MMT.rsp", 32, mode::ctr, kind::answers, 10},
};

// Read by tests of their own.
constexpr const char* other_modes[] = {"GCM_AE", "(CBC)", "CBC_MMT", "CCM_GE", "CFB128_MMT", "CMAC_GEN", "OFB_MMT"};

constexpr std::size_t monte_carlo_iterations = 1000;

struct answer {
    std::string where;
    std::size_t count = 0;
    bytes key;
    bytes iv;
    bytes plaintext;
    bytes ciphertext;
};

// The ciphertext of the last of `iterations` encryptions, each of the one before; and the one before the last.
struct monte_carlo_end {
    bytes last;
    bytes before;
};

monte_carlo_end monte_carlo(mode as, const answer& a, std::size_t iterations) {
    monte_carlo_end e{a.plaintext, {}};
    if (as == mode::ecb) {
        const lea key(a.key);
        for (std::size_t i = 0; i < iterations; ++i) {
            e.before = e.last;
            EXPECT_EQ(key.encrypt_blocks(e.last, e.last), status::ok);
        }
    } else {
        lea_ctr c(a.key, a.iv);
        for (std::size_t i = 0; i < iterations; ++i) {
            e.before = e.last;
            EXPECT_EQ(c.update(e.last, e.last), status::ok);
        }
    }
    return e;
}

void check_answer(mode as, const answer& a) {
    if (as == mode::ecb) {
        const lea key(a.key);
        check_bytes(a.ciphertext, ecb_encrypt(key, a.plaintext), a.where, " encrypt");
        check_bytes(a.plaintext, ecb_decrypt(key, a.ciphertext), a.where, " decrypt");
    } else {
        check_bytes(a.ciphertext, ctr(a.key, a.iv, a.plaintext), a.where, " encrypt");
        check_bytes(a.plaintext, ctr(a.key, a.iv, a.ciphertext), a.where, " decrypt");
    }
}

// COUNT n + 1 follows from COUNT n: the key is XORed with the last key-size bytes of the ciphertexts, the plaintext is
// the last ciphertext, the counter runs on.
void check_feedback(mode as, const answer& a, const monte_carlo_end& end, const answer& next) {
    bytes stream = end.before;
    stream.insert(stream.end(), end.last.begin(), end.last.end());
    bytes key = a.key;
    const std::size_t skip = stream.size() - key.size();
    for (std::size_t i = 0; i < key.size(); ++i) key[i] ^= stream[skip + i];
    check_bytes(next.key, key, next.where, " key");
    check_bytes(next.plaintext, end.last, next.where, " plaintext");
    if (as == mode::ctr) {
        unsigned carry = monte_carlo_iterations;
        bytes iv = a.iv;
        for (std::size_t i = iv.size(); i-- > 0; carry >>= 8) {
            carry += std::to_integer<unsigned>(iv[i]);
            iv[i] = static_cast<std::byte>(carry & 0xff);
        }
        check_bytes(next.iv, iv, next.where, " counter");
    }
}

class KatLea : public testing::TestWithParam<official> {};

TEST_P(KatLea, OfficialFile) {
    const official& f = GetParam();
    auto file = official_file(f.folder, f.name, first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    ASSERT_EQ(file->records.size(), f.records);
    std::vector<answer> answers;
    for (record& r : file->records) {
        answer a{r.where(), answers.size(), r.take_hex("KEY"), {}, r.take_hex("PT"), r.take_hex("CT")};
        if (f.as == mode::ctr) a.iv = r.take_hex("IV");
        if (r.has("COUNT")) {
            EXPECT_EQ(r.take_number("COUNT"), a.count) << a.where;
        }
        r.done();
        ASSERT_EQ(a.key.size(), f.key_size) << a.where;
        answers.push_back(std::move(a));
    }
    for_each_table(lea_tables, [&](const lea_table&) {
        if (f.what == kind::answers) {
            for (const answer& a : answers) check_answer(f.as, a);
            return;
        }
        const std::size_t n = scaled(10 * answers.size(), 20) < answers.size() ? 5 : answers.size();
        for (std::size_t i = 0; i < n; ++i) {
            const monte_carlo_end end = monte_carlo(f.as, answers[i], monte_carlo_iterations);
            check_bytes(answers[i].ciphertext, end.last, answers[i].where);
            if (i + 1 < answers.size()) check_feedback(f.as, answers[i], end, answers[i + 1]);
        }
    });
}

std::string test_name(const testing::TestParamInfo<official>& i) {
    std::string name = i.param.name;
    std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, KatLea, testing::ValuesIn(files), test_name);

TEST(KatFiles, EveryLeaFileIsRead) {
    for (const std::string folder : {"lea-cavp", "lea-kisa"}) {
        for (const std::string& name : official_names(folder)) {
            const bool read =
                std::ranges::any_of(files, [&](const official& f) { return folder == f.folder && name == f.name; });
            const bool other =
                std::ranges::any_of(other_modes, [&](const char* m) { return name.find(m) != std::string::npos; });
            EXPECT_TRUE(read != other) << "no test reads " << folder << '/' << name;
        }
    }
}

std::vector<answer> own_answers(std::size_t key_size, mode as, std::vector<std::size_t>& iterations) {
    const std::string algorithm = "LEA-" + std::to_string(8 * key_size) + (as == mode::ecb ? "-ECB" : "-CTR");
    record_file file = own_records(algorithm + ".kat");
    check_header(file.header, algorithm, file.records.size());
    std::vector<answer> answers;
    for (record& r : file.records) {
        answer a{r.where(), answers.size(), r.take_hex("key"), {}, r.take_hex("plaintext"), r.take_hex("ciphertext")};
        if (as == mode::ctr) a.iv = r.take_hex("iv");
        iterations.push_back(r.has("iterations") ? r.take_number("iterations") : 0);
        r.done();
        EXPECT_EQ(a.key.size(), key_size) << a.where;
        answers.push_back(std::move(a));
    }
    return answers;
}

TEST(KatLea, OwnFiles) {
    for (const std::size_t key_size : lea_key_sizes) {
        for (const mode as : {mode::ecb, mode::ctr}) {
            std::vector<std::size_t> iterations;
            const std::vector<answer> answers = own_answers(key_size, as, iterations);
            EXPECT_GE(answers.size(), 40U);
            for_each_table(lea_tables, [&](const lea_table&) {
                for (std::size_t i = 0; i < answers.size(); ++i) {
                    if (iterations[i] == 0) {
                        check_answer(as, answers[i]);
                    } else {
                        check_bytes(answers[i].ciphertext, monte_carlo(as, answers[i], iterations[i]).last,
                                    answers[i].where);
                    }
                }
            });
        }
    }
}

TEST(KatPlain, LeaAgreesWithOwnFiles) {
    for (const std::size_t key_size : lea_key_sizes) {
        for (const mode as : {mode::ecb, mode::ctr}) {
            std::vector<std::size_t> iterations;
            for (const answer& a : own_answers(key_size, as, iterations)) {
                if (iterations[a.count] != 0) continue;
                if (as == mode::ctr) {
                    check_bytes(a.ciphertext, plain::lea_ctr(a.key, plain::block_of(a.iv), a.plaintext), a.where);
                    continue;
                }
                for (std::size_t at = 0; at < a.plaintext.size(); at += 16) {
                    const plain::block p = plain::block_of(bytes_view(a.plaintext).subspan(at, 16));
                    const plain::block c = plain::block_of(bytes_view(a.ciphertext).subspan(at, 16));
                    check_bytes(c, plain::lea_encrypt(a.key, p), a.where);
                    check_bytes(p, plain::lea_decrypt(a.key, c), a.where);
                }
            }
        }
    }
}

}  // namespace
}  // namespace hwacha::test
