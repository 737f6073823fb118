// CMAC-LEA and GMAC-LEA: every length and split against plain arithmetic, misuse, copies, residue.
#include <hwacha/gmac_lea.hpp>

#include <memory>

#include "support/mac.hpp"
#include "support/residue.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

constexpr std::size_t key_sizes[] = {16, 24, 32};

TEST(ApiCmac, LengthsAndSplits) {
    random_source random = seeded(310);
    for (const std::size_t key_size : key_sizes) {
        const bytes key = random.take(key_size);
        for (std::size_t n = 0; n <= 70; ++n) {
            const bytes data = random.take(n);
            const bytes expected = plain_cmac(key, data);
            check_bytes(expected, cmac(key, data), n, " bytes");
            cmac_lea m{lea(key)};
            for (std::size_t round = 0; round < 10; ++round) {
                bytes out(16);
                m.reset();
                for (std::size_t at = 0; at < n;) {
                    const std::size_t piece = std::min(random.below(36), n - at);
                    m.update(bytes_view(data).subspan(at, piece));
                    at += piece;
                }
                check(m.finish(out) == status::ok, n, " bytes");
                check_bytes(expected, out, n, " bytes in pieces");
            }
        }
        const bytes data = random.take(10000);
        check_bytes(plain_cmac(key, data), cmac(key, data), "10000 bytes");
    }
}

TEST(ApiCmac, TruncatedOnlyByChoice) {
    const bytes key = counting(32);
    const bytes data = pattern(100);
    const bytes whole = cmac(key, data);
    for (std::size_t n = 0; n <= 20; ++n) {
        for (const bool short_macs : {false, true}) {
            const cmac_lea_options options{.mac_size = n, .short_macs = short_macs};
            const bool offered = n <= 16 && n >= (short_macs ? 4U : 8U);
            EXPECT_EQ(thrown_by([&] { cmac_lea(key, options); }), offered ? status::ok : status::bad_tag_length) << n;
            if (!offered) continue;
            cmac_lea m(key, options);
            EXPECT_EQ(m.mac_size(), n);
            bytes out = repeated(17, 0xa5);
            EXPECT_EQ(m.update(data).finish(out), status::ok);
            bytes expected = repeated(17, 0xa5);
            put(bytes_view(whole).first(n), expected, 0);
            EXPECT_EQ(out, expected);
            // What is compared is never decided by the length that arrives.
            for (std::size_t given = 0; given <= 16; ++given) {
                m.reset();
                EXPECT_EQ(m.update(data).verify(bytes_view(whole).first(given)),
                          given == n ? status::ok : status::bad_tag_length);
                if (given != n) {
                    EXPECT_EQ(m.verify(bytes_view(whole).first(n)), status::ok) << "the message did not go on";
                }
            }
        }
    }
}

TEST(ApiCmac, EveryBitOfTheMacCounts) {
    const bytes key = counting(16);
    bytes mac = cmac(key, pattern(40));
    for (std::size_t bit = 0; bit < 128; ++bit) {
        mac[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        cmac_lea m(key);
        EXPECT_EQ(m.update(pattern(40)).verify(mac), status::auth_failed);
        EXPECT_EQ(m.verify(mac), status::finished);
        mac[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
    cmac_lea m(key);
    EXPECT_EQ(m.update(pattern(40)).verify(mac), status::ok);
}

TEST(ApiCmac, Misuse) {
    for (std::size_t n = 0; n <= 40; ++n) {
        const bool good = n == 16 || n == 24 || n == 32;
        const bytes key(n);
        EXPECT_EQ(thrown_by([&] { cmac_lea{bytes_view(key)}; }), good ? status::ok : status::bad_key_length);
        bytes out = repeated(16, 0xa5);
        EXPECT_EQ(cmac_lea::mac(key, {}, out), good ? status::ok : status::bad_key_length);
        EXPECT_EQ(out == repeated(16, 0xa5), !good);
    }
    const bytes key = counting(16);
    bytes small = repeated(15, 0xa5);
    EXPECT_EQ(cmac_lea::mac(key, {}, small), status::buffer_too_small);
    cmac_lea m(key);
    m.update(pattern(5));
    EXPECT_EQ(m.finish(small), status::buffer_too_small);
    EXPECT_EQ(small, repeated(15, 0xa5));
    bytes out(16);
    EXPECT_EQ(m.update(bytes_view(pattern(20)).subspan(5)).finish(out), status::ok);
    EXPECT_EQ(out, cmac(key, pattern(20)));
    bytes again = repeated(16, 0xa5);
    EXPECT_EQ(m.update(pattern(5)).finish(again), status::finished);
    EXPECT_EQ(m.verify(out), status::finished);
    EXPECT_EQ(again, repeated(16, 0xa5));
    m.reset();
    EXPECT_EQ(m.finish(again), status::ok);
    EXPECT_EQ(again, cmac(key, {}));
}

TEST(ApiCmac, CopiesGoOnApart) {
    const bytes key = counting(24);
    cmac_lea a(key);
    a.update(pattern(21));
    cmac_lea b = a;
    bytes out(16);
    EXPECT_EQ(a.update(bytes_view(pattern(50)).subspan(21)).finish(out), status::ok);
    EXPECT_EQ(out, cmac(key, pattern(50)));
    EXPECT_EQ(b.finish(out), status::ok);
    EXPECT_EQ(out, cmac(key, pattern(21)));
    b = a;
    EXPECT_EQ(b.finish(out), status::finished);
}

TEST(ApiCmac, OverItsInputAndBetweenGuardPages) {
    const bytes key = counting(32);
    for (const std::size_t n : {16, 17, 48}) {
        bytes data = pattern(n);
        const bytes expected = cmac(key, data);
        EXPECT_EQ(cmac_lea::mac(key, data, data), status::ok);
        EXPECT_EQ(copy_of(bytes_view(data).first(16)), expected);
    }
    guarded keys(32), texts(200), macs(16);
    for (const bool front : {false, true}) {
        for (std::size_t n = 0; n < 50; ++n) {
            const bytes_span out = macs.at(front, std::size_t{16});
            EXPECT_EQ(cmac_lea::mac(keys.at(front, bytes_view(key)), texts.at(front, bytes_view(pattern(n))), out),
                      status::ok);
            EXPECT_EQ(copy_of(out), cmac(key, pattern(n)));
        }
    }
}

TEST(ApiCmac, NoResidue) {
    for (const bool finish : {false, true}) {
        expect_no_residue<cmac_lea>(
            [](void* memory, std::uint64_t secret) { return new (memory) cmac_lea(random_source(secret).take(32)); },
            [=](cmac_lea& m, std::uint64_t secret) {
                m.update(random_source(~secret).take(55));
                bytes out(16);
                if (finish) static_cast<void>(m.finish(out));
            });
    }
}

bytes plain_gmac(bytes_view key, bytes_view nonce, bytes_view data) {
    return copy_of(plain::gcm_seal(key, nonce, data, {}).tag);
}

TEST(ApiGmac, LengthsAndSplits) {
    random_source random = seeded(320);
    for (const std::size_t key_size : key_sizes) {
        const bytes key_bytes = random.take(key_size);
        for (std::size_t n = 0; n <= 300; n += n < 40 ? 1 : 37) {
            const bytes nonce = random.take(n % 3 == 0 ? 12 : random.between(1, 30));
            const bytes data = random.take(n);
            const bytes expected = plain_gmac(key_bytes, nonce, data);
            for_each_gcm([&] {
                const lea_gcm key(key_bytes);
                bytes out(16);
                check(gmac_lea::mac(key, nonce, data, out) == status::ok, n, " bytes");
                check_bytes(expected, out, n, " bytes in one call");
                check(gmac_lea::verify(key, nonce, data, expected) == status::ok, n, " bytes, verify");
                for (const bool verify : {false, true}) {
                    gmac_lea m(key, nonce);
                    for (std::size_t at = 0; at < n;) {
                        const std::size_t piece = std::min(random.below(50), n - at);
                        check(m.update(bytes_view(data).subspan(at, piece)) == status::ok, n, " bytes");
                        at += piece;
                    }
                    if (verify) {
                        check(m.verify(expected) == status::ok, n, " bytes, verify");
                        continue;
                    }
                    bytes pieces(16);
                    check(m.finish(pieces) == status::ok, n, " bytes");
                    check_bytes(expected, pieces, n, " bytes in pieces");
                }
            });
        }
    }
}

TEST(ApiGmac, SizesOfMacAreTheKeys) {
    const bytes nonce = counting(12);
    for (const std::size_t size : {4, 8, 12, 13, 14, 15, 16}) {
        const lea_gcm key(counting(16), {.tag_size = size, .short_tags = size < 12});
        const bytes whole = plain_gmac(counting(16), nonce, pattern(30));
        for (std::size_t n = 0; n <= 17; ++n) {
            bytes out = repeated(n, 0xa5);
            gmac_lea m(key, nonce);
            EXPECT_EQ(m.mac_size(), size);
            EXPECT_EQ(m.update(pattern(30)), status::ok);
            EXPECT_EQ(m.finish(out), n == size ? status::ok : status::bad_tag_length);
            EXPECT_EQ(out, n == size ? copy_of(bytes_view(whole).first(n)) : repeated(n, 0xa5));
            if (n == size) continue;
            EXPECT_EQ(m.verify(out), status::bad_tag_length);
            EXPECT_EQ(m.verify(bytes_view(whole).first(size)), status::ok) << "the message did not go on";
        }
    }
}

TEST(ApiGmac, Misuse) {
    const lea_gcm key(counting(16));
    const bytes nonce = counting(12);
    EXPECT_EQ(thrown_by([&] { gmac_lea(key, {}); }), status::bad_nonce_length);
    bytes mac(16);
    EXPECT_EQ(gmac_lea::mac(key, {}, {}, mac), status::bad_nonce_length);
    EXPECT_EQ(gmac_lea::mac(key, nonce, mac, mac), status::overlap);
    EXPECT_EQ(gmac_lea::mac(key, mac, {}, mac), status::overlap);
    EXPECT_EQ(gmac_lea::mac(key, nonce, {}, {}), status::bad_tag_length);
    EXPECT_EQ(mac, bytes(16));
    gmac_lea m(key, nonce);
    EXPECT_EQ(m.update(pattern(100)), status::ok);
    EXPECT_EQ(m.finish(mac), status::ok);
    EXPECT_EQ(m.update(pattern(1)), status::finished);
    EXPECT_EQ(m.finish(mac), status::finished);
    EXPECT_EQ(m.verify(mac), status::finished);
    for (std::size_t bit = 0; bit < 128; ++bit) {
        mac[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        gmac_lea other(key, nonce);
        EXPECT_EQ(other.update(pattern(100)), status::ok);
        EXPECT_EQ(other.verify(mac), status::auth_failed);
        EXPECT_EQ(gmac_lea::verify(key, nonce, pattern(100), mac), status::auth_failed);
        mac[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
    // 2^61 - 1 bytes in all.
    if constexpr (sizeof(std::size_t) == 8) {
        gmac_lea longest(key, nonce);
        EXPECT_EQ(longest.update(pattern(1)), status::ok);
        EXPECT_EQ(longest.update({nonce.data(), (std::size_t{1} << 61) - 1}), status::message_too_long);
    }
}

TEST(ApiGmac, NoResidue) {
    for (const bool finish : {false, true}) {
        expect_no_residue<gmac_lea>(
            [](void* memory, std::uint64_t secret) {
                return new (memory) gmac_lea(lea_gcm(random_source(secret).take(32)), counting(12));
            },
            [=](gmac_lea& m, std::uint64_t secret) {
                static_cast<void>(m.update(random_source(~secret).take(55)));
                bytes out(16);
                if (finish) static_cast<void>(m.finish(out));
            });
    }
}

}  // namespace
}  // namespace hwacha::test
