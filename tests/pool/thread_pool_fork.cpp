// Pools in children, and where threads are hard to come by.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include <hwacha/executor.hpp>

#include "pool/tasks.hpp"

namespace {

using namespace hwacha;
using namespace std::chrono_literals;
using test::in_child;
using test::run;

bool counts_right(executor& e, std::size_t count) {
    std::atomic<std::size_t> sum{0};
    run(e, count, [&](std::size_t i) { sum += i + 1; });
    return sum == count * (count + 1) / 2;
}

TEST(ThreadPoolFork, AChildRunsInline) {
    for (const std::size_t threads : {1, 2, 3, 8}) {
        thread_pool pool(threads);
        ASSERT_TRUE(counts_right(pool, 100));
        for (int round = 0; round < 10; ++round) {
            const int status = in_child([&] {
                if (pool.concurrency() != 1 || !counts_right(pool, 1000) || !counts_right(pool, 1)) return 1;
                const auto caller = std::this_thread::get_id();
                bool inside = true;
                std::size_t nested = 0;
                run(pool, 10, [&](std::size_t) {
                    inside = inside && std::this_thread::get_id() == caller;
                    run(pool, 10, [&](std::size_t) { ++nested; });
                });
                if (!inside || nested != 100) return 2;
                try {
                    run(pool, 10, [](std::size_t i) { throw i; });
                    return 3;
                } catch (std::size_t i) {
                    if (i != 0) return 4;
                }
                return in_child([&] { return counts_right(pool, 10) ? 0 : 1; });
            });
            EXPECT_EQ(status, 0);
            EXPECT_TRUE(counts_right(pool, 100));
            EXPECT_EQ(pool.concurrency(), threads);
        }
    }
}

TEST(ThreadPoolFork, AChildDestroys) {
    for (const std::size_t threads : {1, 2, 8}) {
        for (const auto pause : {0ms, 2ms}) {  // threads that look out for work, and sleeping ones
            std::optional<thread_pool> first(threads);
            std::optional<thread_pool> second(threads);
            ASSERT_TRUE(counts_right(*first, 100) && counts_right(*second, 100));
            std::this_thread::sleep_for(pause);
            const int status = in_child([&] {
                first.reset();
                if (!counts_right(*second, 100)) return 1;
                second.reset();
                thread_pool own(1);
                return counts_right(own, 100) ? 0 : 2;
            });
            EXPECT_EQ(status, 0);
            EXPECT_TRUE(counts_right(*first, 100) && counts_right(*second, 100));
        }
    }
}

TEST(ThreadPoolFork, WhileOthersRun) {
    thread_pool pool(3);
    std::atomic<bool> stop{false};
    std::vector<std::thread> callers;
    for (int c = 0; c < 2; ++c) {
        callers.emplace_back([&] {
            while (!stop) run(pool, 3, [](std::size_t) {});
        });
    }
    int wrong = 0;
    for (int i = 0; i < 100; ++i) wrong += in_child([&] { return counts_right(pool, 10) ? 0 : 1; }) != 0 ? 1 : 0;
    stop = true;
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong, 0);
}

TEST(ThreadPoolFork, ATaskMayFork) {
    thread_pool pool(3);
    std::atomic<int> wrong{0};
    run(pool, 6, [&](std::size_t) { wrong += in_child([&] { return counts_right(pool, 10) ? 0 : 1; }) != 0 ? 1 : 0; });
    EXPECT_EQ(wrong, 0);
}

#ifndef HWACHA_TEST_TSAN
TEST(ThreadPoolFork, AChildMayHaveItsOwn) {
    thread_pool pool(3);
    ASSERT_TRUE(counts_right(pool, 100));
    const int status = in_child([&] {
        thread_pool own(3);
        if (own.concurrency() != 3) return 1;
        for (int i = 0; i < 100; ++i) {
            if (!counts_right(own, 100)) return 2;
        }
        std::atomic<unsigned> arrived{0};  // on three threads
        run(own, 3, [&](std::size_t) {
            ++arrived;
            while (arrived < 3) std::this_thread::yield();
        });
        return counts_right(pool, 100) && pool.concurrency() == 1 ? 0 : 3;
    });
    EXPECT_EQ(status, 0);
}
#endif

// An address space too small for the stacks of so many threads. Sanitizers and emulators do not live with such limits.
TEST(CasesPool, B83_FewerThreadsThanAskedFor) {
    constexpr std::size_t asked = 200;
    for (const rlim_t stacks : {0, 10}) {
        const int status = in_child([&] {
            std::FILE* f = std::fopen("/proc/self/statm", "r");
            unsigned long pages = 0;
            if (f == nullptr || std::fscanf(f, "%lu", &pages) != 1) return 77;
            std::fclose(f);
            rlimit stack;
            if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur > (64 << 20)) return 77;
            const rlim_t bytes =
                pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + stacks * stack.rlim_cur + stack.rlim_cur / 2;
            const rlimit limit = {bytes, bytes};
            if (pages > (1UL << 20) || setrlimit(RLIMIT_AS, &limit) != 0) return 77;
            thread_pool pool(asked);
            if (pool.concurrency() == asked) return 77;
            if (stacks != 0 && pool.concurrency() == 1) return 1;
            thread_pool alone(asked);  // the other has taken all
            if (alone.concurrency() != 1) return 2;
            return counts_right(pool, 1000) && counts_right(alone, 1000) ? 0 : 3;
        });
        if (status == 77) GTEST_SKIP() << "the limit is not in force here";
        EXPECT_EQ(status, 0);
    }
}

}  // namespace
