#include "crypt/files.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hwacha/random.hpp>

#include "crypt/cleanup.hpp"
#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t longest_read = std::size_t{1} << 30;

int open_at(int base, const char* name, int flags, mode_t mode = 0) noexcept {
    for (;;) {
        const int d = ::openat(base, name, flags | O_CLOEXEC | O_NOCTTY, mode);
        if (d >= 0 || errno != EINTR) return d;
    }
}

// Not possible here is no failure: what it is for does not exist.
bool synced(int descriptor) noexcept {
    while (::fsync(descriptor) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    }
    return true;
}

std::string random_name() {
    std::array<std::byte, 8> bytes;
    const status s = random_bytes(bytes);
    if (s != status::ok) throw error(s, std::string(to_string(s)));
    std::string name = ".hwacha-";
    for (const std::byte b : bytes) {
        for (const int shift : {4, 0}) name += "0123456789abcdef"[std::to_integer<unsigned>(b) >> shift & 15U];
    }
    return name;
}

}  // namespace

void owned_descriptor::reset(int number) noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = number;
}

file_source::file_source(const std::string& name) : name_(name == "-" ? "standard input" : name) {
    if (name != "-") {
        owned_.reset(open_at(AT_FDCWD, name.c_str(), O_RDONLY));
        if (!owned_) throw system_failure(errno, name_);
    }
    descriptor_ = owned_ ? owned_.get() : STDIN_FILENO;
    struct stat s;
    if (::fstat(descriptor_, &s) != 0) throw system_failure(errno, name_);
    if (S_ISDIR(s.st_mode)) throw system_failure(EISDIR, name_);
    identity_ = {s.st_dev, s.st_ino};
    mode_ = s.st_mode;
    regular_ = S_ISREG(s.st_mode);
    int ends[2];
    if (!regular_ && ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        woken_.reset(ends[0]);
        waker_.reset(ends[1]);
    }
}

bool file_source::keeps_contents() const noexcept {
    return S_ISREG(mode_) || S_ISBLK(mode_);
}

std::size_t file_source::read(bytes_span room) {
    if (room.size() > longest_read) room = room.first(longest_read);
    for (;;) {
        if (woken_) {
            pollfd wait[] = {{descriptor_, POLLIN, 0}, {woken_.get(), POLLIN, 0}};
            if (::poll(wait, 2, -1) < 0 && errno != EINTR && errno != EAGAIN) throw system_failure(errno, name_);
            if (wait[1].revents != 0) throw system_failure(ECANCELED, name_);
            if (wait[0].revents == 0) continue;
        }
        const ssize_t size = ::read(descriptor_, room.data(), room.size());
        if (size >= 0) return static_cast<std::size_t>(size);
        if (errno != EINTR && !(errno == EAGAIN && woken_)) throw system_failure(errno, name_);
    }
}

void file_source::interrupt() noexcept {
    if (waker_) static_cast<void>(::write(waker_.get(), "", 1) < 0);
}

output_file::output_file(const std::string& name, bool force, const std::vector<file_identity>& inputs)
    : kind_(name == "-" ? kind::standard_output : kind::new_file),
      name_(name == "-" ? "standard output" : name),
      force_(force) {
    if (name.empty()) throw usage_refused("the name of the output is empty");
    struct stat s;
    const bool exists =
        kind_ == kind::standard_output ? ::fstat(STDOUT_FILENO, &s) == 0 : ::stat(name.c_str(), &s) == 0;
    if (!exists && errno != ENOENT) throw system_failure(errno, name_);
    if (exists) {
        const bool keeps = S_ISREG(s.st_mode) || S_ISBLK(s.st_mode);
        for (const file_identity& input : inputs) {
            if (keeps && input == file_identity{s.st_dev, s.st_ino}) {
                throw usage_refused(name_ + ": is the same file as an input; nothing was done");
            }
        }
    }
    if (kind_ == kind::standard_output) return;
    std::string path = name;
    if (exists) {
        if (S_ISDIR(s.st_mode)) throw usage_refused(name_ + ": is a directory; give the name of a file in it");
        if (!S_ISREG(s.st_mode)) {
            kind_ = kind::special;
            return;
        }
        if (!force) throw usage_refused(name_ + ": exists; --force replaces it");
        if (::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) != 0) {
            throw usage_refused(name_ + ": is write-protected, and so is not replaced");
        }
        // Where a symbolic link leads, the new file will be.
        const std::unique_ptr<char, decltype(&std::free)> real(::realpath(name.c_str(), nullptr), &std::free);
        if (!real) throw system_failure(errno, name_);
        path = real.get();
    } else if (::lstat(name.c_str(), &s) == 0) {
        throw usage_refused(name_ + ": is a symbolic link that leads nowhere");
    }
    open_folder(path);
}

void output_file::open_folder(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    leaf_ = slash == path.npos ? path : path.substr(slash + 1);
    const std::string folder = slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    if (leaf_.empty() || leaf_ == "." || leaf_ == "..") throw system_failure(ENOENT, name_);
    folder_.reset(open_at(AT_FDCWD, folder.c_str(), O_RDONLY | O_DIRECTORY));
    // A folder that may be written to but not be listed can do all but fsync.
    if (!folder_ && errno == EACCES) folder_.reset(open_at(AT_FDCWD, folder.c_str(), O_PATH | O_DIRECTORY));
    if (!folder_) throw system_failure(errno, name_);
}

output_file::~output_file() {
    if (temporary_.empty()) return;
    ::unlinkat(folder_.get(), temporary_.c_str(), 0);
    keep_on_signal();
}

void output_file::open() {
    if (kind_ == kind::standard_output) return;
    if (kind_ == kind::special) {
        file_.reset(open_at(AT_FDCWD, name_.c_str(), O_WRONLY));
        if (!file_) throw system_failure(errno, name_);
        return;
    }
    const signals_held held;
    std::string name;
    do {
        name = random_name();
        file_.reset(open_at(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
    } while (!file_ && errno == EEXIST);
    if (!file_) throw system_failure(errno, name_);
    temporary_ = std::move(name);
    remove_on_signal(folder_.get(), temporary_);
}

bool output_file::is_terminal() const noexcept {
    if (kind_ == kind::new_file) return false;
    if (kind_ == kind::standard_output) return ::isatty(STDOUT_FILENO) != 0;
    const owned_descriptor d(open_at(AT_FDCWD, name_.c_str(), O_WRONLY | O_NONBLOCK));
    return d && ::isatty(d.get()) != 0;
}

void output_file::write(bytes_view bytes) {
    const int descriptor = kind_ == kind::standard_output ? STDOUT_FILENO : file_.get();
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), longest_read));
        if (written >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd wait = {descriptor, POLLOUT, 0};
            ::poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            throw system_failure(errno, name_);
        }
    }
}

void output_file::commit() {
    if (kind_ == kind::standard_output) return;
    if (kind_ == kind::new_file && !synced(file_.get())) throw system_failure(errno, name_);
    // Some file systems tell only now that there is no room.
    if (::close(file_.release()) != 0 && errno != EINTR) throw system_failure(errno, name_);
    if (kind_ == kind::special) return;
    give_name();
    if (!synced(folder_.get()) && errno != EBADF) throw system_failure(errno, name_);
}

void output_file::give_name() {
    const signals_held held;
    const int folder = folder_.get();
    if (force_) {
        if (::renameat(folder, temporary_.c_str(), folder, leaf_.c_str()) != 0) throw system_failure(errno, name_);
        temporary_.clear();
    } else {
        bool named = ::renameat2(folder, temporary_.c_str(), folder, leaf_.c_str(), RENAME_NOREPLACE) == 0;
        if (named) {
            temporary_.clear();
        } else if (errno == EINVAL || errno == ENOSYS) {
            // A file system without that; the other name goes with this object.
            named = ::linkat(folder, temporary_.c_str(), folder, leaf_.c_str(), 0) == 0;
        }
        if (!named && errno == EEXIST) throw usage_refused(name_ + ": was made by somebody else meanwhile");
        if (!named) throw system_failure(errno, name_);
    }
    if (temporary_.empty()) keep_on_signal();
}

}  // namespace hwacha::crypt
