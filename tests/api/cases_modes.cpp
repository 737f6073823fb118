// Faults that others had: the modes of LEA. The identifiers name rows of the project's list of known pitfalls.
#include <algorithm>

#include "support/modes.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

// Encryption in CBC and OFB calls no table: this does.
void call_table() {
    std::byte block[16] = {};
    EXPECT_EQ(lea(pattern(16)).encrypt_blocks(block, block), status::ok);
}

TEST(CasesMode, B30_PaddingOfWholeBlocks) {
    struct row {
        std::size_t plaintext;
        std::size_t ciphertext;
    };
    for_each_table(lea_tables, [](const lea_table&) {
        const lea key(pattern(24));
        const bytes iv = pattern(16);
        for (const row& r : {row{0, 16}, row{15, 16}, row{16, 32}, row{17, 32}, row{32, 48}}) {
            const bytes text = counting(r.plaintext, 7);
            const bytes sealed = cbc_encrypt(key, iv, cbc_padding::pkcs7, text);
            check(sealed.size() == r.ciphertext, r.plaintext, " bytes");
            check_bytes(plain::cbc_encrypt(pattern(24), plain::block_of(iv), plain::pkcs7_padded(text)), sealed,
                        r.plaintext, " bytes");
            check_bytes(text, cbc_decrypt(key, iv, cbc_padding::pkcs7, sealed), r.plaintext, " bytes back");
            // Through a stream, in one piece and byte by byte.
            for (const std::size_t piece : {std::size_t{100}, std::size_t{1}}) {
                lea_cbc_decryptor d(key, iv, cbc_padding::pkcs7);
                bytes out(64);
                std::size_t total = 0;
                for (std::size_t at = 0; at < sealed.size(); at += piece) {
                    std::size_t written = 0;
                    const std::size_t n = std::min(piece, sealed.size() - at);
                    EXPECT_EQ(d.update(bytes_view(sealed).subspan(at, n), bytes_span(out).subspan(total), written),
                              status::ok);
                    total += written;
                }
                std::size_t written = 99;
                EXPECT_EQ(d.finish(bytes_span(out).subspan(total), written), status::ok);
                EXPECT_LT(written, 16U);
                out.resize(total + written);
                check_bytes(text, out, r.plaintext, " bytes back in pieces of ", piece);
            }
        }
    });
}

TEST(CasesMode, B32_SevenByteNonce) {
    for_each_table(lea_tables, [](const lea_table&) {
        const bytes nonce = counting(7);
        check_bytes(from_hex("e0a5d30a1e449a52ff097d2be800e2d4"), ccm_seal(lea_ccm(counting(16)), nonce, {}, {}),
                    "empty");
        for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{17},
                                    std::size_t{options().at == scale::emulator ? 70'000U : 100'000U}}) {
            const bytes text = pattern(n);
            const lea_ccm key(counting(16));
            const bytes sealed = ccm_seal(key, nonce, {}, text);
            check_bytes(plain::ccm_seal(counting(16), nonce, {}, text, 16), sealed, n, " bytes");
            bytes back(n);
            check(key.open(nonce, {}, sealed, back) == status::ok, n, " bytes back");
            check_bytes(text, back, n, " bytes back");
        }
    });
}

// Vector S-7.
TEST(CasesMode, B32_KnownAnswer) {
    for_each_table(lea_tables, [](const lea_table&) {
        check_bytes(from_hex("1487af6640e92cb9ad9b7a154a6e42a5befce31b27b6d2"
                             "39a2893b0995a985"),
                    ccm_seal(lea_ccm(counting(16), 8), counting(13), counting(8), counting(23)), "S-7");
    });
}

TEST(CasesMode, B34_NonceAndTagLengths) {
    const lea_ccm key(pattern(16));
    const bytes text = pattern(20);
    for (std::size_t n = 0; n <= 16; ++n) {
        const bytes nonce = pattern(n);
        const status expected = n >= 7 && n <= 13 ? status::ok : status::bad_nonce_length;
        bytes out(36, std::byte{0xa5});
        EXPECT_EQ(key.seal(nonce, {}, text, out), expected) << n;
        bytes tag(16);
        bytes apart(20, std::byte{0xa5});
        EXPECT_EQ(key.seal_detached(nonce, {}, text, apart, tag), expected) << n;
        EXPECT_EQ(thrown_by([&] { lea_ccm_sealer s(key, nonce, 0, 20); }), expected) << n;
        EXPECT_EQ(thrown_by([&] { lea_ccm_opener o(key, nonce, 0, 20); }), expected) << n;
        const bytes kept = out;
        bytes back(20, std::byte{0xa5});
        EXPECT_EQ(key.open(nonce, {}, kept, back), expected) << n;
        if (expected == status::ok) {
            EXPECT_EQ(back, text);
        } else {
            EXPECT_EQ(out, bytes(36, std::byte{0xa5})) << n;
            EXPECT_EQ(apart, bytes(20, std::byte{0xa5})) << n;
            EXPECT_EQ(back, bytes(20, std::byte{0xa5})) << n;
        }
    }
    // A nonce counts to its last byte.
    EXPECT_NE(ccm_seal(key, counting(13), {}, text), ccm_seal(key, counting(12), {}, text));
    for (std::size_t i = 0; i < 13; ++i) {
        bytes other = counting(13);
        other[i] ^= std::byte{1};
        EXPECT_NE(ccm_seal(key, counting(13), {}, text), ccm_seal(key, other, {}, text)) << i;
    }
    for (std::size_t n = 0; n <= 200; ++n) {
        const bool valid = n >= 4 && n <= 16 && n % 2 == 0;
        EXPECT_EQ(thrown_by([&] { lea_ccm k(pattern(16), n); }), valid ? status::ok : status::bad_tag_length) << n;
        if (!valid) continue;
        // The size of the tag is authenticated: a shorter one is no prefix.
        const bytes sealed = ccm_seal(lea_ccm(pattern(16), n), counting(12), counting(3), text);
        EXPECT_EQ(sealed.size(), 20 + n);
        EXPECT_EQ(sealed, plain::ccm_seal(pattern(16), counting(12), counting(3), text, n));
    }
}

// Texts with what plain arithmetic makes of them.
struct sample {
    const mode* m;
    bytes key;
    bytes iv;
    bytes text;
    bytes sealed;
};

sample random_sample(random_source& random, const mode& m, std::size_t size) {
    sample s{&m,
             random.take(lea_key_sizes[random.below(3)]),
             random.take(16),
             random.take(size / m.granule * m.granule),
             {}};
    s.sealed = m.plain(s.key, s.iv, s.text);
    return s;
}

// `buffer` begins with the text to be encrypted or decrypted and has room for the result.
std::size_t encrypt_through_stream(const sample& s, bytes_view in, bytes_span out,
                                   const std::function<std::size_t()>& sizes) {
    return in_pieces(*s.m->encryptor(s.key, s.iv, s.text.size()), in, out, sizes);
}
std::size_t decrypt_through_stream(const sample& s, bytes_view in, bytes_span out,
                                   const std::function<std::size_t()>& sizes) {
    std::size_t taken = 0;
    const auto d = s.m->decryptor(s.key, s.iv, s.sealed, taken);
    return in_pieces(*d, in.first(taken), out, sizes);
}

void check_in_place(const sample& s, random_source& random) {
    const std::size_t n = s.text.size();
    const auto sizes = [&] { return random.below(40); };
    const auto whole = [] { return std::size_t{1} << 20; };
    bytes buffer = s.text;
    buffer.resize(s.sealed.size() + 16);
    const auto expect = [&](bytes_view expected, std::size_t written, const char* what) {
        check(written == expected.size(), s.m->name, ", ", n, " bytes, ", what);
        check_bytes(expected, bytes_view(buffer).first(expected.size()), s.m->name, ", ", n, " bytes, ", what);
    };
    const auto fill = [&](bytes_view with) { put(with, buffer, 0); };
    std::size_t written = 0;
    EXPECT_EQ(s.m->encrypt(s.key, s.iv, bytes_view(buffer).first(n), buffer, written), status::ok);
    expect(s.sealed, written, "one call");
    EXPECT_EQ(s.m->decrypt(s.key, s.iv, bytes_view(buffer).first(written), buffer, written), status::ok);
    expect(s.text, written, "back in one call");
    fill(s.text);
    expect(s.sealed, encrypt_through_stream(s, bytes_view(buffer).first(n), buffer, sizes), "pieces");
    expect(s.text, decrypt_through_stream(s, bytes_view(buffer).first(s.sealed.size()), buffer, sizes),
           "back in pieces");
    fill(s.text);
    expect(s.sealed, encrypt_through_stream(s, bytes_view(buffer).first(n), buffer, whole), "one piece");
    expect(s.text, decrypt_through_stream(s, bytes_view(buffer).first(s.sealed.size()), buffer, whole),
           "back in one piece");
}

TEST(CasesBuf, B55_ModesInPlace) {
    random_source random = seeded(155);
    std::vector<sample> samples;
    for (const mode& m : modes()) {
        for (std::size_t n = 0; n <= 300; n += options().at == scale::emulator && n > 70 ? 9 : 1) {
            if (n % m.granule == 0) samples.push_back(random_sample(random, m, n));
        }
        // Beyond a piece of bulk work.
        for (const std::size_t n : {1008, 1024, 1040, 1041, 2064}) samples.push_back(random_sample(random, m, n));
    }
    for_each_table(lea_tables, [&](const lea_table&) {
        for (const sample& s : samples) check_in_place(s, random);
    });
}

// A buffer that is used again for every piece: what CBC held back comes out in front of it.
TEST(CasesBuf, B55_CbcInOneSmallBuffer) {
    random_source random = seeded(156);
    for (std::size_t round = 0; round < scaled(2'000, 40); ++round) {
        const mode& m = modes()[1 + round % 2];
        const sample s = random_sample(random, m, random.below(6000));
        for_each_table(lea_tables, [&](const lea_table&) {
            call_table();
            const auto through = [&](stream& t, bytes_view text) {
                bytes out;
                bytes small(3200);
                for (std::size_t at = 0; at < text.size();) {
                    const std::size_t n = std::min(text.size() - at, random.below(random.below(4) == 0 ? 3000 : 70));
                    put(text.subspan(at, n), small, 0);
                    const std::size_t written = t.update(bytes_view(small).first(n), small);
                    out.insert(out.end(), small.begin(), small.begin() + static_cast<std::ptrdiff_t>(written));
                    at += n;
                }
                const std::size_t written = t.finish(small);
                out.insert(out.end(), small.begin(), small.begin() + static_cast<std::ptrdiff_t>(written));
                return out;
            };
            std::size_t taken = 0;
            check_bytes(s.sealed, through(*m.encryptor(s.key, s.iv, s.text.size()), s.text), "round ", round);
            check_bytes(s.text, through(*m.decryptor(s.key, s.iv, s.sealed, taken), s.sealed), "round ", round,
                        " back");
        });
        if (testing::Test::HasFailure()) break;
    }
}

TEST(CasesBuf, B57_CcmTagInPlace) {
    for_each_table(lea_tables, [](const lea_table&) {
        for (const std::size_t n : {1, 15, 17, 31, 33, 47}) {
            const lea_ccm key(pattern(32));
            const bytes text = pattern(n);
            const bytes apart = ccm_seal(key, counting(12), counting(5), text);
            check_bytes(plain::ccm_seal(pattern(32), counting(12), counting(5), text, 16), apart, n, " apart");
            bytes buffer = text;
            buffer.resize(n + 16);
            EXPECT_EQ(key.seal(counting(12), counting(5), bytes_view(buffer).first(n), buffer), status::ok);
            check_bytes(apart, buffer, n, " in place");
            bytes detached = text;
            bytes tag(16);
            EXPECT_EQ(key.seal_detached(counting(12), counting(5), detached, detached, tag), status::ok);
            check_bytes(bytes_view(apart).last(16), tag, n, " in place, tag apart");
            EXPECT_EQ(key.open(counting(12), counting(5), buffer, buffer), status::ok);
            check_bytes(text, bytes_view(buffer).first(n), n, " opened in place");
        }
    });
}

TEST(CasesBuf, B59_ModesInPieces) {
    random_source random = seeded(159);
    const std::size_t rounds = full_scale() ? 10'000 * modes().size() : scaled(10'000);
    for (std::size_t round = 0; round < rounds && !HasFailure(); ++round) {
        const mode& m = modes()[round % modes().size()];
        const sample s = random_sample(random, m, random.between(1024, options().at == scale::emulator ? 1400 : 4096));
        const bool in_place = random.below(2) != 0;
        const std::size_t from = random.below(16);
        const std::size_t to = random.below(2) != 0 ? from : random.below(16);
        const auto sizes = [&] { return random.below(101); };
        for_each_table(lea_tables, [&](const lea_table&) {
            call_table();
            const auto areas = [&](bytes_view text, auto through, bytes_view expected) {
                bytes in(s.sealed.size() + 48);
                bytes out(s.sealed.size() + 48);
                put(text, in, from);
                const bytes_span target = in_place ? bytes_span(in).subspan(from) : bytes_span(out).subspan(to);
                const std::size_t n = through(s, bytes_view(in).subspan(from, text.size()), target, sizes);
                check(n == expected.size(), m.name, ", round ", round);
                check_bytes(expected, target.first(expected.size()), m.name, ", round ", round);
            };
            areas(s.text, encrypt_through_stream, s.sealed);
            areas(s.sealed, decrypt_through_stream, s.text);
        });
    }
}

TEST(CasesBuf, B59_XtsSectors) {
    random_source random = seeded(158);
    for (std::size_t round = 0; round < scaled(3'000); ++round) {
        const bytes keys = random.take(2 * lea_key_sizes[round % 3]);
        const std::size_t sector = random.between(16, random.below(4) == 0 ? 1300 : 80);
        const std::size_t count = random.below(random.below(8) == 0 ? 70 : 6);
        const std::uint64_t first = random.below(3) == 0 ? random.next() >> 8 : 0xfffffff0 + random.below(32);
        const bytes text = random.take(sector * count);
        bytes expected;
        for (std::size_t i = 0; i < count; ++i) {
            plain::block tweak{};
            for (std::size_t k = 0; k < 8; ++k) tweak[k] = static_cast<std::byte>(((first + i) >> (8 * k)) & 0xff);
            const bytes unit = plain::xts_encrypt(keys, tweak, bytes_view(text).subspan(i * sector, sector));
            expected.insert(expected.end(), unit.begin(), unit.end());
        }
        const std::size_t from = random.below(16);
        const std::size_t to = random.below(16);
        for_each_table(lea_tables, [&](const lea_table&) {
            call_table();
            const lea_xts key(keys);
            bytes in(text.size() + 32);
            bytes out(text.size() + 32);
            put(text, in, from);
            const bytes_span there = bytes_span(in).subspan(from, text.size());
            const bytes_span target = bytes_span(out).subspan(to, text.size());
            EXPECT_EQ(key.encrypt_sectors(first, sector, there, target), status::ok);
            check_bytes(expected, target, "round ", round);
            EXPECT_EQ(key.encrypt_sectors(first, sector, there, there), status::ok);
            check_bytes(expected, there, "round ", round, " in place");
            EXPECT_EQ(key.decrypt_sectors(first, sector, there, there), status::ok);
            check_bytes(text, there, "round ", round, " back in place");
            EXPECT_EQ(key.decrypt_sectors(first, sector, target, there), status::ok);
            check_bytes(text, there, "round ", round, " back");
        });
        if (testing::Test::HasFailure()) break;
    }
}

TEST(CasesBuf, B61_ModesAtEveryOffset) {
    random_source random = seeded(161);
    std::vector<sample> samples;
    for (const mode& m : modes()) samples.push_back(random_sample(random, m, 16 * 9 + 5));
    const bytes keys = random.take(64);
    const bytes xts_text = random.take(16 * 9 + 5);
    for_each_table(lea_tables, [&](const lea_table&) {
        bytes key_area(160), iv_area(160), text_area(320), out_area(320);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            const auto place = [&](bytes_view data, bytes& area, std::size_t at) {
                put(data, area, at);
                return bytes_view(area).subspan(at, data.size());
            };
            for (const sample& s : samples) {
                const bytes_view key = place(s.key, key_area, offset);
                const bytes_view iv = place(s.iv, iv_area, (offset + 1) % 64);
                const bytes_span out = bytes_span(out_area).subspan((5 * offset) % 64);
                std::size_t written = 0;
                EXPECT_EQ(s.m->encrypt(key, iv, place(s.text, text_area, (3 * offset) % 64), out, written), status::ok);
                check_bytes(s.sealed, out.first(written), s.m->name, " at ", offset);
                EXPECT_EQ(s.m->decrypt(key, iv, place(s.sealed, text_area, (3 * offset) % 64), out, written),
                          status::ok);
                check_bytes(s.text, out.first(written), s.m->name, " back at ", offset);
            }
            const lea_xts xts(place(keys, key_area, offset));
            const bytes_view tweak = place(bytes_view(keys).first(16), iv_area, (offset + 1) % 64);
            const bytes_view text = place(xts_text, text_area, (3 * offset) % 64);
            const bytes_span out = bytes_span(out_area).subspan((5 * offset) % 64, text.size());
            EXPECT_EQ(xts.encrypt(tweak, text, out), status::ok);
            check_bytes(plain::xts_encrypt(keys, plain::block_of(bytes_view(keys).first(16)), xts_text), out, "XTS at ",
                        offset);
            EXPECT_EQ(xts.decrypt(tweak, out, out), status::ok);
            check_bytes(xts_text, out, "XTS back at ", offset);
        }
    });
}

TEST(CasesBuf, B23_ModesNullWithSizeZero) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const bytes key = pattern(16);
        const bytes iv = pattern(16);
        for (const mode& m : modes()) {
            bytes room(32);
            std::size_t written = 0;
            check(m.encrypt(key, iv, {}, room, written) == status::ok, m.name);
            check_bytes(m.plain(key, iv, {}), bytes_view(room).first(written), m.name);
            if (written == 0) check(m.encrypt(key, iv, {}, {}, written) == status::ok, m.name, " without room");
            const bytes text = pattern(32);
            const auto s = m.encryptor(key, iv, text.size());
            bytes out(64);
            std::size_t n = s->update({}, {});
            n += s->update(text, out);
            n += s->update({}, {});
            n += s->finish(bytes_span(out).subspan(n));
            check_bytes(m.plain(key, iv, text), bytes_view(out).first(n), m.name, " stream");
        }
        const lea_ccm ccm(key);
        bytes tag(16);
        check(ccm.seal_detached(pattern(7), {}, {}, {}, tag) == status::ok, "CCM");
        check(ccm.open_detached(pattern(7), {}, {}, tag, {}) == status::ok, "CCM back");
        const lea_xts xts(pattern(32));
        check(xts.encrypt_sectors(0, 512, {}, {}) == status::ok, "no sectors");
    });
}

}  // namespace
}  // namespace hwacha::test
