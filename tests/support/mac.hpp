// CMAC and key derivation for tests: results by value, and the standards' text in plain arithmetic as the judge.
#pragma once

#include <algorithm>
#include <functional>

#include <hwacha/cmac_lea.hpp>
#include <hwacha/kdf.hpp>

#include "support/lsh.hpp"
#include "support/plain.hpp"

namespace hwacha::test {

inline bytes joined(std::initializer_list<bytes_view> parts) {
    bytes all;
    for (const bytes_view p : parts) all.insert(all.end(), p.begin(), p.end());
    return all;
}

inline bytes big_endian(std::uint64_t x, std::size_t size) {
    bytes b(size);
    for (std::size_t i = 0; i < size; ++i) b[size - 1 - i] = static_cast<std::byte>((x >> (8 * i)) & 0xff);
    return b;
}

inline bytes cmac(bytes_view key, bytes_view data) {
    bytes out(16);
    EXPECT_EQ(cmac_lea::mac(key, data, out), status::ok);
    return out;
}

inline bytes plain_mac(const lsh_info& i, bytes_view key, bytes_view data) {
    return plain::hmac_lsh(word_bits(i), digest_bits(i), key, data);
}

// SP 800-38B sections 6.1 and 6.2.
inline bytes plain_cmac(bytes_view key, bytes_view data) {
    const auto doubled = [](const plain::block& in) {
        plain::block out{};
        for (std::size_t i = 0; i < 16; ++i) {
            const unsigned next = i == 15 ? 0 : std::to_integer<unsigned>(in[i + 1]) >> 7;
            out[i] = static_cast<std::byte>((std::to_integer<unsigned>(in[i]) << 1 | next) & 0xff);
        }
        if ((in[0] & std::byte{0x80}) != std::byte{0}) out[15] ^= std::byte{0x87};
        return out;
    };
    const plain::block k1 = doubled(plain::lea_encrypt(key, {}));
    bytes text = copy_of(data);
    const bool whole = !text.empty() && text.size() % 16 == 0;
    if (!whole) text.push_back(std::byte{0x80});
    text.resize((text.size() + 15) / 16 * 16);
    const plain::block last = whole ? k1 : doubled(k1);
    for (std::size_t i = 0; i < 16; ++i) text[text.size() - 16 + i] ^= last[i];
    plain::block chain{};
    for (std::size_t at = 0; at < text.size(); at += 16) {
        for (std::size_t i = 0; i < 16; ++i) chain[i] ^= text[at + i];
        chain = plain::lea_encrypt(key, chain);
    }
    return copy_of(chain);
}

// RFC 8018 section 5.2, over HMAC-LSH.
inline bytes plain_pbkdf2(const lsh_info& i, bytes_view password, bytes_view salt, std::uint64_t iterations,
                          std::size_t size) {
    bytes out;
    for (std::uint32_t block = 1; out.size() < size; ++block) {
        bytes u = mac(i, password, joined({salt, big_endian(block, 4)}));
        bytes t = u;
        for (std::uint64_t j = 1; j < iterations; ++j) {
            u = mac(i, password, u);
            std::ranges::transform(t, u, t.begin(), std::bit_xor{});
        }
        out.insert(out.end(), t.begin(), t.end());
    }
    out.resize(size);
    return out;
}

// RFC 5869.
inline bytes plain_hkdf_expand(const lsh_info& i, bytes_view key, bytes_view info, std::size_t size) {
    bytes out;
    bytes t;
    for (unsigned n = 1; out.size() < size; ++n) {
        t = mac(i, key, joined({t, info, big_endian(n, 1)}));
        out.insert(out.end(), t.begin(), t.end());
    }
    out.resize(size);
    return out;
}

// SP 800-108r1 section 4.1; prf(data).
template <class Prf>
bytes plain_kbkdf(Prf prf, bytes_view before, bytes_view after, unsigned counter_bits, std::size_t size) {
    bytes out;
    for (std::uint32_t n = 1; out.size() < size; ++n) {
        const bytes k = prf(joined({before, big_endian(n, counter_bits / 8), after}));
        out.insert(out.end(), k.begin(), k.end());
    }
    out.resize(size);
    return out;
}

}  // namespace hwacha::test
