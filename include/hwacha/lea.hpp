// LEA, the Korean standard block cipher (KS X 3246, ISO/IEC 29192-2): 128-bit blocks, keys of 128, 192 or 256 bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

inline constexpr std::size_t lea_block_size = 16;

// An expanded key. Does not change after construction: any number of threads may use it at once. Wiped by the
// destructor.
class HWACHA_API lea {
  public:
    // `key` has 16, 24 or 32 bytes; throws error(bad_key_length) otherwise.
    explicit lea(bytes_view key);
    lea(const lea&) noexcept = default;
    lea& operator=(const lea&) noexcept = default;
    ~lea();

    // Every block by itself (ECB): the building block of modes, not a way to encrypt messages. `in` has a multiple of
    // 16 bytes (bad_block_length), `out` at least as many (buffer_too_small); in place, or no overlap (overlap).
    [[nodiscard]] status encrypt_blocks(bytes_view in, bytes_span out) const noexcept;
    [[nodiscard]] status decrypt_blocks(bytes_view in, bytes_span out) const noexcept;

    [[nodiscard]] std::size_t key_size() const noexcept { return key_size_; }

  private:
    friend struct lea_access;
    // Six words a round for every key size (KS X 3246, 24, 28 or 32 rounds).
    std::uint32_t round_keys_[32 * 6];
    std::uint32_t rounds_;
    std::uint32_t key_size_;
    const void* kernel_;
};

// CTR mode (NIST SP 800-38A): a stream cipher without authentication. The 16-byte big-endian counter block starts at
// `iv` and wraps at 2^128. Encryption and decryption are the same operation; any splitting gives the same text.
class HWACHA_API lea_ctr {
  public:
    // Throws error(bad_key_length) or, unless `iv` has 16 bytes, error(bad_nonce_length).
    lea_ctr(bytes_view key, bytes_view iv);
    lea_ctr(const lea& key, bytes_view iv);
    lea_ctr(const lea_ctr&) noexcept = default;
    lea_ctr& operator=(const lea_ctr&) noexcept = default;
    ~lea_ctr();

    // Writes in.size() bytes. buffer_too_small, overlap: nothing happened. In place allowed.
    [[nodiscard]] status update(bytes_view in, bytes_span out) noexcept;

  private:
    lea key_;
    std::byte counter_[16];    // the next block's
    std::byte keystream_[16];  // the last keystream_left_ bytes are unused
    std::uint32_t keystream_left_;
};

}  // namespace hwacha
