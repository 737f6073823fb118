// Reading files and standard input to their end. Sizes that the file system reports are not asked for: /proc, /sys,
// pipes and growing files have none that could be trusted.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <hwacha/lsh.hpp>

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

// Digests of files, one after the other, through one buffer.
class file_hasher {
  public:
    file_hasher();

    struct result {
        int error;       // 0: `hex` is the digest
        bool not_found;  // there is no such file
        std::string hex;
    };
    result hash(const lsh_info& algorithm, const std::string& name);

  private:
    // Between the caches and the cost of a system call: a quarter of the second-level cache of common processors.
    struct alignas(4096) block {
        std::byte bytes[256 * 1024];
    };
    std::unique_ptr<block> block_;
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
