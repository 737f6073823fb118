// A line on standard error that tells how far a run has come. It is gone whenever something else is written.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace hwacha::tool {

enum class progress_mode {
    off,
    terminal,  // if standard error is one, and if the run takes longer than a second
    always,
};

class progress {
  public:
    explicit progress(progress_mode mode);
    ~progress() { static_cast<void>(pause()); }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    // From any thread.
    void add(std::size_t files, std::size_t bytes) noexcept;

    // Takes the line away, and no other appears while the lock is held.
    [[nodiscard]] std::unique_lock<std::mutex> pause() noexcept;

  private:
    using clock = std::chrono::steady_clock;
    void show() noexcept;

    const bool on_;
    std::atomic<std::uint64_t> files_{0}, bytes_{0};
    std::atomic<clock::rep> due_;
    std::mutex mutex_;
    bool visible_ = false;
};

}  // namespace hwacha::tool
