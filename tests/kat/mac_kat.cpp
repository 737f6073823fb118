// Known answers of CMAC-LEA (KISA's) and of GMAC-LEA (computed by vectors/derive.py).
#include <hwacha/gmac_lea.hpp>

#include "support/mac.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

void check_cmac(const std::string& where, bytes_view key, bytes_view message, bytes_view expected) {
    check_bytes(expected, cmac(key, message), where, " in one call");
    cmac_lea pieces(key);
    const std::size_t half = message.size() / 2;
    bytes out(16);
    check(pieces.update(message.first(half)).update(message.subspan(half)).finish(out) == status::ok, where);
    check_bytes(expected, out, where, " in two pieces");
    pieces.reset();
    check(pieces.update(message).verify(expected) == status::ok, where, " verify");
    check_bytes(expected, plain_cmac(key, message), where, " plain arithmetic");
}

class KatCmac : public testing::TestWithParam<std::size_t> {};

TEST_P(KatCmac, OfficialFile) {
    auto file = official_file("lea-kisa", "LEA" + std::to_string(8 * GetParam()) + "_CMAC_GEN.rsp", first_record::data);
    if (!file) GTEST_SKIP() << "not at hand";
    ASSERT_EQ(file->records.size(), 10U);
    std::size_t count = 0;
    for (record& r : file->records) {
        EXPECT_EQ(r.take_number("COUNT"), count++);
        const bytes key = r.take_hex("KEY");
        const bytes message = r.take_hex("MSG");
        const bytes mac = r.take_hex("TAG");
        r.done();
        ASSERT_EQ(key.size(), GetParam());
        ASSERT_EQ(mac.size(), 16U);
        check_cmac(r.where(), key, message, mac);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, KatCmac, testing::Values(16, 24, 32));

TEST(KatCmac, OwnFiles) {
    for (const std::size_t key_size : {16, 24, 32}) {
        const std::string algorithm = "LEA-" + std::to_string(8 * key_size) + "-CMAC";
        record_file file = own_records(algorithm + ".kat");
        check_header(file.header, algorithm, file.records.size());
        EXPECT_EQ(file.records.size(), 10U);
        for (record& r : file.records) {
            const bytes key = r.take_hex("key");
            EXPECT_EQ(key.size(), key_size);
            const bytes message = r.take_hex("message");
            check_cmac(r.where(), key, message, r.take_hex("mac"));
            r.done();
        }
    }
}

TEST(KatGmac, OwnFile) {
    record_file file = own_records("GMAC-LEA.kat");
    check_header(file.header, "GMAC-LEA", file.records.size());
    EXPECT_EQ(file.records.size(), 21U);
    for (record& r : file.records) {
        const bytes key_bytes = r.take_hex("key");
        const bytes nonce = r.take_hex("nonce");
        const bytes data = r.take_hex("data");
        const bytes expected = r.take_hex("mac");
        r.done();
        for_each_gcm(pairing::every_pair, [&] {
            const lea_gcm key(key_bytes);
            bytes out(16);
            check(gmac_lea::mac(key, nonce, data, out) == status::ok, r.where());
            check_bytes(expected, out, r.where(), " in one call");
            check(gmac_lea::verify(key, nonce, data, expected) == status::ok, r.where(), " verify in one call");
            gmac_lea m(key, nonce);
            check(m.update(data) == status::ok && m.finish(out) == status::ok, r.where());
            check_bytes(expected, out, r.where());
        });
    }
}

}  // namespace
}  // namespace hwacha::test
