#include "sum/hash_run.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <latch>
#include <new>
#include <optional>
#include <stdexcept>

#include <hwacha/executor.hpp>
#include <hwacha/lsh_batch.hpp>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sum/block_reader.hpp"
#include "sum/input.hpp"

#if defined(__SANITIZE_THREAD__)
#define HWACHA_TOOL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HWACHA_TOOL_TSAN 1
#endif
#endif
#ifndef HWACHA_TOOL_TSAN
#define HWACHA_TOOL_TSAN 0
#endif

namespace hwacha::tool {
namespace {

using clock = std::chrono::steady_clock;

// Work that one thread does before others are started, which takes about 50 us a thread.
constexpr std::chrono::milliseconds alone_for{1};
// After that time a unit is told as far as it has come.
constexpr std::chrono::milliseconds patience{10};
// Fits the second-level cache of common processors, and makes a system call's cost invisible.
constexpr std::size_t block_size = std::size_t{256} << 10;
// 20 ms of a disk's reading for 10 ms of seeking.
constexpr std::size_t disk_block_size = hash_run::worker_memory / 2;
// Read before another thread is started to read ahead.
constexpr std::size_t before_read_ahead = std::size_t{1} << 20;

constexpr std::size_t longest_digest = 64;

bool is_rotational(dev_t device) {
    const std::string folder = fmt::format("/sys/dev/block/{}:{}", major(device), minor(device));
    for (const char* const file : {"/queue/rotational", "/../queue/rotational"}) {  // a disk's, and a partition's
        std::ifstream in(folder + file);
        if (char c = 0; in.get(c)) return c == '1';
    }
    return false;  // network, memory, several disks
}

// The calling thread gets a table of descriptors of its own: on two threads, 200,000 files of 1 KiB take 23 % less time
// than when open and close meet at one table. It also gives each thread the whole of RLIMIT_NOFILE. ThreadSanitizer
// would take equal numbers of different tables for one file.
bool separate_descriptors() noexcept {
#if defined(__linux__) && !HWACHA_TOOL_TSAN
    return ::unshare(CLONE_FILES) == 0;
#else
    return false;
#endif
}

bool is_regular(int folder, const char* name) noexcept {
    struct stat s = {};
    return ::fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(s.st_mode);
}

// How many threads may share a table: each needs three descriptors.
std::size_t threads_for_descriptors() noexcept {
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 13) return 1;
    return (limit.rlim_cur - 10) / 3;
}

}  // namespace

// ---- One thread's part

class hash_run::worker {
  public:
    explicit worker(hash_run& run)
        : run_(run), memory_(std::make_unique_for_overwrite<std::byte[]>(worker_memory + 1)) {}

    // Makes `u` ready to be told. False: it begins with a file that is worth more threads, and `alone` says that there
    // are none yet: nothing was done.
    bool process(unit& u, bool alone);
    // Descriptors do not go with a worker to another thread.
    void leave_folder() noexcept {
        folder_.reset();
        folder_descriptor_.reset();
    }

  private:
    struct opened {
        descriptor file = descriptor();
        int error = 0;
        bool not_found = false;
        bool special = false;      // not a regular file; not open yet
        bool passed_over = false;  // see file_result
        struct stat about = {};    // unless it is special
        bytes_view begin = {};     // of a large file, read already
    };
    bool hash_files(unit& u, bool alone);
    opened open(const file_item& item);
    std::optional<file_result> read_small(opened& o, const file_item& item, std::size_t number);
    file_result hash_special(const file_item& item);
    file_result hash_large(const lsh_info& algorithm, int descriptor, const struct stat* about, bytes_view begin);
    void hash_read();

    hash_run& run_;
    std::unique_ptr<std::byte[]> memory_;
    std::size_t used_ = 0;
    std::shared_ptr<const folder> folder_;
    descriptor folder_descriptor_;
    int folder_error_ = 0;

    std::array<file_result, unit_files> results_;
    std::array<std::byte, unit_files * longest_digest> digests_;
    struct content {
        std::size_t item;
        const lsh_info* algorithm;
        bytes_view bytes;
    };
    std::vector<content> read_;  // and not hashed yet
};

hash_run::worker::opened hash_run::worker::open(const file_item& item) {
    opened o;
    const char* name = item.name.c_str();
    int base = AT_FDCWD;
    int flags = O_RDONLY;
    if (item.folder) {
        if (item.folder != folder_) {
            folder_ = item.folder;
            folder_descriptor_ = folder_->open(O_RDONLY);
            folder_error_ = folder_descriptor_ ? 0 : errno;
        }
        if (folder_error_ != 0) return {.error = folder_error_, .not_found = folder_error_ == ENOENT};
        name += item.leaf;
        base = folder_descriptor_.get();
        // What the walk took for a regular file may have become a link, or a FIFO that would make wait.
        flags |= O_NOFOLLOW | O_NONBLOCK;
    } else if (item.name == standard_input) {
        o.special = true;
        return o;
    } else {
        // Opening a FIFO, or a device, is seen by others.
        struct stat s = {};
        if (::stat(name, &s) != 0) return {.error = errno, .not_found = errno == ENOENT};
        o.special = !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
        o.about = s;
        if (o.special) return o;
    }
    o.file = open_at(base, name, flags);
    if (!o.file && errno == EWOULDBLOCK && is_regular(base, name)) {  // under a lease, whose holder is asked to let go
        o.file = open_at(base, name, flags & ~O_NONBLOCK);
    }
    if (!o.file) {
        o.error = errno;
        o.not_found = errno == ENOENT;
    } else if (item.folder) {
        if (::fstat(o.file.get(), &o.about) != 0) return {.error = errno};
        o.passed_over = !S_ISREG(o.about.st_mode);
    }
    return o;
}

// Nothing if the file is large.
std::optional<file_result> hash_run::worker::read_small(opened& o, const file_item& item, std::size_t number) {
    if (o.about.st_size > static_cast<off_t>(small_file)) return std::nullopt;
    if (worker_memory - used_ < small_file) hash_read();
    std::byte* const start = memory_.get() + used_;
    std::size_t size = 0;
    while (size <= small_file) {
        const ssize_t got = ::read(o.file.get(), start + size, small_file + 1 - size);
        if (got < 0) {
            if (errno == EINTR) continue;
            return file_result{.error = errno};
        }
        if (got == 0) {
            used_ += size;
            read_.push_back({number, item.algorithm, {start, size}});
            return file_result{};
        }
        size += static_cast<std::size_t>(got);
    }
    o.begin = {start, size};
    return std::nullopt;
}

void hash_run::worker::hash_read() {
    std::array<bytes_view, unit_files> messages;
    std::array<std::size_t, unit_files> items;
    std::array<std::byte, unit_files * longest_digest> digests;
    for (const lsh_info& v : lsh_variants()) {
        std::size_t count = 0;
        for (const content& c : read_) {
            if (c.algorithm != &v) continue;
            messages[count] = c.bytes;
            items[count++] = c.item;
        }
        if (count == 0) continue;
        const status s = hash_batch(v.variant, std::span(messages).first(count), digests);
        if (s != status::ok) throw std::logic_error(fmt::format("hash_batch: {}", to_string(s)));
        for (std::size_t i = 0; i < count; ++i) {
            run_.shown_.add(0, messages[i].size());
            std::byte* const to = digests_.data() + items[i] * longest_digest;
            std::copy_n(digests.data() + i * v.digest_size, v.digest_size, to);
            results_[items[i]].digest = {to, v.digest_size};
        }
    }
    read_.clear();
    used_ = 0;
}

file_result hash_run::worker::hash_large(const lsh_info& algorithm, int descriptor, const struct stat* about,
                                         bytes_view begin) {
    // A hint; not all that can be read takes it.
    static_cast<void>(::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL));
    std::mutex* const turn = about != nullptr && S_ISREG(about->st_mode) ? run_.turn_on(about->st_dev) : nullptr;
    block_reader reader(descriptor, {memory_.get(), worker_memory}, turn != nullptr ? disk_block_size : block_size,
                        turn);
    struct borrowed {
        hash_run* from = nullptr;
        ~borrowed() {
            if (from != nullptr) from->return_thread();
        }
    } thread;
    lsh h(algorithm.variant);
    h.update(begin);
    run_.shown_.add(0, begin.size());
    std::size_t total = begin.size();
    bool may_read_ahead = true;
    while (!run_.stopped()) {
        const bytes_view block = reader.next();
        if (block.empty()) break;
        h.update(block);
        total += block.size();
        run_.shown_.add(0, block.size());
        if (may_read_ahead && total >= before_read_ahead && run_.claim_thread()) {
            thread.from = &run_;
            static_cast<void>(reader.read_ahead());
            may_read_ahead = false;
        }
    }
    if (reader.error() != 0) return {.error = reader.error()};
    static_cast<void>(h.finish(std::span(digests_).first(longest_digest)));
    return {.digest = std::span(digests_).first(algorithm.digest_size)};
}

file_result hash_run::worker::hash_special(const file_item& item) {
    if (item.name == standard_input) return hash_large(*item.algorithm, STDIN_FILENO, nullptr, {});
    const descriptor file = open_at(AT_FDCWD, item.name.c_str(), O_RDONLY);
    if (!file) return {.error = errno, .not_found = errno == ENOENT};
    return hash_large(*item.algorithm, file.get(), nullptr, {});
}

// The results of the files of `u`, or of those before the place where it is split.
bool hash_run::worker::hash_files(unit& u, bool alone) {
    const auto start = clock::now();
    read_.clear();
    used_ = 0;
    for (std::size_t i = 0; i < u.items.size(); ++i) {
        const file_item& item = u.items[i];
        results_[i] = {};
        if (item.algorithm == nullptr) continue;
        if (i != 0 && clock::now() - start > (alone ? alone_for : patience)) {
            run_.split(u, i);
            break;
        }
        opened o = open(item);
        if (o.error != 0) {
            results_[i] = {.error = o.error, .not_found = o.not_found};
            continue;
        }
        if (o.passed_over) {
            results_[i] = {.passed_over = true};
            continue;
        }
        std::optional<file_result> result;
        if (!o.special) result = read_small(o, item, i);
        if (result) {
            results_[i] = *result;
            continue;
        }
        if (i != 0) {
            run_.split(u, i);
            break;
        }
        run_.split(u, 1);
        if (o.special) {
            run_.await_turn(u);
            if (!run_.stopped()) results_[0] = hash_special(item);
        } else {
            if (alone && run_.more_to_come()) return false;
            results_[0] = hash_large(*item.algorithm, o.file.get(), &o.about, o.begin);
        }
        break;
    }
    hash_read();
    return true;
}

bool hash_run::worker::process(unit& u, bool alone) {
    if (!hash_files(u, alone)) return false;
    if (run_.stopped()) return true;
    std::size_t files = 0;
    for (std::size_t i = 0; i < u.items.size(); ++i) {
        if (u.items[i].algorithm == nullptr) {
            u.told.report(std::move(u.items[i].text));
        } else if (!results_[i].passed_over) {
            run_.job_.tell(u.items[i], results_[i], u.told);
            ++files;
        }
    }
    run_.shown_.add(files, 0);
    return true;
}

// ---- All together

hash_run::hash_run(hash_job& job, std::size_t threads, output& out, diagnostics& err, progress& shown)
    : job_(job), threads_(threads), out_(out), err_(err), shown_(shown) {}

void hash_run::operator()() {
    worker first(*this);
    const auto start = clock::now();
    busy_ = 1;
    while (unit* const u = take()) {
        if (!first.process(*u, threads_ != 1)) {
            const std::lock_guard lock(mutex_);
            u->state = unit_state::waiting;
            break;
        }
        complete(*u);
        if (threads_ != 1 && clock::now() - start > alone_for) break;
    }
    busy_ = 0;
    first.leave_folder();
    if (more_to_come()) {
        find_threads();
        if (threads_ == 1) {
            work(first);
        } else {
            work_with_pool(first);
        }
    }
    if (failure_) std::rethrow_exception(failure_);
}

void hash_run::work_with_pool(worker& first) {
    thread_pool pool(threads_);
    struct context {
        hash_run& run;
        worker& first;
        std::latch all_there;
        sigset_t signals;
    } c{*this, first, std::latch(static_cast<std::ptrdiff_t>(pool.concurrency())), {}};
    // The pool's threads would not be killed by SIGPIPE, for one.
    ::pthread_sigmask(SIG_BLOCK, nullptr, &c.signals);
    const auto task = [](void* p, std::size_t i) {
        auto& [run, first_worker, all_there, signals] = *static_cast<context*>(p);
        ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
        const bool separate = separate_descriptors();
        // Descriptors that others open before would be copied, and stay open.
        all_there.arrive_and_wait();
        if (!separate && i >= threads_for_descriptors()) return;
        try {
            if (i == 0) return run.work(first_worker);
            std::optional<worker> another;
            try {
                another.emplace(run);
            } catch (const std::bad_alloc&) {
                return;  // those that have memory will do
            }
            run.work(*another);
        } catch (...) {
            run.fail();
        }
    };
    window_ = 4 * pool.concurrency();
    pool.run(pool.concurrency(), task, &c);
}

void hash_run::work(worker& w) {
    {
        const std::lock_guard lock(mutex_);
        ++busy_;
    }
    while (unit* const u = take()) {
        w.process(*u, false);
        complete(*u);
    }
    w.leave_folder();
    return_thread();
}

// The next unit for the caller; null: there is no more.
hash_run::unit* hash_run::take() {
    std::unique_lock lock(mutex_);
    while (!stopped()) {
        const auto waiting = std::ranges::find(units_, unit_state::waiting, &unit::state);
        if (waiting != units_.end()) {
            waiting->state = unit_state::taken;
            return &*waiting;
        }
        if (exhausted_ && units_.empty()) return nullptr;
        if (!exhausted_ && !pulling_ && units_.size() < window_) {
            if (unit* const u = pull(lock)) return u;
            continue;
        }
        --busy_;
        changed_.wait(lock);
        ++busy_;
    }
    return nullptr;
}

hash_run::unit* hash_run::pull(std::unique_lock<std::mutex>& lock) {
    pulling_ = true;
    lock.unlock();
    unit fresh;
    fresh.state = unit_state::taken;
    const bool more = job_.next(fresh.items, unit_files);
    lock.lock();
    pulling_ = false;
    exhausted_ = !more;
    unit* const u = fresh.items.empty() ? nullptr : &units_.emplace_back(std::move(fresh));
    changed_.notify_all();
    return u;
}

// Items from `at` on become a unit of their own.
void hash_run::split(unit& u, std::size_t at) {
    if (at == u.items.size()) return;
    unit rest;
    const auto from = u.items.begin() + static_cast<std::ptrdiff_t>(at);
    rest.items.assign(std::make_move_iterator(from), std::make_move_iterator(u.items.end()));
    u.items.erase(from, u.items.end());
    const std::lock_guard lock(mutex_);
    const auto place = std::ranges::find_if(units_, [&](const unit& other) { return &other == &u; });
    units_.insert(std::next(place), std::move(rest));
    changed_.notify_all();
}

// Until all before `u` has been told.
void hash_run::await_turn(unit& u) {
    std::unique_lock lock(mutex_);
    --busy_;
    changed_.wait(lock, [&] { return stopped() || &units_.front() == &u; });
    ++busy_;
}

void hash_run::complete(unit& u) {
    std::unique_lock lock(mutex_);
    u.state = unit_state::done;
    if (telling_) return;  // whoever tells comes to this one, too
    telling_ = true;
    while (!stopped() && !units_.empty() && units_.front().state == unit_state::done) {
        const transcript& told = units_.front().told;
        lock.unlock();
        tell(told);
        lock.lock();
        units_.pop_front();
        changed_.notify_all();
    }
    telling_ = false;
}

void hash_run::tell(const transcript& told) {
    if (told.parts().empty()) return;
    const auto paused = shown_.pause();
    for (const transcript::part& p : told.parts()) {
        if (p.message) {
            err_.report("{}", p.text);
        } else {
            out_.write(p.text);
        }
        if (out_.error() != 0) {
            stopped_.store(true, std::memory_order_relaxed);
            return;
        }
    }
}

void hash_run::fail() noexcept {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    stopped_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
}

bool hash_run::more_to_come() {
    const std::lock_guard lock(mutex_);
    return !stopped() &&
           (!exhausted_ || std::ranges::any_of(units_, [](const unit& u) { return u.state == unit_state::waiting; }));
}

// Asking the system takes as long as some fifty small files.
void hash_run::find_threads() {
    if (threads_ == 0) threads_ = usable_processors();
}

bool hash_run::claim_thread() {
    const std::lock_guard lock(mutex_);
    find_threads();
    if (busy_ >= threads_) return false;
    ++busy_;
    return true;
}

void hash_run::return_thread() {
    const std::lock_guard lock(mutex_);
    --busy_;
}

// What is held while a large file on that device is read; null: as many may be read as there are readers.
std::mutex* hash_run::turn_on(dev_t device) {
    const std::lock_guard lock(disks_mutex_);
    const auto [place, fresh] = disks_.try_emplace(device);
    if (fresh && is_rotational(device)) place->second = std::make_unique<std::mutex>();
    return place->second.get();
}

}  // namespace hwacha::tool
