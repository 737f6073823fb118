// Files as text (docs/FORMAT.md section 4). Base64 (RFC 4648 section 4) without branches or indices that depend on the
// bytes: they may be a key.
#pragma once

#include <string>
#include <string_view>

#include <hwacha/bytes.hpp>

#include "crypt/container.hpp"
#include "crypt/secret.hpp"
#include "crypt/stream.hpp"

namespace hwacha::crypt {

inline constexpr std::size_t armor_line = 64;  // characters
inline constexpr std::size_t armor_line_bytes = armor_line / 4 * 3;

// With padding; writes (bytes.size() + 2) / 3 * 4 characters.
void encode_base64(bytes_view bytes, char* out) noexcept;
// The number of bytes written, at most text.size() / 4 * 3; or npos if `text` is not canonical.
std::size_t decode_base64(std::string_view text, std::byte* out) noexcept;

// "HWACHA ENCRYPTED FILE"
std::string_view armor_label(file_type type) noexcept;

// Writes the BEGIN line at once, and the rest with finish().
class armor_sink final : public sink {
  public:
    armor_sink(file_type type, sink& to);
    void write(bytes_view bytes) override;
    void finish();

  private:
    void flush(bytes_view bytes);

    std::string_view label_;
    sink& to_;
    secret_buffer text_;
    secret<armor_line_bytes> pending_;  // less than a line
    std::size_t pending_size_ = 0;
};

// Reads what armor_sink writes, and what else the format allows. Throws file_fault: bad_armor, not_ours.
class armor_source final : public source {
  public:
    explicit armor_source(source& from);
    std::size_t read(bytes_span room) override;
    void interrupt() noexcept override { from_.interrupt(); }
    // Of the BEGIN line; known after the first read.
    [[nodiscard]] file_type type() const noexcept { return type_; }

  private:
    bool fill();
    bool next_line(std::string_view& line);
    void begin();
    void end(std::string_view line);

    source& from_;
    secret_buffer text_;
    std::size_t at_ = 0, size_ = 0;  // what is left of the text
    bool exhausted_ = false;
    bool last_line_ended_ = false;  // by a line feed
    enum class phase { before, body, after } phase_ = phase::before;
    file_type type_ = file_type::encrypted;
    bool short_line_ = false;
    bool any_line_ = false;
    secret<armor_line_bytes> line_;
    std::size_t line_at_ = 0, line_size_ = 0;
};

// Whether the first byte that is no white space is that of armor. `first_bytes` has one, unless that is all.
bool looks_armored(bytes_view first_bytes) noexcept;

}  // namespace hwacha::crypt
