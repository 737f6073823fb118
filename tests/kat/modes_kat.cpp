// Known answers of LEA in CBC (one block, many blocks, Monte Carlo), CFB128, OFB and CCM, each on every table.
#include <algorithm>

#include "support/modes.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

enum class kind { answers, monte_carlo };

const mode& mode_of(std::string_view name) {
    return *std::ranges::find_if(modes(), [&](const mode& m) { return name == m.name; });
}

struct official {
    const char* folder;
    const char* name;
    std::size_t key_size;
    const char* as;
    kind what;
    std::size_t records;
};

constexpr official files[] = {
    {"lea-cavp", "LEA-128_(CBC)_KAT.fax", 16, "CBC", kind::answers, 276},
    {"lea-cavp", "LEA-192_(CBC)_KAT.fax", 24, "CBC", kind::answers, 340},
    {"lea-cavp", "LEA-256_(CBC)_KAT.fax", 32, "CBC", kind::answers, 404},
    {"lea-cavp", "LEA-128_(CBC)_MMT.fax", 16, "CBC", kind::answers, 10},
    {"lea-cavp", "LEA-192_(CBC)_MMT.fax", 24, "CBC", kind::answers, 10},
    {"lea-cavp", "LEA-256_(CBC)_MMT.fax", 32, "CBC", kind::answers, 10},
    {"lea-cavp", "LEA-128_(CBC)_MCT.fax", 16, "CBC", kind::monte_carlo, 100},
    {"lea-cavp", "LEA-192_(CBC)_MCT.fax", 24, "CBC", kind::monte_carlo, 100},
    {"lea-cavp", "LEA-256_(CBC)_MCT.fax", 32, "CBC", kind::monte_carlo, 100},
    {"lea-kisa", "LEA128_CBC_MMT.rsp", 16, "CBC", kind::answers, 10},
    {"lea-kisa", "LEA192_CBC_MMT.rsp", 24, "CBC", kind::answers, 10},
    {"lea-kisa", "LEA256_CBC_MMT.rsp", 32, "CBC", kind::answers, 10},
    {"lea-kisa", "LEA128_CFB128_MMT.rsp", 16, "CFB128", kind::answers, 10},
    {"lea-kisa", "LEA192_CFB128_MMT.rsp", 24, "CFB128", kind::answers, 10},
    {"lea-kisa", "LEA256_CFB128_MMT.rsp", 32, "CFB128", kind::answers, 10},
    {"lea-kisa", "LEA128_OFB_MMT.rsp", 16, "OFB", kind::answers, 10},
    {"lea-kisa", "LEA192_OFB_MMT.rsp", 24, "OFB", kind::answers, 10},
    {"lea-kisa", "LEA256_OFB_MMT.rsp", 32, "OFB", kind::answers, 10},
    {"lea-kisa", "LEA128_CCM_GE.rsp", 16, "CCM", kind::answers, 10},
    {"lea-kisa", "LEA192_CCM_GE.rsp", 24, "CCM", kind::answers, 10},
    {"lea-kisa", "LEA256_CCM_GE.rsp", 32, "CCM", kind::answers, 10},
};

constexpr std::size_t monte_carlo_iterations = 1000;

struct answer {
    std::string where;
    std::size_t count = 0;
    bytes key;
    bytes iv;  // CCM: the nonce
    bytes aad;
    bytes plaintext;
    bytes ciphertext;  // CCM: and the tag
};

// CFB and OFB in a record of the official files have whole blocks; in pieces of 7 they begin and end within blocks.
void check_answer(const mode& m, const answer& a) {
    check_bytes(a.ciphertext, encrypted(m, a.key, a.iv, a.plaintext), a.where, " encrypt");
    check_bytes(a.plaintext, decrypted(m, a.key, a.iv, a.ciphertext), a.where, " decrypt");
    const auto seven = [] { return std::size_t{7}; };
    bytes out(a.ciphertext.size() + 16);
    out.resize(in_pieces(*m.encryptor(a.key, a.iv, a.plaintext.size()), a.plaintext, out, seven));
    check_bytes(a.ciphertext, out, a.where, " encrypt in pieces");
    std::size_t taken = 0;
    const auto back = m.decryptor(a.key, a.iv, a.ciphertext, taken);
    out.resize(in_pieces(*back, bytes_view(a.ciphertext).first(taken), out, seven));
    check_bytes(a.plaintext, out, a.where, " decrypt in pieces");
}

void check_ccm(const answer& a) {
    const lea_ccm key(a.key, a.ciphertext.size() - a.plaintext.size());
    check_bytes(a.ciphertext, ccm_seal(key, a.iv, a.aad, a.plaintext), a.where, " seal");
    bytes out(a.plaintext.size());
    check(key.open(a.iv, a.aad, a.ciphertext, out) == status::ok, a.where, " open");
    check_bytes(a.plaintext, out, a.where, " open");
    bytes wrong = a.ciphertext;
    wrong.back() ^= std::byte{1};
    check(key.open(a.iv, a.aad, wrong, out) == status::auth_failed, a.where, " changed tag");
}

// The chain runs on; the IV and then the ciphertext of two encryptions before is what is encrypted.
struct monte_carlo_end {
    bytes last;
    bytes before;
};

monte_carlo_end monte_carlo(const answer& a, std::size_t iterations) {
    lea_cbc_encryptor e(lea(a.key), a.iv, cbc_padding::none);
    lea_cbc_decryptor d(lea(a.key), a.iv, cbc_padding::none);
    monte_carlo_end m{a.iv, {}};
    bytes text = a.plaintext;
    for (std::size_t i = 0; i < iterations; ++i) {
        m.before = m.last;
        bytes back(16);
        std::size_t written = 0;
        EXPECT_EQ(e.update(text, m.last, written), status::ok);
        EXPECT_EQ(written, 16U);
        EXPECT_EQ(d.update(m.last, back, written), status::ok);
        if (back != text) check_bytes(text, back, a.where, " decrypt, iteration ", i);
        text = m.before;
    }
    return m;
}

// COUNT n + 1 follows from COUNT n: the key is XORed with the last key-size bytes of the ciphertexts, the IV is the
// last of them, the plaintext the one before.
void check_feedback(const answer& a, const monte_carlo_end& end, const answer& next) {
    bytes stream = end.before;
    stream.insert(stream.end(), end.last.begin(), end.last.end());
    bytes key = a.key;
    const std::size_t skip = stream.size() - key.size();
    for (std::size_t i = 0; i < key.size(); ++i) key[i] ^= stream[skip + i];
    check_bytes(next.key, key, next.where, " key");
    check_bytes(next.iv, end.last, next.where, " IV");
    check_bytes(next.plaintext, end.before, next.where, " plaintext");
}

// So that every table is called where a record's mode or size does not: encryption in CBC and OFB are chains.
void call_table() {
    std::byte block[16] = {};
    EXPECT_EQ(lea(pattern(16)).encrypt_blocks(block, block), status::ok);
}

answer read(record& r, std::size_t count, const official& f) {
    answer a{r.where(), count, r.take_hex("KEY"), {}, {}, r.take_hex("PT"), r.take_hex("CT")};
    if (std::string_view(f.as) == "CCM") {
        a.iv = r.take_hex("NONCE");
        a.aad = r.take_hex("AAD");
        const bytes tag = r.take_hex("TAG");
        a.ciphertext.insert(a.ciphertext.end(), tag.begin(), tag.end());
    } else {
        a.iv = r.take_hex("IV");
    }
    if (r.has("COUNT")) {
        EXPECT_EQ(r.take_number("COUNT"), count) << a.where;
    }
    r.done();
    return a;
}

class KatModes : public testing::TestWithParam<official> {};

TEST_P(KatModes, OfficialFile) {
    const official& f = GetParam();
    auto file = official_file(f.folder, f.name, first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    ASSERT_EQ(file->records.size(), f.records);
    std::vector<answer> answers;
    for (record& r : file->records) {
        answers.push_back(read(r, answers.size(), f));
        ASSERT_EQ(answers.back().key.size(), f.key_size) << answers.back().where;
    }
    for_each_table(lea_tables, [&](const lea_table&) {
        call_table();
        if (std::string_view(f.as) == "CCM") {
            for (const answer& a : answers) check_ccm(a);
        } else if (f.what == kind::answers) {
            for (const answer& a : answers) check_answer(mode_of(f.as), a);
        } else {
            const std::size_t n = scaled(10 * answers.size(), 20) < answers.size() ? 5 : answers.size();
            for (std::size_t i = 0; i < n; ++i) {
                const monte_carlo_end end = monte_carlo(answers[i], monte_carlo_iterations);
                check_bytes(answers[i].ciphertext, end.last, answers[i].where);
                if (i + 1 < answers.size()) check_feedback(answers[i], end, answers[i + 1]);
            }
        }
    });
}

std::string test_name(const testing::TestParamInfo<official>& i) {
    std::string name = i.param.name;
    std::ranges::replace_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, KatModes, testing::ValuesIn(files), test_name);

TEST(KatFiles, EveryFileOfAModeIsRead) {
    for (const std::string folder : {"lea-cavp", "lea-kisa"}) {
        for (const std::string& name : official_names(folder)) {
            const bool ours = std::ranges::any_of(std::initializer_list<const char*>{"CBC", "CFB", "OFB", "CCM", "XTS"},
                                                  [&](const char* m) { return name.find(m) != std::string::npos; });
            const bool read =
                std::ranges::any_of(files, [&](const official& f) { return folder == f.folder && name == f.name; });
            EXPECT_EQ(read, ours) << "no test reads " << folder << '/' << name;
        }
    }
}

// The repository's own files; every record is judged by plain arithmetic too.
struct own {
    const char* mode;
    std::size_t records;
};
constexpr own own_modes[] = {{"CBC", 45}, {"CFB128", 10}, {"OFB", 10}, {"CCM", 10}};

TEST(KatModes, OwnFiles) {
    for (const std::size_t key_size : lea_key_sizes) {
        for (const own& o : own_modes) {
            const bool ccm = std::string_view(o.mode) == "CCM";
            const std::string algorithm = "LEA-" + std::to_string(8 * key_size) + "-" + o.mode;
            record_file file = own_records(algorithm + ".kat");
            check_header(file.header, algorithm, file.records.size());
            EXPECT_GE(file.records.size(), o.records) << algorithm;
            for (record& r : file.records) {
                answer a{r.where(), 0, r.take_hex("key"), {}, {}, r.take_hex("plaintext"), r.take_hex("ciphertext")};
                a.iv = r.take_hex(ccm ? "nonce" : "iv");
                const std::size_t iterations = r.has("iterations") ? r.take_number("iterations") : 0;
                if (ccm) {
                    a.aad = r.take_hex("aad");
                    const bytes tag = r.take_hex("tag");
                    a.ciphertext.insert(a.ciphertext.end(), tag.begin(), tag.end());
                    check_bytes(a.ciphertext, plain::ccm_seal(a.key, a.iv, a.aad, a.plaintext, tag.size()), a.where,
                                " plain arithmetic");
                } else if (iterations == 0) {
                    check_bytes(a.ciphertext, mode_of(o.mode).plain(a.key, a.iv, a.plaintext), a.where,
                                " plain arithmetic");
                }
                r.done();
                EXPECT_EQ(a.key.size(), key_size) << a.where;
                for_each_table(lea_tables, [&](const lea_table&) {
                    call_table();
                    if (ccm) {
                        check_ccm(a);
                    } else if (iterations != 0) {
                        check_bytes(a.ciphertext, monte_carlo(a, iterations).last, a.where);
                    } else {
                        check_answer(mode_of(o.mode), a);
                    }
                });
            }
        }
    }
}

// The judge of texts that have no official answer, decrypting too.
TEST(KatPlain, ModesDecryptWhatTheyEncrypt) {
    random_source random = seeded(160);
    for (std::size_t n = 0; n <= 100; ++n) {
        const bytes key = random.take(lea_key_sizes[n % 3]);
        const plain::block iv = plain::block_of(random.take(16));
        const bytes text = random.take(n);
        for (const std::size_t segment : {1, 8, 16}) {
            EXPECT_EQ(plain::cfb_decrypt(key, iv, segment, plain::cfb_encrypt(key, iv, segment, text)), text);
        }
        EXPECT_EQ(plain::ofb(key, iv, plain::ofb(key, iv, text)), text);
        const bytes padded = plain::pkcs7_padded(text);
        EXPECT_EQ(plain::cbc_decrypt(key, iv, plain::cbc_encrypt(key, iv, padded)), padded);
        if (n < 16) continue;
        const bytes keys = random.take(2 * key.size());
        EXPECT_EQ(plain::xts_decrypt(keys, iv, plain::xts_encrypt(keys, iv, text)), text);
    }
}

}  // namespace
}  // namespace hwacha::test
