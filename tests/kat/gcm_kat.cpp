// Known answers of LEA-GCM, each on every pair of LEA and GHASH tables.
#include "support/gcm.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

struct answer {
    std::string where;
    gcm_message message;
    bytes sealed;
};

void check_answers(const std::vector<answer>& answers) {
    for_each_gcm(pairing::every_pair, [&] {
        for (const answer& a : answers) {
            const gcm_message& m = a.message;
            const lea_gcm key(m.key);
            check_bytes(a.sealed, seal(key, m.nonce, m.aad, m.plaintext), a.where, " seal");
            bytes out(m.plaintext.size());
            check(key.open(m.nonce, m.aad, a.sealed, out) == status::ok, a.where, " open");
            check_bytes(m.plaintext, out, a.where, " open");
            check_bytes(a.sealed, seal_in_pieces(key, m, [] { return std::size_t{7}; }), a.where, " seal in pieces");
            check_bytes(m.plaintext,
                        open_in_pieces(
                            key, m, a.sealed, [] { return std::size_t{19}; }, status::ok),
                        a.where, " open in pieces");
        }
    });
}

class KatGcm : public testing::TestWithParam<std::size_t> {};

TEST_P(KatGcm, OfficialFile) {
    auto file = official_file("lea-kisa", "LEA" + std::to_string(8 * GetParam()) + "_GCM_AE.rsp", first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    ASSERT_EQ(file->records.size(), 10U);
    std::vector<answer> answers;
    for (record& r : file->records) {
        EXPECT_EQ(r.take_number("COUNT"), answers.size());
        answer a{r.where(), {r.take_hex("KEY"), r.take_hex("NONCE"), r.take_hex("AAD"), r.take_hex("PT")}, {}};
        a.sealed = joined(r.take_hex("CT"), r.take_hex("TAG"));
        r.done();
        ASSERT_EQ(a.message.key.size(), GetParam());
        ASSERT_EQ(a.sealed.size(), a.message.plaintext.size() + 16);
        answers.push_back(std::move(a));
    }
    check_answers(answers);
}

INSTANTIATE_TEST_SUITE_P(Files, KatGcm, testing::Values(16, 24, 32));

TEST(KatGcm, OwnFiles) {
    for (const char* algorithm : {"LEA-128-GCM", "LEA-192-GCM", "LEA-256-GCM"}) {
        record_file file = own_records(std::string(algorithm) + ".kat");
        check_header(file.header, algorithm, file.records.size());
        EXPECT_EQ(file.records.size(), 10U);
        std::vector<answer> answers;
        for (record& r : file.records) {
            answer a{
                r.where(), {r.take_hex("key"), r.take_hex("nonce"), r.take_hex("aad"), r.take_hex("plaintext")}, {}};
            a.sealed = joined(r.take_hex("ciphertext"), r.take_hex("tag"));
            r.done();
            check_bytes(a.sealed, plain_seal(a.message), a.where, " plain arithmetic");
            answers.push_back(std::move(a));
        }
        check_answers(answers);
    }
}

}  // namespace
}  // namespace hwacha::test
