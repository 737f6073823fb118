// Batches in tests: messages, what is expected of them, executors.
#pragma once

#include <thread>

#include <hwacha/lsh_batch.hpp>

#include "simd/lanes.hpp"

namespace hwacha::test {

inline constexpr lsh_variant no_variant = static_cast<lsh_variant>(99);

inline std::vector<bytes_view> views_of(const std::vector<bytes>& messages) {
    return {messages.begin(), messages.end()};
}

inline std::vector<bytes_view> copy_of_views(std::span<const bytes_view> views) {
    return {views.begin(), views.end()};
}

inline std::vector<bytes> random_messages(random_source& random, std::size_t n, std::size_t longest) {
    std::vector<bytes> messages;
    for (std::size_t i = 0; i < n; ++i) messages.push_back(random.take(random.below(longest + 1)));
    return messages;
}

inline bytes hashes(const lsh_info& i, std::span<const bytes_view> messages) {
    bytes all;
    for (const bytes_view m : messages) {
        const bytes digest = hash(i, m);
        all.insert(all.end(), digest.begin(), digest.end());
    }
    return all;
}

inline bytes macs_of(const lsh_info& i, std::span<const bytes_view> keys, std::span<const bytes_view> messages) {
    bytes all;
    for (std::size_t m = 0; m < messages.size(); ++m) {
        const bytes one = mac(i, keys[m % keys.size()], messages[m]);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

// Runs `batch` (a status, given where the digests go) into memory that has bytes before and behind them.
template <class Batch, class... What>
bool check_batch(const bytes& expected, Batch batch, const What&... what) {
    constexpr std::size_t margin = 67;
    bytes area = repeated(expected.size() + 2 * margin, 0xa5);
    const status s = batch(bytes_span(area).subspan(margin));
    bool good = works(s, what...);
    good = check_bytes(expected, bytes_view(area).subspan(margin, expected.size()), what...) && good;
    const bytes outside = repeated(margin, 0xa5);
    good = check_bytes(outside, bytes_view(area).first(margin), "before the digests, ", what...) && good;
    return check_bytes(outside, bytes_view(area).last(margin), "behind the digests, ", what...) && good;
}

// f(variant) for all six, or for one of each core.
template <class Function>
void for_each_variant(Function f) {
    for (const lsh_info& i : lsh_variants()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        f(i);
    }
}
template <class Function>
void for_each_core(Function f) {
    for_each_variant([&](const lsh_info& i) {
        if (i.variant == lsh_variant::lsh256_256 || i.variant == lsh_variant::lsh512_512) f(i);
    });
}

inline std::vector<lsh*> pointers_to(std::vector<lsh>& objects) {
    std::vector<lsh*> pointers;
    for (lsh& o : objects) pointers.push_back(&o);
    return pointers;
}

// Tasks one after the other on the calling thread, in the other order.
class inline_executor final : public executor {
  public:
    explicit inline_executor(std::size_t concurrency) : concurrency_(concurrency) {}
    void run(std::size_t count, task t, void* context) override {
        ++runs;
        tasks += count;
        for (std::size_t i = count; i-- > 0;) t(context, i);
    }
    std::size_t concurrency() const noexcept override { return concurrency_; }
    std::size_t runs = 0;
    std::size_t tasks = 0;

  private:
    std::size_t concurrency_;
};

// A new thread for every task.
class eager_executor final : public executor {
  public:
    void run(std::size_t count, task t, void* context) override {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back(t, context, i);
        for (std::thread& thread : threads) thread.join();
    }
    std::size_t concurrency() const noexcept override { return 5; }
};

inline batch_options on(executor* threads) {
    batch_options o;
    o.threads = threads;
    return o;
}

}  // namespace hwacha::test
