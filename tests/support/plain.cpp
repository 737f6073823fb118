#include "support/plain.hpp"

#include <algorithm>
#include <stdexcept>

namespace hwacha::test::plain {
namespace {

std::uint64_t little(bytes_view p, unsigned size) {
    std::uint64_t x = 0;
    for (unsigned i = 0; i < size; ++i) x |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
    return x;
}

// Words of w bits, in 64-bit variables.
struct word_ring {
    unsigned w;
    std::uint64_t mask() const { return w == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << w) - 1; }
    std::uint64_t add(std::uint64_t x, std::uint64_t y) const { return (x + y) & mask(); }
    std::uint64_t subtract(std::uint64_t x, std::uint64_t y) const { return (x - y) & mask(); }
    std::uint64_t rotate(std::uint64_t x, unsigned n) const {
        n %= w;
        return n == 0 ? x : ((x << n) | (x >> (w - n))) & mask();
    }
};

// KS X 3262: the two cores.
struct lsh_core {
    word_ring ring;
    unsigned steps;
    unsigned alpha[2];
    unsigned beta[2];
    unsigned gamma[8];
    std::uint64_t constants[8];
};

constexpr lsh_core cores[] = {
    {{32},
     26,
     {29, 5},
     {1, 17},
     {0, 8, 16, 24, 24, 16, 8, 0},
     {0x917caf90, 0x6c1b10a2, 0x6f352943, 0xcf778243, 0x2ceb7472, 0x29e96ff2, 0x8a9ba428, 0x2eeb2642}},
    {{64},
     28,
     {23, 7},
     {59, 3},
     {0, 16, 32, 48, 8, 24, 40, 56},
     {0x97884283c938982a, 0xba1fca93533e2355, 0xc519a2e87aeb1c03, 0x9a0fc95462af17b1, 0xfc3dda8ab019a82b,
      0x02825d079a895407, 0x79f2d0a7ee06a6f7, 0xd76d15eed9fdf5fe}},
};

constexpr unsigned sigma[16] = {6, 4, 5, 7, 12, 15, 14, 13, 2, 0, 1, 3, 8, 11, 10, 9};
constexpr unsigned tau[16] = {3, 2, 0, 1, 7, 4, 5, 6, 11, 10, 8, 9, 15, 12, 13, 14};

using words = std::vector<std::uint64_t>;

words lsh_compress(const lsh_core& c, const words& chaining, const words& message) {
    const word_ring& r = c.ring;
    std::vector<words> m = {words(message.begin(), message.begin() + 16), words(message.begin() + 16, message.end())};
    for (unsigned j = 2; j <= c.steps; ++j) {
        words next(16);
        for (unsigned l = 0; l < 16; ++l) next[l] = r.add(m[j - 1][l], m[j - 2][tau[l]]);
        m.push_back(next);
    }
    words t = chaining;
    words sc(c.constants, c.constants + 8);
    for (unsigned j = 0; j < c.steps; ++j) {
        for (unsigned l = 0; l < 16; ++l) t[l] ^= m[j][l];
        for (unsigned l = 0; l < 8; ++l) {
            std::uint64_t x = r.rotate(r.add(t[l], t[l + 8]), c.alpha[j % 2]) ^ sc[l];
            const std::uint64_t y = r.rotate(r.add(x, t[l + 8]), c.beta[j % 2]);
            x = r.add(x, y);
            t[l] = x;
            t[l + 8] = r.rotate(y, c.gamma[l]);
        }
        words permuted(16);
        for (unsigned l = 0; l < 16; ++l) permuted[l] = t[sigma[l]];
        t = permuted;
        for (std::uint64_t& s : sc) s = r.add(s, r.rotate(s, 8));
    }
    for (unsigned l = 0; l < 16; ++l) t[l] ^= m[c.steps][l];
    return t;
}

constexpr word_ring ring32{32};

std::uint32_t rotate32(std::uint32_t x, unsigned n) {
    return static_cast<std::uint32_t>(ring32.rotate(x, n));
}

constexpr std::uint32_t delta[8] = {0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                    0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957};

void put_be(block& b, std::size_t at, std::uint64_t x, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) b[at + size - 1 - i] = static_cast<std::byte>((x >> (8 * i)) & 0xff);
}

// The last `size` bytes as a big-endian number, plus one.
void increment(block& b, std::size_t size) {
    for (std::size_t i = 16; i-- > 16 - size;) {
        b[i] = static_cast<std::byte>(std::to_integer<unsigned>(b[i]) + 1);
        if (b[i] != std::byte{0}) return;
    }
}

block encrypt(const std::vector<std::uint32_t>& rk, const block& in) {
    std::uint32_t x[4];
    for (std::size_t i = 0; i < 4; ++i) x[i] = static_cast<std::uint32_t>(little(bytes_view(in).subspan(4 * i), 4));
    for (std::size_t r = 0; r < rk.size(); r += 6) {
        const std::uint32_t first = x[0];
        x[0] = rotate32((x[0] ^ rk[r]) + (x[1] ^ rk[r + 1]), 9);
        x[1] = rotate32((x[1] ^ rk[r + 2]) + (x[2] ^ rk[r + 3]), 32 - 5);
        x[2] = rotate32((x[2] ^ rk[r + 4]) + (x[3] ^ rk[r + 5]), 32 - 3);
        x[3] = first;
    }
    block out{};
    for (std::size_t i = 0; i < 16; ++i) out[i] = static_cast<std::byte>((x[i / 4] >> (8 * (i % 4))) & 0xff);
    return out;
}

block decrypt(const std::vector<std::uint32_t>& rk, const block& in) {
    std::uint32_t x[4];
    for (std::size_t i = 0; i < 4; ++i) x[i] = static_cast<std::uint32_t>(little(bytes_view(in).subspan(4 * i), 4));
    for (std::size_t r = rk.size(); r != 0;) {
        r -= 6;
        std::uint32_t y[4];
        y[0] = x[3];
        y[1] = (rotate32(x[0], 32 - 9) - (y[0] ^ rk[r])) ^ rk[r + 1];
        y[2] = (rotate32(x[1], 5) - (y[1] ^ rk[r + 2])) ^ rk[r + 3];
        y[3] = (rotate32(x[2], 3) - (y[2] ^ rk[r + 4])) ^ rk[r + 5];
        std::copy(y, y + 4, x);
    }
    block out{};
    for (std::size_t i = 0; i < 16; ++i) out[i] = static_cast<std::byte>((x[i / 4] >> (8 * (i % 4))) & 0xff);
    return out;
}

bytes counter_mode(bytes_view key, block counter, bytes_view text, std::size_t counter_size) {
    const std::vector<std::uint32_t> rk = lea_round_keys(key);
    bytes out(text.size());
    for (std::size_t i = 0; i < text.size(); i += 16) {
        const block stream = encrypt(rk, counter);
        for (std::size_t j = i; j < std::min(i + 16, text.size()); ++j) out[j] = text[j] ^ stream[j - i];
        increment(counter, counter_size);
    }
    return out;
}

bytes padded(bytes_view data) {
    bytes out = copy_of(data);
    out.resize((out.size() + 15) / 16 * 16);
    return out;
}

block lengths(std::size_t first, std::size_t second) {
    block b{};
    put_be(b, 0, 8 * std::uint64_t{first}, 8);
    put_be(b, 8, 8 * std::uint64_t{second}, 8);
    return b;
}

block exclusive_or(const block& x, const block& y) {
    block z{};
    for (std::size_t i = 0; i < 16; ++i) z[i] = x[i] ^ y[i];
    return z;
}

}  // namespace

bytes lsh(unsigned word_bits, unsigned digest_bits, bytes_view message, std::size_t bits) {
    const lsh_core& c = cores[word_bits == 64];
    const std::size_t word = word_bits / 8;
    const std::size_t size = 32 * word;
    bytes data = copy_of(message.first(bits / 8));
    if (bits % 8 == 0) {
        data.push_back(std::byte{0x80});
    } else {
        const unsigned rest = bits % 8;
        const unsigned kept = std::to_integer<unsigned>(message[bits / 8]) & (0xff00U >> rest) & 0xffU;
        data.push_back(static_cast<std::byte>(kept | (0x80U >> rest)));
    }
    data.resize((data.size() + size - 1) / size * size);

    words cv(16);
    cv[0] = word_bits;
    cv[1] = digest_bits;
    cv = lsh_compress(c, cv, words(32));
    for (std::size_t at = 0; at < data.size(); at += size) {
        words block_words(32);
        for (std::size_t i = 0; i < 32; ++i) {
            block_words[i] = little(bytes_view(data).subspan(at + i * word), static_cast<unsigned>(word));
        }
        cv = lsh_compress(c, cv, block_words);
    }
    bytes digest;
    for (std::size_t l = 0; l < 8; ++l) {
        for (std::size_t i = 0; i < word; ++i) {
            digest.push_back(static_cast<std::byte>(((cv[l] ^ cv[l + 8]) >> (8 * i)) & 0xff));
        }
    }
    digest.resize(digest_bits / 8);
    return digest;
}

bytes hmac_lsh(unsigned word_bits, unsigned digest_bits, bytes_view key, bytes_view message) {
    const std::size_t size = 4 * word_bits;
    bytes k = key.size() > size ? lsh(word_bits, digest_bits, key) : copy_of(key);
    k.resize(size);
    bytes inner;
    bytes outer;
    for (const std::byte b : k) {
        inner.push_back(b ^ std::byte{0x36});
        outer.push_back(b ^ std::byte{0x5c});
    }
    inner.insert(inner.end(), message.begin(), message.end());
    const bytes digest = lsh(word_bits, digest_bits, inner);
    outer.insert(outer.end(), digest.begin(), digest.end());
    return lsh(word_bits, digest_bits, outer);
}

std::vector<std::uint32_t> lea_round_keys(bytes_view key) {
    const unsigned words_in_key = static_cast<unsigned>(key.size() / 4);
    if (words_in_key != 4 && words_in_key != 6 && words_in_key != 8) throw std::invalid_argument("LEA key length");
    const unsigned rounds = 16 + 2 * words_in_key;
    constexpr unsigned rotations[6] = {1, 3, 6, 11, 13, 17};
    std::vector<std::uint32_t> t;
    for (unsigned i = 0; i < words_in_key; ++i) t.push_back(static_cast<std::uint32_t>(little(key.subspan(4 * i), 4)));
    std::vector<std::uint32_t> keys;
    for (unsigned i = 0; i < rounds; ++i) {
        const std::uint32_t d = delta[i % words_in_key];
        const unsigned updated = words_in_key == 4 ? 4 : 6;
        std::uint32_t fresh[6];
        for (unsigned j = 0; j < updated; ++j) {
            std::uint32_t& word = t[words_in_key == 8 ? (6 * i + j) % 8 : j];
            word = rotate32(word + rotate32(d, i + j), rotations[j]);
            fresh[j] = word;
        }
        if (words_in_key == 4) {
            keys.insert(keys.end(), {fresh[0], fresh[1], fresh[2], fresh[1], fresh[3], fresh[1]});
        } else {
            keys.insert(keys.end(), fresh, fresh + 6);
        }
    }
    return keys;
}

block lea_encrypt(bytes_view key, const block& in) {
    return encrypt(lea_round_keys(key), in);
}

block lea_decrypt(bytes_view key, const block& in) {
    return decrypt(lea_round_keys(key), in);
}

bytes lea_ctr(bytes_view key, const block& iv, bytes_view text) {
    return counter_mode(key, iv, text, 16);
}

bytes cbc_encrypt(bytes_view key, const block& iv, bytes_view text) {
    const std::vector<std::uint32_t> rk = lea_round_keys(key);
    bytes out;
    block chain = iv;
    for (std::size_t i = 0; i < text.size(); i += 16) {
        chain = encrypt(rk, exclusive_or(chain, block_of(text.subspan(i, 16))));
        out.insert(out.end(), chain.begin(), chain.end());
    }
    return out;
}

bytes cbc_decrypt(bytes_view key, const block& iv, bytes_view text) {
    const std::vector<std::uint32_t> rk = lea_round_keys(key);
    bytes out;
    block chain = iv;
    for (std::size_t i = 0; i < text.size(); i += 16) {
        const block c = block_of(text.subspan(i, 16));
        const block p = exclusive_or(decrypt(rk, c), chain);
        out.insert(out.end(), p.begin(), p.end());
        chain = c;
    }
    return out;
}

namespace {

// The shift register holds iv and all ciphertext so far; its last 16 bytes go into the cipher.
bytes cipher_feedback(bytes_view key, const block& iv, std::size_t segment, bytes_view text, bool decrypting) {
    const std::vector<std::uint32_t> rk = lea_round_keys(key);
    bytes fed(iv.begin(), iv.end());
    bytes out;
    for (std::size_t i = 0; i < text.size(); i += segment) {
        const block stream = encrypt(rk, block_of(bytes_view(fed).last(16)));
        for (std::size_t j = 0; j < segment && i + j < text.size(); ++j) {
            out.push_back(text[i + j] ^ stream[j]);
            fed.push_back(decrypting ? text[i + j] : out.back());
        }
    }
    return out;
}

}  // namespace

bytes cfb_encrypt(bytes_view key, const block& iv, std::size_t segment, bytes_view text) {
    return cipher_feedback(key, iv, segment, text, false);
}

bytes cfb_decrypt(bytes_view key, const block& iv, std::size_t segment, bytes_view text) {
    return cipher_feedback(key, iv, segment, text, true);
}

bytes ofb(bytes_view key, const block& iv, bytes_view text) {
    const std::vector<std::uint32_t> rk = lea_round_keys(key);
    bytes out;
    block stream = iv;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % 16 == 0) stream = encrypt(rk, stream);
        out.push_back(text[i] ^ stream[i % 16]);
    }
    return out;
}

bytes pkcs7_padded(bytes_view text) {
    bytes out = copy_of(text);
    const std::size_t n = 16 - text.size() % 16;
    out.insert(out.end(), n, static_cast<std::byte>(n));
    return out;
}

bytes ccm_seal(bytes_view key, bytes_view nonce, bytes_view aad, bytes_view plaintext, std::size_t tag_size) {
    const std::size_t q = 15 - nonce.size();
    block first{};
    first[0] = static_cast<std::byte>(64 * (aad.empty() ? 0 : 1) + 8 * ((tag_size - 2) / 2) + (q - 1));
    std::ranges::copy(nonce, first.begin() + 1);
    for (std::size_t i = 0; i < std::min<std::size_t>(q, 8); ++i) {
        first[15 - i] = static_cast<std::byte>((std::uint64_t{plaintext.size()} >> (8 * i)) & 0xff);
    }
    bytes formatted(first.begin(), first.end());
    if (!aad.empty()) {
        const auto add = [&](std::uint64_t value, unsigned size) {
            for (unsigned i = size; i-- > 0;) formatted.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xff));
        };
        if (aad.size() < 65536 - 256) {
            add(aad.size(), 2);
        } else if (std::uint64_t{aad.size()} >> 32 == 0) {
            add(0xfffe, 2);
            add(aad.size(), 4);
        } else {
            add(0xffff, 2);
            add(aad.size(), 8);
        }
        formatted.insert(formatted.end(), aad.begin(), aad.end());
        formatted = padded(formatted);
    }
    const bytes text = padded(plaintext);
    formatted.insert(formatted.end(), text.begin(), text.end());
    const bytes chain = cbc_encrypt(key, block{}, formatted);

    block counter{};
    counter[0] = static_cast<std::byte>(q - 1);
    std::ranges::copy(nonce, counter.begin() + 1);
    const block mask = lea_encrypt(key, counter);
    increment(counter, q);
    bytes out = counter_mode(key, counter, plaintext, q);
    const block tag = exclusive_or(block_of(bytes_view(chain).last(16)), mask);
    out.insert(out.end(), tag.begin(), tag.begin() + static_cast<std::ptrdiff_t>(tag_size));
    return out;
}

namespace {

// IEEE 1619 section 5.2: byte 0 holds the coefficients of x^0 to x^7, the lowest in the least significant bit.
block times_x(const block& a) {
    block out{};
    unsigned carry = 0;
    for (std::size_t i = 0; i < 16; ++i) {
        const unsigned doubled = 2 * std::to_integer<unsigned>(a[i]) + carry;
        out[i] = static_cast<std::byte>(doubled % 256);
        carry = doubled / 256;
    }
    if (carry != 0) out[0] ^= std::byte{135};
    return out;
}

bytes xts(bytes_view keys, const block& tweak, bytes_view text, bool decrypting) {
    const std::vector<std::uint32_t> rk = lea_round_keys(keys.first(keys.size() / 2));
    const std::size_t m = text.size() / 16;
    const std::size_t b = text.size() % 16;
    std::vector<block> t = {lea_encrypt(keys.subspan(keys.size() / 2), tweak)};
    while (t.size() <= m) t.push_back(times_x(t.back()));
    const auto one = [&](const block& in, const block& value) {
        const block masked = exclusive_or(in, value);
        return exclusive_or(decrypting ? decrypt(rk, masked) : encrypt(rk, masked), value);
    };
    bytes out;
    const auto add = [&](const block& x, std::size_t n) {
        out.insert(out.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    };
    for (std::size_t j = 0; j < (b == 0 ? m : m - 1); ++j) add(one(block_of(text.subspan(16 * j, 16)), t[j]), 16);
    if (b != 0) {
        const block whole = one(block_of(text.subspan(16 * (m - 1), 16)), decrypting ? t[m] : t[m - 1]);
        block mixed = whole;
        std::ranges::copy(text.subspan(16 * m), mixed.begin());
        add(one(mixed, decrypting ? t[m - 1] : t[m]), 16);
        add(whole, b);
    }
    return out;
}

}  // namespace

bytes xts_encrypt(bytes_view keys, const block& tweak, bytes_view text) {
    return xts(keys, tweak, text, false);
}

bytes xts_decrypt(bytes_view keys, const block& tweak, bytes_view text) {
    return xts(keys, tweak, text, true);
}

// SP 800-38D algorithm 1: bit 0 is the leftmost; R = 11100001 || 0^120.
block multiply(const block& x, const block& y) {
    block z{};
    block v = y;
    for (std::size_t i = 0; i < 128; ++i) {
        if ((std::to_integer<unsigned>(x[i / 8]) >> (7 - i % 8) & 1U) != 0) z = exclusive_or(z, v);
        const bool carry = (std::to_integer<unsigned>(v[15]) & 1U) != 0;
        for (std::size_t k = 16; k-- > 0;) {
            const unsigned above = k == 0 ? 0 : std::to_integer<unsigned>(v[k - 1]) & 1U;
            v[k] = static_cast<std::byte>((std::to_integer<unsigned>(v[k]) >> 1) | (above << 7));
        }
        if (carry) v[0] ^= std::byte{0xe1};
    }
    return z;
}

// x^(2^128 - 2) = x^2 * x^4 * ... * x^(2^127)
block inverse(const block& x) {
    block square = multiply(x, x);
    block product = square;
    for (int i = 2; i < 128; ++i) {
        square = multiply(square, square);
        product = multiply(product, square);
    }
    return product;
}

block ghash(const block& h, bytes_view data) {
    block y{};
    for (std::size_t i = 0; i < data.size(); i += 16) y = multiply(exclusive_or(y, block_of(data.subspan(i, 16))), h);
    return y;
}

block gcm_j0(bytes_view key, bytes_view nonce) {
    block j0{};
    if (nonce.size() == 12) {
        std::ranges::copy(nonce, j0.begin());
        j0[15] = std::byte{1};
        return j0;
    }
    bytes data = padded(nonce);
    const block size = lengths(0, nonce.size());
    data.insert(data.end(), size.begin(), size.end());
    return ghash(lea_encrypt(key, block{}), data);
}

sealed gcm_seal(bytes_view key, bytes_view nonce, bytes_view aad, bytes_view plaintext) {
    const block h = lea_encrypt(key, block{});
    const block j0 = gcm_j0(key, nonce);
    block first = j0;
    increment(first, 4);
    sealed s{counter_mode(key, first, plaintext, 4), {}};
    bytes data = padded(aad);
    const bytes text = padded(s.ciphertext);
    data.insert(data.end(), text.begin(), text.end());
    const block size = lengths(aad.size(), plaintext.size());
    data.insert(data.end(), size.begin(), size.end());
    s.tag = exclusive_or(ghash(h, data), lea_encrypt(key, j0));
    return s;
}

// J0 = ((nonce * H) + L) * H, L the block of lengths.
block nonce_for_j0(bytes_view key, const block& j0) {
    const block back = inverse(lea_encrypt(key, block{}));
    return multiply(exclusive_or(multiply(j0, back), lengths(0, 16)), back);
}

block block_of(bytes_view data) {
    if (data.size() != 16) throw std::invalid_argument("a block has 16 bytes");
    block b{};
    std::ranges::copy(data, b.begin());
    return b;
}

block block_of_hex(std::string_view hex) {
    return block_of(from_hex(hex));
}

}  // namespace hwacha::test::plain
