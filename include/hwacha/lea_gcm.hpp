// LEA-GCM: authenticated encryption with LEA (KS X 3246) in Galois/Counter Mode (NIST SP 800-38D).
#pragma once

#include <cstddef>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

struct lea_gcm_options {
    // Bytes of a tag, fixed for the key (SP 800-38D section 5.2.1.2): 12 to 16.
    std::size_t tag_size = 16;
    // Also 4 and 8. Read SP 800-38D appendix C before.
    bool short_tags = false;
};

// A key. Does not change after construction: any number of threads may use it at once. Wiped by the destructor.
//
// Limits (SP 800-38D): nonce 1 byte to 2^61-1, AAD up to 2^61-1, text up to 2^36-32 bytes. A nonce must never be used
// twice under one key; 12 bytes are the fast and recommended length.
// Overlap: output may start exactly where the text starts (in place); any other overlap with an input is refused.
// Inputs must not change during a call.
class HWACHA_API lea_gcm {
  public:
    // Throws error(bad_key_length) unless `key` has 16, 24 or 32 bytes, error(bad_tag_length) for a tag size not
    // offered.
    explicit lea_gcm(bytes_view key, lea_gcm_options options = {});
    lea_gcm(const lea_gcm&) noexcept = default;
    lea_gcm& operator=(const lea_gcm&) noexcept = default;
    ~lea_gcm();

    // Writes ciphertext and then the tag: plaintext.size() + tag_size() bytes to the start of `out`.
    // Any other status than ok: `out` untouched.
    [[nodiscard]] status seal(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span out) const noexcept;

    // Takes what seal wrote; writes sealed.size() - tag_size() bytes to the start of `out`. auth_failed (also if
    // `sealed` is shorter than a tag): these bytes are zero, in place too, where the ciphertext is then lost; while the
    // call runs they may hold unverified plaintext. Any other status than ok: `out` untouched.
    [[nodiscard]] status open(bytes_view nonce, bytes_view aad, bytes_view sealed, bytes_span out) const noexcept;

    // The same with the tag apart: `tag` has exactly tag_size() bytes (bad_tag_length). auth_failed: the first
    // ciphertext.size() bytes of `plaintext` are zero.
    [[nodiscard]] status seal_detached(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span ciphertext,
                                       bytes_span tag) const noexcept;
    [[nodiscard]] status open_detached(bytes_view nonce, bytes_view aad, bytes_view ciphertext, bytes_view tag,
                                       bytes_span plaintext) const noexcept;

    [[nodiscard]] std::size_t tag_size() const noexcept { return tag_size_; }
    [[nodiscard]] std::size_t key_size() const noexcept { return cipher_.key_size(); }

  private:
    friend struct lea_gcm_access;
    lea cipher_;
    // H^1 to H^8 in the form of the GHASH kernel in use.
    alignas(16) std::byte powers_[8 * 16];
    std::uint32_t tag_size_;
    const void* kernel_;
    const void* ghash_;
};

// One message under way. Wiped by the destructor. Not for direct use.
struct HWACHA_API lea_gcm_state {
    enum class phase : std::uint8_t { aad, text, finished, failed };

    ~lea_gcm_state();

    std::byte ghash[16];      // running value
    std::byte partial[16];    // the unfinished GHASH block, partial_size bytes of it
    std::byte counter[16];    // the next block's
    std::byte tag_mask[16];   // E(K, J0)
    std::byte keystream[16];  // of the unfinished text block
    std::uint32_t partial_size;
    phase at;
    std::uint64_t aad_size;  // bytes
    std::uint64_t text_size;
};

// What sealer and opener share. Key and nonce are copied in: the caller's may go.
class HWACHA_API lea_gcm_stream {
  protected:
    // Throws error(bad_nonce_length), error(message_too_long).
    lea_gcm_stream(const lea_gcm& key, bytes_view nonce);
    status absorb_aad(bytes_view aad) noexcept;
    status crypt(bytes_view in, bytes_span out, bool sealing) noexcept;
    status end(std::byte (&tag)[16]) noexcept;

    lea_gcm key_;
    lea_gcm_state state_;
};

// Seals a message in pieces: aad any number of times, then update any number of times, then finish.
class HWACHA_API lea_gcm_sealer : private lea_gcm_stream {
  public:
    // Throws error(bad_nonce_length) for an empty nonce, error(message_too_long) for one above 2^61-1 bytes.
    lea_gcm_sealer(const lea_gcm& key, bytes_view nonce) : lea_gcm_stream(key, nonce) {}

    // wrong_order after update (of 0 bytes too): the sealer is then useless, and finish gives no tag. message_too_long,
    // finished: nothing happened.
    [[nodiscard]] status aad(bytes_view data) noexcept { return absorb_aad(data); }
    // Writes plaintext.size() bytes, in place allowed. buffer_too_small, overlap, message_too_long: nothing happened.
    [[nodiscard]] status update(bytes_view plaintext, bytes_span ciphertext) noexcept {
        return crypt(plaintext, ciphertext, true);
    }
    // Writes the tag of exactly tag_size() bytes and ends the message. bad_tag_length: nothing happened, call it again.
    [[nodiscard]] status finish(bytes_span tag) noexcept;
};

// Opens a message in pieces. WHAT update_unverified WRITES IS NOT VERIFIED until finish has returned ok: the one
// exception to the rule that no unverified plaintext leaves this library, for hosts that must stream. Prefer
// lea_gcm::open.
class HWACHA_API lea_gcm_opener : private lea_gcm_stream {
  public:
    lea_gcm_opener(const lea_gcm& key, bytes_view nonce) : lea_gcm_stream(key, nonce) {}

    // Statuses as in lea_gcm_sealer.
    [[nodiscard]] status aad(bytes_view data) noexcept { return absorb_aad(data); }
    [[nodiscard]] status update_unverified(bytes_view ciphertext, bytes_span plaintext) noexcept {
        return crypt(ciphertext, plaintext, false);
    }
    // ok, or auth_failed: then throw away all that update_unverified wrote. bad_tag_length: nothing happened.
    [[nodiscard]] status finish(bytes_view tag) noexcept;
};

}  // namespace hwacha
