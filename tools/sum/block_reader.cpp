#include "sum/block_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace hwacha::tool {

block_reader::block_reader(int descriptor, bytes_span memory, std::size_t block_size, std::mutex* turn)
    : descriptor_(descriptor),
      memory_(memory),
      block_size_(block_size),
      blocks_(std::min(memory.size() / block_size, most_blocks)),
      turn_(turn) {}

block_reader::~block_reader() {
    if (!reader_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    room_.notify_one();
    reader_.join();
}

block_reader::filled block_reader::fill(std::byte* to) noexcept {
    std::unique_lock<std::mutex> turn;
    if (turn_ != nullptr) turn = std::unique_lock(*turn_);
    for (;;) {
        const ssize_t got = ::read(descriptor_, to, block_size_);
        if (got >= 0) return {static_cast<std::size_t>(got), 0};
        if (errno != EINTR) return {0, errno};
    }
}

bool block_reader::read_ahead() {
    try {
        reader_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

void block_reader::run() noexcept {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (read_ - freed_ == blocks_) {
            // Waking up costs more than one block's reading.
            room_.wait(lock, [this] { return stopping_ || read_ - freed_ <= blocks_ / 2; });
            continue;
        }
        lock.unlock();
        const filled f = fill(block(read_));
        lock.lock();
        filled_[read_++ % blocks_] = f;
        data_.notify_one();
        if (f.size == 0) return;
    }
}

bytes_view block_reader::next() {
    if (error_ != 0) return {};
    filled f;
    if (!reader_.joinable()) {
        f = fill(block(0));
        error_ = f.error;
        return {block(0), f.size};
    }
    std::unique_lock lock(mutex_);
    if (freed_ != taken_ && read_ - ++freed_ == blocks_ / 2) room_.notify_one();
    data_.wait(lock, [this] { return read_ != taken_; });
    const std::size_t i = taken_;
    f = filled_[i % blocks_];
    if (f.size != 0) ++taken_;  // the end stays the end
    error_ = f.error;
    return {block(i), f.size};
}

}  // namespace hwacha::tool
