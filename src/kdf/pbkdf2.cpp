// PBKDF2, RFC 8018 section 5.2, with HMAC-LSH. A password is worked into two chaining values once; an iteration is then
// two compressions of one block each. Blocks of output, of one password or of many, take the lanes side by side.
#include "kdf/pbkdf2.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/bytes.hpp"
#include "batch/lanes.hpp"
#include "lsh/access.hpp"
#include "lsh/chaining.hpp"
#include "mac/hmac_keyed.hpp"

namespace hwacha {
namespace {

constexpr std::uint64_t most_iterations = 0xffffffff;
constexpr std::uint64_t most_blocks = 0xffffffff;

struct pbkdf2_task {
    const lsh_info& v;
    message_list passwords, salts;  // as many
    std::uint64_t iterations;
    std::size_t key_size;
    std::byte* out;  // key_size bytes for each password

    std::size_t blocks_of_key() const { return key_size / v.digest_size + (key_size % v.digest_size != 0 ? 1 : 0); }
    std::size_t blocks() const { return passwords.count() * blocks_of_key(); }
};

// Some blocks of a task, counted over all keys.
template <class Word>
class pbkdf2_run {
  public:
    using kernels = lsh_kernels<Word>;

    explicit pbkdf2_run(const pbkdf2_task& t) : task_(t) {}
    ~pbkdf2_run() { wipe(lanes_, used_ * sizeof lanes_[0]); }
    pbkdf2_run(const pbkdf2_run&) = delete;
    pbkdf2_run& operator=(const pbkdf2_run&) = delete;

    // At a time: the lanes of the form that goes first where so many blocks are left.
    static std::size_t at_a_time(std::size_t left) {
        const lsh_lanes_form<Word>* form = kernels::active_lanes().first_for(left);
        return form == nullptr ? 1 : std::min<std::size_t>(left, form->lanes);
    }

    // `count` is what at_a_time said for `count` or more.
    void operator()(std::size_t first, std::size_t count) {
        const lsh_lanes_form<Word>* form = kernels::active_lanes().first_for(count);
        const std::size_t width = form == nullptr ? 1 : form->lanes;
        used_ = std::max(used_, width);
        for (std::size_t i = 0; i < width; ++i) {
            cvs_[i] = lanes_[i].cv;
            blocks_[i] = lanes_[i < count ? i : 0].block;
            if (i < count) {
                begin(lanes_[i], first + i);
            } else {
                std::memset(lanes_[i].cv, 0, sizeof lanes_[i].cv);  // without a block of its own
            }
        }
        for (std::uint64_t j = task_.iterations;;) {
            for (std::size_t i = 0; i < count; ++i) std::memcpy(lanes_[i].cv, lanes_[i].outer, sizeof lanes_[i].cv);
            compress(form);
            for (std::size_t i = 0; i < count; ++i) {
                for (std::size_t w = 0; w < 16; ++w) lanes_[i].sum[w] ^= lanes_[i].cv[w];
            }
            if (--j == 0) break;
            for (std::size_t i = 0; i < count; ++i) {
                write_digest(lanes_[i].cv, digest_of(lanes_[i]), task_.v.digest_size);
                std::memcpy(lanes_[i].cv, lanes_[i].inner, sizeof lanes_[i].cv);
            }
            compress(form);
            for (std::size_t i = 0; i < count; ++i) {
                write_digest(lanes_[i].cv, digest_of(lanes_[i]), task_.v.digest_size);
            }
        }
        for (std::size_t i = 0; i < count; ++i) end(lanes_[i], first + i);
    }

  private:
    struct alignas(64) lane {
        Word inner[16], outer[16];  // after key ^ ipad, key ^ opad
        Word cv[16];
        Word sum[16];                           // of the U_j: a digest is a linear function of it
        std::uint8_t block[32 * sizeof(Word)];  // an inner digest or U_j, a 1 bit and zeros
    };
    // A password and its salt in HMAC.
    struct keyed {
        std::size_t password;
        lsh inner, salted, outer;
    };

    static std::byte* digest_of(lane& l) { return reinterpret_cast<std::byte*>(l.block); }

    void compress(const lsh_lanes_form<Word>* form) {
        if (form == nullptr) {
            kernels::active_single().compress(cvs_[0], blocks_[0], 1);
        } else {
            form->compress(cvs_, blocks_, 1);
        }
    }

    // Up to the inner digest of U_1 = HMAC(password, salt || number of the block).
    void begin(lane& l, std::size_t block) {
        const std::size_t password = block / task_.blocks_of_key();
        if (!keyed_ || keyed_->password != password) {
            const lsh_variant v = task_.v.variant;
            const bytes_view p = task_.passwords[password];
            const lsh inner = hmac_keyed(v, p, hmac_ipad);
            keyed_.emplace(keyed{password, inner, inner, hmac_keyed(v, p, hmac_opad)});
            keyed_->salted.update(task_.salts[password]);
        }
        std::memcpy(l.inner, lsh_access::chaining<Word>(keyed_->inner), sizeof l.inner);
        std::memcpy(l.outer, lsh_access::chaining<Word>(keyed_->outer), sizeof l.outer);
        std::memset(l.sum, 0, sizeof l.sum);
        std::memset(l.block, 0, sizeof l.block);
        l.block[task_.v.digest_size] = 0x80;
        std::byte number[4];
        store_be(number, static_cast<std::uint32_t>(block % task_.blocks_of_key() + 1));
        lsh h = keyed_->salted;
        static_cast<void>(h.update(number).finish(bytes_span(digest_of(l), task_.v.digest_size)));
    }

    void end(const lane& l, std::size_t block) {
        const std::size_t at = block % task_.blocks_of_key() * task_.v.digest_size;
        write_digest(l.sum, task_.out + block / task_.blocks_of_key() * task_.key_size + at,
                     std::min(task_.v.digest_size, task_.key_size - at));
    }

    const pbkdf2_task& task_;
    std::optional<keyed> keyed_;
    std::size_t used_ = 0;
    Word* cvs_[lsh_most_lanes];
    const std::uint8_t* blocks_[lsh_most_lanes];
    lane lanes_[lsh_most_lanes];
};

// Deals the blocks out to threads.
template <class Word>
class pbkdf2_batch {
  public:
    pbkdf2_batch(const pbkdf2_task& t, const batch_options& options)
        : task_(t), options_(options), workers_(options.threads == nullptr ? 1 : options.threads->concurrency()) {
        workers_ = std::clamp<std::size_t>(workers_, 1, std::max<std::size_t>(t.blocks(), 1));
        share_ = (t.blocks() + workers_ - 1) / workers_;
    }

    status operator()() {
        auto worker = [this] {
            pbkdf2_run<Word> run(task_);
            std::size_t first = 0;
            while (const std::size_t count = take(first)) {
                run(first, count);
                report(count);
            }
        };
        if (workers_ == 1) {
            worker();
        } else {
            const auto call = [](void* context, std::size_t) { (*static_cast<decltype(worker)*>(context))(); };
            options_.threads->run(workers_, call, &worker);
        }
        if (cancelled_.load(std::memory_order_relaxed)) return status::cancelled;
        return done_.load(std::memory_order_relaxed) == task_.blocks() ? status::ok : status::executor_failed;
    }

  private:
    std::size_t take(std::size_t& first) {
        first = next_.load(std::memory_order_relaxed);
        std::size_t count = 0;
        do {
            if (first == task_.blocks() || cancelled_.load(std::memory_order_relaxed)) return 0;
            count = pbkdf2_run<Word>::at_a_time(std::min(share_, task_.blocks() - first));
        } while (!next_.compare_exchange_weak(first, first + count, std::memory_order_relaxed));
        return count;
    }

    void report(std::size_t count) {
        if (!options_.progress) {
            done_.fetch_add(count, std::memory_order_relaxed);
            return;
        }
        const std::lock_guard lock(mutex_);
        const std::size_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
        if (!options_.progress(done / task_.blocks_of_key()) && done != task_.blocks()) {
            cancelled_.store(true, std::memory_order_relaxed);
        }
    }

    const pbkdf2_task& task_;
    const batch_options& options_;
    std::size_t workers_;
    std::size_t share_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> done_{0};
    std::atomic<bool> cancelled_{false};
    std::mutex mutex_;
};

status derive(const pbkdf2_task& t, const batch_options& options) {
    return is_lsh256(t.v) ? pbkdf2_batch<std::uint32_t>(t, options)() : pbkdf2_batch<std::uint64_t>(t, options)();
}

status check(const lsh_info* v, std::uint64_t iterations, std::size_t key_size) {
    if (v == nullptr) return status::unknown_algorithm;
    if (iterations < 1 || iterations > most_iterations) return status::bad_iterations;
    return key_size > most_blocks * v->digest_size ? status::output_too_long : status::ok;
}

}  // namespace

status pbkdf2_hmac_lsh(lsh_variant v, bytes_view password, bytes_view salt, std::uint64_t iterations,
                       bytes_span out) noexcept {
    const lsh_info* info = find_lsh(v);
    if (const status s = check(info, iterations, out.size()); s != status::ok) return s;
    if (!disjoint(password, out) || !disjoint(salt, out)) return status::overlap;
    return derive({*info, message_list({&password, 1}), message_list({&salt, 1}), iterations, out.size(), out.data()},
                  {});
}

status pbkdf2_messages(lsh_variant v, const message_list& passwords, const message_list& salts,
                       std::uint64_t iterations, std::size_t key_size, bytes_span keys, const batch_options& options) {
    const lsh_info* info = find_lsh(v);
    if (const status s = check(info, iterations, key_size); s != status::ok) return s;
    if (passwords.count() != salts.count()) return status::wrong_count;
    if (key_size == 0) return status::ok;
    if (keys.size() / key_size < passwords.count()) return status::buffer_too_small;
    const bytes_span out = keys.first(key_size * passwords.count());
    for (const message_list* m : {&passwords, &salts}) {
        if (const status s = m->check(); s != status::ok) return s;
        if (!m->apart_from(out)) return status::overlap;
    }
    struct clearing {
        ~clearing() {
            if (result != status::ok) wipe(out.data(), out.size());
        }
        bytes_span out;
        status result;
    };
    clearing at_the_end{out, status::executor_failed};  // an executor may throw
    at_the_end.result = derive({*info, passwords, salts, iterations, key_size, out.data()}, options);
    return at_the_end.result;
}

status pbkdf2_hmac_lsh_batch(lsh_variant v, std::span<const bytes_view> passwords, std::span<const bytes_view> salts,
                             std::uint64_t iterations, std::size_t key_size, bytes_span keys,
                             const batch_options& options) {
    return pbkdf2_messages(v, message_list(passwords), message_list(salts), iterations, key_size, keys, options);
}

}  // namespace hwacha
