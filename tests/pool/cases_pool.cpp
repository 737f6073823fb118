// Faults that others had: pools. The identifiers name rows of the project's list of known pitfalls.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include <hwacha/hwacha.h>
#include <hwacha/lsh_batch.hpp>

#include "pool/tasks.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

namespace {

using namespace hwacha;
using namespace std::chrono_literals;
using test::in_child;
using test::run;

#ifdef HWACHA_TEST_SANITIZED
constexpr bool slow_threads = true;
#else
constexpr bool slow_threads = false;
#endif

std::vector<std::byte> digests_of(std::span<const bytes_view> messages) {
    std::vector<std::byte> all;
    for (const bytes_view m : messages) {
        const auto digest = lsh256_256::hash(m);
        all.insert(all.end(), digest.begin(), digest.end());
    }
    return all;
}

// No number of threads hangs: 0 is a choice of the pool's, and what is too many becomes fewer.
TEST(CasesPool, B77_AnyNumberOfThreads) {
    std::vector<std::size_t> numbers = {0, 1, 2, slow_threads ? 100U : 1024U};
    if (!slow_threads) numbers.push_back(std::numeric_limits<std::size_t>::max());  // -1
    const std::vector<std::byte> data(3000);
    std::vector<bytes_view> messages;
    for (std::size_t i = 0; i < 3000; ++i) messages.push_back(bytes_view(data).first(i % 500));
    const std::vector<std::byte> expected = digests_of(messages);
    for (const std::size_t threads : numbers) {
        const auto start = std::chrono::steady_clock::now();
        thread_pool pool(threads);
        EXPECT_GE(pool.concurrency(), 1U);
        if (threads != 0) {
            EXPECT_LE(pool.concurrency(), threads);
        }
        std::atomic<std::size_t> sum{0};
        run(pool, 5000, [&](std::size_t i) { sum += i; });
        EXPECT_EQ(sum, 5000U * 4999U / 2);
        std::vector<std::byte> out(expected.size());
        EXPECT_EQ(hash_batch(lsh_variant::lsh256_256, messages, out, {.threads = &pool}), status::ok);
        EXPECT_EQ(out, expected);

        hwacha_pool* c = nullptr;
        ASSERT_EQ(hwacha_pool_new(threads, &c), HWACHA_OK);
        EXPECT_GE(hwacha_pool_concurrency(c), 1U);
        hwacha_pool_free(c);
        EXPECT_LT(std::chrono::steady_clock::now() - start, 5s) << threads;
    }
}

// Pools that end while their threads are about to fall asleep, or have not begun.
void make_and_destroy(std::size_t rounds, std::size_t threads) {
    std::atomic<std::size_t> tasks{0};
    std::size_t expected = 0;
    for (std::size_t i = 0; i < rounds; ++i) {
        thread_pool pool(threads);
        if (i % 4 != 0) run(pool, i % 4, [&](std::size_t) { ++tasks; });
        expected += i % 4;
    }
    EXPECT_EQ(tasks, expected);
}

// 20,000 times in scripts/prove, which repeats it.
TEST(CasesPool, B79_NoWakeUpIsLostAtTheEnd) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::size_t threads : {1, 2, 8}) make_and_destroy(1000, threads);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);
}

#if defined(__linux__) && !defined(HWACHA_TEST_TSAN)  // TSan starts no threads in a child
TEST(CasesPool, B79_NoWakeUpIsLostOnOneProcessor) {
    const int result = in_child([] {
        cpu_set_t all;
        if (sched_getaffinity(0, sizeof all, &all) != 0) return 0;
        int first = 0;
        while (!CPU_ISSET(first, &all)) ++first;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(first, &one);
        if (sched_setaffinity(0, sizeof one, &one) != 0) return 0;
        for (const std::size_t threads : {1, 2, 8}) make_and_destroy(1000, threads);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result, 0);
}
#endif

// Batches within tasks within tasks of the pool that they use themselves.
void batches_within(thread_pool& pool, int depth, std::span<const bytes_view> messages,
                    const std::vector<std::byte>& expected, std::atomic<std::size_t>& right) {
    run(pool, 4, [&](std::size_t) {
        std::vector<std::byte> out(expected.size());
        const status s = hash_batch(lsh_variant::lsh256_256, messages, out, {.threads = &pool});
        if (s == status::ok && out == expected) ++right;
        if (depth > 1) batches_within(pool, depth - 1, messages, expected, right);
    });
}

TEST(CasesPool, B81_BatchesWithinTasksOfTheirPool) {
    const std::vector<std::byte> data(1000);
    std::vector<bytes_view> messages;
    for (std::size_t i = 0; i < 400; ++i) messages.push_back(bytes_view(data).first(2 * i));
    const std::vector<std::byte> expected = digests_of(messages);
    for (const std::size_t threads : {1, 2}) {
        thread_pool pool(threads);
        std::atomic<std::size_t> right{0};
        batches_within(pool, 3, messages, expected, right);
        EXPECT_EQ(right, 4U + 16U + 64U) << threads;
    }
}

}  // namespace
