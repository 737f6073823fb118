// The chunks behind the header (docs/FORMAT.md section 2.2), by themselves: any number of threads at any of them.
#pragma once

#include <array>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/lea_gcm.hpp>

#include "crypt/secret.hpp"

namespace hwacha::crypt {

inline constexpr std::size_t tag_size = 16;
inline constexpr std::uint64_t most_chunks = std::uint64_t{1} << 32;

class chunk_cipher {
  public:
    chunk_cipher(bytes_view header, const file_key& key);

    // Writes text.size() + tag_size bytes.
    void seal(std::uint64_t number, bool last, bytes_view text, bytes_span out) const;
    // Writes sealed.size() - tag_size bytes. False: altered, and `out` has zeros.
    [[nodiscard]] bool open(std::uint64_t number, bool last, bytes_view sealed, bytes_span out) const;

  private:
    struct derived {
        std::array<std::byte, 64> header_id;
        secret<39> bytes;  // key and prefix of nonces
    };
    static derived derive(bytes_view header, const file_key& key);
    explicit chunk_cipher(const derived& d);
    std::array<std::byte, 12> nonce(std::uint64_t number, bool last) const noexcept;

    std::array<std::byte, 64> header_id_;
    std::array<std::byte, 7> prefix_;
    lea_gcm gcm_;
};

}  // namespace hwacha::crypt
