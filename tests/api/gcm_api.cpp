// lea_gcm.hpp: messages in one call and in pieces, misuse, limits.
#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <thread>
#include <type_traits>

#include "gcm/limits.hpp"
#include "support/gcm.hpp"
#include "support/residue.hpp"
#include "support/thrown.hpp"

namespace hwacha::test {
namespace {

constexpr std::size_t tag_sizes[] = {4, 8, 12, 13, 14, 15, 16};

TEST(ApiGcm, AgreesWithPlainArithmetic) {
    random_source random = seeded(60);
    for (std::size_t round = 0; round < scaled(2'000); ++round) {
        const gcm_message m = random_message(random, random.below(round % 8 == 0 ? 700 : 100));
        const bytes expected = plain_seal(m);
        for_each_gcm([&] {
            const lea_gcm key(m.key);
            check_bytes(expected, seal(key, m.nonce, m.aad, m.plaintext), "round ", round, ", seal");
            bytes out(m.plaintext.size());
            check(key.open(m.nonce, m.aad, expected, out) == status::ok, "round ", round, ", open");
            check_bytes(m.plaintext, out, "round ", round, ", open");
        });
    }
}

// Long texts: one call, pieces and tag apart agree; judged by plain arithmetic at the sizes around 256 blocks.
TEST(ApiGcm, OneCallPiecesAndDetachedAgree) {
    random_source random = seeded(61);
    std::vector<std::size_t> sizes;
    for (std::size_t n = 0; n <= 300; n += options().at == scale::emulator ? 13 : 1) sizes.push_back(n);
    for (const std::size_t n : {4095, 4096, 4097, 4111, 4112, 8192, 8193, 12345}) sizes.push_back(n);
    for (const std::size_t n : sizes) {
        const gcm_message m = random_message(random, n);
        const bytes judged = n >= 4095 && n <= 4112 && options().at != scale::emulator ? plain_seal(m) : bytes();
        for_each_gcm([&] {
            const lea_gcm key(m.key);
            const bytes sealed = seal(key, m.nonce, m.aad, m.plaintext);
            if (!judged.empty()) check_bytes(judged, sealed, n, " bytes");
            bytes ciphertext(n);
            bytes tag(16);
            check(key.seal_detached(m.nonce, m.aad, m.plaintext, ciphertext, tag) == status::ok, "detached");
            check_bytes(sealed, joined(ciphertext, tag), n, " bytes, detached");
            bytes plaintext(n);
            check(key.open_detached(m.nonce, m.aad, ciphertext, tag, plaintext) == status::ok, "detached");
            check_bytes(m.plaintext, plaintext, n, " bytes, detached");
            const auto random_size = [&] { return random.below(2) != 0 ? random.below(20) : random.below(1000); };
            check_bytes(sealed, seal_in_pieces(key, m, random_size), n, " bytes in pieces");
            check_bytes(m.plaintext, open_in_pieces(key, m, sealed, random_size, status::ok), n, " bytes in pieces");
        });
    }
}

TEST(ApiGcm, AadOfAnySize) {
    random_source random = seeded(62);
    for (std::size_t n = 0; n <= 160; n += full_scale() ? 1 : 7) {
        gcm_message m = random_message(random, 20);
        m.aad = random.take(n);
        const bytes expected = plain_seal(m);
        for_each_gcm([&] {
            const lea_gcm key(m.key);
            check_bytes(expected, seal(key, m.nonce, m.aad, m.plaintext), n, " bytes");
            for (std::size_t at = 0; at <= n; ++at) {
                lea_gcm_sealer s(key, m.nonce);
                EXPECT_EQ(s.aad(bytes_view(m.aad).first(at)), status::ok);
                EXPECT_EQ(s.aad(bytes_view(m.aad).subspan(at)), status::ok);
                bytes out(m.plaintext.size());
                bytes tag(16);
                EXPECT_EQ(s.update(m.plaintext, out), status::ok);
                EXPECT_EQ(s.finish(tag), status::ok);
                check_bytes(expected, joined(out, tag), n, " bytes split at ", at);
            }
        });
    }
}

TEST(ApiGcm, RandomCorruptionNeverOpens) {
    for_each_gcm([] {
        random_source random = seeded(63);
        for (std::size_t round = 0; round < (options().at == scale::emulator ? 100U : 1'000U); ++round) {
            gcm_message m = random_message(random, random.below(200));
            const lea_gcm key(m.key, {.tag_size = tag_sizes[2 + round % 5]});
            bytes sealed = seal(key, m.nonce, m.aad, m.plaintext);
            const std::size_t text = m.plaintext.size();
            // One to three bits of nonce, additional data, ciphertext or tag.
            bytes* parts[] = {&m.nonce, &m.aad, &sealed};
            const std::size_t bits = 8 * (m.nonce.size() + m.aad.size() + sealed.size());
            std::size_t chosen[3];
            const std::size_t changes = random.between(1, 3);
            for (std::size_t i = 0; i < changes; ++i) {
                do {
                    chosen[i] = random.below(bits);
                } while (std::find(chosen, chosen + i, chosen[i]) != chosen + i);
                std::size_t bit = chosen[i];
                for (bytes* part : parts) {
                    if (bit < 8 * part->size()) {
                        (*part)[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
                        break;
                    }
                    bit -= 8 * part->size();
                }
            }
            bytes out = repeated(text, 0x5a);
            check(key.open(m.nonce, m.aad, sealed, out) == status::auth_failed, "round ", round);
            check_bytes(bytes(text), out, "out zeroed, round ", round);
            static_cast<void>(open_in_pieces(key, m, sealed, [] { return std::size_t{50}; }, status::auth_failed));
        }
    });
}

// Cut short, lengthened, or with the boundary between additional data and text moved.
TEST(ApiGcm, OtherLengthsNeverOpen) {
    for_each_gcm([] {
        const gcm_message m{pattern(16), pattern(12), pattern(20), pattern(50)};
        const lea_gcm key(m.key);
        const bytes sealed = seal(key, m.nonce, m.aad, m.plaintext);
        bytes out = repeated(200, 0x5a);
        const auto refused = [&](bytes_view nonce, bytes_view aad, bytes_view what, const char* which, std::size_t n) {
            std::ranges::fill(out, std::byte{0x5a});
            check(key.open(nonce, aad, what, out) == status::auth_failed, which, ' ', n);
            const std::size_t text = what.size() < 16 ? 0 : what.size() - 16;
            check_bytes(joined(bytes(text), repeated(200 - text, 0x5a)), out, which, ' ', n);
        };
        for (std::size_t n = 0; n < sealed.size(); ++n)
            refused(m.nonce, m.aad, bytes_view(sealed).first(n), "first", n);
        for (std::size_t n = 1; n < sealed.size(); ++n)
            refused(m.nonce, m.aad, bytes_view(sealed).subspan(n), "last", n);
        for (std::size_t n = 1; n <= 33; ++n) {
            refused(m.nonce, m.aad, joined(sealed, bytes(n)), "zeros behind", n);
            refused(m.nonce, joined(m.aad, bytes(n)), sealed, "zeros behind AAD", n);
            refused(joined(m.nonce, bytes(n)), m.aad, sealed, "zeros behind nonce", n);
        }
        for (std::size_t n = 0; n < m.aad.size(); ++n) refused(m.nonce, bytes_view(m.aad).first(n), sealed, "AAD", n);
        for (std::size_t n = 1; n < m.nonce.size(); ++n)
            refused(bytes_view(m.nonce).first(n), m.aad, sealed, "nonce", n);
    });
}

TEST(ApiGcm, ConstructionIsChecked) {
    for (std::size_t n = 0; n <= 40; ++n) {
        const bool valid = n == 16 || n == 24 || n == 32;
        EXPECT_EQ(thrown_by([&] { lea_gcm k(pattern(n)); }), valid ? status::ok : status::bad_key_length) << n;
    }
    const lea_gcm key(pattern(24));
    EXPECT_EQ(key.key_size(), 24U);
    EXPECT_EQ(key.tag_size(), 16U);
    EXPECT_EQ(thrown_by([&] { lea_gcm_sealer s(key, {}); }), status::bad_nonce_length);
    EXPECT_EQ(thrown_by([&] { lea_gcm_opener o(key, {}); }), status::bad_nonce_length);
    EXPECT_EQ(thrown_by([&] { lea_gcm_sealer s(key, pattern(1)); }), status::ok);
    static_assert(std::is_nothrow_copy_constructible_v<lea_gcm> && !std::is_trivially_destructible_v<lea_gcm>);
    static_assert(!std::is_trivially_destructible_v<lea_gcm_sealer> &&
                  !std::is_trivially_destructible_v<lea_gcm_opener>);
}

TEST(ApiGcm, MisuseInOneCallIsRefusedAndChangesNothing) {
    const lea_gcm key(pattern(16), {.tag_size = 12});
    const bytes nonce = pattern(12);
    const bytes text = pattern(40);
    const bytes sealed = seal(key, nonce, {}, text);
    bytes out = repeated(100, 0x5a);
    const bytes untouched = out;
    const bytes_span o = out;
    EXPECT_EQ(key.seal({}, {}, text, o), status::bad_nonce_length);
    EXPECT_EQ(key.open({}, {}, sealed, o), status::bad_nonce_length);
    for (const std::size_t n : {0, 11, 12, 39, 51})
        EXPECT_EQ(key.seal(nonce, {}, text, o.first(n)), status::buffer_too_small);
    for (const std::size_t n : {0, 39}) EXPECT_EQ(key.open(nonce, {}, sealed, o.first(n)), status::buffer_too_small);
    EXPECT_EQ(key.seal_detached(nonce, {}, text, o.first(39), o.subspan(50, 12)), status::buffer_too_small);
    EXPECT_EQ(key.open_detached(nonce, {}, bytes_view(sealed).first(40), bytes_view(sealed).last(12), o.first(39)),
              status::buffer_too_small);
    for (std::size_t n = 0; n <= 32; ++n) {
        if (n == 12) continue;
        EXPECT_EQ(key.seal_detached(nonce, {}, text, o.first(40), o.subspan(50, n)), status::bad_tag_length) << n;
        EXPECT_EQ(key.open_detached(nonce, {}, bytes_view(sealed).first(40), pattern(n), o), status::bad_tag_length)
            << n;
    }
    EXPECT_EQ(out, untouched);
    // Nothing but the result is written into a larger buffer.
    EXPECT_EQ(key.seal(nonce, {}, text, o), status::ok);
    EXPECT_EQ(copy_of(o.first(52)), sealed);
    EXPECT_EQ(copy_of(o.subspan(52)), repeated(48, 0x5a));
    std::ranges::fill(out, std::byte{0x5a});
    EXPECT_EQ(key.open(nonce, {}, sealed, o), status::ok);
    EXPECT_EQ(copy_of(o.first(40)), text);
    EXPECT_EQ(copy_of(o.subspan(40)), repeated(60, 0x5a));
}

// Output over input: the text from its start is in place; every other common byte with an input is refused.
enum class over { text, aad, nonce, tag };

class ApiGcmOverlap : public testing::TestWithParam<over> {};

constexpr std::size_t overlap_size = 40;  // of text and additional data
constexpr std::size_t input_at = 100;     // where the input lies in the area; the output is everywhere around

std::size_t input_size(over what) {
    return what == over::nonce ? 12 : what == over::tag ? 16 : overlap_size;
}

status expected_status(over what, std::size_t out_at, std::size_t out_size) {
    if (what == over::text && out_at == input_at) return status::ok;
    return out_at < input_at + input_size(what) && input_at < out_at + out_size ? status::overlap : status::ok;
}

TEST_P(ApiGcmOverlap, Seal) {
    const over what = GetParam();
    if (what == over::tag) return;
    const lea_gcm key(pattern(16));
    for (std::size_t out_at = 20; out_at <= 200; ++out_at) {
        bytes area = pattern(400);
        const bytes_view input = bytes_view(area).subspan(input_at, input_size(what));
        const bytes nonce = pattern(12);
        const bytes other = pattern(overlap_size);
        const status s = key.seal(
            what == over::nonce ? input : bytes_view(nonce), what == over::aad ? input : bytes_view(other),
            what == over::text ? input : bytes_view(other), bytes_span(area).subspan(out_at, overlap_size + 16));
        ASSERT_EQ(s, expected_status(what, out_at, overlap_size + 16))
            << "input at " << input_at << ", output at " << out_at;
        if (s != status::ok) {
            ASSERT_EQ(area, pattern(400));
        }
    }
}

TEST_P(ApiGcmOverlap, Open) {
    const over what = GetParam();
    const lea_gcm key(pattern(16));
    const bytes text = pattern(overlap_size);
    for (std::size_t out_at = 20; out_at <= 200; ++out_at) {
        bytes area = pattern(400);
        const bytes_span input = bytes_span(area).subspan(input_at, input_size(what));
        const bytes nonce = what == over::nonce ? copy_of(input) : pattern(12);
        const bytes aad = what == over::aad ? copy_of(input) : pattern(overlap_size);
        const bytes sealed = seal(key, nonce, aad, text);
        const bytes_view ciphertext = bytes_view(sealed).first(overlap_size);
        const bytes_view tag = bytes_view(sealed).last(16);
        if (what == over::text) std::ranges::copy(ciphertext, input.begin());
        if (what == over::tag) std::ranges::copy(tag, input.begin());
        const bytes before = area;
        const bytes_span out = bytes_span(area).subspan(out_at, overlap_size);
        const status s = key.open_detached(what == over::nonce ? bytes_view(input) : bytes_view(nonce),
                                           what == over::aad ? bytes_view(input) : bytes_view(aad),
                                           what == over::text ? bytes_view(input) : ciphertext,
                                           what == over::tag ? bytes_view(input) : tag, out);
        ASSERT_EQ(s, expected_status(what, out_at, overlap_size))
            << "input at " << input_at << ", output at " << out_at;
        if (s == status::ok) {
            ASSERT_EQ(copy_of(out), text);
        } else {
            ASSERT_EQ(area, before);
        }
    }
}

std::string over_name(const testing::TestParamInfo<over>& info) {
    constexpr const char* names[] = {"Text", "Aad", "Nonce", "Tag"};
    return names[static_cast<int>(info.param)];
}

constexpr over overs[] = {over::text, over::aad, over::nonce, over::tag};
INSTANTIATE_TEST_SUITE_P(Over, ApiGcmOverlap, testing::ValuesIn(overs), over_name);

TEST(ApiGcm, DetachedOutputsMustNotOverlapEachOther) {
    const lea_gcm key(pattern(16));
    bytes area = pattern(100);
    const bytes before = area;
    const bytes_span a = area;
    const bytes text = pattern(40);
    for (const std::size_t at : {0, 1, 24, 39}) {
        EXPECT_EQ(key.seal_detached(pattern(12), {}, text, a.first(40), a.subspan(at, 16)), status::overlap) << at;
        // In place, and the tag over the text.
        EXPECT_EQ(key.seal_detached(pattern(12), {}, a.first(40), a.first(40), a.subspan(at, 16)), status::overlap)
            << at;
    }
    EXPECT_EQ(area, before);
    EXPECT_EQ(key.seal_detached(pattern(12), {}, text, a.first(40), a.subspan(40, 16)), status::ok);
}

TEST(ApiGcm, MisuseInPieces) {
    const lea_gcm key(pattern(16));
    const gcm_message m{pattern(16), pattern(12), pattern(5), pattern(40)};
    const bytes expected = seal(m);
    bytes out = repeated(40, 0x5a);
    bytes tag = repeated(16, 0x5a);
    bytes area = pattern(100);
    {
        lea_gcm_sealer s(key, m.nonce);
        EXPECT_EQ(s.aad(m.aad), status::ok);
        EXPECT_EQ(s.update(m.plaintext, bytes_span(out).first(39)), status::buffer_too_small);
        EXPECT_EQ(s.update(bytes_view(area).first(40), bytes_span(area).subspan(1, 40)), status::overlap);
        EXPECT_EQ(s.update(bytes_view(area).subspan(1, 40), bytes_span(area).first(40)), status::overlap);
        for (const std::size_t n : {0, 12, 15, 17, 32}) {
            bytes other = repeated(n, 0x5a);
            EXPECT_EQ(s.finish(other), status::bad_tag_length) << n;
            EXPECT_EQ(other, repeated(n, 0x5a));
        }
        EXPECT_EQ(area, pattern(100));
        EXPECT_EQ(out, repeated(40, 0x5a));
        EXPECT_EQ(s.update(m.plaintext, out), status::ok);
        EXPECT_EQ(s.finish(tag), status::ok);
        EXPECT_EQ(joined(out, tag), expected) << "a refused call changed the message";
        std::ranges::fill(tag, std::byte{0x5a});
        std::ranges::fill(out, std::byte{0x5a});
        EXPECT_EQ(s.finish(tag), status::finished);
        EXPECT_EQ(s.update(m.plaintext, out), status::finished);
        EXPECT_EQ(s.update({}, {}), status::finished);
        EXPECT_EQ(s.aad(m.aad), status::finished);
        EXPECT_EQ(s.aad({}), status::finished);
        EXPECT_EQ(out, repeated(40, 0x5a));
        EXPECT_EQ(tag, repeated(16, 0x5a));
    }
    {
        lea_gcm_opener o(key, m.nonce);
        EXPECT_EQ(o.aad(m.aad), status::ok);
        EXPECT_EQ(o.update_unverified(bytes_view(expected).first(40), bytes_span(out).first(39)),
                  status::buffer_too_small);
        EXPECT_EQ(o.update_unverified(bytes_view(area).first(40), bytes_span(area).subspan(1, 40)), status::overlap);
        for (const std::size_t n : {0, 12, 15, 17, 32})
            EXPECT_EQ(o.finish(repeated(n, 0)), status::bad_tag_length) << n;
        EXPECT_EQ(out, repeated(40, 0x5a));
        EXPECT_EQ(o.update_unverified(bytes_view(expected).first(40), out), status::ok);
        EXPECT_EQ(out, m.plaintext);
        EXPECT_EQ(o.finish(bytes_view(expected).last(16)), status::ok);
        EXPECT_EQ(o.finish(bytes_view(expected).last(16)), status::finished);
        EXPECT_EQ(o.update_unverified({}, {}), status::finished);
        EXPECT_EQ(o.aad({}), status::finished);
    }
    {  // a wrong tag ends the message too: no second guess
        lea_gcm_opener o(key, m.nonce);
        EXPECT_EQ(o.aad(m.aad), status::ok);
        EXPECT_EQ(o.update_unverified(bytes_view(expected).first(40), out), status::ok);
        EXPECT_EQ(o.finish(repeated(16, 0)), status::auth_failed);
        EXPECT_EQ(o.finish(bytes_view(expected).last(16)), status::finished);
    }
}

TEST(ApiGcm, CopiesContinueFromTheSamePoint) {
    for_each_gcm([] {
        const gcm_message m{pattern(32), pattern(13), pattern(21), pattern(70)};
        const bytes expected = seal(m);
        const lea_gcm original(m.key);
        const lea_gcm key(original);
        for (std::size_t at = 0; at <= 70; ++at) {
            lea_gcm_sealer s(key, m.nonce);
            EXPECT_EQ(s.aad(m.aad), status::ok);
            bytes out(70);
            bytes tag(16);
            EXPECT_EQ(s.update(bytes_view(m.plaintext).first(at), out), status::ok);
            for (lea_gcm_sealer copy : {lea_gcm_sealer(s), s}) {
                EXPECT_EQ(copy.update(bytes_view(m.plaintext).subspan(at), bytes_span(out).subspan(at)), status::ok);
                EXPECT_EQ(copy.finish(tag), status::ok);
                check_bytes(expected, joined(out, tag), "at ", at);
            }
        }
    });
}

// The key may go, or change, while its sealer lives.
TEST(ApiGcm, SealerOutlivesItsKey) {
    for_each_gcm([] {
        const gcm_message m{pattern(16), pattern(12), {}, pattern(70)};
        auto key = std::make_unique<lea_gcm>(m.key);
        lea_gcm_sealer s(*key, m.nonce);
        *key = lea_gcm(repeated(16, 7));
        key.reset();
        bytes out(70);
        bytes tag(16);
        EXPECT_EQ(s.update(m.plaintext, out), status::ok);
        EXPECT_EQ(s.finish(tag), status::ok);
        check_bytes(seal(m), joined(out, tag), "sealed after the key was gone");
    });
}

TEST(ApiGcm, OneKeyManyThreads) {
    const lea_gcm key(pattern(32));
    const bytes text = pattern(5000);
    std::vector<bytes> expected;
    for (unsigned i = 0; i < 8; ++i) expected.push_back(seal(key, repeated(12, i), text, text));
    std::vector<std::thread> threads;
    std::vector<unsigned> wrong(8, 0);
    for (unsigned i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round) {
                bytes out(text.size() + 16);
                if (key.seal(repeated(12, i), text, text, out) != status::ok || out != expected[i]) ++wrong[i];
                bytes back(text.size());
                if (key.open(repeated(12, i), text, out, back) != status::ok || back != text) ++wrong[i];
            }
        });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, std::vector<unsigned>(8, 0));
}

TEST(ApiGcm, EveryBufferBetweenGuardPages) {
    for_each_gcm([] {
        guarded key_there(32), nonce_there(64), aad_there(300), text_there(600), out_there(700), tag_there(16);
        const std::size_t step = options().at == scale::emulator ? 9 : 1;
        for (std::size_t n = 0; n <= 290; n += step) {
            const gcm_message m{pattern(32), pattern(n % 2 == 0 ? 12 : 1 + n % 50), pattern(n % 37), pattern(n)};
            const bytes expected = seal(m);
            const bytes_view text = bytes_view(expected).first(n);
            const bytes_view tag = bytes_view(expected).last(16);
            for (const bool front : {false, true}) {
                const lea_gcm key(key_there.at(front, bytes_view(m.key)));
                const bytes_view nonce = nonce_there.at(front, bytes_view(m.nonce));
                const bytes_view aad = aad_there.at(front, bytes_view(m.aad));
                bytes_view in = text_there.at(front, bytes_view(m.plaintext));
                bytes_span out = out_there.at(front, n + 16);
                EXPECT_EQ(key.seal(nonce, aad, in, out), status::ok);
                check_bytes(expected, out, n, " seal");
                out = out_there.at(front, n);
                bytes_span tag_out = tag_there.at(front, std::size_t{16});
                EXPECT_EQ(key.seal_detached(nonce, aad, in, out, tag_out), status::ok);
                check_bytes(expected, joined(out, tag_out), n, " detached");
                in = text_there.at(front, bytes_view(expected));
                EXPECT_EQ(key.open(nonce, aad, in, out_there.at(front, n)), status::ok);
                in = text_there.at(front, text);
                out = out_there.at(front, n);
                EXPECT_EQ(key.open_detached(nonce, aad, in, tag_there.at(front, tag), out), status::ok);
                check_bytes(m.plaintext, out, n, " open");
                bytes bad = copy_of(tag);
                bad[15] ^= std::byte{1};
                out = out_there.at(front, n);
                EXPECT_EQ(key.open_detached(nonce, aad, in, tag_there.at(front, bytes_view(bad)), out),
                          status::auth_failed);
                check_bytes(bytes(n), out, n, " zeroed");
                lea_gcm_opener o(key, nonce);
                EXPECT_EQ(o.aad(aad), status::ok);
                EXPECT_EQ(o.update_unverified(in, out_there.at(front, n)), status::ok);
                EXPECT_EQ(o.finish(tag_there.at(front, tag)), status::ok);
                lea_gcm_sealer s(key, nonce);
                EXPECT_EQ(s.aad(aad), status::ok);
                const bytes_span both = out_there.at(front, bytes_view(m.plaintext));
                EXPECT_EQ(s.update(both, both), status::ok);
                tag_out = tag_there.at(front, std::size_t{16});
                EXPECT_EQ(s.finish(tag_out), status::ok);
                check_bytes(expected, joined(both, tag_out), n, " sealer in place");
            }
        }
    });
}

TEST(ApiGcm, LeavesNothingBehind) {
    for_each_gcm([] {
        const auto key_of = [](std::uint64_t secret) {
            random_source random(secret);
            return random.take(32);
        };
        const auto make_key = [&](void* at, std::uint64_t secret) { return new (at) lea_gcm(key_of(secret)); };
        expect_no_residue<lea_gcm>(
            make_key, [](lea_gcm& k, std::uint64_t) { static_cast<void>(seal(k, pattern(12), {}, pattern(99))); });
        for (const bool finished : {false, true}) {
            const auto make_sealer = [&](void* at, std::uint64_t secret) {
                return new (at) lea_gcm_sealer(lea_gcm(key_of(secret)), pattern(17));
            };
            const auto use_sealer = [&](lea_gcm_sealer& s, std::uint64_t secret) {
                random_source random(secret + 1);
                bytes text = random.take(133);
                EXPECT_EQ(s.aad(random.take(21)), status::ok);
                EXPECT_EQ(s.update(text, text), status::ok);
                bytes tag(16);
                if (finished) check(s.finish(tag) == status::ok, "finish");
            };
            expect_no_residue<lea_gcm_sealer>(make_sealer, use_sealer);
            const auto make_opener = [&](void* at, std::uint64_t secret) {
                return new (at) lea_gcm_opener(lea_gcm(key_of(secret)), pattern(17));
            };
            const auto use_opener = [&](lea_gcm_opener& o, std::uint64_t secret) {
                random_source random(secret + 1);
                bytes text = random.take(133);
                EXPECT_EQ(o.update_unverified(text, text), status::ok);
                if (finished) check(o.finish(bytes(16)) == status::auth_failed, "finish");
            };
            expect_no_residue<lea_gcm_opener>(make_opener, use_opener);
        }
    });
}

// SP 800-38D section 5.2.1.1, to the byte.
static_assert(gcm_max_text == 68'719'476'704 && gcm_max_aad == 2'305'843'009'213'693'951 &&
              gcm_max_nonce == gcm_max_aad);
static_assert(gcm_fits(0, gcm_max_text, gcm_max_text) && !gcm_fits(0, gcm_max_text + 1, gcm_max_text));
static_assert(gcm_fits(gcm_max_text, 0, gcm_max_text) && !gcm_fits(gcm_max_text, 1, gcm_max_text));
static_assert(gcm_fits(gcm_max_text - 1, 1, gcm_max_text) && !gcm_fits(gcm_max_text - 1, 2, gcm_max_text));
static_assert(!gcm_fits(1, ~std::uint64_t{0}, gcm_max_text) && !gcm_fits(16, ~std::uint64_t{15}, gcm_max_aad));

// Sizes beyond the limits are refused before a byte is touched: address space that no access survives.
TEST(ApiGcm, TooLongIsRefusedUntouched) {
    if constexpr (sizeof(std::size_t) >= 8) {
        constexpr auto text = static_cast<std::size_t>(gcm_max_text);
        const std::size_t reserved = 2 * (text + 4096);
        void* p = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) {
            note_missing("128 GiB of address space");
            GTEST_SKIP() << "no address space";
        }
        auto* start = static_cast<std::byte*>(p);
        const bytes_view in(start, text + 1);
        const bytes_span out(start + text + 4096, text + 17);
        const lea_gcm key(pattern(16));
        const bytes nonce = pattern(12);
        bytes tag = repeated(16, 0x5a);
        EXPECT_EQ(key.seal(nonce, {}, in, out), status::message_too_long);
        EXPECT_EQ(key.open(nonce, {}, bytes_view(start, text + 17), out), status::message_too_long);
        EXPECT_EQ(key.seal_detached(nonce, {}, in, out, tag), status::message_too_long);
        EXPECT_EQ(key.open_detached(nonce, {}, in, tag, out), status::message_too_long);
        lea_gcm_sealer s(key, nonce);
        EXPECT_EQ(s.update(in, out), status::message_too_long);
        lea_gcm_opener o(key, nonce);
        EXPECT_EQ(o.update_unverified(in, out), status::message_too_long);
        // One byte before: no room for two of them here, so the limit itself is what the next update meets.
        bytes sixteen = pattern(16);
        EXPECT_EQ(s.update(sixteen, sixteen), status::ok);
        EXPECT_EQ(s.update(in.first(text - 15), out), status::message_too_long);
        bytes whole(16);
        EXPECT_EQ(s.finish(whole), status::ok);
        EXPECT_EQ(joined(sixteen, whole), seal(key, nonce, {}, pattern(16))) << "the refused calls changed the message";

        const bytes_view endless(start, static_cast<std::size_t>(gcm_max_aad) + 1);
        bytes small = repeated(32, 0x5a);
        EXPECT_EQ(key.seal(nonce, endless, sixteen, small), status::message_too_long);
        EXPECT_EQ(key.seal(endless, {}, sixteen, small), status::message_too_long);
        EXPECT_EQ(key.open(nonce, endless, small, sixteen), status::message_too_long);
        EXPECT_EQ(key.open(endless, {}, small, sixteen), status::message_too_long);
        EXPECT_EQ(thrown_by([&] { lea_gcm_sealer too_long(key, endless); }), status::message_too_long);
        lea_gcm_sealer again(key, nonce);
        EXPECT_EQ(again.aad(endless), status::message_too_long);
        EXPECT_EQ(small, repeated(32, 0x5a));
        EXPECT_EQ(tag, repeated(16, 0x5a));
        munmap(p, reserved);
    } else {
        GTEST_SKIP() << "32-bit address space";
    }
}

// The last byte that GCM allows, really processed: minutes, so only at full scale.
TEST(ApiGcm, TextUpToTheLimit) {
    if (!full_scale()) GTEST_SKIP() << "only at full scale";
    const lea_gcm key(pattern(16));
    lea_gcm_sealer s(key, pattern(12));
    bytes piece(1U << 20);
    for (std::uint64_t left = gcm_max_text; left != 0;) {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
        ASSERT_EQ(s.update(bytes_span(piece).first(n), piece), status::ok);
        left -= n;
    }
    EXPECT_EQ(s.update(bytes_span(piece).first(1), piece), status::message_too_long);
    EXPECT_EQ(s.update({}, {}), status::ok);
    bytes tag(16);
    EXPECT_EQ(s.finish(tag), status::ok);
}

}  // namespace
}  // namespace hwacha::test
