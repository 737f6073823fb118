// lea_modes.hpp, lea_ccm.hpp: misuse, copies, guard pages, padding, limits, what is left behind.
#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "modes/ccm.hpp"
#include "support/modes.hpp"
#include "support/residue.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

constexpr cbc_padding paddings[] = {cbc_padding::none, cbc_padding::pkcs7};
constexpr cfb_segment segments[] = {cfb_segment::bits8, cfb_segment::bits64, cfb_segment::bits128};

// Encryption in CBC and OFB calls no table: this does.
void call_table() {
    std::byte block[16] = {};
    EXPECT_EQ(lea(pattern(16)).encrypt_blocks(block, block), status::ok);
}

TEST(ApiModes, IvsHaveSixteenBytes) {
    const lea key(pattern(16));
    const lea_xts xts(pattern(32));
    for (std::size_t n = 0; n <= 40; ++n) {
        const status expected = n == 16 ? status::ok : status::bad_nonce_length;
        const bytes iv = pattern(n);
        bytes out(64, std::byte{0xa5});
        std::size_t written = 99;
        for (const cbc_padding p : paddings) {
            EXPECT_EQ(thrown_by([&] { lea_cbc_encryptor e(key, iv, p); }), expected) << n;
            EXPECT_EQ(thrown_by([&] { lea_cbc_decryptor d(key, iv, p); }), expected) << n;
            EXPECT_EQ(lea_cbc_encrypt(key, iv, p, pattern(32), out, written), expected) << n;
            EXPECT_EQ(written != 0, n == 16);
        }
        EXPECT_EQ(lea_cbc_decrypt(key, iv, cbc_padding::none, pattern(32), out, written), expected) << n;
        for (const cfb_segment s : segments) {
            EXPECT_EQ(thrown_by([&] { lea_cfb_encryptor e(key, iv, s); }), expected) << n;
            EXPECT_EQ(thrown_by([&] { lea_cfb_decryptor d(key, iv, s); }), expected) << n;
            EXPECT_EQ(lea_cfb_encrypt(key, iv, s, pattern(32), out), expected) << n;
            EXPECT_EQ(lea_cfb_decrypt(key, iv, s, pattern(32), out), expected) << n;
        }
        EXPECT_EQ(thrown_by([&] { lea_ofb o(key, iv); }), expected) << n;
        EXPECT_EQ(thrown_by([&] { lea_ctr c(key, iv); }), expected) << n;
        EXPECT_EQ(lea_ofb_crypt(key, iv, pattern(32), out), expected) << n;
        EXPECT_EQ(xts.encrypt(iv, pattern(32), out), expected) << n;
        EXPECT_EQ(xts.decrypt(iv, pattern(32), out), expected) << n;
        if (n != 16) {
            EXPECT_EQ(out, bytes(64, std::byte{0xa5})) << n;
        }
    }
}

TEST(ApiModes, OptionsThatDoNotExist) {
    const lea key(pattern(16));
    bytes out(64);
    std::size_t written = 99;
    for (const int i : {0, 1, 2, 7, 8, 9, 16, 63, 64, 65, 127, 128, 129, 255}) {
        const auto segment = static_cast<cfb_segment>(i);
        const status expected = i == 8 || i == 64 || i == 128 ? status::ok : status::bad_option;
        EXPECT_EQ(thrown_by([&] { lea_cfb_encryptor e(key, pattern(16), segment); }), expected) << i;
        EXPECT_EQ(thrown_by([&] { lea_cfb_decryptor d(key, pattern(16), segment); }), expected) << i;
        EXPECT_EQ(lea_cfb_encrypt(key, pattern(16), segment, pattern(20), out), expected) << i;
        EXPECT_EQ(lea_cfb_decrypt(key, pattern(16), segment, pattern(20), out), expected) << i;
        const auto padding = static_cast<cbc_padding>(i);
        const status padding_expected = i <= 1 ? status::ok : status::bad_option;
        EXPECT_EQ(thrown_by([&] { lea_cbc_encryptor e(key, pattern(16), padding); }), padding_expected) << i;
        EXPECT_EQ(thrown_by([&] { lea_cbc_decryptor d(key, pattern(16), padding); }), padding_expected) << i;
        EXPECT_EQ(lea_cbc_encrypt(key, pattern(16), padding, pattern(32), out, written), padding_expected) << i;
        if (i > 1) {
            EXPECT_EQ(lea_cbc_decrypt(key, pattern(16), padding, pattern(32), out, written), status::bad_option) << i;
            EXPECT_EQ(written, 0U);
        }
    }
}

// Every mode through its one call: too little room, overlaps of text and IV. `out` and `written` tell of nothing.
TEST(ApiModes, MisuseIsRefusedAndChangesNothing) {
    const bytes key = pattern(32);
    for (const mode& m : modes()) {
        const bytes text = pattern(48);
        const bytes sealed = encrypted(m, key, pattern(16), text);
        bytes buffer = pattern(400);
        put(text, buffer, 100);
        const auto both = [&](bytes_view iv, bytes_view in, bytes_span out, bool back, status expected) {
            const bytes before = buffer;
            std::size_t written = 99;
            EXPECT_EQ(back ? m.decrypt(key, iv, in, out, written) : m.encrypt(key, iv, in, out, written), expected)
                << m.name;
            EXPECT_EQ(buffer, before) << m.name;
        };
        const bytes iv = pattern(16);
        bytes other(200, std::byte{0xa5});
        both(iv, text, bytes_span(other).first(sealed.size() - 1), false, status::buffer_too_small);
        both(iv, text, {}, false, status::buffer_too_small);
        // Decryption with padding asks for as much room as the ciphertext has.
        const std::size_t back = std::string_view(m.name) == "CCM" ? 48 : sealed.size();
        both(iv, sealed, bytes_span(other).first(back - 1), true, status::buffer_too_small);
        EXPECT_EQ(other, bytes(200, std::byte{0xa5})) << m.name;
        const bytes_span at = bytes_span(buffer).subspan(100, 48);
        for (const std::size_t shift : {1, 15, 16, 47}) {
            both(iv, at, bytes_span(buffer).subspan(100 + shift, 64), false, status::overlap);
            both(iv, at, bytes_span(buffer).subspan(100 - shift, 64), false, status::overlap);
        }
        put(sealed, buffer, 100);
        for (const std::size_t shift : {1, 15, 16, 47}) {
            const bytes_view in = bytes_view(buffer).subspan(100, sealed.size());
            // The output of CCM ends before the tag does, and this one may touch it.
            both(iv, in, bytes_span(buffer).subspan(100 + shift, 64), true, status::overlap);
            both(iv, in, bytes_span(buffer).subspan(100 - shift, 64), true, status::overlap);
        }
        if (std::string_view(m.name) == "CTR") continue;  // a stream only: its IV is copied
        const bytes_view iv_there = bytes_view(buffer).subspan(300, 16);
        both(iv_there, text, bytes_span(buffer).subspan(300, 64), false, status::overlap);
        both(iv_there, text, bytes_span(buffer).subspan(315, 64), false, status::overlap);
        both(iv_there, sealed, bytes_span(buffer).subspan(300, 64), true, status::overlap);
    }
}

// What a stream refuses does not move it.
template <class Stream>
void expect_refused_and_unmoved(Stream s, bytes_view text, bytes_view expected) {
    bytes buffer = pattern(200);
    const bytes untouched = buffer;
    EXPECT_EQ(s.update(bytes_view(buffer).first(20), bytes_span(buffer).subspan(60, 19)), status::buffer_too_small);
    for (const std::size_t shift : {1, 15, 16, 19}) {
        EXPECT_EQ(s.update(bytes_view(buffer).first(20), bytes_span(buffer).subspan(shift, 20)), status::overlap);
        EXPECT_EQ(s.update(bytes_view(buffer).subspan(shift, 20), bytes_span(buffer).first(20)), status::overlap);
    }
    EXPECT_EQ(buffer, untouched);
    bytes out(text.size());
    EXPECT_EQ(s.update(text, out), status::ok);
    check_bytes(expected, out, "after refused calls");
}

TEST(ApiModes, RefusedUpdatesDoNotMoveAStream) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const bytes key = pattern(24);
        const plain::block iv = plain::block_of(pattern(16));
        const bytes text = pattern(100);
        for (const cfb_segment s : segments) {
            const bytes sealed = plain::cfb_encrypt(key, iv, static_cast<std::size_t>(s) / 8, text);
            expect_refused_and_unmoved(lea_cfb_encryptor(lea(key), iv, s), text, sealed);
            expect_refused_and_unmoved(lea_cfb_decryptor(lea(key), iv, s), sealed, text);
        }
        expect_refused_and_unmoved(lea_ofb(lea(key), iv), text, plain::ofb(key, iv, text));
    });
}

TEST(ApiModes, CopiesContinueFromTheSamePoint) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const bytes key = pattern(16);
        const bytes iv = pattern(16);
        const lea k(key);
        const bytes text = pattern(64);
        // use(stream, in, out) returns how much it wrote.
        const auto run = [&](const char* name, auto original, bytes_view in, bytes_view expected, auto use, auto end) {
            for (std::size_t at = 0; at <= in.size(); ++at) {
                auto s = original;
                bytes out(100);
                const std::size_t first = use(s, in.first(at), bytes_span(out));
                auto copy = s;
                for (auto* o : {&s, &copy}) {
                    bytes mine = out;
                    std::size_t n = first + use(*o, in.subspan(at), bytes_span(mine).subspan(first));
                    n += end(*o, bytes_span(mine).subspan(n));
                    check_bytes(expected, bytes_view(mine).first(n), name, " copied at ", at);
                }
            }
        };
        const auto equal = [](auto& s, bytes_view in, bytes_span out) {
            EXPECT_EQ(s.update(in, out), status::ok);
            return in.size();
        };
        const auto nothing = [](auto&, bytes_span) { return std::size_t{0}; };
        const auto counted = [](auto& s, bytes_view in, bytes_span out) {
            std::size_t written = 0;
            EXPECT_EQ(s.update(in, out, written), status::ok);
            return written;
        };
        const auto last = [](auto& s, bytes_span out) {
            std::size_t written = 0;
            EXPECT_EQ(s.finish(out, written), status::ok);
            return written;
        };
        const plain::block first = plain::block_of(iv);
        for (const cfb_segment s : segments) {
            const bytes sealed = plain::cfb_encrypt(key, first, static_cast<std::size_t>(s) / 8, text);
            run("CFB", lea_cfb_encryptor(k, iv, s), text, sealed, equal, nothing);
            run("CFB back", lea_cfb_decryptor(k, iv, s), sealed, text, equal, nothing);
        }
        run("OFB", lea_ofb(k, iv), text, plain::ofb(key, first, text), equal, nothing);
        for (const cbc_padding p : paddings) {
            const bytes sealed = cbc_encrypt(k, iv, p, text);
            run("CBC", lea_cbc_encryptor(k, iv, p), text, sealed, counted, last);
            run("CBC back", lea_cbc_decryptor(k, iv, p), sealed, text, counted, last);
        }
    });
}

TEST(ApiModes, LeaveNothingBehind) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const auto text_of = [](std::uint64_t secret) {
            random_source random(secret + 1);
            return random.take(133);
        };
        const auto equal = [&](auto& s, std::uint64_t secret) {
            bytes text = text_of(secret);
            EXPECT_EQ(s.update(text, text), status::ok);
        };
        const auto counted = [&](auto& s, std::uint64_t secret) {
            bytes out(200);
            std::size_t written = 0;
            EXPECT_EQ(s.update(text_of(secret), out, written), status::ok);
        };
        for (const cbc_padding p : paddings) {
            const auto make = [&]<class Object>(void* at, std::uint64_t secret, Object*) {
                random_source random(secret);
                const bytes key = random.take(32);
                return new (at) Object(lea(key), random.take(16), p);
            };
            expect_no_residue<lea_cbc_encryptor>(
                [&](void* at, std::uint64_t s) { return make(at, s, static_cast<lea_cbc_encryptor*>(nullptr)); },
                counted);
            expect_no_residue<lea_cbc_decryptor>(
                [&](void* at, std::uint64_t s) { return make(at, s, static_cast<lea_cbc_decryptor*>(nullptr)); },
                counted);
        }
        for (const cfb_segment segment : segments) {
            const auto make = [&]<class Object>(void* at, std::uint64_t secret, Object*) {
                random_source random(secret);
                const bytes key = random.take(32);
                return new (at) Object(lea(key), random.take(16), segment);
            };
            expect_no_residue<lea_cfb_encryptor>(
                [&](void* at, std::uint64_t s) { return make(at, s, static_cast<lea_cfb_encryptor*>(nullptr)); },
                equal);
            expect_no_residue<lea_cfb_decryptor>(
                [&](void* at, std::uint64_t s) { return make(at, s, static_cast<lea_cfb_decryptor*>(nullptr)); },
                equal);
        }
        expect_no_residue<lea_ofb>(
            [](void* at, std::uint64_t secret) {
                random_source random(secret);
                const bytes key = random.take(32);
                return new (at) lea_ofb(lea(key), random.take(16));
            },
            equal);
        expect_no_residue<lea_xts>(
            [](void* at, std::uint64_t secret) { return new (at) lea_xts(random_source(secret).take(64)); },
            [&](lea_xts& x, std::uint64_t secret) {
                bytes text = text_of(secret);
                EXPECT_EQ(x.encrypt(pattern(16), text, text), status::ok);
            });
        expect_no_residue<lea_ccm>(
            [](void* at, std::uint64_t secret) { return new (at) lea_ccm(random_source(secret).take(32)); },
            [&](lea_ccm& c, std::uint64_t secret) { ccm_seal(c, pattern(12), {}, text_of(secret)); });
        const auto announce = [&]<class Object>(void* at, std::uint64_t secret, Object*) {
            return new (at) Object(lea_ccm(random_source(secret).take(32)), pattern(12), 5, 133);
        };
        expect_no_residue<lea_ccm_sealer>(
            [&](void* at, std::uint64_t s) { return announce(at, s, static_cast<lea_ccm_sealer*>(nullptr)); },
            [&](lea_ccm_sealer& s, std::uint64_t secret) {
                bytes text = text_of(secret);
                EXPECT_EQ(s.aad(pattern(5)), status::ok);
                EXPECT_EQ(s.update(text, text), status::ok);
            });
        expect_no_residue<lea_ccm_opener>(
            [&](void* at, std::uint64_t s) { return announce(at, s, static_cast<lea_ccm_opener*>(nullptr)); },
            [&](lea_ccm_opener& o, std::uint64_t secret) {
                bytes text = text_of(secret);
                EXPECT_EQ(o.aad(pattern(5)), status::ok);
                EXPECT_EQ(o.update_unverified(text, text), status::ok);
            });
    });
}

TEST(ApiModes, TextBetweenGuardPages) {
    const bytes key = pattern(32);
    const bytes iv = repeated(16, 0xfe);
    for_each_table(lea_tables, [&](const lea_table&) {
        guarded in(400);
        guarded out(400);
        guarded key_there(64);
        guarded iv_there(16);
        for (const mode& m : modes()) {
            for (std::size_t n = 0; n <= 300; n += n < 70 ? 1 : options().at == scale::emulator ? 59 : 13) {
                if (n % m.granule != 0) continue;
                const bytes text = pattern(n);
                const bytes sealed = m.plain(key, iv, text);
                for (const bool front : {false, true}) {
                    std::size_t written = 0;
                    const bytes_view k = key_there.at(front, bytes_view(key));
                    const bytes_view v = iv_there.at(front, bytes_view(iv));
                    const bytes_span there = out.at(front, sealed.size());
                    EXPECT_EQ(m.encrypt(k, v, in.at(front, bytes_view(text)), there, written), status::ok);
                    check_bytes(sealed, there, m.name, ", ", n, " bytes");
                    // Padding: as much room as the ciphertext has.
                    const bytes_span back = out.at(front, std::string_view(m.name) == "CCM" ? n : sealed.size());
                    EXPECT_EQ(m.decrypt(k, v, in.at(front, bytes_view(sealed)), back, written), status::ok);
                    check_bytes(text, back.first(written), m.name, ", ", n, " bytes back");
                }
            }
        }
        const bytes keys = counting(64);
        for (std::size_t n = 16; n <= 300; n += n < 70 ? 1 : 13) {
            const bytes text = pattern(n);
            const bytes expected = plain::xts_encrypt(keys, plain::block_of(iv), text);
            for (const bool front : {false, true}) {
                const lea_xts xts(key_there.at(front, bytes_view(keys)));
                const bytes_span there = out.at(front, n);
                EXPECT_EQ(xts.encrypt(iv_there.at(front, bytes_view(iv)), in.at(front, bytes_view(text)), there),
                          status::ok);
                check_bytes(expected, there, "XTS, ", n);
                EXPECT_EQ(xts.decrypt(iv_there.at(front, bytes_view(iv)), in.at(front, bytes_view(expected)), there),
                          status::ok);
                check_bytes(text, there, "XTS back, ", n);
            }
        }
    });
}

// Wiped beyond the text? What lies after the result stays as it is.
TEST(ApiModes, NothingIsWrittenBeyondTheResult) {
    const bytes key = pattern(16);
    const bytes iv = pattern(16);
    for_each_table(lea_tables, [&](const lea_table&) {
        for (const mode& m : modes()) {
            for (std::size_t n = 0; n <= 66; ++n) {
                if (n % m.granule != 0) continue;
                const bytes sealed = m.plain(key, iv, pattern(n));
                bytes out(120, std::byte{0xa5});
                std::size_t written = 0;
                EXPECT_EQ(m.decrypt(key, iv, sealed, out, written), status::ok);
                check_bytes(pattern(n), bytes_view(out).first(n), m.name, ", ", n);
                check_bytes(repeated(120 - n, 0xa5), bytes_view(out).subspan(n), m.name, ", beyond ", n);
                std::fill(out.begin(), out.end(), std::byte{0xa5});
                EXPECT_EQ(m.encrypt(key, iv, pattern(n), out, written), status::ok);
                check_bytes(repeated(120 - sealed.size(), 0xa5), bytes_view(out).subspan(sealed.size()), m.name,
                            ", beyond ", n);
            }
        }
    });
}

// ---- CBC

// Every value of the last byte, every wrong byte of the padding, against a count by hand; the one call and the stream.
TEST(ApiCbc, PaddingIsChecked) {
    const bytes key = pattern(16);
    const plain::block iv = plain::block_of(counting(16));
    for_each_table(lea_tables, [&](const lea_table&) {
        const lea k(key);
        const auto expect = [&](const bytes& padded, const auto&... what) {
            const auto last = std::to_integer<std::size_t>(padded.back());
            bool good = last >= 1 && last <= 16;
            for (std::size_t i = 1; good && i <= last; ++i) {
                good = std::to_integer<std::size_t>(padded[padded.size() - i]) == last;
            }
            const std::size_t size = good ? padded.size() - last : 0;
            const bytes sealed = plain::cbc_encrypt(key, iv, padded);
            bytes out(padded.size() + 8, std::byte{0xa5});
            std::size_t written = 99;
            const status s = lea_cbc_decrypt(k, iv, cbc_padding::pkcs7, sealed, out, written);
            check(s == (good ? status::ok : status::bad_padding), what...);
            check(written == size, what..., " written");
            const bytes shown =
                good ? bytes(padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(size)) : bytes(padded.size());
            check_bytes(shown, bytes_view(out).first(shown.size()), what...);
            check_bytes(bytes(out.size() - shown.size(), std::byte{0xa5}), bytes_view(out).subspan(shown.size()),
                        what..., " beyond");

            lea_cbc_decryptor d(k, iv, cbc_padding::pkcs7);
            bytes streamed(padded.size(), std::byte{0xa5});
            EXPECT_EQ(d.update(sealed, streamed, written), status::ok);
            const std::size_t before = written;
            check(before == padded.size() - 16, what..., " update");
            const status ended = d.finish(bytes_span(streamed).subspan(before), written);
            check(ended == (good ? status::ok : status::bad_padding), what..., " stream");
            check(before + written == (good ? size : before), what..., " stream written");
            if (!good) check_bytes(repeated(16, 0xa5), bytes_view(streamed).last(16), what..., " stream untouched");
            check(d.finish(streamed, written) == status::finished, what..., " finished");
            check(d.update({}, streamed, written) == status::finished, what..., " finished");
        };
        for (const std::size_t blocks : {std::size_t{1}, std::size_t{3}}) {
            for (unsigned last = 0; last < 256; ++last) {
                bytes padded = pattern(16 * blocks);
                padded.back() = static_cast<std::byte>(last);
                expect(padded, "last byte ", last);
                for (std::size_t i = 1; i <= std::min(last, 16U); ++i) padded[padded.size() - i] = std::byte(last);
                expect(padded, "padding of ", last);
                for (std::size_t i = 1; i <= std::min(last, 16U) && blocks == 1; ++i) {
                    for (const unsigned flip : {1U, 0x80U}) {
                        bytes wrong = padded;
                        wrong[16 - i] ^= std::byte(flip);
                        expect(wrong, "padding of ", last, ", wrong at ", i);
                    }
                }
            }
        }
    });
}

TEST(ApiCbc, LengthsThatAreNone) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const lea k(pattern(16));
        const bytes iv = pattern(16);
        bytes out(100, std::byte{0xa5});
        std::size_t written = 99;
        for (std::size_t n = 0; n <= 64; ++n) {
            const bytes text = pattern(n);
            const status whole = n % 16 == 0 ? status::ok : status::bad_block_length;
            check(lea_cbc_encrypt(k, iv, cbc_padding::none, text, out, written) == whole, n);
            check(written == (n % 16 == 0 ? n : 0), n);
            check(lea_cbc_decrypt(k, iv, cbc_padding::none, text, out, written) == whole, n);
            if (n % 16 != 0 || n == 0) {
                check(lea_cbc_decrypt(k, iv, cbc_padding::pkcs7, text, out, written) == status::bad_block_length, n);
                check(written == 0, n);
            }
            // A stream that was ended too early goes on.
            lea_cbc_encryptor e(k, iv, cbc_padding::none);
            lea_cbc_decryptor d(k, iv, cbc_padding::none);
            lea_cbc_decryptor padded(k, iv, cbc_padding::pkcs7);
            bytes sealed(100);
            bytes back(100);
            EXPECT_EQ(e.update(text, sealed, written), status::ok);
            const std::size_t first = written;
            check(e.finish(bytes_span(sealed).subspan(first), written) == whole, n, " encryptor");
            EXPECT_EQ(d.update(text, back, written), status::ok);
            check(d.finish({}, written) == whole, n, " decryptor");
            if (n % 16 != 0 || n == 0) {
                EXPECT_EQ(padded.update(text, back, written), status::ok);
                check(padded.finish(back, written) == status::bad_block_length, n, " decryptor with padding");
            }
            if (n % 16 == 0) continue;
            const bytes rest = pattern(16 - n % 16);
            EXPECT_EQ(e.update(rest, bytes_span(sealed).subspan(first), written), status::ok);
            check(e.finish({}, written) == status::ok, n, " goes on");
            bytes all = text;
            all.insert(all.end(), rest.begin(), rest.end());
            check_bytes(cbc_encrypt(k, iv, cbc_padding::none, all), bytes_view(sealed).first(all.size()), n,
                        " goes on");
        }
    });
    EXPECT_EQ(cbc_ciphertext_size(std::numeric_limits<std::size_t>::max(), cbc_padding::pkcs7), 0U);
    EXPECT_EQ(cbc_ciphertext_size(15, cbc_padding::pkcs7), 16U);
    EXPECT_EQ(cbc_ciphertext_size(16, cbc_padding::pkcs7), 32U);
    EXPECT_EQ(cbc_ciphertext_size(48, cbc_padding::none), 48U);
}

TEST(ApiCbc, RefusedUpdatesDoNotMoveAStream) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const lea k(pattern(16));
        const bytes iv = pattern(16);
        for (const cbc_padding p : paddings) {
            for (std::size_t held = 0; held < 16; ++held) {
                lea_cbc_encryptor e(k, iv, p);
                bytes buffer = pattern(200);
                bytes out(200);
                std::size_t written = 99;
                EXPECT_EQ(e.update(bytes_view(buffer).first(held), {}, written), status::ok);
                EXPECT_EQ(written, 0U);
                const bytes_view in = bytes_view(buffer).subspan(held, 64);
                const std::size_t ready = e.update_size(64);
                EXPECT_EQ(ready, 64U);
                EXPECT_EQ(e.update(in, bytes_span(out).first(ready - 1), written), status::buffer_too_small);
                // It may be where the held bytes were (0), where the piece is, or beyond it.
                for (std::size_t at = 1; at < held + 64; ++at) {
                    if (at == held) continue;
                    check(e.update(in, bytes_span(buffer).subspan(at), written) == status::overlap, "held ", held,
                          ", at ", at);
                    check(written == 0, "written");
                }
                EXPECT_EQ(buffer, pattern(200));
                EXPECT_EQ(e.update(in, out, written), status::ok);
                check_bytes(bytes_view(cbc_encrypt(k, iv, cbc_padding::none, pattern(64))), bytes_view(out).first(64),
                            "held ", held);
                if (p == cbc_padding::pkcs7) {
                    EXPECT_EQ(e.finish(bytes_span(out).first(15), written), status::buffer_too_small);
                    EXPECT_EQ(e.finish(bytes_span(out).first(16), written), status::ok);
                    EXPECT_EQ(written, 16U);
                    EXPECT_EQ(e.finish(out, written), status::finished);
                    EXPECT_EQ(e.update(in, out, written), status::finished);
                    EXPECT_EQ(e.update_size(64), 0U);
                }
            }
        }
        // A decryptor that has room for less than a block keeps the last block.
        const bytes sealed = cbc_encrypt(k, iv, cbc_padding::pkcs7, pattern(20));
        lea_cbc_decryptor d(k, iv, cbc_padding::pkcs7);
        bytes out(64);
        std::size_t written = 0;
        EXPECT_EQ(d.update(sealed, out, written), status::ok);
        EXPECT_EQ(written, 16U);
        EXPECT_EQ(d.finish(bytes_span(out).subspan(16, 15), written), status::buffer_too_small);
        EXPECT_EQ(d.finish(bytes_span(out).subspan(16, 16), written), status::ok);
        EXPECT_EQ(written, 4U);
        check_bytes(pattern(20), bytes_view(out).first(20), "after too little room");
    });
}

// ---- CCM

TEST(ApiCcm, AadOfEveryForm) {
    struct row {
        std::uint64_t size;
        const char* form;
    };
    for (const row& r :
         {row{1, "0001"}, row{0xfeff, "feff"}, row{0xff00, "fffe0000ff00"}, row{0xffffffff, "fffeffffffff"},
          row{0x100000000, "ffff0000000100000000"}, row{0x0123456789abcdef, "ffff0123456789abcdef"}}) {
        std::byte form[10];
        EXPECT_EQ(to_hex(bytes_view(form).first(modes::ccm_write_aad_size(r.size, form))), r.form) << r.size;
    }
    random_source random = seeded(170);
    const bytes text = random.take(33);
    for (const std::size_t n : {0, 1, 13, 14, 15, 29, 30, 31, 0xfeff, 0xff00, 0xff01, 0x10000, 0x12345}) {
        const bytes aad = random.take(n);
        const bytes expected = plain::ccm_seal(pattern(24), counting(11), aad, text, 10);
        for_each_table(lea_tables, [&](const lea_table&) {
            const lea_ccm key(pattern(24), 10);
            check_bytes(expected, ccm_seal(key, counting(11), aad, text), n, " bytes of AAD");
            bytes back(33);
            check(key.open(counting(11), aad, expected, back) == status::ok, n, " back");
            check_bytes(text, back, n, " back");
            lea_ccm_sealer s(key, counting(11), n, 33);
            for (std::size_t at = 0; at < n;) {
                const std::size_t piece = std::min(n - at, random.below(n < 100 ? 9 : 9000));
                EXPECT_EQ(s.aad(bytes_view(aad).subspan(at, piece)), status::ok);
                at += piece;
            }
            bytes sealed(43);
            EXPECT_EQ(s.update(text, sealed), status::ok);
            EXPECT_EQ(s.finish(bytes_span(sealed).subspan(33)), status::ok);
            check_bytes(expected, sealed, n, " bytes of AAD in pieces");
        });
    }
}

// A text has fewer than 2^(8q) bytes, q = 15 - nonce size.
TEST(ApiCcm, TextsTooLongForTheirNonce) {
    const lea_ccm key(pattern(16));
    bytes text(0x10001);
    bytes out(text.size() + 16, std::byte{0xa5});
    bytes tag(16);
    const bytes_view longest = bytes_view(text).first(0xffff);
    const bytes_view one_more = bytes_view(text).first(0x10000);
    EXPECT_EQ(key.seal(pattern(13), {}, one_more, out), status::message_too_long);
    EXPECT_EQ(key.seal_detached(pattern(13), {}, one_more, out, tag), status::message_too_long);
    EXPECT_EQ(key.open(pattern(13), {}, out, text), status::message_too_long);
    EXPECT_EQ(key.open_detached(pattern(13), {}, one_more, tag, out), status::message_too_long);
    EXPECT_EQ(out, bytes(out.size(), std::byte{0xa5}));
    for_each_table(lea_tables, [&](const lea_table&) {
        EXPECT_EQ(key.seal(pattern(13), {}, longest, out), status::ok);
        const bytes sealed = ccm_seal(lea_ccm(pattern(16)), pattern(13), {}, longest);
        check_bytes(sealed, bytes_view(out).first(sealed.size()), "65,535 bytes");
    });
    check_bytes(plain::ccm_seal(pattern(16), pattern(13), {}, longest, 16), bytes_view(out).first(0xffff + 16),
                "plain");
    for (std::size_t nonce = 7; nonce <= 13; ++nonce) {
        const std::size_t q = 15 - nonce;
        const std::uint64_t most = q == 8 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << 8 * q) - 1;
        EXPECT_EQ(thrown_by([&] { lea_ccm_sealer s(key, pattern(nonce), 0, most); }), status::ok) << nonce;
        EXPECT_EQ(thrown_by([&] { lea_ccm_opener o(key, pattern(nonce), most, most); }), status::ok) << nonce;
        if (q == 8) continue;
        EXPECT_EQ(thrown_by([&] { lea_ccm_sealer s(key, pattern(nonce), 0, most + 1); }), status::message_too_long);
        EXPECT_EQ(thrown_by([&] { lea_ccm_opener o(key, pattern(nonce), 0, most + 1); }), status::message_too_long);
    }
}

// The kernels count modulo 2^32; texts of more than 64 GiB go beyond.
TEST(ApiCcm, CounterCarriesBeyondTheLowWord) {
    for_each_table(lea_tables, [](const lea_table&) {
        for (unsigned before = 0; before <= 40; ++before) {
            plain::block start = plain::block_of_hex("07010203040506070000fffeffffffff");
            start[15] = static_cast<std::byte>(0xff - before);
            std::byte counter[16];
            std::copy(start.begin(), start.end(), counter);
            bytes text = pattern(16 * 44);
            const bytes expected = plain::lea_ctr(pattern(16), start, text);
            modes::ccm_count(lea(pattern(16)), counter, text.data(), text.data(), 44);
            check_bytes(expected, text, "minus ", before);
            const bytes rest = plain::lea_ctr(pattern(16), start, bytes(16 * 45));
            bytes next(16);
            modes::ccm_count(lea(pattern(16)), counter, next.data(), next.data(), 1);
            check_bytes(bytes_view(rest).last(16), next, "the counter after, minus ", before);
        }
    });
}

// Every bit of tag, AAD, nonce and ciphertext counts; what is not verified leaves no trace in the output.
TEST(ApiCcm, ChangedMessagesAreRefused) {
    for_each_table(lea_tables, [](const lea_table&) {
        const lea_ccm key(pattern(32));
        const bytes nonce = counting(12);
        const bytes aad = counting(20, 50);
        const bytes text = pattern(33);
        const bytes sealed = ccm_seal(key, nonce, aad, text);
        const auto refused = [&](bytes_view n, bytes_view a, bytes_view c, const auto&... what) {
            bytes out(64, std::byte{0xa5});
            check(key.open(n, a, c, out) == status::auth_failed, what...);
            check_bytes(repeated(64, 0xa5), out, what..., " output");
            bytes in_place = test::copy_of(c);
            check(key.open(n, a, in_place, in_place) == status::auth_failed, what..., " in place");
            check_bytes(c, in_place, what..., " in place");
        };
        const auto each_bit = [](bytes data, auto use) {
            for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
                data[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
                use(data, bit);
                data[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
            }
        };
        each_bit(sealed, [&](const bytes& c, std::size_t bit) { refused(nonce, aad, c, "ciphertext, bit ", bit); });
        each_bit(aad, [&](const bytes& a, std::size_t bit) { refused(nonce, a, sealed, "AAD, bit ", bit); });
        each_bit(nonce, [&](const bytes& n, std::size_t bit) { refused(n, aad, sealed, "nonce, bit ", bit); });
        for (std::size_t n = 0; n < sealed.size(); ++n) refused(nonce, aad, bytes_view(sealed).first(n), n, " bytes");
        refused(nonce, bytes_view(aad).first(19), sealed, "shorter AAD");
        refused(counting(11), aad, sealed, "shorter nonce");
        const lea_ccm other(pattern(32), 14);
        bytes out(64);
        check(other.open(nonce, aad, bytes_view(sealed).first(47), out) == status::auth_failed, "cut tag");
        // A stream says so at its end.
        bytes wrong = sealed;
        wrong.back() ^= std::byte{1};
        for (const bytes* given : {&sealed, &std::as_const(wrong)}) {
            lea_ccm_opener o(key, nonce, 20, 33);
            EXPECT_EQ(o.aad(aad), status::ok);
            EXPECT_EQ(o.update_unverified(bytes_view(*given).first(33), out), status::ok);
            check(o.finish(bytes_view(*given).last(15)) == status::bad_tag_length, "15 bytes of a tag");
            check(o.finish(bytes_view(*given).last(16)) == (given == &sealed ? status::ok : status::auth_failed),
                  "end");
            check(o.finish(bytes_view(*given).last(16)) == status::finished, "twice");
        }
    });
}

TEST(ApiCcm, AnnouncedSizesAreKept) {
    for_each_table(lea_tables, [](const lea_table&) {
        call_table();
        const lea_ccm key(pattern(16));
        const bytes text = pattern(40);
        const bytes expected = ccm_seal(key, pattern(12), counting(10), text);
        lea_ccm_sealer s(key, pattern(12), 10, 40);
        bytes out(56);
        const bytes_span tag = bytes_span(out).subspan(40);
        check(s.update({}, {}) == status::wrong_order, "text before AAD");
        check(s.aad(counting(11)) == status::message_too_long, "more AAD than announced");
        check(s.aad(counting(4)) == status::ok, "AAD");
        check(s.update(bytes_view(text).first(1), out) == status::wrong_order, "text before all AAD");
        check(s.finish(tag) == status::wrong_order, "end before all AAD");
        check(s.aad(counting(6, 4)) == status::ok, "rest of AAD");
        check(s.aad({}) == status::ok, "no more AAD");
        check(s.update(text, bytes_span(out).first(39)) == status::buffer_too_small, "room");
        check(s.update(pattern(41), out) == status::message_too_long, "more text than announced");
        check(s.update(bytes_view(text).first(33), out) == status::ok, "text");
        check(s.aad({}) == status::wrong_order, "AAD after text");
        check(s.finish(tag) == status::wrong_order, "end before all text");
        check(s.update(bytes_view(text).subspan(33), bytes_span(out).subspan(33)) == status::ok, "rest of text");
        check(s.finish(tag.first(15)) == status::bad_tag_length, "size of the tag");
        check(s.finish(tag) == status::ok, "end");
        check_bytes(expected, out, "after what was refused");
        check(s.finish(tag) == status::finished, "twice");
        check(s.aad({}) == status::finished, "AAD after the end");
        check(s.update({}, {}) == status::finished, "text after the end");
    });
}

TEST(ApiCcm, OutputsThatLieOverInputs) {
    const lea_ccm key(pattern(16));
    bytes buffer = pattern(300);
    const auto at = [&](std::size_t offset, std::size_t n) { return bytes_span(buffer).subspan(offset, n); };
    EXPECT_EQ(key.seal(at(0, 12), at(20, 10), at(50, 20), at(11, 36)), status::overlap);
    EXPECT_EQ(key.seal(at(0, 12), at(20, 10), at(50, 20), at(29, 36)), status::overlap);
    EXPECT_EQ(key.seal_detached(at(0, 12), at(20, 10), at(50, 20), at(100, 20), at(11, 16)), status::overlap);
    EXPECT_EQ(key.seal_detached(at(0, 12), at(20, 10), at(50, 20), at(100, 20), at(29, 16)), status::overlap);
    EXPECT_EQ(key.seal_detached(at(0, 12), at(20, 10), at(50, 20), at(100, 20), at(69, 16)), status::overlap);
    EXPECT_EQ(key.seal_detached(at(0, 12), at(20, 10), at(50, 20), at(100, 20), at(119, 16)), status::overlap);
    EXPECT_EQ(key.open_detached(at(0, 12), at(20, 10), at(50, 20), at(80, 16), at(95, 20)), status::overlap);
    EXPECT_EQ(key.open_detached(at(0, 12), at(20, 10), at(50, 20), at(80, 16), at(0, 20)), status::overlap);
    EXPECT_EQ(key.seal(at(0, 12), at(20, 10), at(50, 20), at(100, 35)), status::buffer_too_small);
    EXPECT_EQ(key.seal(at(0, 12), at(20, 10), at(50, 20), {}), status::buffer_too_small);
    EXPECT_EQ(buffer, pattern(300));
}

// ---- XTS

TEST(ApiXts, EveryLength) {
    random_source random = seeded(180);
    for (std::size_t n = 16; n <= 2100; n += n < 300 ? 1 : options().at == scale::emulator ? 397 : 37) {
        const bytes keys = random.take(2 * lea_key_sizes[n % 3]);
        const bytes tweak = random.take(16);
        const bytes text = random.take(n);
        const bytes expected = plain::xts_encrypt(keys, plain::block_of(tweak), text);
        for_each_table(lea_tables, [&](const lea_table&) {
            const lea_xts key(keys);
            EXPECT_EQ(key.key_size(), keys.size());
            bytes out(n);
            EXPECT_EQ(key.encrypt(tweak, text, out), status::ok);
            check_bytes(expected, out, n, " bytes");
            EXPECT_EQ(key.decrypt(tweak, out, out), status::ok);
            check_bytes(text, out, n, " bytes back in place");
            EXPECT_EQ(key.encrypt(tweak, out, out), status::ok);
            check_bytes(expected, out, n, " bytes in place");
            bytes back(n);
            EXPECT_EQ(key.decrypt(tweak, out, back), status::ok);
            check_bytes(text, back, n, " bytes back");
        });
    }
}

TEST(ApiXts, KeysOfTwoDifferentHalves) {
    for (std::size_t n = 0; n <= 80; ++n) {
        const bool valid = n == 32 || n == 48 || n == 64;
        EXPECT_EQ(thrown_by([&] { lea_xts x(pattern(n)); }), valid ? status::ok : status::bad_key_length) << n;
        if (!valid) continue;
        bytes keys = pattern(n / 2);
        keys.insert(keys.end(), keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(n / 2));
        EXPECT_EQ(thrown_by([&] { lea_xts x(keys); }), status::weak_key) << n;
        for (std::size_t bit = 0; bit < 8 * n; ++bit) {
            keys[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
            EXPECT_EQ(thrown_by([&] { lea_xts x(keys); }), status::ok) << n << ", bit " << bit;
            keys[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        }
    }
}

TEST(ApiXts, MisuseIsRefusedAndChangesNothing) {
    const lea_xts key(counting(32));
    const bytes tweak = pattern(16);
    bytes buffer = pattern(200);
    bytes other(200, std::byte{0xa5});
    const auto both = [&](bytes_view t, bytes_view in, bytes_span out, status expected) {
        EXPECT_EQ(key.encrypt(t, in, out), expected);
        EXPECT_EQ(key.decrypt(t, in, out), expected);
        EXPECT_EQ(buffer, pattern(200));
        EXPECT_EQ(other, bytes(200, std::byte{0xa5}));
    };
    for (std::size_t n = 0; n < 16; ++n) both(tweak, bytes_view(buffer).first(n), other, status::bad_block_length);
    both(tweak, bytes_view(buffer).first(40), bytes_span(other).first(39), status::buffer_too_small);
    for (const std::size_t shift : {1, 15, 16, 39}) {
        both(tweak, bytes_view(buffer).first(40), bytes_span(buffer).subspan(shift, 40), status::overlap);
        both(tweak, bytes_view(buffer).subspan(shift, 40), bytes_span(buffer).first(40), status::overlap);
    }
    both(bytes_view(buffer).subspan(50, 16), bytes_view(buffer).first(40), bytes_span(buffer).subspan(65, 40),
         status::overlap);

    const auto sectors = [&](std::uint64_t first, std::size_t size, bytes_view in, bytes_span out, status expected) {
        EXPECT_EQ(key.encrypt_sectors(first, size, in, out), expected);
        EXPECT_EQ(key.decrypt_sectors(first, size, in, out), expected);
        EXPECT_EQ(buffer, pattern(200));
    };
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    for (const std::size_t size : {0, 1, 15})
        sectors(0, size, bytes_view(buffer).first(60), other, status::bad_block_length);
    sectors(0, 20, bytes_view(buffer).first(59), other, status::bad_block_length);
    sectors(0, 20, bytes_view(buffer).first(60), bytes_span(other).first(59), status::buffer_too_small);
    sectors(0, 20, bytes_view(buffer).first(60), bytes_span(buffer).subspan(1, 60), status::overlap);
    sectors(0, (std::size_t{1} << 24) + 1, {}, {}, status::message_too_long);
    sectors(last, 20, bytes_view(buffer).first(40), other, status::counter_exhausted);
    sectors(last - 1, 20, bytes_view(buffer).first(60), other, status::counter_exhausted);
    EXPECT_EQ(other, bytes(200, std::byte{0xa5}));
    sectors(last - 1, 20, bytes_view(buffer).first(40), other, status::ok);
    sectors(last, 20, {}, other, status::ok);
}

// SP 800-38E: 2^20 blocks are the most.
TEST(ApiXts, LongestUnit) {
    const lea_xts key(counting(64));
    constexpr std::size_t most = std::size_t{1} << 24;
    bytes text(most + 1);
    EXPECT_EQ(key.encrypt(pattern(16), text, text), status::message_too_long);
    EXPECT_EQ(key.decrypt(pattern(16), text, text), status::message_too_long);
    EXPECT_TRUE(std::ranges::all_of(text, [](std::byte b) { return b == std::byte{0}; }));
    if (options().at == scale::emulator) return;
    text.resize(most);
    const bytes expected =
        plain::xts_encrypt(counting(64), plain::block_of(pattern(16)), bytes(full_scale() ? most : 1 << 18));
    for_each_table(lea_tables, [&](const lea_table&) {
        const lea_xts again(counting(64));
        EXPECT_EQ(again.encrypt(pattern(16), text, text), status::ok);
        check_bytes(expected, bytes_view(text).first(expected.size()), "longest unit");
        EXPECT_EQ(again.decrypt(pattern(16), text, text), status::ok);
        check(std::ranges::all_of(text, [](std::byte b) { return b == std::byte{0}; }), "longest unit back");
    });
}

TEST(ApiModes, ErrorsNameWhatWasGiven) {
    const auto text_of = [](auto make) {
        try {
            make();
        } catch (const error& e) {
            return std::string(e.what());
        }
        return std::string("nothing was thrown");
    };
    const lea key(pattern(16));
    EXPECT_EQ(text_of([&] { lea_cbc_encryptor e(key, pattern(12), cbc_padding::none); }),
              "LEA-CBC IV: 12 bytes given, 16 expected");
    EXPECT_EQ(text_of([&] { lea_cfb_decryptor d(key, pattern(16), static_cast<cfb_segment>(32)); }),
              "LEA-CFB segment: 32 bits given, 8, 64 or 128 expected");
    EXPECT_EQ(text_of([&] { lea_ofb o(key, {}); }), "LEA-OFB IV: 0 bytes given, 16 expected");
    EXPECT_EQ(text_of([&] { lea_ccm c(pattern(16), 5); }),
              "LEA-CCM tag: 5 bytes given, 4, 6, 8, 10, 12, 14 or 16 expected");
    EXPECT_EQ(text_of([&] { lea_ccm_sealer s(lea_ccm(pattern(16)), pattern(14), 0, 0); }),
              "LEA-CCM nonce: 14 bytes given, 7 to 13 expected");
    EXPECT_EQ(text_of([&] { lea_ccm_sealer s(lea_ccm(pattern(16)), pattern(13), 0, 65536); }),
              "LEA-CCM text: 65536 bytes given, at most 65535 expected");
    EXPECT_EQ(text_of([&] { lea_xts x(pattern(16)); }), "LEA-XTS keys: 16 bytes given, 32, 48 or 64 expected");
    EXPECT_EQ(text_of([&] { lea_xts x(bytes(32)); }), "LEA-XTS keys: two equal ones given, different ones expected");
}

}  // namespace
}  // namespace hwacha::test
