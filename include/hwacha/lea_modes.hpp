// LEA (KS X 3246) in the modes of NIST SP 800-38A (CBC, CFB, OFB; ECB and CTR are in lea.hpp) and in XTS (IEEE
// 1619-2018, NIST SP 800-38E).
//
// None of them notices a changed ciphertext. Unless a protocol prescribes one, use lea_gcm.
//
// IVs have 16 bytes (bad_nonce_length). Under one key no IV may be used twice; CBC and CFB moreover need IVs that
// cannot be predicted, so take random ones (SP 800-38A appendix C). Streams copy the key and the IV, may themselves be
// copied, and are wiped by their destructors. Any splitting of a text into pieces gives the same result as one call.
// Functions apart from streams allocate nothing and keep nothing. Any other status than ok, where it is not said
// otherwise: nothing happened.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// ---- CBC, SP 800-38A section 6.2
// --------------------------------------------------------------------------------------

enum class cbc_padding : std::uint8_t {
    // The text is a multiple of 16 bytes (bad_block_length).
    none,
    // RFC 5652 section 6.3: 1 to 16 bytes of that value are added and, after decryption, checked and removed.
    //
    // The check takes the same time for every text, but whoever sends ciphertexts and learns which of them have good
    // padding, from an answer or from how long it took, can decrypt (Vaudenay 2002). Decrypt only what a MAC has
    // authenticated, or use lea_gcm.
    pkcs7,
};

// Bytes of the ciphertext; 0 if that exceeds std::size_t.
[[nodiscard]] constexpr std::size_t cbc_ciphertext_size(std::size_t plaintext_size, cbc_padding padding) noexcept {
    return padding == cbc_padding::none ? plaintext_size : (plaintext_size / 16 + 1) * 16;
}

// One call. Writes cbc_ciphertext_size() bytes to the start of `ciphertext`, and their number to `written` (0 unless
// ok). In place allowed.
[[nodiscard]] HWACHA_API status lea_cbc_encrypt(const lea& key, bytes_view iv, cbc_padding padding,
                                                bytes_view plaintext, bytes_span ciphertext,
                                                std::size_t& written) noexcept;
// `plaintext` has room for as many bytes as `ciphertext` has, whatever padding leaves of them. In place allowed.
// bad_block_length: not a multiple of 16, or nothing at all where there must be padding. bad_padding: as many bytes of
// `plaintext` as `ciphertext` has are zeros.
[[nodiscard]] HWACHA_API status lea_cbc_decrypt(const lea& key, bytes_view iv, cbc_padding padding,
                                                bytes_view ciphertext, bytes_span plaintext,
                                                std::size_t& written) noexcept;

// What the two streams share.
class HWACHA_API lea_cbc_stream {
  protected:
    lea_cbc_stream(const lea& key, bytes_view iv, cbc_padding padding);
    lea_cbc_stream(const lea_cbc_stream&) noexcept = default;
    lea_cbc_stream& operator=(const lea_cbc_stream&) noexcept = default;
    ~lea_cbc_stream();

    enum class direction : std::uint8_t { encrypt, decrypt };
    std::size_t blocks_ready(std::size_t size, direction way) const noexcept;
    status run(bytes_view in, bytes_span out, std::size_t& written, direction way) noexcept;
    void end() noexcept;

    lea key_;
    std::byte chain_[16];  // the ciphertext block before
    std::byte held_[16];   // held_size_ bytes that wait for more
    std::uint32_t held_size_;
    cbc_padding padding_;
    bool finished_;
};

// Encrypts a text in pieces of any size: update any number of times, then finish.
//
// update holds back what is not a whole block yet; it writes update_size() bytes, whose number it leaves in `written`.
// In place means one of two things: the output starts where the piece starts (a buffer that is used again and again),
// or where the held bytes of the pieces before it started (a text that lies in one buffer).
class HWACHA_API lea_cbc_encryptor : private lea_cbc_stream {
  public:
    // Throws error(bad_nonce_length).
    lea_cbc_encryptor(const lea& key, bytes_view iv, cbc_padding padding) : lea_cbc_stream(key, iv, padding) {}

    // What update would write for `size` more bytes.
    [[nodiscard]] std::size_t update_size(std::size_t size) const noexcept {
        return 16 * blocks_ready(size, direction::encrypt);
    }
    [[nodiscard]] status update(bytes_view plaintext, bytes_span ciphertext, std::size_t& written) noexcept {
        return run(plaintext, ciphertext, written, direction::encrypt);
    }
    // Writes the last 16 bytes with pkcs7, none without. bad_block_length: without padding, the text is not a multiple
    // of 16 bytes.
    [[nodiscard]] status finish(bytes_span ciphertext, std::size_t& written) noexcept;
};

// Decrypts a text in pieces of any size, as lea_cbc_encryptor; with pkcs7, update holds back up to one whole block.
class HWACHA_API lea_cbc_decryptor : private lea_cbc_stream {
  public:
    lea_cbc_decryptor(const lea& key, bytes_view iv, cbc_padding padding) : lea_cbc_stream(key, iv, padding) {}

    [[nodiscard]] std::size_t update_size(std::size_t size) const noexcept {
        return 16 * blocks_ready(size, direction::decrypt);
    }
    [[nodiscard]] status update(bytes_view ciphertext, bytes_span plaintext, std::size_t& written) noexcept {
        return run(ciphertext, plaintext, written, direction::decrypt);
    }
    // Writes what padding leaves of the last block, 0 to 15 bytes; `plaintext` has room for 16 with pkcs7.
    // bad_block_length as above. bad_padding: nothing is written, and the text has ended.
    [[nodiscard]] status finish(bytes_span plaintext, std::size_t& written) noexcept;
};

// ---- CFB, SP 800-38A section 6.3
// --------------------------------------------------------------------------------------

// Bits of a segment: CFB8, CFB64, CFB128. (CFB1 is not offered.) CFB8 calls the cipher for every byte, CFB64 for every
// eight. A text may end within a segment.
enum class cfb_segment : std::uint8_t { bits8 = 8, bits64 = 64, bits128 = 128 };

// One call. Writes as many bytes as it reads, in place allowed. bad_option: no such segment.
[[nodiscard]] HWACHA_API status lea_cfb_encrypt(const lea& key, bytes_view iv, cfb_segment segment,
                                                bytes_view plaintext, bytes_span ciphertext) noexcept;
[[nodiscard]] HWACHA_API status lea_cfb_decrypt(const lea& key, bytes_view iv, cfb_segment segment,
                                                bytes_view ciphertext, bytes_span plaintext) noexcept;

// Where a text stands. Wiped by the destructor. Not for direct use.
struct HWACHA_API lea_cfb_state {
    ~lea_cfb_state();

    std::byte input[16];      // of the next call of the cipher: the last 16 bytes of ciphertext
    std::byte keystream[16];  // of the segment under way
    std::uint32_t used;       // bytes of it
    cfb_segment segment;
};

// What the two streams share.
class HWACHA_API lea_cfb_stream {
  protected:
    lea_cfb_stream(const lea& key, bytes_view iv, cfb_segment segment);

    lea key_;
    lea_cfb_state state_;
};

class HWACHA_API lea_cfb_encryptor : private lea_cfb_stream {
  public:
    // Throws error(bad_nonce_length), error(bad_option).
    lea_cfb_encryptor(const lea& key, bytes_view iv, cfb_segment segment) : lea_cfb_stream(key, iv, segment) {}
    // Writes plaintext.size() bytes, in place allowed.
    [[nodiscard]] status update(bytes_view plaintext, bytes_span ciphertext) noexcept;
};

class HWACHA_API lea_cfb_decryptor : private lea_cfb_stream {
  public:
    lea_cfb_decryptor(const lea& key, bytes_view iv, cfb_segment segment) : lea_cfb_stream(key, iv, segment) {}
    [[nodiscard]] status update(bytes_view ciphertext, bytes_span plaintext) noexcept;
};

// ---- OFB, SP 800-38A section 6.4
// --------------------------------------------------------------------------------------

// Encryption and decryption are the same operation.
[[nodiscard]] HWACHA_API status lea_ofb_crypt(const lea& key, bytes_view iv, bytes_view in, bytes_span out) noexcept;

class HWACHA_API lea_ofb {
  public:
    // Throws error(bad_nonce_length).
    lea_ofb(const lea& key, bytes_view iv);
    lea_ofb(const lea_ofb&) noexcept = default;
    lea_ofb& operator=(const lea_ofb&) noexcept = default;
    ~lea_ofb();
    // Writes in.size() bytes, in place allowed.
    [[nodiscard]] status update(bytes_view in, bytes_span out) noexcept;

  private:
    lea key_;
    std::byte keystream_[16];  // the block before, or the one under way
    std::uint32_t left_;       // unused bytes at its end
};

// ---- XTS, IEEE 1619-2018, SP 800-38E
// ----------------------------------------------------------------------------------

// Keys of XTS: for storage, where a data unit (a sector) is encrypted in place of itself under its number. Does not
// change after construction: any number of threads may use it at once. Wiped by the destructor.
//
// A data unit has 16 bytes (bad_block_length) to 2^24 bytes, that is 2^20 blocks (message_too_long); it need not be a
// multiple of 16. In place allowed. The same unit under the same tweak is always encrypted to the same bytes.
class HWACHA_API lea_xts {
  public:
    // The data key and then the tweak key, of the same size: 32, 48 or 64 bytes for LEA-128, LEA-192, LEA-256. (The
    // standards know no AES-192 here; for LEA none of the three is standardised.) Throws error(bad_key_length), or
    // error(weak_key) if the two keys are equal (FIPS 140-3 IG C.I).
    explicit lea_xts(bytes_view keys);

    // One data unit. `tweak` has 16 bytes (bad_nonce_length).
    [[nodiscard]] status encrypt(bytes_view tweak, bytes_view in, bytes_span out) const noexcept;
    [[nodiscard]] status decrypt(bytes_view tweak, bytes_view in, bytes_span out) const noexcept;

    // Data units of `sector_size` bytes each, numbered from `first` on; a number is the tweak as 16 little-endian
    // bytes. bad_block_length: `in` is not a multiple of `sector_size`. counter_exhausted: a number would exceed
    // 2^64-1.
    [[nodiscard]] status encrypt_sectors(std::uint64_t first, std::size_t sector_size, bytes_view in,
                                         bytes_span out) const noexcept;
    [[nodiscard]] status decrypt_sectors(std::uint64_t first, std::size_t sector_size, bytes_view in,
                                         bytes_span out) const noexcept;

    [[nodiscard]] std::size_t key_size() const noexcept { return 2 * data_.key_size(); }

  private:
    lea data_;
    lea tweak_;
};

}  // namespace hwacha
