#include "crypt/pipeline.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

// Small chunks are grouped to about that much, so that threads do not meet for each of them.
constexpr std::size_t least_block = std::size_t{256} << 10;

struct block {
    std::uint64_t first = 0;  // number of its first chunk
    bool last = false;        // of the file
    secret_buffer in_memory;
    bytes_view in;
    secret_buffer out_memory;
    bytes_span out;
    std::size_t written = 0;  // of `out`: what is good
    std::optional<file_fault> wrong;
};

class pipeline {
  public:
    // `in_chunk`, `out_chunk`: sizes of a whole chunk before and after.
    pipeline(std::size_t in_chunk, std::size_t out_chunk, source& from, sink& to, const pipeline_options& options)
        : in_chunk_(in_chunk),
          out_chunk_(out_chunk),
          group_(std::max<std::size_t>(1, least_block / in_chunk)),
          from_(from),
          to_(to),
          options_(options) {
        const std::size_t size = group_ * std::max(in_chunk, out_chunk);
        const std::size_t affordable = std::max<std::size_t>(options.threads > 1 ? 5 : 3, options.memory / size);
        // Each thread has one of its own to write to.
        threads_ = std::clamp<std::size_t>(options.threads, 1, (affordable - 1) / 2);
        buffers_ = std::min(affordable - threads_, 2 * threads_ + 2);
    }
    virtual ~pipeline() = default;
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    void run() {
        try {
            work();
        } catch (...) {
            fail(std::current_exception());
        }
        for (std::thread& t : helpers_) t.join();
        if (failure_) std::rethrow_exception(failure_);
    }

  protected:
    // Fills b.out from b.in, and sets `written` and `wrong`.
    virtual void convert(block& b) = 0;
    virtual std::size_t converted_size(std::size_t in) const = 0;

    const std::size_t in_chunk_, out_chunk_;

  private:
    std::size_t block_size() const { return group_ * in_chunk_; }
    std::size_t buffer_size() const { return group_ * std::max(in_chunk_, out_chunk_); }

    void work() {
        secret_buffer spare;
        std::unique_lock lock(mutex_);
        while (!failure_ && !finished_) {
            if (!writing_ && !ready_.empty() && ready_.begin()->first == next_written_) {
                write_next(lock);
            } else if (!queue_.empty()) {
                block b = std::move(queue_.front());
                queue_.pop_front();
                lock.unlock();
                prepare_output(b, spare);
                convert(b);
                lock.lock();
                if (b.in_memory && spare) free_.push_back(std::move(b.in_memory));
                if (b.in_memory) spare = std::move(b.in_memory);
                ready_.emplace(b.first, std::move(b));
                changed_.notify_all();
            } else if (!reading_ && !ended_ && in_flight_ < buffers_ && (from_.lends() || may_read())) {
                reading_ = true;
                lock.unlock();
                block b = read_block();
                lock.lock();
                reading_ = false;
                ended_ = b.last;
                ++in_flight_;
                queue_.push_back(std::move(b));
                if (!ended_ && !started_) start_helpers();
                changed_.notify_all();
            } else {
                changed_.wait(lock);
            }
        }
    }

    void write_next(std::unique_lock<std::mutex>& lock) {
        block b = std::move(ready_.begin()->second);
        ready_.erase(ready_.begin());
        writing_ = true;
        lock.unlock();
        const bytes_view good = b.out.first(b.written);
        if (!to_.lends() && !good.empty()) to_.write(good);
        if (options_.wrote) options_.wrote(good.size());
        if (b.wrong) throw file_fault(*b.wrong);
        lock.lock();
        writing_ = false;
        --in_flight_;
        if (b.out_memory) free_.push_back(std::move(b.out_memory));
        next_written_ += group_;
        finished_ = b.last;
        changed_.notify_all();
    }

    // Whether read_block will find a buffer.
    bool may_read() const { return !free_.empty() || made_ < buffers_; }

    secret_buffer take_buffer() {
        {
            const std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                secret_buffer b = std::move(free_.back());
                free_.pop_back();
                return b;
            }
            ++made_;
        }
        return secret_buffer(buffer_size());
    }

    secret_buffer take_spare() {
        if (from_.lends()) return take_buffer();  // no reader needs one
        return secret_buffer(buffer_size());
    }

    // Reads until a block is known to be whole, and whether it is the last: that takes a byte behind it.
    block read_block() {
        if (from_.lends()) {
            if (next_read_ == 0) lent_ = from_.lend(block_size());
            const bytes_view next = lent_.size() == block_size() ? from_.lend(block_size()) : bytes_view{};
            block b = make_block(lent_, next.empty());
            lent_ = next;
            return b;
        }
        if (!current_) current_ = take_buffer();
        filled_ += read_fully(from_, current_.bytes().subspan(filled_, block_size() - filled_));
        secret_buffer next;
        std::size_t size = 0;
        if (filled_ == block_size()) {
            next = take_buffer();
            size = from_.read(next.bytes().first(block_size()));
        }
        block b = make_block(current_.bytes().first(filled_), size == 0);
        b.in_memory = std::move(current_);
        current_ = std::move(next);
        filled_ = size;
        return b;
    }

    block make_block(bytes_view in, bool last) {
        block b;
        b.first = next_read_;
        b.last = last;
        b.in = in;
        next_read_ += group_;
        const std::uint64_t chunks = std::max<std::uint64_t>(1, (in.size() + in_chunk_ - 1) / in_chunk_);
        if (b.first + chunks > most_chunks) {
            throw file_fault(fault::too_long, "has more than 2^32 chunks: take larger ones (--chunk-size)");
        }
        if (to_.lends()) b.out = to_.lend(converted_size(in.size()));
        return b;
    }

    void prepare_output(block& b, secret_buffer& spare) {
        if (to_.lends()) return;
        b.out_memory = spare ? std::exchange(spare, secret_buffer()) : take_spare();
        b.out = b.out_memory.bytes().first(converted_size(b.in.size()));
    }

    void start_helpers() {
        started_ = true;
        helpers_.reserve(threads_);
        try {
            while (helpers_.size() + 1 < threads_) {
                helpers_.emplace_back([this] {
                    try {
                        work();
                    } catch (...) {
                        fail(std::current_exception());
                    }
                });
            }
        } catch (const std::system_error&) {
            threads_ = helpers_.size() + 1;  // it goes with fewer
        }
    }

    void fail(std::exception_ptr why) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::move(why);
        from_.interrupt();
        changed_.notify_all();
    }

    const std::size_t group_;  // chunks of a block
    source& from_;
    sink& to_;
    const pipeline_options& options_;
    std::size_t threads_;
    std::size_t buffers_;

    // The reader's.
    secret_buffer current_;
    std::size_t filled_ = 0;
    bytes_view lent_;
    std::uint64_t next_read_ = 0;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::thread> helpers_;
    std::vector<secret_buffer> free_;
    std::size_t made_ = 0;       // buffers
    std::size_t in_flight_ = 0;  // blocks
    std::deque<block> queue_;
    std::map<std::uint64_t, block> ready_;
    std::uint64_t next_written_ = 0;
    bool reading_ = false, writing_ = false, ended_ = false, finished_ = false, started_ = false;
    std::exception_ptr failure_;
};

class sealing final : public pipeline {
  public:
    sealing(const chunk_cipher& cipher, std::size_t chunk, source& from, sink& to, const pipeline_options& options)
        : pipeline(chunk, chunk + tag_size, from, to, options), cipher_(cipher) {}

  private:
    std::size_t converted_size(std::size_t in) const override {
        return in + std::max<std::size_t>(1, (in + in_chunk_ - 1) / in_chunk_) * tag_size;
    }
    void convert(block& b) override {
        std::uint64_t number = b.first;
        bytes_view in = b.in;
        do {
            const bytes_view text = in.first(std::min(in_chunk_, in.size()));
            in = in.subspan(text.size());
            cipher_.seal(number++, b.last && in.empty(), text, b.out.subspan(b.written, text.size() + tag_size));
            b.written += text.size() + tag_size;
        } while (!in.empty());
    }

    const chunk_cipher& cipher_;
};

class opening final : public pipeline {
  public:
    opening(const chunk_cipher& cipher, std::size_t chunk, source& from, sink& to, std::uint64_t offset,
            const pipeline_options& options)
        : pipeline(chunk + tag_size, chunk, from, to, options), cipher_(cipher), offset_(offset) {}

  private:
    std::size_t converted_size(std::size_t in) const override {
        const std::size_t tail = in % in_chunk_;
        return in / in_chunk_ * out_chunk_ + (tail > tag_size ? tail - tag_size : 0);
    }
    void convert(block& b) override {
        std::uint64_t number = b.first;
        bytes_view in = b.in;
        do {
            const bytes_view sealed = in.first(std::min(in_chunk_, in.size()));
            in = in.subspan(sealed.size());
            open_chunk(b, number++, b.last && in.empty(), sealed);
        } while (!in.empty() && !b.wrong);
    }

    void open_chunk(block& b, std::uint64_t number, bool last, bytes_view sealed) const {
        const std::string name = "chunk " + std::to_string(number + 1);
        const std::uint64_t end = offset_ + number * in_chunk_ + sealed.size();
        const std::string at_end = " at byte " + std::to_string(end);
        if (sealed.size() < tag_size || (sealed.size() == tag_size && number != 0)) {
            if (sealed.empty()) {
                b.wrong.emplace(fault::truncated, "is truncated" + at_end + ", behind its header: no chunk is there");
            } else if (sealed.size() == tag_size) {
                b.wrong.emplace(fault::malformed,
                                "ends in " + name + ", which is empty: altered, or truncated" + at_end);
            } else {
                b.wrong.emplace(fault::truncated,
                                "is truncated" + at_end + ", at the start of " + name + ", or has bytes after its end");
            }
            return;
        }
        const bytes_span out = b.out.subspan(b.written, sealed.size() - tag_size);
        if (cipher_.open(number, last, sealed, out)) {
            b.written += out.size();
            return;
        }
        if (cipher_.open(number, !last, sealed, out)) {
            wipe(out);
            if (last) {
                b.wrong.emplace(fault::truncated,
                                "is truncated" + at_end + ", after " + name + ": more chunks belong to it");
            } else {
                b.wrong.emplace(fault::trailing, "has bytes after its end, which is" + at_end + ", after " + name);
            }
        } else if (last) {
            b.wrong.emplace(fault::chunk_altered, "was altered, or is truncated" + at_end +
                                                      ", or has bytes after its end: " + name +
                                                      ", the last one, does not open");
        } else {
            b.wrong.emplace(fault::chunk_altered,
                            "was altered: " + name + " does not open (it is damaged, moved or of another file)");
        }
    }

    const chunk_cipher& cipher_;
    const std::uint64_t offset_;
};

}  // namespace

void seal_payload(const chunk_cipher& cipher, std::size_t chunk_size, source& from, sink& to,
                  const pipeline_options& options) {
    sealing(cipher, chunk_size, from, to, options).run();
}

void open_payload(const chunk_cipher& cipher, std::size_t chunk_size, source& from, sink& to, std::uint64_t from_offset,
                  const pipeline_options& options) {
    opening(cipher, chunk_size, from, to, from_offset, options).run();
}

}  // namespace hwacha::crypt
