// Hashes many files, and tells of them in the order in which they were given.
//
// Files come in units: up to 128 of them, whose contents are read whole into one worker's memory and hashed together,
// one in each lane of the vector registers. A unit is split where a file is not of that kind (too large, or not a
// regular file), and where reading is slow: what is behind becomes a unit of its own, for whoever is free.
//
// - Large files are hashed as they are read, one by each worker. Where a thread is to spare, it reads ahead.
// - Of a rotating disk one large file is read at a time, in pieces long enough to be worth the seek.
// - What is not a regular file (standard input, FIFOs, devices) is opened only when all before it has been told, so
//   that who is at the other end finds the order of the command line.
// - One thread works until a millisecond's work is done or a large file met. Only then others are started.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <vector>

#include <sys/types.h>

#include "stdio.hpp"
#include "sum/hash_job.hpp"
#include "sum/progress.hpp"

namespace hwacha::tool {

class hash_run {
  public:
    // 0 threads: as many as there are usable processors.
    hash_run(hash_job& job, std::size_t threads, output& out, diagnostics& err, progress& shown);
    // Returns when all has been told, or when standard output takes no more.
    void operator()();

    static constexpr std::size_t unit_files = 128;
    // Files up to this size are read whole.
    static constexpr std::size_t small_file = std::size_t{512} << 10;
    // Memory of a worker, used as far as files need it: sixteen of the longest small files fill the widest lanes. A
    // byte more shows that a file has ended.
    static constexpr std::size_t worker_memory = 16 * small_file;

  private:
    enum class unit_state { waiting, taken, done };
    struct unit {
        std::vector<file_item> items;
        unit_state state = unit_state::waiting;
        transcript told;
    };
    class worker;

    void work(worker& w);
    void work_with_pool(worker& first);
    unit* take();
    unit* pull(std::unique_lock<std::mutex>& lock);
    void split(unit& u, std::size_t at);
    void await_turn(unit& u);
    void complete(unit& u);
    void tell(const transcript& told);
    void fail() noexcept;
    bool more_to_come();
    void find_threads();
    bool claim_thread();
    void return_thread();
    bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }
    std::mutex* turn_on(dev_t device);

    hash_job& job_;
    std::size_t threads_;  // 0: not known yet
    output& out_;
    diagnostics& err_;
    progress& shown_;
    std::size_t window_ = 4;  // units that may be under way

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<unit> units_;  // in order, from the first that has not been told
    bool pulling_ = false;
    bool telling_ = false;
    bool exhausted_ = false;
    std::size_t busy_ = 0;  // threads that work or read ahead
    std::exception_ptr failure_;
    std::atomic<bool> stopped_{false};

    std::mutex disks_mutex_;
    std::map<dev_t, std::unique_ptr<std::mutex>> disks_;  // null: not a rotating one
};

}  // namespace hwacha::tool
