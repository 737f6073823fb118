// Reading lists: files and standard input, line by line.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hwacha::tool {

inline constexpr std::string_view standard_input = "-";

// What messages call a file.
std::string display_name(std::string_view name);

class input {
  public:
    // "-" is standard input.
    explicit input(const std::string& name) noexcept;
    ~input();
    input(const input&) = delete;
    input& operator=(const input&) = delete;

    // Fills the start of `buffer`; 0 at the end, and after a failure.
    std::size_t read(std::span<std::byte> buffer) noexcept;
    // The errno of the failure to open or to read; 0: none.
    [[nodiscard]] int error() const noexcept { return error_; }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }

  private:
    int descriptor_;
    int error_ = 0;
};

// The lines of a file.
class line_reader {
  public:
    // Memory for a line. No name that opens is nearly as long.
    static constexpr std::size_t longest_line = std::size_t{16} << 20;

    explicit line_reader(input& in);

    // False at the end, and after a failure of the input. `line` is the next line without its newline, valid until the
    // next call; of a longer one than longest_line the first longest_line bytes.
    bool next(std::string_view& line);
    // Whether next() would return a line without reading.
    [[nodiscard]] bool has_line() const noexcept { return unread_.find('\n') != unread_.npos; }
    // The last line was longer.
    [[nodiscard]] bool truncated() const noexcept { return truncated_; }

  private:
    input& in_;
    std::unique_ptr<std::byte[]> buffer_;
    std::string_view unread_;
    std::string line_;
    bool truncated_ = false;
};

}  // namespace hwacha::tool
