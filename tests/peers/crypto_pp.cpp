// Differential tests against Crypto++: LSH (it has no LSH-512-224), LEA in ECB, CTR and GCM. Random lengths, pieces and
// offsets; the seed is printed at the start. Where Crypto++ is wrong, plain arithmetic is the judge.
#include <memory>

#include <cryptopp/gcm.h>
#include <cryptopp/lea.h>
#include <cryptopp/lsh.h>
#include <cryptopp/modes.h>

#include "support/gcm.hpp"
#include "support/lea.hpp"
#include "support/lsh.hpp"

namespace hwacha::test {
namespace {

const CryptoPP::byte* octets(bytes_view b) {
    return reinterpret_cast<const CryptoPP::byte*>(b.data());
}
CryptoPP::byte* octets(bytes_span b) {
    return reinterpret_cast<CryptoPP::byte*>(b.data());
}

std::unique_ptr<CryptoPP::HashTransformation> peer_of(lsh_variant v) {
    switch (v) {
        case lsh_variant::lsh256_224: return std::make_unique<CryptoPP::LSH224>();
        case lsh_variant::lsh256_256: return std::make_unique<CryptoPP::LSH256>();
        case lsh_variant::lsh512_256: return std::make_unique<CryptoPP::LSH512_256>();
        case lsh_variant::lsh512_384: return std::make_unique<CryptoPP::LSH384>();
        case lsh_variant::lsh512_512: return std::make_unique<CryptoPP::LSH512>();
        case lsh_variant::lsh512_224: break;
    }
    return nullptr;
}

// Mostly short, sometimes some kilobytes.
std::size_t random_size(random_source& random) {
    return random.below(16) == 0 ? random.below(5000) : random.below(700);
}

// `data` at a random offset of a fresh area, so that reads beyond it meet other bytes every time.
struct placed {
    bytes area;
    bytes_span there;
    placed(random_source& random, bytes_view data) : area(data.size() + 128) {
        random.fill(area);
        there = bytes_span(area).subspan(random.below(64), data.size());
        std::copy(data.begin(), data.end(), there.begin());
    }
};

template <class Use>
void in_pieces(random_source& random, std::size_t size, Use use) {
    for (std::size_t at = 0; at < size;) {
        const std::size_t n = std::min(size - at, random.below(3) == 0 ? random.below(700) : random.below(70));
        use(at, n);
        at += n;
    }
}

class PeersLsh : public testing::TestWithParam<lsh_variant> {};

TEST_P(PeersLsh, RandomMessages) {
    const lsh_info& i = *find_lsh(GetParam());
    const auto peer = peer_of(i.variant);
    random_source random = seeded(100 + static_cast<unsigned>(i.variant));
    for (std::size_t round = 0; round < scaled(100'000); ++round) {
        const bytes data = random.take(random_size(random));
        bytes expected(i.digest_size);
        peer->CalculateDigest(octets(bytes_span(expected)), octets(data), data.size());
        const std::uint64_t how = random.next();
        for_each_table_of(i.variant, [&] {
            random_source same(how);
            const placed p(same, data);
            check_bytes(expected, hash(i, p.there), "round ", round, ", ", data.size(), " bytes");
            lsh h(i.variant);
            in_pieces(same, data.size(), [&](std::size_t at, std::size_t n) { h.update(p.there.subspan(at, n)); });
            check_bytes(expected, finish(h), "round ", round, ", ", data.size(), " bytes in pieces");
        });
        if (HasFailure()) break;
    }
}

constexpr lsh_variant shared_variants[] = {lsh_variant::lsh256_224, lsh_variant::lsh256_256, lsh_variant::lsh512_256,
                                           lsh_variant::lsh512_384, lsh_variant::lsh512_512};
std::string variant_name(const testing::TestParamInfo<lsh_variant>& info) {
    std::string name(find_lsh(info.param)->name);
    std::erase(name, '-');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Variants, PeersLsh, testing::ValuesIn(shared_variants), variant_name);

// The sixth variant, which no peer has.
TEST(PeersLsh512_224, PlainArithmetic) {
    const lsh_info& i = *find_lsh(lsh_variant::lsh512_224);
    random_source random = seeded(110);
    for (std::size_t round = 0; round < scaled(5'000); ++round) {
        const bytes data = random.take(random.below(1200));
        const bytes expected = plain_hash(i, data);
        for_each_table_of(i.variant, [&] { check_bytes(expected, hash(i, data), "round ", round); });
    }
}

// The plain model agrees with the peer on the others, so it may be trusted with that one.
TEST(PeersPlain, LshModelAgrees) {
    random_source random = seeded(111);
    for (const lsh_variant v : shared_variants) {
        const auto peer = peer_of(v);
        const lsh_info& i = *find_lsh(v);
        for (std::size_t round = 0; round < scaled(2'000); ++round) {
            const bytes data = random.take(random.below(1200));
            bytes expected(i.digest_size);
            peer->CalculateDigest(octets(bytes_span(expected)), octets(data), data.size());
            ASSERT_EQ(plain_hash(i, data), expected) << i.name << ' ' << to_hex(data);
        }
    }
}

TEST(PeersLea, EcbRandomBlocks) {
    random_source random = seeded(120);
    for (std::size_t round = 0; round < scaled(100'000) && !HasFailure(); ++round) {
        const bytes key = random.take(lea_key_sizes[random.below(3)]);
        const bytes text = random.take(16 * random.below(round % 16 == 0 ? 200 : 40));
        bytes expected(text.size());
        CryptoPP::ECB_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size());
        if (!text.empty()) peer.ProcessData(octets(bytes_span(expected)), octets(text), text.size());
        const std::uint64_t how = random.next();
        for_each_table(lea_tables, [&](const lea_table&) {
            random_source same(how);
            const lea ours(key);
            const placed in(same, text);
            const placed out(same, text);
            EXPECT_EQ(ours.encrypt_blocks(in.there, out.there), status::ok);
            check_bytes(expected, out.there, "round ", round, ", encrypt");
            EXPECT_EQ(ours.decrypt_blocks(out.there, out.there), status::ok);
            check_bytes(text, out.there, "round ", round, ", decrypt in place");
            // So that the forced table is called for an empty text too.
            std::byte block[16] = {};
            EXPECT_EQ(ours.encrypt_blocks(block, block), status::ok);
        });
    }
}

TEST(PeersLea, CtrRandomTexts) {
    random_source random = seeded(121);
    for (std::size_t round = 0; round < scaled(100'000) && !HasFailure(); ++round) {
        const bytes key = random.take(lea_key_sizes[random.below(3)]);
        bytes iv = random.take(16);
        // Counters about to carry over 4, 8, 12 or all 16 bytes.
        if (random.below(4) == 0) {
            const std::size_t carry = 4 * random.between(1, 4);
            std::fill(iv.end() - static_cast<std::ptrdiff_t>(carry), iv.end(), std::byte{0xff});
            iv[15] = static_cast<std::byte>(0xff - random.below(40));
        }
        const bytes text = random.take(1 + random_size(random));
        bytes expected(text.size());
        CryptoPP::CTR_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size(), octets(bytes_view(iv)));
        peer.ProcessData(octets(bytes_span(expected)), octets(text), text.size());
        const std::uint64_t how = random.next();
        for_each_table(lea_tables, [&](const lea_table&) {
            random_source same(how);
            const placed in(same, text);
            const placed out(same, text);
            lea_ctr one(key, iv);
            EXPECT_EQ(one.update(in.there, out.there), status::ok);
            check_bytes(expected, out.there, "round ", round, ", iv ", to_hex(iv));
            lea_ctr many(key, iv);
            in_pieces(same, text.size(), [&](std::size_t at, std::size_t n) {
                EXPECT_EQ(many.update(in.there.subspan(at, n), in.there.subspan(at, n)), status::ok);
            });
            check_bytes(expected, in.there, "round ", round, ", in place in pieces, iv ", to_hex(iv));
        });
    }
}

bytes peer_seal(const gcm_message& m) {
    bytes out(m.plaintext.size() + 16);
    CryptoPP::GCM<CryptoPP::LEA>::Encryption peer;
    peer.SetKeyWithIV(octets(m.key), m.key.size(), octets(m.nonce), m.nonce.size());
    const bytes_span o = out;
    peer.EncryptAndAuthenticate(octets(o), octets(o.last(16)), 16, octets(m.nonce), static_cast<int>(m.nonce.size()),
                                octets(m.aad), m.aad.size(), octets(m.plaintext), m.plaintext.size());
    return out;
}

TEST(PeersGcm, RandomMessages) {
    random_source random = seeded(122);
    for (std::size_t round = 0; round < scaled(100'000) && !HasFailure(); ++round) {
        gcm_message m = random_message(random, random_size(random));
        if (round % 10 == 0) m.aad = random.take(random.below(1000));
        const bytes expected = peer_seal(m);
        const std::uint64_t how = random.next();
        for_each_gcm([&] {
            random_source same(how);
            const lea_gcm key(m.key);
            const placed in(same, m.plaintext);
            const placed aad(same, m.aad);
            const placed nonce(same, m.nonce);
            const placed out(same, expected);
            EXPECT_EQ(key.seal(nonce.there, aad.there, in.there, out.there), status::ok);
            check_bytes(expected, out.there, "round ", round, ", key ", to_hex(m.key), ", nonce ", to_hex(m.nonce));
            EXPECT_EQ(key.open(nonce.there, aad.there, out.there, in.there), status::ok);
            check_bytes(m.plaintext, in.there, "round ", round, ", open");
            const auto size = [&] { return same.below(100); };
            check_bytes(expected, seal_in_pieces(key, m, size, same.below(2) != 0), "round ", round, ", in pieces");
            check_bytes(m.plaintext, open_in_pieces(key, m, expected, size, status::ok, same.below(2) != 0), "round ",
                        round, ", opened in pieces");
        });
    }
}

// Counters that wrap. Crypto++ 8.7 is wrong where J0 ends in ffffffff: there, and only there, plain arithmetic outvotes
// it.
TEST(PeersGcm, WrappingCounters) {
    random_source random = seeded(123);
    unsigned outvoted = 0;
    for (std::uint32_t k = 1; k <= 40; ++k) {
        plain::block j0 = plain::block_of(random.take(16));
        for (std::size_t i = 0; i < 4; ++i) j0[12 + i] = static_cast<std::byte>((0U - k) >> (24 - 8 * i));
        gcm_message m{random.take(16), {}, random.take(k), random.take(16 * 44 + k % 16)};
        m.nonce = copy_of(plain::nonce_for_j0(m.key, j0));
        const bytes expected = plain_seal(m);
        const bool peer_agrees = peer_seal(m) == expected;
        EXPECT_TRUE(peer_agrees || k == 1) << "Crypto++ differs at k = " << k;
        if (!peer_agrees) ++outvoted;
        for_each_gcm([&] { check_bytes(expected, seal(m), "k = ", k); });
    }
    std::printf("Crypto++ outvoted by plain arithmetic: %u of 40 counters\n", outvoted);
}

// Row B44: sizes at which others gave up. The text is the same MiB again and again.
TEST(PeersGcm, B44_LongTexts) {
    std::vector<std::uint64_t> sizes = {full_scale() ? 67'108'833U : 1'048'593U};
    if (full_scale()) {
        sizes.push_back(268'435'456);
        sizes.push_back((std::uint64_t{1} << 32) + 17);
    }
    random_source random = seeded(124);
    const bytes piece = random.take(1U << 20);
    const bytes key = random.take(16);
    const bytes nonce = random.take(12);
    const bytes aad = random.take(20);
    for (const std::uint64_t size : sizes) {
        CryptoPP::GCM<CryptoPP::LEA>::Encryption peer;
        peer.SetKeyWithIV(octets(key), key.size(), octets(nonce), nonce.size());
        peer.Update(octets(aad), aad.size());
        lea_gcm_sealer sealer(lea_gcm(key), nonce);
        EXPECT_EQ(sealer.aad(aad), status::ok);
        lea_gcm_opener opener(lea_gcm(key), nonce);
        EXPECT_EQ(opener.aad(aad), status::ok);
        bytes ours(piece.size());
        bytes theirs(piece.size());
        bytes opened(piece.size());
        bool same = true;
        for (std::uint64_t left = size; left != 0;) {
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
            peer.ProcessData(octets(bytes_span(theirs)), octets(piece), n);
            EXPECT_EQ(sealer.update(bytes_view(piece).first(n), ours), status::ok);
            EXPECT_EQ(opener.update_unverified(bytes_view(ours).first(n), opened), status::ok);
            same = same && std::equal(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(n), theirs.begin()) &&
                   std::equal(opened.begin(), opened.begin() + static_cast<std::ptrdiff_t>(n), piece.begin());
            left -= n;
        }
        EXPECT_TRUE(same) << size;
        bytes our_tag(16);
        bytes their_tag(16);
        EXPECT_EQ(sealer.finish(our_tag), status::ok);
        peer.TruncatedFinal(octets(bytes_span(their_tag)), 16);
        check_bytes(their_tag, our_tag, size, " bytes");
        EXPECT_EQ(opener.finish(their_tag), status::ok);
    }
}

}  // namespace
}  // namespace hwacha::test
