// CMAC (NIST SP 800-38B, RFC 4493, ISO/IEC 9797-1 MAC algorithm 5) with LEA (KS X 3246).
#pragma once

#include <cstddef>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/lea.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

struct cmac_lea_options {
    // Bytes of a MAC, the first ones of 16, fixed for the key: 8 to 16.
    std::size_t mac_size = 16;
    // Also 4 to 7. Read SP 800-38B appendix A before.
    bool short_macs = false;
};

// A message in pieces under one key. Copyable: both copies go on from the same point. The destructor wipes key and
// state. One object serves one thread at a time.
class HWACHA_API cmac_lea {
  public:
    // Throws error(bad_key_length) unless `key` has 16, 24 or 32 bytes, error(bad_tag_length) for a size of MAC that is
    // not offered.
    explicit cmac_lea(bytes_view key, cmac_lea_options options = {});
    explicit cmac_lea(const lea& key, cmac_lea_options options = {});
    cmac_lea(const cmac_lea&) noexcept = default;
    cmac_lea& operator=(const cmac_lea&) noexcept = default;
    ~cmac_lea();

    // Appends `data`, of any length; any splitting gives the same MAC. After finish it does nothing until reset, and
    // the next finish says so.
    cmac_lea& update(bytes_view data) noexcept;

    // Writes mac_size() bytes to the start of `mac`, which may lie over the input, and ends the message.
    // buffer_too_small, finished: `mac` untouched.
    [[nodiscard]] status finish(bytes_span mac) noexcept;

    // Instead of finish: ok or auth_failed, in constant time. `mac` has exactly mac_size() bytes; otherwise
    // bad_tag_length, and the message goes on. The length of what came over a wire never decides how much is compared.
    [[nodiscard]] status verify(bytes_view mac) noexcept;

    // The same key, the empty message.
    void reset() noexcept;

    [[nodiscard]] std::size_t mac_size() const noexcept { return mac_size_; }

    // One call, all 16 bytes. bad_key_length, buffer_too_small: `mac` untouched.
    [[nodiscard]] static status mac(bytes_view key, bytes_view data, bytes_span mac) noexcept;

  private:
    lea key_;
    std::byte k1_[16], k2_[16];  // SP 800-38B section 6.1
    std::byte chain_[16];
    std::byte last_[16];  // the last block so far, last_size_ bytes of it; whole ones too wait here
    std::uint32_t last_size_;
    std::uint32_t mac_size_;
    bool finished_;
};

}  // namespace hwacha
