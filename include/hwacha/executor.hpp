// Threads for work of many parts: a pool, or the application's own threads behind one function.
#pragma once

#include <cstddef>
#include <memory>

#include <hwacha/export.h>

namespace hwacha {

// What an application implements to lend its threads (oneTBB, an event loop's workers, ...).
class HWACHA_API executor {
  public:
    using task = void (*)(void* context, std::size_t index);

    virtual ~executor();
    // Calls t(context, i) once for every i below `count`, in any order, on any threads, and returns when all calls have
    // returned; what they have written is then visible to the caller. The same if it throws: no call may be under way
    // or still to come. Tasks of this library throw nothing. May be called from several threads, and from within a
    // task.
    virtual void run(std::size_t count, task t, void* context) = 0;
    // How many tasks may run at a time, at least 1: work is cut into no more pieces than make sense for it.
    [[nodiscard]] virtual std::size_t concurrency() const noexcept = 0;
};

// Processors that this process may use: the affinity of the calling thread, and the quota of its control groups (Linux,
// v1 and v2) rounded up. At least 1. Asks the system anew every time.
[[nodiscard]] HWACHA_API std::size_t usable_processors() noexcept;

// Threads that wait for work. The caller of run works too, so `threads` = 1 starts none. If a task throws, tasks not
// yet begun are skipped and run throws the first exception.
//
// The threads are called "hwacha" and block all signals but those of their own faults (SIGSEGV, ...), so handlers of
// the application do not run on them. After work they look out for more for 20 microseconds, then they sleep.
//
// fork: the threads stay with the parent. In the child run works in the calling thread alone, concurrency() is 1 and
// the destructor leaves the pool's memory as it is. A child made by a task must end within it (exec, _exit). Children
// of _Fork and of a bare clone system call are not noticed.
class HWACHA_API thread_pool final : public executor {
  public:
    // 0: as many as usable_processors(); 4,096 at most. Fewer than asked for, if need be the caller alone, are no
    // error: concurrency() tells. Throws std::bad_alloc only.
    explicit thread_pool(std::size_t threads = 0);
    // Waits for runs of other threads that have begun. Not to be called by a task of this pool.
    ~thread_pool() override;
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    void run(std::size_t count, task t, void* context) override;
    [[nodiscard]] std::size_t concurrency() const noexcept override;

  private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace hwacha
