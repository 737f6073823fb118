// LEA-CCM: authenticated encryption with LEA (KS X 3246) in Counter with CBC-MAC mode (NIST SP 800-38C, RFC 3610).
//
// For protocols that prescribe it: lea_gcm is several times faster.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// A key. Does not change after construction: any number of threads may use it at once. Wiped by the destructor.
//
// Limits: nonces have n = 7 to 13 bytes; text less than 2^(8*(15-n)) bytes, that is 64 KiB with the longest nonce; AAD
// up to 2^64-1 bytes. A nonce must never be used twice under one key. Overlap: output may start exactly where the text
// starts (in place); any other overlap with an input is refused. Inputs must not change during a call: open reads the
// ciphertext twice, first to verify and then to decrypt.
class HWACHA_API lea_ccm {
  public:
    // `tag_size` is 4, 6, 8, 10, 12, 14 or 16; SP 800-38C appendix B.2 asks for a careful analysis of less than 8.
    // Throws error(bad_key_length) unless `key` has 16, 24 or 32 bytes, error(bad_tag_length).
    explicit lea_ccm(bytes_view key, std::size_t tag_size = 16);

    // Writes ciphertext and then the tag: plaintext.size() + tag_size() bytes to the start of `out`.
    // bad_nonce_length, message_too_long, buffer_too_small, overlap: `out` untouched.
    [[nodiscard]] status seal(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span out) const noexcept;

    // Takes what seal wrote; writes sealed.size() - tag_size() bytes to the start of `out`, only after the tag has been
    // verified. auth_failed (also if `sealed` is shorter than a tag), or any other status: `out` untouched.
    [[nodiscard]] status open(bytes_view nonce, bytes_view aad, bytes_view sealed, bytes_span out) const noexcept;

    // The same with the tag apart: `tag` has exactly tag_size() bytes (bad_tag_length).
    [[nodiscard]] status seal_detached(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span ciphertext,
                                       bytes_span tag) const noexcept;
    [[nodiscard]] status open_detached(bytes_view nonce, bytes_view aad, bytes_view ciphertext, bytes_view tag,
                                       bytes_span plaintext) const noexcept;

    [[nodiscard]] std::size_t tag_size() const noexcept { return tag_size_; }
    [[nodiscard]] std::size_t key_size() const noexcept { return cipher_.key_size(); }

  private:
    friend struct lea_ccm_access;
    lea cipher_;
    std::size_t tag_size_;  // as wide as what is before: no padding, which a copy would fill from the stack
};

// One message under way. Wiped by the destructor. Not for direct use.
struct HWACHA_API lea_ccm_state {
    enum class phase : std::uint8_t { aad, text, finished };

    ~lea_ccm_state();

    std::byte mac[16];        // CBC-MAC so far; `filled` bytes of the next block are in
    std::byte counter[16];    // the next block's
    std::byte tag_mask[16];   // E(K, Ctr 0)
    std::byte keystream[16];  // of the unfinished text block
    std::uint32_t filled;
    phase at;
    std::uint64_t aad_left;  // bytes that were announced and have not come
    std::uint64_t text_left;
};

// What sealer and opener share. Key and nonce are copied in: the caller's may go.
class HWACHA_API lea_ccm_stream {
  protected:
    lea_ccm_stream(const lea_ccm& key, bytes_view nonce, std::uint64_t aad_size, std::uint64_t text_size);
    status absorb_aad(bytes_view aad) noexcept;
    status crypt(bytes_view in, bytes_span out, bool sealing) noexcept;
    status end(std::byte (&tag)[16]) noexcept;

    lea_ccm key_;
    lea_ccm_state state_;
};

// Seals a message in pieces. CCM puts the sizes before everything else, so they must be known at the start: then aad
// any number of times, update any number of times, finish.
class HWACHA_API lea_ccm_sealer : private lea_ccm_stream {
  public:
    // Throws error(bad_nonce_length), error(message_too_long).
    lea_ccm_sealer(const lea_ccm& key, bytes_view nonce, std::uint64_t aad_size, std::uint64_t text_size)
        : lea_ccm_stream(key, nonce, aad_size, text_size) {}

    // message_too_long: more than was announced. wrong_order: AAD after text has begun. Nothing happened.
    [[nodiscard]] status aad(bytes_view data) noexcept { return absorb_aad(data); }
    // Writes plaintext.size() bytes, in place allowed. message_too_long: more than was announced; wrong_order:
    // announced AAD is missing; buffer_too_small, overlap. Nothing happened.
    [[nodiscard]] status update(bytes_view plaintext, bytes_span ciphertext) noexcept {
        return crypt(plaintext, ciphertext, true);
    }
    // Writes the tag of exactly tag_size() bytes and ends the message. bad_tag_length, or wrong_order if something
    // announced is missing: nothing happened.
    [[nodiscard]] status finish(bytes_span tag) noexcept;
};

// Opens a message in pieces. WHAT update_unverified WRITES IS NOT VERIFIED until finish has returned ok: throw it away
// otherwise. Prefer lea_ccm::open.
class HWACHA_API lea_ccm_opener : private lea_ccm_stream {
  public:
    lea_ccm_opener(const lea_ccm& key, bytes_view nonce, std::uint64_t aad_size, std::uint64_t text_size)
        : lea_ccm_stream(key, nonce, aad_size, text_size) {}

    // Statuses as in lea_ccm_sealer.
    [[nodiscard]] status aad(bytes_view data) noexcept { return absorb_aad(data); }
    [[nodiscard]] status update_unverified(bytes_view ciphertext, bytes_span plaintext) noexcept {
        return crypt(ciphertext, plaintext, false);
    }
    // ok, or auth_failed. Otherwise as in lea_ccm_sealer.
    [[nodiscard]] status finish(bytes_view tag) noexcept;
};

}  // namespace hwacha
