// A run is an object on its caller's stack, in the pool's queue as long as it has tasks to give. Threads take its tasks
// through its counter. Everything else is under one mutex, which nobody holds while a task runs.
//
// No deadlock between nested runs: a caller works on its own run until no task is left, then it waits only for threads
// that are within tasks of that run. Those can wait only for runs begun by these tasks, so waiting always goes deeper.
#include <hwacha/executor.hpp>

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace hwacha {

executor::~executor() = default;

namespace {

// Two tasks of 20 us, run after run, on two processors of a Xeon VM: 21 us with the spin, 57 us without, where a thread
// takes longer to wake up than the task. Too short to matter as a waste.
constexpr std::chrono::microseconds longest_spin{20};
// The mutex is held for some ten instructions; sleeping on it costs microseconds.
constexpr int most_attempts = 100;
// A number that is a mistake shall not bring the machine down.
constexpr std::size_t most_threads = 4096;

// Forks that lie between the first pool's process and this one.
std::atomic<unsigned> forks{0};

bool count_forks() {
    static const bool registered =
        pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); }) == 0;
    return registered;
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

template <class Condition>
void spin_until(Condition holds) {
    const auto end = std::chrono::steady_clock::now() + longest_spin;
    do {
        for (int i = 0; i < 16; ++i) {
            if (holds()) return;
            relax();
        }
    } while (std::chrono::steady_clock::now() < end);
}

// Threads inherit the mask of signals from their creator.
class signals_blocked {
  public:
    signals_blocked() {
        sigset_t most;
        sigfillset(&most);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&most, fault);
        pthread_sigmask(SIG_SETMASK, &most, &before_);
    }
    ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    signals_blocked(const signals_blocked&) = delete;
    signals_blocked& operator=(const signals_blocked&) = delete;

  private:
    sigset_t before_;
};

// One call of run.
struct job {
    job(std::size_t n, executor::task f, void* c) : count(n), t(f), context(c) {}

    // Works on tasks until none is left to begin.
    void work() noexcept {
        for (;;) {
            const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= count) return;
            try {
                t(context, i);
            } catch (...) {
                if (!failed.exchange(true, std::memory_order_relaxed)) failure = std::current_exception();
                next.store(count, std::memory_order_relaxed);
            }
        }
    }
    bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }
    void rethrow() {
        if (failure) std::rethrow_exception(std::move(failure));
    }

    const std::size_t count;
    const executor::task t;
    void* const context;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;

    // From here on under the mutex of the pool.
    // Threads beside the caller; atomic because the caller looks at it as it spins.
    std::atomic<std::size_t> helpers{0};
    bool waited_for = false;
    std::condition_variable done;
    bool linked = false;
    job* before = nullptr;
    job* after = nullptr;
};

class job_queue {
  public:
    bool empty() const { return first_ == nullptr; }
    void push(job& j) {
        j.before = last_;
        j.after = nullptr;
        (last_ != nullptr ? last_->after : first_) = &j;
        last_ = &j;
        j.linked = true;
    }
    void remove(job& j) {
        if (!j.linked) return;
        (j.before != nullptr ? j.before->after : first_) = j.after;
        (j.after != nullptr ? j.after->before : last_) = j.before;
        j.linked = false;
    }
    // A job with tasks left, or null. It goes to the end, so that threads spread over the jobs.
    job* take() {
        while (first_ != nullptr) {
            job& j = *first_;
            remove(j);
            if (j.exhausted()) continue;
            push(j);
            return &j;
        }
        return nullptr;
    }

  private:
    job* first_ = nullptr;
    job* last_ = nullptr;
};

class workers {
  public:
    // 0: as many as usable_processors().
    explicit workers(std::size_t threads) {
        if (!count_forks()) throw std::bad_alloc();
        forks_ = forks.load(std::memory_order_relaxed);
        const std::size_t processors = threads == 1 ? 1 : usable_processors();
        threads = std::min(threads == 0 ? processors : threads, most_threads);
        spins_ = threads <= processors;
        threads_.reserve(threads - 1);
        const signals_blocked guard;
        try {
            while (threads_.size() + 1 < threads) threads_.emplace_back([this] { serve(); });
        } catch (...) {  // no more threads to be had: these will do
        }
    }
    ~workers() {
        std::unique_lock lock = acquire();
        stopping_ = true;
        while (callers_ != 0) left_.wait(lock);
        finished_ = true;
        lock.unlock();
        wake_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    workers(const workers&) = delete;
    workers& operator=(const workers&) = delete;

    // Is this a child of the process that the threads are in? Nothing but the following may be used then: the mutex may
    // be held by a thread that is not there, and destroying a condition variable waits for its sleepers.
    bool lost() const { return forks.load(std::memory_order_relaxed) != forks_; }
    std::size_t count() const { return threads_.size(); }
    workers* next_lost = nullptr;

    void run(job& j) {
        std::unique_lock lock = acquire();
        ++callers_;
        if (j.count > 1 && !threads_.empty()) {
            queue_.push(j);
            call_for(std::min(j.count - 1, threads_.size()), lock);
        }
        if (lock.owns_lock()) lock.unlock();
        j.work();
        lock = acquire();
        queue_.remove(j);
        if (j.helpers != 0 && spins_) {
            lock.unlock();
            spin_until([&] { return j.helpers.load(std::memory_order_relaxed) == 0; });
            lock = acquire();
        }
        j.waited_for = true;
        while (j.helpers != 0) j.done.wait(lock);
        --callers_;
        if (stopping_ && callers_ == 0) left_.notify_one();
    }

  private:
    // Unlocks before it wakes: who wakes up wants the lock. callers_ keeps *this alive.
    void call_for(std::size_t n, std::unique_lock<std::mutex>& lock) {
        const std::size_t from_spinning = std::min(n, spinning_);
        spinning_ -= from_spinning;
        n = std::min(n - from_spinning, sleeping_);
        const bool everyone = n == sleeping_;
        lock.unlock();
        published_.fetch_add(1, std::memory_order_relaxed);
        if (everyone && n > 1) {
            wake_.notify_all();
        } else {
            while (n-- != 0) wake_.notify_one();
        }
    }

    void serve() noexcept {
#if defined(__linux__)
        pthread_setname_np(pthread_self(), "hwacha");
#endif
        std::unique_lock lock = acquire();
        while (!finished_) {
            if (job* j = queue_.take()) {
                ++j->helpers;
                lock.unlock();
                j->work();
                lock = acquire();
                queue_.remove(*j);
                // The notification within the lock: without it the job may be gone.
                if (--j->helpers == 0 && j->waited_for) j->done.notify_one();
                continue;
            }
            if (spins_) {
                ++spinning_;
                const unsigned seen = published_.load(std::memory_order_relaxed);
                lock.unlock();
                // First a caller on this processor, to which such a thread likes to wake up: it would wait for the
                // spin.
                std::this_thread::yield();
                spin_until([&] { return published_.load(std::memory_order_relaxed) != seen; });
                lock = acquire();
                if (spinning_ != 0) --spinning_;  // else call_for has done it
                if (!queue_.empty() || finished_) continue;
            }
            ++sleeping_;
            wake_.wait(lock);
            --sleeping_;
        }
    }

    std::unique_lock<std::mutex> acquire() {
        for (int i = 0; spins_ && i < most_attempts; ++i) {
            if (mutex_.try_lock()) return {mutex_, std::adopt_lock};
            relax();
        }
        return std::unique_lock(mutex_);
    }

    bool spins_ = false;  // not where threads share processors: the one waited for may wait for this one's
    unsigned forks_ = 0;
    std::mutex mutex_;
    job_queue queue_;
    std::condition_variable wake_;
    std::size_t sleeping_ = 0;
    std::size_t spinning_ = 0;  // at most as many as do; those that call_for counts on are taken off
    std::atomic<unsigned> published_{0};
    std::size_t callers_ = 0;
    std::condition_variable left_;  // callers_ came to 0
    bool stopping_ = false;
    bool finished_ = false;
    std::vector<std::thread> threads_;
};

// Pools of a parent that were destroyed in a child, so that leak checkers find them.
std::atomic<workers*> lost_workers{nullptr};

}  // namespace

struct thread_pool::state final : workers {
    using workers::workers;
};

thread_pool::thread_pool(std::size_t threads) : state_(std::make_unique<state>(threads)) {}

thread_pool::~thread_pool() {
    if (!state_->lost()) return;
    workers* const w = state_.release();
    w->next_lost = lost_workers.load(std::memory_order_relaxed);
    while (!lost_workers.compare_exchange_weak(w->next_lost, w)) continue;
}

void thread_pool::run(std::size_t count, task t, void* context) {
    if (count == 0) return;
    job j(count, t, context);
    if (state_->lost()) {
        j.work();
    } else {
        state_->run(j);
    }
    j.rethrow();
}

std::size_t thread_pool::concurrency() const noexcept {
    return state_->lost() ? 1 : state_->count() + 1;
}

}  // namespace hwacha
