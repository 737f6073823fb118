// LSH, LEA and its modes in plain arithmetic, as slow and as close to the standards' text as they get, sharing no line
// with the library: the judge where no official vector and no peer exists (LSH-512-224; GCM counters about to wrap;
// CFB8, CFB64).
#pragma once

#include <array>

#include "support/bytes.hpp"

namespace hwacha::test::plain {

using block = std::array<std::byte, 16>;

// Digest of the first `bits` bits of `message`. word_bits 32 or 64, digest_bits 224 to 512.
bytes lsh(unsigned word_bits, unsigned digest_bits, bytes_view message, std::size_t bits);
inline bytes lsh(unsigned word_bits, unsigned digest_bits, bytes_view message) {
    return lsh(word_bits, digest_bits, message, 8 * message.size());
}
bytes hmac_lsh(unsigned word_bits, unsigned digest_bits, bytes_view key, bytes_view message);

// The round keys, six words a round.
std::vector<std::uint32_t> lea_round_keys(bytes_view key);
block lea_encrypt(bytes_view key, const block& in);
block lea_decrypt(bytes_view key, const block& in);
bytes lea_ctr(bytes_view key, const block& iv, bytes_view text);

// SP 800-38A: whole blocks; CFB with segments of `segment` bytes, the last of which may be short.
bytes cbc_encrypt(bytes_view key, const block& iv, bytes_view text);
bytes cbc_decrypt(bytes_view key, const block& iv, bytes_view text);
bytes cfb_encrypt(bytes_view key, const block& iv, std::size_t segment, bytes_view text);
bytes cfb_decrypt(bytes_view key, const block& iv, std::size_t segment, bytes_view text);
bytes ofb(bytes_view key, const block& iv, bytes_view text);
// RFC 5652 section 6.3.
bytes pkcs7_padded(bytes_view text);
// SP 800-38C: ciphertext and tag.
bytes ccm_seal(bytes_view key, bytes_view nonce, bytes_view aad, bytes_view plaintext, std::size_t tag_size);
// IEEE 1619 section 5.3: one data unit under the data key and the tweak key.
bytes xts_encrypt(bytes_view keys, const block& tweak, bytes_view text);
bytes xts_decrypt(bytes_view keys, const block& tweak, bytes_view text);

// SP 800-38D: product in GF(2^128), bit by bit; its inverse; GHASH over whole blocks.
block multiply(const block& x, const block& y);
block inverse(const block& x);
block ghash(const block& h, bytes_view data);

struct sealed {
    bytes ciphertext;
    block tag;
};
block gcm_j0(bytes_view key, bytes_view nonce);
sealed gcm_seal(bytes_view key, bytes_view nonce, bytes_view aad, bytes_view plaintext);
// A 16-byte nonce from which GCM derives the given J0.
block nonce_for_j0(bytes_view key, const block& j0);

block block_of(bytes_view data);
block block_of_hex(std::string_view hex);

}  // namespace hwacha::test::plain
