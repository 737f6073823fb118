// GMAC (NIST SP 800-38D) with LEA (KS X 3246): LEA-GCM of additional data alone.
#pragma once

#include <hwacha/lea_gcm.hpp>

namespace hwacha {

// A message in pieces under one key and one nonce. The key is one of LEA-GCM, its tag size the size of the MAC. Nonces
// are those of that key: one that has been used, for a MAC or for a text, must never be used again. It is no secret;
// verifying takes the same. Wiped by the destructor.
class HWACHA_API gmac_lea : private lea_gcm_stream {
  public:
    // Throws error(bad_nonce_length) for an empty nonce, error(message_too_long) for one above 2^61-1 bytes.
    gmac_lea(const lea_gcm& key, bytes_view nonce) : lea_gcm_stream(key, nonce) {}

    // Appends `data`; any splitting gives the same MAC. message_too_long (2^61-1 bytes in all), finished: nothing
    // happened.
    [[nodiscard]] status update(bytes_view data) noexcept { return absorb_aad(data); }

    // Writes the MAC of exactly mac_size() bytes and ends the message. bad_tag_length: nothing happened, call it again.
    [[nodiscard]] status finish(bytes_span mac) noexcept;

    // Instead of finish: ok or auth_failed, in constant time. bad_tag_length as there.
    [[nodiscard]] status verify(bytes_view mac) noexcept;

    [[nodiscard]] std::size_t mac_size() const noexcept { return key_.tag_size(); }

    // One call each, statuses as above, and bad_nonce_length, message_too_long. The MAC may not lie over nonce or data
    // (overlap).
    [[nodiscard]] static status mac(const lea_gcm& key, bytes_view nonce, bytes_view data, bytes_span mac) noexcept {
        return key.seal_detached(nonce, data, {}, {}, mac);
    }
    [[nodiscard]] static status verify(const lea_gcm& key, bytes_view nonce, bytes_view data, bytes_view mac) noexcept {
        return key.open_detached(nonce, data, {}, mac, {});
    }
};

}  // namespace hwacha
