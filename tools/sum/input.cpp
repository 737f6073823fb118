#include "sum/input.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "stdio.hpp"

namespace hwacha::tool {
namespace {

constexpr std::size_t line_buffer_size = 64 * 1024;

}  // namespace

std::string display_name(std::string_view name) {
    if (name == standard_input) return "standard input";
    return name.empty() ? "''" : printable(name);
}

input::input(const std::string& name) noexcept : descriptor_(STDIN_FILENO) {
    if (name != standard_input) {
        do {
            descriptor_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
        } while (descriptor_ < 0 && errno == EINTR);
        if (descriptor_ < 0) error_ = errno;
    }
    // A hint; not all that can be read takes it.
    if (descriptor_ >= 0) static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
}

input::~input() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t input::read(std::span<std::byte> buffer) noexcept {
    while (error_ == 0) {
        const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) error_ = errno;
    }
    return 0;
}

line_reader::line_reader(input& in) : in_(in), buffer_(std::make_unique_for_overwrite<std::byte[]>(line_buffer_size)) {}

bool line_reader::next(std::string_view& line) {
    line_.clear();
    truncated_ = false;
    bool any = false;
    while (true) {
        if (unread_.empty()) {
            const std::size_t got = in_.read({buffer_.get(), line_buffer_size});
            unread_ = {reinterpret_cast<const char*>(buffer_.get()), got};
            if (got == 0) break;
        }
        any = true;
        const std::size_t end = std::min(unread_.find('\n'), unread_.size());
        const std::size_t room = longest_line - line_.size();
        line_.append(unread_.substr(0, std::min(end, room)));
        truncated_ = truncated_ || end > room;
        const bool complete = end < unread_.size();
        unread_.remove_prefix(complete ? end + 1 : end);
        if (complete) break;
    }
    line = line_;
    return any && in_.error() == 0;
}

}  // namespace hwacha::tool
