#include "crypt/passphrase.hpp"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "crypt/cleanup.hpp"
#include "crypt/fault.hpp"
#include "crypt/slots.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t longest_line = longest_passphrase + 2;  // and its end

secret_buffer checked(bytes_view line, const std::string& name) {
    if (!line.empty() && line.back() == std::byte{'\n'}) {
        line = line.first(line.size() - 1);
        if (!line.empty() && line.back() == std::byte{'\r'}) line = line.first(line.size() - 1);
    }
    if (line.empty()) throw usage_refused(name + ": the passphrase is empty");
    if (line.size() > longest_passphrase) throw usage_refused(name + ": the passphrase is longer than 1024 bytes");
    return secret_buffer(line);
}

class descriptor_source final : public source {
  public:
    descriptor_source(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
    std::size_t read(bytes_span room) override {
        for (;;) {
            const ssize_t size = ::read(descriptor_, room.data(), room.size());
            if (size >= 0) return static_cast<std::size_t>(size);
            if (errno != EINTR) throw system_failure(errno, name_);
        }
    }

  private:
    int descriptor_;
    std::string name_;
};

// A terminal that does not show what is typed.
class silent_terminal {
  public:
    silent_terminal() : descriptor_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
        if (!descriptor_ || ::tcgetattr(descriptor_.get(), &before_) != 0) {
            throw usage_refused(
                "there is no terminal to ask for the passphrase at; see --passphrase-file, --passphrase-fd and "
                "--passphrase-env");
        }
        termios silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK | ECHONL);
        silent.c_cc[VSUSP] = _POSIX_VDISABLE;  // nobody is left with a shell that shows nothing
        restore_on_signal(descriptor_.get(), before_);
        ::tcsetattr(descriptor_.get(), TCSAFLUSH, &silent);
    }
    ~silent_terminal() {
        ::tcsetattr(descriptor_.get(), TCSANOW, &before_);
        restored();
    }
    silent_terminal(const silent_terminal&) = delete;
    silent_terminal& operator=(const silent_terminal&) = delete;

    secret_buffer ask(const std::string& prompt) const {
        show(prompt);
        descriptor_source typed(descriptor_.get(), "terminal");
        secret_buffer answer = read_passphrase(typed, "terminal");
        show("\n");
        return answer;
    }

  private:
    void show(std::string_view text) const {
        if (::write(descriptor_.get(), text.data(), text.size()) < 0) throw system_failure(errno, "terminal");
    }
    owned_descriptor descriptor_;
    termios before_{};
};

}  // namespace

secret_buffer read_passphrase(source& from, const std::string& name) {
    secret<longest_line + 1> line;
    std::size_t size = 0;
    while (size < line.size()) {
        const bytes_span next = bytes_span(line).subspan(size, 1);
        if (from.read(next) == 0) break;
        ++size;
        if (next[0] == std::byte{'\n'}) break;
    }
    return checked(bytes_view(line).first(size), name);
}

secret_buffer read_passphrase(int descriptor) {
    const std::string name = "descriptor " + std::to_string(descriptor);
    descriptor_source from(descriptor, name);
    return read_passphrase(from, name);
}

secret_buffer read_passphrase_file(const std::string& name, file_identity& identity) {
    file_source file(name);
    identity = file.identity();
    if (file.is_regular() && !file.is_standard_input() && (file.mode() & (S_IRWXG | S_IRWXO)) != 0) {
        throw usage_refused(name + ": its mode lets others read the passphrase; chmod 600, or use --passphrase-fd");
    }
    return read_passphrase(file, file.name());
}

secret_buffer passphrase_of_variable(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr) throw usage_refused("the environment variable " + name + " is not set");
    const std::string_view text(value);
    if (text.find('\n') != text.npos) throw usage_refused("the environment variable " + name + " has several lines");
    return checked(bytes_of(text), "environment variable " + name);
}

secret_buffer ask_passphrase(const std::string& prompt, bool twice) {
    const silent_terminal terminal;
    secret_buffer first = terminal.ask(prompt + ": ");
    if (twice) {
        const secret_buffer second = terminal.ask(prompt + ", once more: ");
        if (!equal_constant_time(first.bytes(), second.bytes())) {
            throw usage_refused("the two passphrases differ; nothing was done");
        }
    }
    return first;
}

}  // namespace hwacha::crypt
