// Jobs of one LSH core over the lanes of its kernels: lanes refill as messages end, and what is left in the end goes to
// the kernels that are cheapest for so few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "lsh/tables.hpp"

namespace hwacha {

template <class Word>
struct lsh_kernels;
template <>
struct lsh_kernels<std::uint32_t> {
    using single = lsh256_table;
    using lanes = lsh256_lanes_table;
    static const single& active_single() { return lsh256_tables.active(); }
    static const lanes& active_lanes() { return lsh256_lanes_tables.active(); }
};
template <>
struct lsh_kernels<std::uint64_t> {
    using single = lsh512_table;
    using lanes = lsh512_lanes_table;
    static const single& active_single() { return lsh512_tables.active(); }
    static const lanes& active_lanes() { return lsh512_lanes_tables.active(); }
};

// From the chaining value `start`: the whole blocks of `data`, then, if `padded`, one block of what remains, a 1 bit
// and zeros. Without `padded`, `size` is a multiple of the block size.
template <class Word>
struct lsh_job {
    const Word* start;
    const std::uint8_t* data;
    std::size_t size;
    bool padded;

    static constexpr std::size_t block_size = 32 * sizeof(Word);
    std::size_t blocks() const { return size / block_size + (padded ? 1 : 0); }
};

// Work has
//     std::size_t count();                     how many jobs there are
//     lsh_job<Word> job(std::size_t i);        asked once for each, in order
//     void done(std::size_t i, const Word (&cv)[16]);
// A job has a block at least. Long jobs should come first. Secrets in chaining values and messages leave nothing
// behind.
template <class Word, class Work>
class lsh_batch_run {
  public:
    explicit lsh_batch_run(Work& work)
        : work_(work), single_(lsh_kernels<Word>::active_single()), lanes_(lsh_kernels<Word>::active_lanes()) {
        for (std::uint32_t i = 0; i < lsh_most_lanes; ++i) cvs_[i] = cv_[i];
    }

    ~lsh_batch_run() {
        wipe(cv_, used_ * sizeof cv_[0]);
        wipe(ends_, used_ * sizeof ends_[0]);
    }
    lsh_batch_run(const lsh_batch_run&) = delete;
    lsh_batch_run& operator=(const lsh_batch_run&) = delete;

    void operator()() {
        left_ = work_.count();
        while (begun_ + left_ != 0) {
            const lsh_lanes_form<Word>* form = lanes_.first_for(begun_ + left_);
            if (form == nullptr) {
                finish_one();
            } else {
                turn(*form);
            }
        }
    }

  private:
    static constexpr std::size_t block_size = lsh_job<Word>::block_size;

    // Beside next_ and cvs_, what is known of a message that has begun.
    struct progress {
        std::size_t job;
        std::size_t blocks;  // contiguous at next_
        std::size_t rest;    // bytes behind them that go into the padded block
        bool padded;         // a padded block is still to come
    };

    // The form's lanes go on until the first of them comes to the end of its whole blocks or of its padded block.
    void turn(const lsh_lanes_form<Word>& form) {
        while (begun_ < form.lanes && left_ != 0) begin(begun_++);
        const std::uint32_t active = std::min(begun_, form.lanes);
        for (std::uint32_t i = active; i < form.lanes; ++i) {  // without a message: what the first one does
            next_[i] = next_[0];
            std::memcpy(cvs_[i], cvs_[0], sizeof cv_[0]);
        }
        used_ = std::max(used_, form.lanes);
        std::size_t blocks = of_[0].blocks;
        for (std::uint32_t i = 1; i < active; ++i) blocks = std::min(blocks, of_[i].blocks);
        form.compress(cvs_, next_, blocks);
        for (std::uint32_t i = active; i-- != 0;) {
            next_[i] += blocks * block_size;
            of_[i].blocks -= blocks;
            if (of_[i].blocks == 0 && !continues(i)) leave(i);
        }
    }

    void finish_one() {
        if (begun_ == 0) begin(begun_++);
        used_ = std::max(used_, begun_);
        const std::uint32_t i = begun_ - 1;
        do {
            single_.compress(cvs_[i], next_[i], of_[i].blocks);
            next_[i] += of_[i].blocks * block_size;
        } while (continues(i));
        done(i);
        --begun_;
    }

    // The next message, in place i.
    void begin(std::uint32_t i) {
        const lsh_job<Word> job = work_.job(job_);
        std::memcpy(cvs_[i], job.start, sizeof cv_[0]);
        next_[i] = job.data;
        of_[i] = {job_++, job.size / block_size, job.size % block_size, job.padded};
        --left_;
        if (of_[i].blocks == 0) continues(i);
    }

    // The padded block of message i, if it is still to come: what remains, a 1 bit and zeros.
    bool continues(std::uint32_t i) {
        if (!of_[i].padded) return false;
        std::uint8_t* const end = ends_[(cvs_[i] - cv_[0]) / 16];
        const std::size_t rest = of_[i].rest;
        std::memset(end, 0, block_size);
        if (rest >= 16) {
            for (std::size_t at = 0; at < rest - 16; at += 16) std::memcpy(end + at, next_[i] + at, 16);
            std::memcpy(end + rest - 16, next_[i] + rest - 16, 16);
        } else {
            copy_bytes(end, next_[i], rest);
        }
        end[rest] = 0x80;
        next_[i] = end;
        of_[i].blocks = 1;
        of_[i].padded = false;
        return true;
    }

    // Message i has ended; the next one takes its place, or the last one that has begun.
    void leave(std::uint32_t i) {
        done(i);
        if (left_ != 0) return begin(i);
        --begun_;
        next_[i] = next_[begun_];
        of_[i] = of_[begun_];
        std::swap(cvs_[i], cvs_[begun_]);
    }

    void done(std::uint32_t i) { work_.done(of_[i].job, cv_[(cvs_[i] - cv_[0]) / 16]); }

    Work& work_;
    const typename lsh_kernels<Word>::single& single_;
    const typename lsh_kernels<Word>::lanes& lanes_;
    std::size_t job_ = 0, left_ = 0;
    std::uint32_t begun_ = 0;  // they come first in the arrays
    std::uint32_t used_ = 0;   // places
    const std::uint8_t* next_[lsh_most_lanes];
    Word* cvs_[lsh_most_lanes];  // cv_ in some order
    progress of_[lsh_most_lanes];
    alignas(64) Word cv_[lsh_most_lanes][16];
    alignas(64) std::uint8_t ends_[lsh_most_lanes][block_size];
};

}  // namespace hwacha
