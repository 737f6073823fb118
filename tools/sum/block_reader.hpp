// Reads a descriptor to its end, block by block; if asked to, with a second thread that reads ahead.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include <hwacha/bytes.hpp>

namespace hwacha::tool {

class block_reader {
  public:
    // One read-ahead block is hashed while others are read: more of them only help against uneven reading.
    static constexpr std::size_t most_blocks = 8;

    // Blocks lie in `memory`, which has room for two at least. If `turn` is given, it is held while a block is read.
    block_reader(int descriptor, bytes_span memory, std::size_t block_size, std::mutex* turn = nullptr);
    // Waits for the read that has begun.
    ~block_reader();
    block_reader(const block_reader&) = delete;
    block_reader& operator=(const block_reader&) = delete;

    // The next bytes, valid until the next call; empty at the end, and after a failure.
    bytes_view next();
    // From now on another thread reads. False if none can be had: nothing changes then.
    bool read_ahead();
    [[nodiscard]] bool reads_ahead() const noexcept { return reader_.joinable(); }
    // The errno of the failure to read; 0: none.
    [[nodiscard]] int error() const noexcept { return error_; }

  private:
    struct filled {
        std::size_t size;
        int error;
    };
    std::byte* block(std::size_t i) const noexcept { return memory_.data() + i % blocks_ * block_size_; }
    filled fill(std::byte* to) noexcept;
    void run() noexcept;

    const int descriptor_;
    const bytes_span memory_;
    const std::size_t block_size_;
    const std::size_t blocks_;
    std::mutex* const turn_;
    int error_ = 0;

    std::thread reader_;
    std::mutex mutex_;
    std::condition_variable room_, data_;
    std::array<filled, most_blocks> filled_ = {};
    std::size_t read_ = 0;   // blocks, ends and failures included
    std::size_t taken_ = 0;  // of them by next(); the last one is in use
    std::size_t freed_ = 0;
    bool stopping_ = false;
};

}  // namespace hwacha::tool
