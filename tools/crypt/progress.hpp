// A line on standard error that says how far a file has come.
#pragma once

#include <chrono>
#include <cstdint>

namespace hwacha::tool {

// Only if standard error is a terminal and it takes longer than a second.
class file_progress {
  public:
    // `whole`: bytes in all, 0 if that is not known.
    file_progress(bool wanted, std::uint64_t whole);
    ~file_progress();
    file_progress(const file_progress&) = delete;
    file_progress& operator=(const file_progress&) = delete;

    // By one thread at a time.
    void add(std::size_t bytes) noexcept;

  private:
    using clock = std::chrono::steady_clock;
    const bool on_;
    const std::uint64_t whole_;
    std::uint64_t bytes_ = 0;
    clock::time_point due_;
    bool visible_ = false;
};

}  // namespace hwacha::tool
