// The head that every file of ours begins with (docs/FORMAT.md section 1).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/bytes.hpp>

#include "crypt/secret.hpp"
#include "crypt/stream.hpp"

namespace hwacha::crypt {

inline constexpr std::array<unsigned char, 8> magic = {0x93, 'H', 'W', 'A', '\r', '\n', 0x1a, '\n'};
inline constexpr std::size_t longest_comment = 1024;

enum class file_type : std::uint8_t { encrypted = 1, secret_key = 2 };

// "an encrypted file"
std::string_view to_string(file_type type) noexcept;

// UTF-8 without control characters, of at most longest_comment bytes. Null if it is a comment, otherwise why not.
const char* why_no_comment(std::string_view text) noexcept;

std::vector<std::byte> write_head(file_type type, std::string_view comment);

// Reads and keeps every byte, so that they can be hashed. Wiped, for they may be those of a key.
class kept_bytes {
  public:
    explicit kept_bytes(source& from) noexcept : from_(from) {}
    // The next `size` bytes. Throws file_fault(truncated), with `where` in its text.
    bytes_view take(std::size_t size, const char* where);
    [[nodiscard]] bytes_view all() const noexcept { return bytes_; }
    [[nodiscard]] std::vector<std::byte> copy() const { return {bytes_.begin(), bytes_.end()}; }

  private:
    source& from_;
    std::vector<std::byte, wiping_allocator<std::byte>> bytes_;
};

struct container_head {
    file_type type;
    std::string comment;  // not checked yet: why_no_comment
};

// Throws file_fault: empty, not_ours, unsupported, malformed, truncated.
container_head read_head(kept_bytes& from);

// Throws file_fault(malformed).
void demand_comment(std::string_view comment);

// What a file that does not begin as ours may be instead; for messages. Empty if nothing is known.
std::string_view guess_content(bytes_view first_bytes) noexcept;

std::uint64_t load_number(bytes_view little_endian) noexcept;
void append_number(std::vector<std::byte>& to, std::uint64_t number, std::size_t size);
inline void append(std::vector<std::byte>& to, bytes_view bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

// The first 16 bytes of LSH-256-256.
std::array<std::byte, 16> check_sum(bytes_view bytes);

}  // namespace hwacha::crypt
