// lea.hpp: blocks, CTR streams, misuse; rows of the list of known pitfalls about counter mode.
#include <array>
#include <new>

#include "support/lea.hpp"
#include "support/residue.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

TEST(ApiLea, EncryptsAndDecryptsAnyNumberOfBlocks) {
    for_each_table(lea_tables, [](const lea_table&) {
        random_source random = seeded(40);
        for (const std::size_t key_size : lea_key_sizes) {
            const bytes key_bytes = random.take(key_size);
            const lea key(key_bytes);
            EXPECT_EQ(key.key_size(), key_size);
            for (std::size_t n = 0; n <= 40; ++n) {
                const bytes in = random.take(16 * n);
                const bytes out = ecb_encrypt(key, in);
                check_bytes(in, ecb_decrypt(key, out), n, " blocks");
                if (n == 0) continue;
                const plain::block last = plain::block_of(bytes_view(in).last(16));
                check_bytes(plain::lea_encrypt(key_bytes, last), bytes_view(out).last(16), "last of ", n);
                bytes in_place = in;
                EXPECT_EQ(key.encrypt_blocks(in_place, in_place), status::ok);
                check_bytes(out, in_place, "in place");
                EXPECT_EQ(key.decrypt_blocks(in_place, in_place), status::ok);
                check_bytes(in, in_place, "back in place");
            }
            const lea copy(key);
            check_bytes(ecb_encrypt(key, pattern(64)), ecb_encrypt(copy, pattern(64)), "copy");
        }
    });
}

TEST(ApiLea, MisuseIsRefusedAndChangesNothing) {
    for (std::size_t n = 0; n <= 40; ++n) {
        const bool valid = n == 16 || n == 24 || n == 32;
        const bytes key = pattern(n);
        EXPECT_EQ(thrown_by([&] { lea k(key); }), valid ? status::ok : status::bad_key_length) << n;
        EXPECT_EQ(thrown_by([&] { lea_ctr c(key, pattern(16)); }), valid ? status::ok : status::bad_key_length) << n;
    }
    const lea key(pattern(16));
    bytes buffer = pattern(200);
    const bytes untouched = buffer;
    const auto both = [&](bytes_view in, bytes_span out, status expected) {
        EXPECT_EQ(key.encrypt_blocks(in, out), expected);
        EXPECT_EQ(key.decrypt_blocks(in, out), expected);
        EXPECT_EQ(buffer, untouched);
    };
    bytes other(200);
    for (std::size_t n = 1; n < 48; ++n) {
        if (n % 16 != 0) both(bytes_view(buffer).first(n), other, status::bad_block_length);
    }
    both(bytes_view(buffer).first(48), bytes_span(other).first(47), status::buffer_too_small);
    both(bytes_view(buffer).first(48), {}, status::buffer_too_small);
    for (const std::size_t shift : {1, 15, 16, 47}) {
        both(bytes_view(buffer).first(48), bytes_span(buffer).subspan(shift, 48), status::overlap);
        both(bytes_view(buffer).subspan(shift, 48), bytes_span(buffer).first(48), status::overlap);
    }
    EXPECT_EQ(other, bytes(200));
    // Neighbours do not overlap; only the part of `out` that is written counts.
    EXPECT_EQ(key.encrypt_blocks(bytes_view(buffer).first(48), bytes_span(buffer).subspan(48, 48)), status::ok);
    EXPECT_EQ(key.encrypt_blocks(bytes_view(buffer).subspan(48, 48), bytes_span(buffer).first(96)), status::ok);
}

TEST(ApiLea, LeavesNothingBehind) {
    for_each_table(lea_tables, [](const lea_table&) {
        for (const std::size_t key_size : lea_key_sizes) {
            const auto make = [&](void* at, std::uint64_t secret) {
                random_source random(secret);
                return new (at) lea(random.take(key_size));
            };
            const auto use = [](lea& k, std::uint64_t) { static_cast<void>(ecb_encrypt(k, pattern(64))); };
            expect_no_residue<lea>(make, use);
        }
    });
}

TEST(ApiCtr, MisuseIsRefusedAndChangesNothing) {
    lea_ctr c(pattern(16), pattern(16));
    lea_ctr same(c);
    bytes buffer = pattern(100);
    const bytes untouched = buffer;
    EXPECT_EQ(c.update(bytes_view(buffer).first(20), bytes_span(buffer).subspan(60, 19)), status::buffer_too_small);
    for (const std::size_t shift : {1, 15, 16, 19}) {
        EXPECT_EQ(c.update(bytes_view(buffer).first(20), bytes_span(buffer).subspan(shift, 20)), status::overlap);
        EXPECT_EQ(c.update(bytes_view(buffer).subspan(shift, 20), bytes_span(buffer).first(20)), status::overlap);
    }
    EXPECT_EQ(buffer, untouched);
    bytes a(100);
    bytes b(100);
    EXPECT_EQ(c.update(buffer, a), status::ok);
    EXPECT_EQ(same.update(buffer, b), status::ok);
    EXPECT_EQ(a, b) << "a refused call moved the counter";
}

TEST(ApiCtr, CopiesContinueFromTheSamePoint) {
    for_each_table(lea_tables, [](const lea_table&) {
        const bytes text = pattern(100);
        const bytes expected = ctr(pattern(24), pattern(16), text);
        for (std::size_t at = 0; at <= 100; ++at) {
            lea_ctr c(pattern(24), pattern(16));
            bytes out(100);
            EXPECT_EQ(c.update(bytes_view(text).first(at), out), status::ok);
            lea_ctr copy(c);
            EXPECT_EQ(copy.update(bytes_view(text).subspan(at), bytes_span(out).subspan(at)), status::ok);
            check_bytes(expected, out, "copied at ", at);
            EXPECT_EQ(c.update(bytes_view(text).subspan(at), bytes_span(out).subspan(at)), status::ok);
            check_bytes(expected, out, "original at ", at);
        }
    });
}

TEST(ApiCtr, LeavesNothingBehind) {
    for_each_table(lea_tables, [](const lea_table&) {
        const auto make = [&](void* at, std::uint64_t secret) {
            random_source random(secret);
            const bytes key = random.take(32);
            return new (at) lea_ctr(key, random.take(16));
        };
        const auto use = [](lea_ctr& c, std::uint64_t secret) {
            random_source random(secret + 1);
            bytes text = random.take(133);
            EXPECT_EQ(c.update(text, text), status::ok);
        };
        expect_no_residue<lea_ctr>(make, use);
    });
}

TEST(ApiCtr, TextBetweenGuardPages) {
    for_each_table(lea_tables, [](const lea_table&) {
        guarded in(400);
        guarded out(400);
        guarded key(32);
        guarded iv(16);
        const bytes text = pattern(400);
        for (std::size_t n = 0; n <= 400; n += n < 70 ? 1 : 13) {
            const plain::block first = plain::block_of(repeated(16, 0xfe));
            const bytes expected = plain::lea_ctr(pattern(32), first, bytes_view(text).first(n));
            for (const bool front : {false, true}) {
                lea_ctr c(key.at(front, bytes_view(pattern(32))), iv.at(front, bytes_view(first)));
                const bytes_span result = out.at(front, n);
                EXPECT_EQ(c.update(in.at(front, bytes_view(text).first(n)), result), status::ok);
                check_bytes(expected, result, n, " bytes");
            }
        }
    });
}

struct known_block {
    const char* key;
    unsigned first;  // of sixteen consecutive bytes
    const char* ciphertext;
};

constexpr known_block known_blocks[] = {
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0", 0x10, "9fc84e3528c6c6185532c7a704648bfd"},
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a59687", 0x20, "6fb95e325aad1b878cdcf5357674c6f2"},
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a5968778695a4b3c2d1e0f", 0x30, "d651aff647b189c13a8900ca27f9e197"},
};

// Also row B12 (byte order).
TEST(CasesMode, B10_B12_KnownBlocks) {
    for_each_table(lea_tables, [](const lea_table&) {
        for (const known_block& b : known_blocks) {
            const lea key(from_hex(b.key));
            check_bytes(from_hex(b.ciphertext), ecb_encrypt(key, counting(16, b.first)), "encrypt");
            check_bytes(counting(16, b.first), ecb_decrypt(key, from_hex(b.ciphertext)), "decrypt");
        }
    });
}

TEST(CasesMode, B24_CounterCarry) {
    struct row {
        const char* iv;
        const char* text;  // of 48 zero bytes
    };
    constexpr row rows[] = {
        {"ffffffffffffffffffffffffffffffff",
         "f11b87f48a1e62db290e4754fa952b6d08f8101c1bbc44e268cf4e8879a1fd2d9e632e798cf3ba2e1872a6609759e3f0"},
        {"000000000000000000000000ffffffff",
         "ff2a6761dabec9e1fbce42bac0e7dc8dc3c21d59dd7149c7c76d633ab4b1cb692911dcb472aa519d80b1f9ac87dd3a77"},
        {"0000000000000000ffffffffffffffff",
         "f789a37873c731074498d8c80761af9540f4783beb0615f9ff1fd3f52b6b42dfc0cc304510b4f25529019f82e43381d4"},
    };
    const bytes key = counting(16);
    for_each_table(lea_tables, [&](const lea_table&) {
        for (const row& r : rows) {
            check_bytes(from_hex(r.text), ctr(key, from_hex(r.iv), bytes(48)), r.iv);
            // The carry at every place of a long text.
            for (unsigned before = 0; before <= 40; ++before) {
                plain::block iv = plain::block_of_hex(r.iv);
                iv[15] = static_cast<std::byte>(0xff - before);
                check_bytes(plain::lea_ctr(key, iv, bytes(16 * 44)), ctr(key, iv, bytes(16 * 44)), r.iv, " minus ",
                            before);
            }
        }
    });
}

TEST(CasesMode, B26_LeftOverKeyStream) {
    for_each_table(lea_tables, [](const lea_table&) {
        random_source random = seeded(26);
        const bytes key = random.take(16);
        const bytes iv = random.take(16);
        const bytes text = random.take(1000);
        const bytes expected = plain::lea_ctr(key, plain::block_of(iv), text);
        check_bytes(expected, ctr(key, iv, text), "one call");
        const auto in_pieces = [&](bytes_view in, std::size_t piece) {  // 0: random ones
            lea_ctr c(key, iv);
            bytes out(in.size());
            for (std::size_t at = 0; at < in.size();) {
                const std::size_t n = std::min(in.size() - at, piece != 0 ? piece : random.below(100));
                EXPECT_EQ(c.update(in.subspan(at, n), bytes_span(out).subspan(at)), status::ok);
                at += n;
            }
            return out;
        };
        constexpr std::size_t sizes[] = {1, 7, 15, 16, 17, 31, 33, 127, 0};
        for (std::size_t i = 0; i < std::size(sizes); ++i) {
            const bytes out = in_pieces(text, sizes[i]);
            check_bytes(expected, out, "pieces of ", sizes[i]);
            check_bytes(text, in_pieces(out, sizes[(i + 1) % std::size(sizes)]), "back in pieces of another size");
        }
    });
}

TEST(CasesMode, B28_IvLengths) {
    for (std::size_t n = 0; n <= 32; ++n) {
        EXPECT_EQ(thrown_by([&] { lea_ctr c(pattern(16), pattern(n)); }),
                  n == 16 ? status::ok : status::bad_nonce_length)
            << n;
    }
    for_each_table(lea_tables, [](const lea_table&) {
        const bytes stream = ctr(pattern(16), pattern(16), bytes(32));
        check(!std::equal(stream.begin(), stream.begin() + 16, stream.begin() + 16), "blocks 1 and 2 differ");
    });
}

TEST(CasesBuf, B23_CtrNullWithSizeZero) {
    for_each_table(lea_tables, [](const lea_table&) {
        const lea key(pattern(16));
        check(key.encrypt_blocks({}, {}) == status::ok, "encrypt");
        check(key.decrypt_blocks({}, {}) == status::ok, "decrypt");
        lea_ctr c(pattern(16), pattern(16));
        bytes out(20);
        check(c.update({}, {}) == status::ok, "first");
        check(c.update(pattern(20), out) == status::ok, "text");
        check(c.update({}, {}) == status::ok, "last");
        check_bytes(ctr(pattern(16), pattern(16), pattern(20)), out, "text");
    });
}

TEST(CasesBuf, B55_CtrInPlace) {
    for_each_table(lea_tables, [](const lea_table&) {
        random_source random = seeded(55);
        const bytes key = random.take(32);
        const bytes iv = random.take(16);
        for (std::size_t n = 0; n <= 300; ++n) {
            const bytes text = random.take(n);
            const bytes expected = ctr(key, iv, text);
            bytes whole = text;
            lea_ctr one(key, iv);
            EXPECT_EQ(one.update(whole, whole), status::ok);
            check_bytes(expected, whole, "one call, ", n);
            bytes pieces = text;
            lea_ctr many(key, iv);
            for (std::size_t at = 0; at < n;) {
                const bytes_span piece = bytes_span(pieces).subspan(at, std::min(n - at, 1 + random.below(40)));
                EXPECT_EQ(many.update(piece, piece), status::ok);
                at += piece.size();
            }
            check_bytes(expected, pieces, "pieces, ", n);
        }
    });
}

TEST(CasesBuf, B59_CtrPieces) {
    random_source random = seeded(59);
    for (std::size_t round = 0; round < scaled(10'000) && !HasFailure(); ++round) {
        const bytes key = random.take(lea_key_sizes[round % 3]);
        const bytes iv = random.take(16);
        const bytes text = random.take(random.between(1024, 4096));
        const bytes expected = plain::lea_ctr(key, plain::block_of(iv), text);
        const bool in_place = random.below(2) != 0;
        const std::size_t from = random.below(16);
        const std::size_t to = random.below(2) != 0 ? from : random.below(16);
        for_each_table(lea_tables, [&](const lea_table&) {
            bytes in(text.size() + 16);
            bytes out(text.size() + 16);
            put(text, in, from);
            const bytes_span source = bytes_span(in).subspan(from, text.size());
            const bytes_span target = in_place ? source : bytes_span(out).subspan(to, text.size());
            lea_ctr c(key, iv);
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t n = std::min(text.size() - at, random.below(101));
                EXPECT_EQ(c.update(source.subspan(at, n), target.subspan(at, n)), status::ok);
                at += n;
            }
            check_bytes(expected, target, "round ", round);
        });
    }
}

TEST(CasesBuf, B61_LeaAtEveryOffset) {
    for_each_table(lea_tables, [](const lea_table&) {
        const bytes key = pattern(32);
        const bytes iv = pattern(16);
        const bytes text = pattern(16 * 9 + 5);
        const bytes expected = ctr(key, iv, text);
        const bytes expected_blocks = ecb_encrypt(lea(key), bytes_view(text).first(144));
        bytes keys(96);
        bytes ivs(80);
        bytes in(text.size() + 64);
        bytes out(text.size() + 64);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            const auto place = [&](bytes_view data, bytes& area) {
                put(data, area, offset);
                return bytes_view(area).subspan(offset, data.size());
            };
            const bytes_view key_there = place(key, keys);
            const bytes_view text_there = place(text, in);
            const bytes_span out_there = bytes_span(out).subspan(63 - offset, text.size());
            lea_ctr c(key_there, place(iv, ivs));
            EXPECT_EQ(c.update(text_there, out_there), status::ok);
            check_bytes(expected, out_there, "CTR at ", offset);
            EXPECT_EQ(lea(key_there).encrypt_blocks(text_there.first(144), out_there), status::ok);
            check_bytes(expected_blocks, out_there.first(144), "blocks at ", offset);
        }
    });
}

}  // namespace
}  // namespace hwacha::test
