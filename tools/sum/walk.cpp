#include "sum/walk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stdio.hpp"
#include "sum/hash_job.hpp"
#include "sum/input.hpp"

namespace hwacha::tool {

void descriptor::reset(int number) noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = number;
}

descriptor open_at(int base, const char* name, int flags) noexcept {
    int number;
    do {
        number = ::openat(base, name, flags | O_CLOEXEC | O_NOCTTY);
    } while (number < 0 && errno == EINTR);
    return descriptor(number);
}

descriptor folder::open(int flags) const noexcept {
    // Folders on the way need not be readable.
#ifdef O_PATH
    constexpr int passing = O_PATH | O_DIRECTORY;
#else
    constexpr int passing = O_RDONLY | O_DIRECTORY;
#endif
    flags |= O_DIRECTORY;
    char name[NAME_MAX + 1];
    try {
        std::size_t at = root_size;
        descriptor d = open_at(AT_FDCWD, path.substr(0, at).c_str(), at == path.size() ? flags : passing);
        while (d && at < path.size()) {
            if (path[at] == '/') ++at;
            const std::size_t end = std::min(path.find('/', at), path.size());
            if (end - at > NAME_MAX) {
                errno = ENAMETOOLONG;
                return descriptor();
            }
            name[path.copy(name, end - at, at)] = '\0';
            d = open_at(d.get(), name, (end == path.size() ? flags : passing) | O_NOFOLLOW);
            at = end;
        }
        return d;
    } catch (const std::bad_alloc&) {
        errno = ENOMEM;
        return descriptor();
    }
}

tree_walk::tree_walk(std::string root) : path_(std::move(root)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    root_size_ = path_.size();
}

bool tree_walk::next(std::vector<file_item>& items, std::size_t most) {
    if (!std::exchange(begun_, true)) enter(items);
    while (!levels_.empty() && items.size() < most) {
        level& l = levels_.back();
        path_.resize(l.folder->path.size());
        if (l.next == l.order.size()) {
            levels_.pop_back();
            continue;
        }
        const std::string_view name = l.names.c_str() + l.order[l.next++];
        if (!path_.ends_with('/')) path_ += '/';
        const std::size_t leaf = path_.size();
        path_ += name;
        if (name.ends_with('/')) {
            path_.pop_back();
            enter(items);
        } else {
            items.push_back({.name = path_, .folder = l.folder, .leaf = leaf});
        }
    }
    return !levels_.empty();
}

// Begins with the folder path_.
void tree_walk::enter(std::vector<file_item>& items) {
    level l;
    l.folder = std::make_shared<const tool::folder>(tool::folder{path_, root_size_});
    descriptor d = l.folder->open(O_RDONLY);
    struct stat s = {};
    if (!d || ::fstat(d.get(), &s) != 0) {
        items.push_back({.text = fmt::format("{}: {}", display_name(path_), error_text(errno))});
        return;
    }
    l.device = s.st_dev;
    l.number = s.st_ino;
    const auto same = [&](const level& above) { return above.device == l.device && above.number == l.number; };
    if (std::ranges::any_of(levels_, same)) {
        items.push_back(
            {.text = fmt::format("{}: the folder contains itself; not entered again", display_name(path_))});
        return;
    }
    read_names(std::move(d), l, items);
    levels_.push_back(std::move(l));
}

void tree_walk::read_names(descriptor d, level& l, std::vector<file_item>& items) {
    struct closer {
        void operator()(DIR* p) const noexcept { ::closedir(p); }
    };
    const std::unique_ptr<DIR, closer> stream(::fdopendir(d.get()));
    int error = errno;
    if (stream) {
        static_cast<void>(d.release());
        errno = 0;
        while (const dirent* e = ::readdir(stream.get())) {
            const std::string_view name = e->d_name;
            if (name == "." || name == "..") continue;
            bool regular = e->d_type == DT_REG;
            bool directory = e->d_type == DT_DIR;
            if (e->d_type == DT_UNKNOWN) {
                struct stat s = {};
                if (::fstatat(::dirfd(stream.get()), e->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0) {
                    regular = S_ISREG(s.st_mode);
                    directory = S_ISDIR(s.st_mode);
                } else {
                    regular = true;  // whoever opens it will tell why it cannot be had
                }
            }
            if (regular || directory) {
                l.order.push_back(l.names.size());
                l.names += name;
                // Not only a mark: it puts the files below behind "name.txt" and before "names", as sort does.
                if (directory) l.names += '/';
                l.names += '\0';
            }
            errno = 0;
        }
        error = errno;
    }
    if (error != 0 || !stream) {
        items.push_back({.text = fmt::format("{}: {}", display_name(path_), error_text(error))});
    }
    const char* names = l.names.c_str();
    std::ranges::sort(l.order, [&](std::size_t a, std::size_t b) { return std::strcmp(names + a, names + b) < 0; });
}

}  // namespace hwacha::tool
