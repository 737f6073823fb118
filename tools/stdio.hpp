// Standard output and standard error. Both write at once: a line that has been written is a line that others see, and
// the two streams keep their order.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace hwacha::tool {

// If a standard descriptor is closed, occupies it with one whose every use fails, so that no file opened later gets its
// number.
void occupy_closed_descriptors() noexcept;

// `text` with control characters as \ooo: for messages, where a name must neither break the line nor reach the
// terminal.
std::string printable(std::string_view text);

class output {
  public:
    // After the first failure it does nothing.
    void write(std::string_view text) noexcept;
    // The errno of the first failure; 0: none.
    [[nodiscard]] int error() const noexcept { return error_; }

  private:
    int error_ = 0;
};

class diagnostics {
  public:
    explicit diagnostics(std::string program) : program_(std::move(program)) {}

    // "program: message".
    template <class... Args>
    void report(fmt::format_string<Args...> message, Args&&... args) {
        write(fmt::format(message, std::forward<Args>(args)...));
    }
    [[nodiscard]] const std::string& program() const noexcept { return program_; }
    // A message was lost.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

  private:
    void write(std::string_view message);

    std::string program_;
    bool failed_ = false;
};

// The text of an errno.
std::string error_text(int error);

// `status`, or `on_error` if standard output (reported) or standard error could not take all.
int finish(const output& out, diagnostics& err, int status, int on_error);

}  // namespace hwacha::tool
