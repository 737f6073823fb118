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
        : work_(work), single_(lsh_kernels<Word>::active_single()), lanes_(lsh_kernels<Word>::active_lanes()) {}

    ~lsh_batch_run() {
        wipe(state_, sizeof state_);
        wipe(cv_, sizeof cv_);
        wipe(ends_, sizeof ends_);
    }
    lsh_batch_run(const lsh_batch_run&) = delete;
    lsh_batch_run& operator=(const lsh_batch_run&) = delete;

    void operator()() {
        left_ = work_.count();
        while (active_ + left_ != 0) {
            const lsh_lanes_form<Word>* form = cheapest_for(active_ + left_);
            if (form == nullptr) {
                finish_singly();
            } else {
                run(*form);
            }
        }
    }

  private:
    static constexpr std::size_t block_size = lsh_job<Word>::block_size;

    struct lane {
        std::size_t job;
        const std::uint8_t* next;
        std::size_t blocks;  // contiguous at `next`
        std::size_t rest;    // bytes behind them that go into the padded block
        bool padded;         // a padded block is still to come
    };

    // The form whose turn over so many messages costs least; null: the single-message kernel, message by message.
    const lsh_lanes_form<Word>* cheapest_for(std::size_t messages) const {
        const lsh_lanes_form<Word>* best = nullptr;
        std::size_t least = messages * lsh_single_cost;
        for (std::uint32_t i = 0; i < lanes_.count; ++i) {
            const lsh_lanes_form<Word>& f = lanes_.forms[i];
            if (f.lanes < active_) continue;  // messages that have begun need a lane each
            // More messages than the widest form takes fill it, and refill it.
            const std::size_t turns = (messages + f.lanes - 1) / f.lanes;
            if (f.cost * turns < least) {
                least = f.cost * turns;
                best = &f;
            }
        }
        return best;
    }

    // Until no message is left that would fill a lane and the form is no longer the cheapest.
    void run(const lsh_lanes_form<Word>& form) {
        const std::uint32_t width = form.lanes;
        spread(width);
        for (;;) {
            if (active_ == 0 && left_ >= width) {
                enter_all(width);
            } else {
                for (std::uint32_t i = active_; i < width && left_ != 0; ++i) enter(i, width);
            }
            if (active_ == 0) return;
            if (left_ == 0 && cheapest_for(active_) != &form) return gather(width);

            std::size_t blocks = lane_[0].blocks;
            for (std::uint32_t i = 1; i < active_; ++i) blocks = blocks < lane_[i].blocks ? blocks : lane_[i].blocks;
            const std::uint8_t* next[lsh_most_lanes];
            for (std::uint32_t i = 0; i < width; ++i) next[i] = lane_[i < active_ ? i : 0].next;
            form.compress(state_, next, blocks);

            if (all_end(blocks)) {
                for (std::uint32_t i = 0; i < active_; ++i) leave(i, width);
                active_ = 0;
                continue;
            }
            for (std::uint32_t i = 0; i < active_;) {
                lane_[i].next += blocks * block_size;
                lane_[i].blocks -= blocks;
                if (lane_[i].blocks != 0 || continues(i) || renew(i, width)) ++i;
            }
        }
    }

    void finish_singly() {
        for (std::uint32_t i = 0; i < active_; ++i) finish(i, cv_[i]);
        active_ = 0;
        while (left_ != 0) {
            std::memcpy(cv_[0], assign(0), sizeof cv_[0]);
            finish(0, cv_[0]);
        }
    }

    void finish(std::uint32_t i, Word (&cv)[16]) {
        lane& l = lane_[i];
        do {
            single_.compress(cv, l.next, l.blocks);
            l.next += l.blocks * block_size;
        } while (continues(i));
        work_.done(l.job, cv);
    }

    // The padded block of lane i, if it is still to come.
    bool continues(std::uint32_t i) {
        lane& l = lane_[i];
        if (!l.padded) return false;
        std::uint8_t* end = ends_[i];
        std::memset(end, 0, block_size);
        copy_bytes(end, l.next, l.rest);
        end[l.rest] = 0x80;
        l.next = end;
        l.blocks = 1;
        l.padded = false;
        return true;
    }

    // The next message to lane i; the chaining value that it starts from.
    const Word* assign(std::uint32_t i) {
        const lsh_job<Word> job = work_.job(next_);
        lane_[i] = {next_++, job.data, job.size / block_size, job.size % block_size, job.padded};
        --left_;
        if (lane_[i].blocks == 0) continues(i);
        return job.start;
    }

    void enter(std::uint32_t i, std::uint32_t width) {
        put_column(i, width, assign(i));
        if (i == active_) ++active_;
    }

    // As many messages as there are lanes. Where all begin alike, rows are written rather than columns: vectors can be
    // loaded at once from what was stored as vectors.
    void enter_all(std::uint32_t width) {
        const Word* starts[lsh_most_lanes];
        bool alike = true;
        for (std::uint32_t i = 0; i < width; ++i) {
            starts[i] = assign(i);
            alike &= starts[i] == starts[0];
        }
        active_ = width;
        if (alike) {
            for (std::uint32_t w = 0; w < 16; ++w) std::fill_n(state_ + w * width, width, starts[0][w]);
        } else {
            for (std::uint32_t i = 0; i < width; ++i) put_column(i, width, starts[i]);
        }
    }

    bool all_end(std::size_t blocks) const {
        for (std::uint32_t i = 0; i < active_; ++i) {
            if (lane_[i].blocks != blocks || lane_[i].padded) return false;
        }
        return true;
    }

    void leave(std::uint32_t i, std::uint32_t width) {
        take_column(i, width, cv_[0]);
        work_.done(lane_[i].job, cv_[0]);
    }

    // The message of lane i has ended; the next one takes its place. Without a next one, the last lane moves there,
    // which has not been looked at yet: false.
    bool renew(std::uint32_t i, std::uint32_t width) {
        leave(i, width);
        if (left_ != 0) {
            enter(i, width);
            return true;
        }
        if (i != --active_) {
            lane_[i] = lane_[active_];
            take_column(active_, width, cv_[0]);
            put_column(i, width, cv_[0]);
        }
        return false;
    }

    void spread(std::uint32_t width) {
        for (std::uint32_t i = 0; i < active_; ++i) put_column(i, width, cv_[i]);
    }
    void gather(std::uint32_t width) {
        for (std::uint32_t i = 0; i < active_; ++i) take_column(i, width, cv_[i]);
    }
    void put_column(std::uint32_t i, std::uint32_t width, const Word* cv) {
        for (std::uint32_t w = 0; w < 16; ++w) state_[w * width + i] = cv[w];
    }
    void take_column(std::uint32_t i, std::uint32_t width, Word (&cv)[16]) const {
        for (std::uint32_t w = 0; w < 16; ++w) cv[w] = state_[w * width + i];
    }

    Work& work_;
    const typename lsh_kernels<Word>::single& single_;
    const typename lsh_kernels<Word>::lanes& lanes_;
    std::size_t next_ = 0, left_ = 0;  // jobs
    std::uint32_t active_ = 0;
    lane lane_[lsh_most_lanes];
    alignas(64) Word state_[16 * lsh_most_lanes];
    Word cv_[lsh_most_lanes][16];
    std::uint8_t ends_[lsh_most_lanes][block_size];
};

}  // namespace hwacha
