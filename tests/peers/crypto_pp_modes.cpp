// Differential tests against Crypto++: LEA in CBC with and without padding, CFB with segments of 8, 64 and 128 bits,
// OFB, CCM and XTS. Random lengths, pieces and offsets; the seed is printed at the start.
#include <algorithm>

#include <cryptopp/algparam.h>
#include <cryptopp/ccm.h>
#include <cryptopp/filters.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#include <cryptopp/xts.h>

#include "support/modes.hpp"

namespace hwacha::test {
namespace {

const CryptoPP::byte* octets(bytes_view b) {
    return reinterpret_cast<const CryptoPP::byte*>(b.data());
}
CryptoPP::byte* octets(bytes& b) {
    return reinterpret_cast<CryptoPP::byte*>(b.data());
}

std::size_t random_size(random_source& random) {
    return random.below(16) == 0 ? random.below(5000) : random.below(700);
}

template <class Peer>
bytes processed(Peer& peer, bytes_view text) {
    bytes out(text.size());
    if (!text.empty()) peer.ProcessData(octets(out), octets(text), text.size());
    return out;
}

bytes peer_cfb(bytes_view key, bytes_view iv, bytes_view text, int feedback) {
    CryptoPP::CFB_Mode<CryptoPP::LEA>::Encryption peer;
    peer.SetKey(octets(key), key.size(),
                CryptoPP::MakeParameters(CryptoPP::Name::FeedbackSize(), feedback)(
                    CryptoPP::Name::IV(), CryptoPP::ConstByteArrayParameter(octets(iv), iv.size())));
    return processed(peer, text);
}

bytes peer_padded_cbc(bytes_view key, bytes_view iv, bytes_view text) {
    CryptoPP::CBC_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size(), octets(iv));
    bytes out(text.size() + 16);
    auto* sink = new CryptoPP::ArraySink(octets(out), out.size());
    CryptoPP::StreamTransformationFilter filter(peer, sink, CryptoPP::BlockPaddingSchemeDef::PKCS_PADDING);
    filter.Put(octets(text), text.size());
    filter.MessageEnd();
    out.resize(static_cast<std::size_t>(sink->TotalPutLength()));
    return out;
}

bytes peer_ccm(bytes_view key, bytes_view nonce, bytes_view aad, bytes_view text, std::size_t tag_size) {
    CryptoPP::CCM<CryptoPP::LEA>::Encryption peer;
    peer.SetKey(octets(key), key.size(),
                CryptoPP::MakeParameters(CryptoPP::Name::DigestSize(), static_cast<int>(tag_size))(
                    CryptoPP::Name::IV(), CryptoPP::ConstByteArrayParameter(octets(nonce), nonce.size())));
    bytes out(text.size() + tag_size);
    peer.EncryptAndAuthenticate(octets(out), octets(out) + text.size(), tag_size, octets(nonce),
                                static_cast<int>(nonce.size()), octets(aad), aad.size(), octets(text), text.size());
    return out;
}

// Crypto++ 8.7 crashes if ProcessLastBlock gets more than the two last blocks.
bytes peer_xts(bytes_view keys, bytes_view tweak, bytes_view text) {
    CryptoPP::XTS_Mode<CryptoPP::LEA>::Encryption peer;
    peer.SetKeyWithIV(octets(keys), keys.size(), octets(tweak), tweak.size());
    bytes out(text.size());
    const std::size_t last = text.size() % 16 == 0 ? 0 : 16 + text.size() % 16;
    const std::size_t before = text.size() - last;
    if (before != 0) peer.ProcessData(octets(out), octets(text), before);
    if (last != 0) peer.ProcessLastBlock(octets(out) + before, last, octets(text.subspan(before)), last);
    return out;
}

// What Crypto++ makes of it, by the name of the mode.
bytes peer_encrypted(std::string_view name, bytes_view key, bytes_view iv, bytes_view text) {
    if (name == "CTR") {
        CryptoPP::CTR_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size(), octets(iv));
        return processed(peer, text);
    }
    if (name == "CBC") {
        CryptoPP::CBC_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size(), octets(iv));
        return processed(peer, text);
    }
    if (name == "CBC with padding") return peer_padded_cbc(key, iv, text);
    if (name == "CFB8") return peer_cfb(key, iv, text, 1);
    if (name == "CFB64") return peer_cfb(key, iv, text, 8);
    if (name == "CFB128") return peer_cfb(key, iv, text, 16);
    if (name == "CCM") return peer_ccm(key, iv.first(11), iv, text, 16);
    EXPECT_EQ(name, "OFB");
    CryptoPP::OFB_Mode<CryptoPP::LEA>::Encryption peer(octets(key), key.size(), octets(iv));
    return processed(peer, text);
}

TEST(PeersModes, RandomTexts) {
    random_source random = seeded(190);
    for (std::size_t round = 0; round < scaled(100'000) && !HasFailure(); ++round) {
        const mode& m = modes()[round % modes().size()];
        const bytes key = random.take(lea_key_sizes[random.below(3)]);
        const bytes iv = random.take(16);
        const bytes text = random.take(random_size(random) / m.granule * m.granule);
        const bytes expected = peer_encrypted(m.name, key, iv, text);
        // The plain model too, so that it may be trusted where it is the judge.
        if (round % 8 == 0) {
            ASSERT_EQ(m.plain(key, iv, text), expected) << m.name << ' ' << to_hex(text);
        }
        for_each_table(lea_tables, [&](const lea_table&) {
            std::byte block[16] = {};
            EXPECT_EQ(lea(key).encrypt_blocks(block, block), status::ok);
            check_bytes(expected, encrypted(m, key, iv, text), m.name, ", round ", round);
            check_bytes(text, decrypted(m, key, iv, expected), m.name, ", round ", round, " back");
            bytes out(expected.size() + 16);
            const auto sizes = [&] { return random.below(random.below(3) == 0 ? 700 : 70); };
            out.resize(in_pieces(*m.encryptor(key, iv, text.size()), text, out, sizes));
            check_bytes(expected, out, m.name, ", round ", round, " in pieces");
            std::size_t taken = 0;
            const auto back = m.decryptor(key, iv, expected, taken);
            out.resize(in_pieces(*back, bytes_view(expected).first(taken), out, sizes));
            check_bytes(text, out, m.name, ", round ", round, " back in pieces");
        });
    }
}

TEST(PeersModes, CcmOfEveryNonceAndTagSize) {
    random_source random = seeded(191);
    for (std::size_t round = 0; round < scaled(20'000) && !HasFailure(); ++round) {
        const bytes key = random.take(lea_key_sizes[random.below(3)]);
        const bytes nonce = random.take(random.between(7, 13));
        const std::size_t tag = 2 * random.between(2, 8);
        // Now and then AAD whose size takes six bytes.
        const bytes aad = random.take(round % 100 == 0 ? random.between(65'200, 66'000) : random.below(80));
        const bytes text = random.take(random_size(random));
        const bytes expected = peer_ccm(key, nonce, aad, text, tag);
        for_each_table(lea_tables, [&](const lea_table&) {
            std::byte block[16] = {};
            EXPECT_EQ(lea(key).encrypt_blocks(block, block), status::ok);
            const lea_ccm ours(key, tag);
            check_bytes(expected, ccm_seal(ours, nonce, aad, text), "round ", round);
            bytes out(text.size());
            check(ours.open(nonce, aad, expected, out) == status::ok, "round ", round);
            check_bytes(text, out, "round ", round, " back");
        });
    }
}

TEST(PeersModes, XtsOfEveryLength) {
    random_source random = seeded(192);
    for (std::size_t round = 0; round < scaled(30'000) && !HasFailure(); ++round) {
        const bytes keys = random.take(2 * lea_key_sizes[random.below(3)]);
        const bytes tweak = random.take(16);
        const bytes text = random.take(16 + (round < 600 ? round : random_size(random)));
        const bytes expected = peer_xts(keys, tweak, text);
        if (round % 8 == 0) {
            ASSERT_EQ(plain::xts_encrypt(keys, plain::block_of(tweak), text), expected) << text.size();
        }
        for_each_table(lea_tables, [&](const lea_table&) {
            const lea_xts ours(keys);
            bytes out(text.size());
            EXPECT_EQ(ours.encrypt(tweak, text, out), status::ok);
            check_bytes(expected, out, "round ", round, ", ", text.size(), " bytes");
            EXPECT_EQ(ours.decrypt(tweak, out, out), status::ok);
            check_bytes(text, out, "round ", round, ", ", text.size(), " bytes back");
        });
    }
}

}  // namespace
}  // namespace hwacha::test
