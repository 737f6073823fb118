// Cuts a batch into portions that threads take by turns, and keeps the book of progress.
#pragma once

#include <hwacha/lsh_batch.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "batch/messages.hpp"

namespace hwacha {

// At most so many messages are sorted by length together, which keeps lanes full when lengths differ.
inline constexpr std::size_t batch_portion = 256;

// `List` has count(), size(i) and part(first, count, room), with some room of List::slot.
template <class List>
class batch_portions {
  public:
    batch_portions(const List& messages, const batch_options& options)
        : messages_(messages),
          options_(options),
          workers_(options.threads == nullptr ? 1 : options.threads->concurrency()) {
        workers_ = std::min(workers_, (messages.count() + least - 1) / least);
        if (workers_ <= 1) return;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < messages.count(); ++i) bytes += messages.size(i) + overhead;
        // Small enough that all threads end together, large enough to fill lanes.
        most_bytes_ = std::max<std::size_t>(bytes / (8 * workers_), 16384);
    }

    // work(first, messages) for portions that together are all messages. executor_failed: the executor has returned,
    // and they are not.
    template <class Work>
    status run(Work work) {
        auto worker = [&] {
            typename List::slot room[batch_portion];
            std::size_t first = 0;
            while (const std::size_t count = take(first)) {
                work(first, messages_.part(first, count, room));
                report(count);
            }
        };
        if (workers_ <= 1) {
            worker();
        } else {
            const auto call = [](void* context, std::size_t) { (*static_cast<decltype(worker)*>(context))(); };
            options_.threads->run(workers_, call, &worker);
        }
        if (cancelled_.load(std::memory_order_relaxed)) return status::cancelled;
        return done_.load(std::memory_order_relaxed) == messages_.count() ? status::ok : status::executor_failed;
    }

    // Portions are taken in order: nothing has happened to the messages from here on.
    std::size_t begun() const { return next_.load(std::memory_order_relaxed); }

  private:
    static constexpr std::size_t overhead = 128;  // what an empty message costs, as bytes
    static constexpr std::size_t least = 16;      // messages, for a thread to be worth it

    std::size_t take(std::size_t& first) {
        first = next_.load(std::memory_order_relaxed);
        for (;;) {
            if (cancelled_.load(std::memory_order_relaxed)) return 0;
            std::size_t last = first;
            for (std::size_t bytes = 0; last < messages_.count() && last - first < batch_portion && bytes < most_bytes_;
                 ++last) {
                bytes += messages_.size(last) + overhead;
            }
            if (next_.compare_exchange_weak(first, last, std::memory_order_relaxed)) return last - first;
        }
    }

    void report(std::size_t count) {
        if (!options_.progress) {
            done_.fetch_add(count, std::memory_order_relaxed);
            return;
        }
        const std::lock_guard lock(mutex_);
        const std::size_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
        if (!options_.progress(done) && done != messages_.count()) cancelled_.store(true, std::memory_order_relaxed);
    }

    const List messages_;
    const batch_options& options_;
    std::size_t workers_;
    std::size_t most_bytes_ = static_cast<std::size_t>(-1);
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> done_{0};
    std::atomic<bool> cancelled_{false};
    std::mutex mutex_;
};

}  // namespace hwacha
