#include "stdio.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace hwacha::tool {
namespace {

// 0 or an errno.
int write_all(int descriptor, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

}  // namespace

void occupy_closed_descriptors() noexcept {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        // The lowest free number is `descriptor`. Reading what is open for writing only, and the reverse, is EBADF.
        static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            out += fmt::format("\\{:03o}", byte);
        } else {
            out += c;
        }
    }
    return out;
}

void output::write(std::string_view text) noexcept {
    if (error_ == 0) error_ = write_all(STDOUT_FILENO, text);
}

void diagnostics::write(std::string_view message) {
    if (write_all(STDERR_FILENO, fmt::format("{}: {}\n", program_, message)) != 0) failed_ = true;
}

std::string error_text(int error) {
    return std::generic_category().message(error);
}

int finish(const output& out, diagnostics& err, int status, int on_error) {
    if (out.error() != 0) {
        err.report("standard output: {}", error_text(out.error()));
        return on_error;
    }
    return err.failed() ? on_error : status;
}

}  // namespace hwacha::tool
