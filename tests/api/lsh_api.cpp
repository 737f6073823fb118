// lsh.hpp and hmac_lsh.hpp: streaming, states, misuse.
#include <array>
#include <new>
#include <type_traits>

#include "support/lsh.hpp"
#include "support/residue.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

constexpr lsh_variant no_variant = static_cast<lsh_variant>(99);

TEST(ApiLsh, AgreesWithPlainArithmetic) {
    for_each_lsh([](const lsh_info& i) {
        random_source random = seeded(10);
        for (std::size_t n = 0; n <= 2 * i.block_size + 1; n += full_scale() ? 1 : 23) {
            const bytes data = random.take(n);
            check_bytes(plain_hash(i, data), hash(i, data), n, " bytes");
        }
    });
}

TEST(ApiLsh, BitCountsAgreeWithPlainArithmetic) {
    for_each_lsh([](const lsh_info& i) {
        random_source random = seeded(11);
        for (const std::size_t whole :
             {std::size_t{0}, std::size_t{1}, i.block_size - 1, i.block_size, i.block_size + 1}) {
            for (unsigned bits = 1; bits <= 7; ++bits) {
                const bytes data = random.take(whole + 1);
                lsh h(i.variant);
                h.update(bytes_view(data).first(whole));
                const bytes expected = plain::lsh(word_bits(i), digest_bits(i), data, 8 * whole + bits);
                check_bytes(expected, finish_bits(h, data[whole], bits), whole, " bytes and ", bits, " bits");
                // The bits after the last one do not count.
                h.reset();
                h.update(bytes_view(data).first(whole));
                check_bytes(expected, finish_bits(h, data[whole] ^ static_cast<std::byte>(0xffU >> bits), bits),
                            "other rest");
            }
        }
    });
}

TEST(ApiLsh, RandomPieces) {
    for_each_lsh([](const lsh_info& i) {
        random_source random = seeded(12);
        for (std::size_t round = 0; round < scaled(2'000); ++round) {
            const bytes data = random.take(random.below(4096));
            lsh h(i.variant);
            bytes_view rest = data;
            while (!rest.empty()) {
                const std::size_t n =
                    std::min(rest.size(), random.below(2) != 0 ? random.below(20) : random.below(600));
                h.update(rest.first(n));
                rest = rest.subspan(n);
            }
            if (!check_bytes(hash(i, data), finish(h), data.size(), " bytes, round ", round)) break;
        }
    });
}

TEST(ApiLsh, CopiesContinueFromTheSamePoint) {
    for_each_lsh([](const lsh_info& i) {
        const bytes data = pattern(3 * i.block_size);
        for (std::size_t at = 0; at <= data.size(); at += 13) {
            lsh h(i.variant);
            h.update(bytes_view(data).first(at));
            lsh copied(h);
            lsh assigned(i.variant);
            assigned.update(data);
            assigned = h;
            h.update(bytes_view(data).subspan(at));
            check_bytes(hash(i, data), finish(h), "original at ", at);
            check_bytes(hash(i, bytes_view(data).first(at)), finish(copied), "copy at ", at);
            assigned.update(bytes_view(data).first(7));
            bytes other = copy_of(bytes_view(data).first(at));
            other.insert(other.end(), data.begin(), data.begin() + 7);
            check_bytes(hash(i, other), finish(assigned), "assigned at ", at);
        }
    });
}

TEST(ApiLsh, ResetForgetsTheMessage) {
    for_each_lsh([](const lsh_info& i) {
        const bytes data = pattern(i.block_size + 50);
        lsh h(i.variant);
        h.update(data);
        h.reset();
        check_bytes(hash(i, {}), finish(h), "reset in the middle");
        h.reset();
        h.update(bytes_view(data).first(3));
        check_bytes(hash(i, bytes_view(data).first(3)), finish(h), "reset after finish");
    });
}

TEST(ApiLsh, DigestBufferLargerThanTheDigest) {
    for_each_lsh([](const lsh_info& i) {
        bytes out = repeated(i.digest_size + 9, 0x5a);
        EXPECT_EQ(lsh::hash(i.variant, bytes_of("abc"), out), status::ok);
        check_bytes(hash(i, bytes_of("abc")), bytes_view(out).first(i.digest_size), "digest");
        check_bytes(repeated(9, 0x5a), bytes_view(out).subspan(i.digest_size), "behind the digest");
    });
}

TEST(ApiLsh, MisuseIsRefusedAndChangesNothing) {
    for_each_lsh([](const lsh_info& i) {
        bytes out = repeated(64, 0x5a);
        const bytes untouched = out;
        const bytes_span small = bytes_span(out).first(i.digest_size - 1);
        lsh h(i.variant);
        h.update(bytes_of("ab"));
        check(h.finish(small) == status::buffer_too_small, "finish into a small buffer");
        check(h.finish_bits(std::byte{0}, 3, small) == status::buffer_too_small, "finish_bits into a small buffer");
        for (const unsigned bits : {0U, 8U, 9U, 0xffffffffU}) {
            check(h.finish_bits(std::byte{0}, bits, out) == status::bad_bit_count, bits, " bits");
        }
        check(lsh::hash(i.variant, bytes_of("ab"), small) == status::buffer_too_small, "hash into a small buffer");
        check_bytes(untouched, out, "after refusals");
        h.update(bytes_of("c"));
        check_bytes(hash(i, bytes_of("abc")), finish(h), "the message went on");
        check(h.finish(out) == status::finished, "finish twice");
        check(h.finish_bits(std::byte{0}, 3, out) == status::finished, "finish_bits after finish");
        h.update(bytes_of("d"));
        check(h.finish(out) == status::finished, "update after finish does not revive");
        check_bytes(untouched, out, "after finish");
    });
    bytes out = repeated(64, 0x5a);
    EXPECT_EQ(lsh::hash(no_variant, {}, out), status::unknown_algorithm);
    EXPECT_EQ(out, repeated(64, 0x5a));
    EXPECT_EQ(thrown_by([] { lsh h(no_variant); }), status::unknown_algorithm);
    EXPECT_EQ(find_lsh(no_variant), nullptr);
}

TEST(ApiLsh, NamesAndSizes) {
    struct row {
        const char* name;
        lsh_variant variant;
        std::size_t digest;
        std::size_t block;
    };
    constexpr row rows[] = {
        {"LSH-256-224", lsh_variant::lsh256_224, 28, 128}, {"LSH-256-256", lsh_variant::lsh256_256, 32, 128},
        {"LSH-512-224", lsh_variant::lsh512_224, 28, 256}, {"LSH-512-256", lsh_variant::lsh512_256, 32, 256},
        {"LSH-512-384", lsh_variant::lsh512_384, 48, 256}, {"LSH-512-512", lsh_variant::lsh512_512, 64, 256},
    };
    ASSERT_EQ(lsh_variants().size(), std::size(rows));
    for (std::size_t n = 0; n < std::size(rows); ++n) {
        const row& r = rows[n];
        const lsh_info& i = lsh_variants()[n];
        EXPECT_EQ(i.name, r.name);
        EXPECT_EQ(i.variant, r.variant);
        EXPECT_EQ(i.digest_size, r.digest);
        EXPECT_EQ(i.block_size, r.block);
        EXPECT_EQ(find_lsh(r.variant), &i);
        const lsh h(r.variant);
        EXPECT_EQ(h.name(), r.name);
        EXPECT_EQ(h.digest_size(), r.digest);
        EXPECT_EQ(h.block_size(), r.block);
        EXPECT_EQ(h.variant(), r.variant);
    }
    constexpr std::pair<const char*, const char*> aliases[] = {
        {"lsh-256-256", "LSH-256-256"}, {"LSH256-256", "LSH-256-256"}, {"LSH-256_256", "LSH-256-256"},
        {"LSH-256", "LSH-256-256"},     {"Lsh-512", "LSH-512-512"},    {"LSH-224", "LSH-256-224"},
        {"LSH-384", "LSH-512-384"},     {"lsh512-384", "LSH-512-384"}, {"LSH-512_224", "LSH-512-224"},
    };
    for (const auto& [alias, name] : aliases) {
        ASSERT_NE(find_lsh(std::string_view(alias)), nullptr) << alias;
        EXPECT_EQ(find_lsh(std::string_view(alias))->name, name);
    }
    for (const char* unknown : {"", "LSH", "LSH-", "LSH-256-", "LSH-256-257", "LSH-256-2560", " LSH-256", "SHA-256",
                                ",", "LSH-224,LSH-256"}) {
        EXPECT_EQ(find_lsh(std::string_view(unknown)), nullptr) << unknown;
    }
}

template <class Fixed>
void check_fixed(lsh_variant v) {
    const lsh_info& i = *find_lsh(v);
    const bytes expected = hash(i, bytes_of("abc"));
    EXPECT_EQ(Fixed::digest_size, i.digest_size);
    EXPECT_EQ(copy_of(Fixed::hash(bytes_of("abc"))), expected);
    Fixed h;
    h.update(bytes_of("a")).update(bytes_of("bc"));
    EXPECT_EQ(copy_of(h.finish()), expected);
    EXPECT_EQ(thrown_by([&] { static_cast<void>(h.finish()); }), status::finished);
    h.reset();
    EXPECT_EQ(thrown_by([&] { static_cast<void>(h.finish_bits(std::byte{0}, 8)); }), status::bad_bit_count);
    lsh same(v);
    EXPECT_EQ(copy_of(h.update(bytes_of("abc")).finish_bits(std::byte{0x60}, 4)),
              finish_bits(same.update(bytes_of("abc")), std::byte{0x60}, 4));
}

TEST(ApiLsh, VariantsAsTypes) {
    check_fixed<lsh256_224>(lsh_variant::lsh256_224);
    check_fixed<lsh256_256>(lsh_variant::lsh256_256);
    check_fixed<lsh512_224>(lsh_variant::lsh512_224);
    check_fixed<lsh512_256>(lsh_variant::lsh512_256);
    check_fixed<lsh512_384>(lsh_variant::lsh512_384);
    check_fixed<lsh512_512>(lsh_variant::lsh512_512);
    static_assert(std::is_nothrow_copy_constructible_v<lsh> && std::is_nothrow_copy_assignable_v<lsh>);
    static_assert(std::is_nothrow_copy_constructible_v<hmac_lsh>);
    static_assert(!std::is_trivially_destructible_v<lsh>);
}

TEST(ApiLsh, MessageAndDigestBetweenGuardPages) {
    for_each_lsh([](const lsh_info& i) {
        guarded message(3 * i.block_size);
        guarded digest(64);
        const bytes data = pattern(3 * i.block_size);
        for (std::size_t n = 0; n <= data.size(); n += n < 2 * i.block_size + 2 ? 1 : 17) {
            const bytes_view part = bytes_view(data).first(n);
            const bytes expected = hash(i, part);
            for (const bool front : {false, true}) {
                const bytes_span out = digest.at(front, i.digest_size);
                EXPECT_EQ(lsh::hash(i.variant, message.at(front, part), out), status::ok);
                check_bytes(expected, out, n, " bytes");
            }
        }
    });
}

// The digest may be written over the message.
TEST(ApiLsh, DigestOverTheMessage) {
    for_each_lsh([](const lsh_info& i) {
        bytes data = pattern(500);
        const bytes expected = hash(i, data);
        EXPECT_EQ(lsh::hash(i.variant, data, data), status::ok);
        check_bytes(expected, bytes_view(data).first(i.digest_size), "in place");
    });
}

TEST(ApiLsh, LeavesNothingBehind) {
    for_each_lsh([](const lsh_info& i) {
        for (const bool finished : {false, true}) {
            const auto use = [&](lsh& h, std::uint64_t secret) {
                random_source random(secret);
                h.update(random.take(i.block_size + 100));
                if (finished) static_cast<void>(finish(h));
            };
            expect_no_residue<lsh>([&](void* at, std::uint64_t) { return new (at) lsh(i.variant); }, use);
        }
    });
}

bytes hmac(hmac_lsh& m) {
    bytes out(m.mac_size());
    EXPECT_EQ(m.finish(out), status::ok);
    return out;
}

TEST(ApiHmac, AgreesWithPlainArithmetic) {
    for_each_lsh([](const lsh_info& i) {
        random_source random = seeded(20);
        const std::size_t b = i.block_size;
        for (const std::size_t key_size : {std::size_t{0}, std::size_t{1}, b - 1, b, b + 1, 2 * b + 3}) {
            for (const std::size_t size : {std::size_t{0}, std::size_t{1}, b - 1, b, b + 1}) {
                const bytes key = random.take(key_size);
                const bytes data = random.take(size);
                const bytes expected = plain::hmac_lsh(word_bits(i), digest_bits(i), key, data);
                check_bytes(expected, mac(i, key, data), key_size, " and ", size, " bytes");
                hmac_lsh m(i.variant, key);
                for (const std::byte& byte : data) m.update(bytes_view(&byte, 1));
                hmac_lsh copy(m);
                check_bytes(expected, hmac(m), "byte by byte");
                check_bytes(expected, hmac(copy), "copy");
                m.reset();
                check_bytes(expected, hmac(m.update(data)), "after reset");
            }
        }
    });
}

TEST(ApiHmac, VerifyAcceptsTheWholeMacAndNothingElse) {
    for_each_lsh([](const lsh_info& i) {
        const bytes good = mac(i, bytes_of("key"), bytes_of("message"));
        const auto verify = [&](bytes_view tag) {
            hmac_lsh m(i.variant, bytes_of("key"));
            return m.update(bytes_of("message")).verify(tag);
        };
        check(verify(good) == status::ok, "the MAC");
        for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
            bytes bad = good;
            bad[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
            check(verify(bad) == status::auth_failed, "bit ", bit);
        }
        bytes long_tag = good;
        long_tag.push_back(std::byte{0});
        check(verify(long_tag) == status::bad_tag_length, "too long");
        for (std::size_t n = 0; n < good.size(); ++n)
            check(verify(bytes_view(good).first(n)) == status::bad_tag_length, n, " bytes");
    });
}

TEST(ApiHmac, MisuseIsRefusedAndChangesNothing) {
    for_each_lsh([](const lsh_info& i) {
        bytes out = repeated(64, 0x5a);
        const bytes untouched = out;
        hmac_lsh m(i.variant, bytes_of("key"));
        m.update(bytes_of("mess"));
        EXPECT_EQ(m.variant(), i.variant);
        EXPECT_EQ(m.mac_size(), i.digest_size);
        check(m.finish(bytes_span(out).first(i.digest_size - 1)) == status::buffer_too_small, "small buffer");
        check(m.verify(bytes_view(out).first(3)) == status::bad_tag_length, "short tag");
        check(hmac_lsh::mac(i.variant, {}, {}, bytes_span(out).first(i.digest_size - 1)) == status::buffer_too_small,
              "one call");
        check_bytes(untouched, out, "after refusals");
        m.update(bytes_of("age"));
        check_bytes(mac(i, bytes_of("key"), bytes_of("message")), hmac(m), "the message went on");
        check(m.finish(out) == status::finished, "finish twice");
        m.update(bytes_of("more"));
        check(m.finish(out) == status::finished, "update does not revive");
        check(m.verify(bytes_view(out).first(i.digest_size)) == status::finished, "verify after finish");
        check_bytes(untouched, out, "after finish");
    });
    bytes out = repeated(64, 0x5a);
    EXPECT_EQ(hmac_lsh::mac(no_variant, {}, {}, out), status::unknown_algorithm);
    EXPECT_EQ(out, repeated(64, 0x5a));
    EXPECT_EQ(thrown_by([] { hmac_lsh m(no_variant, {}); }), status::unknown_algorithm);
}

TEST(ApiHmac, KeyMessageAndMacBetweenGuardPages) {
    for_each_lsh([](const lsh_info& i) {
        guarded key(600);
        guarded message(600);
        guarded tag(64);
        const bytes data = pattern(600);
        for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{31}, i.block_size - 1, i.block_size,
                                    i.block_size + 1, 2 * i.block_size}) {
            const bytes_view part = bytes_view(data).first(n);
            for (const bool front : {false, true}) {
                const bytes_span out = tag.at(front, i.digest_size);
                EXPECT_EQ(hmac_lsh::mac(i.variant, key.at(front, part), message.at(front, part), out), status::ok);
                check_bytes(mac(i, part, part), out, n, " bytes");
                hmac_lsh m(i.variant, part);
                check(m.update(part).verify(out) == status::ok, "verify");
            }
        }
    });
}

TEST(ApiHmac, LeavesNothingBehind) {
    for_each_lsh([](const lsh_info& i) {
        for (const bool finished : {false, true}) {
            const auto make = [&](void* at, std::uint64_t secret) {
                random_source random(secret);
                return new (at) hmac_lsh(i.variant, random.take(40));
            };
            const auto use = [&](hmac_lsh& m, std::uint64_t secret) {
                random_source random(secret + 1);
                m.update(random.take(i.block_size + 100));
                if (finished) static_cast<void>(hmac(m));
            };
            expect_no_residue<hmac_lsh>(make, use);
        }
    });
}

}  // namespace
}  // namespace hwacha::test
