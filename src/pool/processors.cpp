#include "pool/processors.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <thread>

#include <hwacha/executor.hpp>

#if defined(__linux__)
#include <sched.h>

#include <cerrno>
#include <memory>
#endif

namespace hwacha {
namespace pool {
namespace {

// Empty if there is no such file. Files of /proc and /sys do not tell their size.
std::string read_file(const std::string& path) {
    std::string text;
    std::FILE* f = std::fopen(path.c_str(), "re");
    if (f == nullptr) return text;
    char buffer[4096];
    for (;;) {
        const std::size_t n = std::fread(buffer, 1, sizeof buffer, f);
        if (n == 0) break;
        text.append(buffer, n);
    }
    std::fclose(f);
    return text;
}

// Takes what is before the first `end` off the front of `text`; all of it if there is none.
std::string_view take(std::string_view& text, char end) {
    const std::size_t n = std::min(text.find(end), text.size());
    const std::string_view front = text.substr(0, n);
    text.remove_prefix(std::min(n + 1, text.size()));
    return front;
}

bool lists(std::string_view comma_separated, std::string_view name) {
    while (!comma_separated.empty()) {
        if (take(comma_separated, ',') == name) return true;
    }
    return false;
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

std::size_t processors(std::string_view quota, std::string_view period) {
    const auto q = number(quota);  // fails for "max" and for -1, which say: no quota
    const auto p = number(period);
    if (!q || !p || *q == 0 || *p == 0) return 0;
    return static_cast<std::size_t>(*q / *p + (*q % *p != 0 ? 1 : 0));
}

// Kernel documentation: cgroup-v2.rst, "cpu.max"; sched-bwc.rst for v1.
std::size_t quota_of_v2(const std::string& folder) {
    const std::string text = read_file(folder + "/cpu.max");
    std::string_view rest = text;
    std::string_view line = take(rest, '\n');
    const std::string_view quota = take(line, ' ');
    return processors(quota, line);
}

std::size_t quota_of_v1(const std::string& folder) {
    const std::string quota = read_file(folder + "/cpu.cfs_quota_us");
    const std::string period = read_file(folder + "/cpu.cfs_period_us");
    std::string_view q = quota;
    std::string_view p = period;
    return processors(take(q, '\n'), take(p, '\n'));
}

struct hierarchy {
    std::string_view type;        // of file system
    std::string_view controller;  // empty: v2
    std::size_t (*quota)(const std::string& folder);
    const char* usual_mounts[3];
};

constexpr hierarchy hierarchies[] = {
    {"cgroup2", "", quota_of_v2, {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", nullptr}},
    {"cgroup", "cpu", quota_of_v1, {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpuacct,cpu"}},
};

// The smallest quota from the group `path` ("" or "/...") below `mount` up to the mount itself. Folders that are not
// there are no quota: in a container, `path` may be the host's.
std::size_t smallest(const hierarchy& h, const std::string& mount, std::string_view path) {
    if (path.starts_with("/..")) path = {};  // outside this process's cgroup namespace
    std::size_t least = 0;
    for (;;) {
        while (path.ends_with('/')) path.remove_suffix(1);
        const std::size_t q = h.quota(mount + std::string(path));
        if (q != 0 && (least == 0 || q < least)) least = q;
        if (path.empty()) return least;
        path = path.substr(0, path.rfind('/'));
    }
}

// Where a hierarchy is mounted, and which of its groups is there.
struct mount {
    std::string folder;
    std::string group;
};

// proc(5): ID PARENT MAJOR:MINOR ROOT MOUNT-POINT OPTIONS [FIELD...] - TYPE SOURCE SUPER-OPTIONS
std::optional<mount> find_mount(const hierarchy& h, std::string_view mountinfo) {
    while (!mountinfo.empty()) {
        std::string_view line = take(mountinfo, '\n');
        for (int i = 0; i < 3; ++i) take(line, ' ');
        const std::string_view group = take(line, ' ');
        const std::string_view folder = take(line, ' ');
        while (!line.empty() && take(line, ' ') != "-") continue;
        const std::string_view type = take(line, ' ');
        take(line, ' ');
        if (type != h.type || !folder.starts_with('/')) continue;
        if (!h.controller.empty() && !lists(line, h.controller)) continue;
        return mount{std::string(folder), group == "/" ? std::string() : std::string(group)};
    }
    return std::nullopt;
}

}  // namespace

std::size_t quota_processors(const std::string& root) {
    const std::string groups = read_file(root + "/proc/self/cgroup");
    const std::string mountinfo = read_file(root + "/proc/self/mountinfo");
    std::size_t least = 0;
    // cgroups(7): ID:CONTROLLER[,CONTROLLER...]:PATH, without controllers for v2
    std::string_view rest = groups;
    while (!rest.empty()) {
        std::string_view path = take(rest, '\n');
        take(path, ':');
        const std::string_view controllers = take(path, ':');
        for (const hierarchy& h : hierarchies) {
            const bool this_one = h.controller.empty() ? controllers.empty() : lists(controllers, h.controller);
            if (!this_one || !path.starts_with('/')) continue;
            const auto consider = [&](const std::string& folder, std::string_view below) {
                const std::size_t q = smallest(h, root + folder, below);
                if (q != 0 && (least == 0 || q < least)) least = q;
            };
            if (const auto m = find_mount(h, mountinfo)) {
                std::string_view below;
                if (path.starts_with(m->group)) below = path.substr(m->group.size());
                if (!below.starts_with('/')) below = {};  // another group, or just this one
                consider(m->folder, below);
                continue;
            }
            for (const char* folder : h.usual_mounts) {
                if (folder != nullptr) consider(folder, path);
            }
        }
    }
    return least;
}

}  // namespace pool

namespace {

#if defined(__linux__)

// The set is as large as the kernel's, which need not be cpu_set_t's 1024 processors.
std::size_t affinity_processors() {
    for (int bits = CPU_SETSIZE; bits <= (1 << 20); bits *= 2) {
        const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(static_cast<std::size_t>(bits)),
                                                                   [](cpu_set_t* s) { CPU_FREE(s); });
        if (!set) break;
        const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
        CPU_ZERO_S(size, set.get());
        if (sched_getaffinity(0, size, set.get()) == 0) return static_cast<std::size_t>(CPU_COUNT_S(size, set.get()));
        if (errno != EINVAL) break;
    }
    return std::thread::hardware_concurrency();
}

std::size_t ask_system() {
    const std::size_t n = affinity_processors();
    const std::size_t quota = pool::quota_processors("");
    return quota == 0 ? n : std::min(n, quota);
}

#else

std::size_t ask_system() {
    return std::thread::hardware_concurrency();
}

#endif

}  // namespace

std::size_t usable_processors() noexcept {
    try {
        return std::max<std::size_t>(ask_system(), 1);
    } catch (...) {  // out of memory
        return 1;
    }
}

}  // namespace hwacha
