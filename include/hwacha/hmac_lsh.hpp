// HMAC (RFC 2104, FIPS 198-1) over LSH. The key is padded to LSH's block: 128 or 256 bytes.
#pragma once

#include <hwacha/lsh.hpp>

namespace hwacha {

// A message in pieces under one key of any length, 0 included. Copyable; the destructor wipes key and state.
class HWACHA_API hmac_lsh {
  public:
    // Throws error(unknown_algorithm) if `v` is none of the six.
    hmac_lsh(lsh_variant v, bytes_view key);

    // As lsh::update.
    hmac_lsh& update(bytes_view data) noexcept;

    // Writes mac_size() bytes. buffer_too_small, finished: `mac` untouched.
    [[nodiscard]] status finish(bytes_span mac) noexcept;

    // Instead of finish: ok or auth_failed, in constant time. `mac` has exactly mac_size() bytes; otherwise
    // bad_tag_length, and the message goes on. The length of what came over a wire never decides how much is compared.
    [[nodiscard]] status verify(bytes_view mac) noexcept;

    // The same key, the empty message.
    void reset() noexcept;

    [[nodiscard]] lsh_variant variant() const noexcept { return running_.variant(); }
    [[nodiscard]] std::size_t mac_size() const noexcept { return running_.digest_size(); }

    // One call. unknown_algorithm, buffer_too_small: `mac` untouched.
    [[nodiscard]] static status mac(lsh_variant v, bytes_view key, bytes_view data, bytes_span mac) noexcept;

  private:
    lsh inner_;    // after the block of key ^ ipad
    lsh outer_;    // after the block of key ^ opad
    lsh running_;  // inner_ and the message so far
};

}  // namespace hwacha
