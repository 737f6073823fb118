#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <hwacha/executor.hpp>

#include "pool/tasks.hpp"

namespace {

using namespace hwacha;
using namespace std::chrono_literals;
using test::run;

constexpr std::size_t thread_counts[] = {1, 2, 3, 8};

// Waits until `arrived` threads have come, for a minute at most.
bool all_come(std::atomic<unsigned>& arrived, unsigned expected) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    ++arrived;
    while (arrived < expected) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

void expect_each_once(executor& e, std::size_t count) {
    std::vector<std::atomic<unsigned>> times(count);
    run(e, count, [&](std::size_t i) { times.at(i).fetch_add(1, std::memory_order_relaxed); });
    std::size_t wrong = 0;
    for (const auto& n : times) wrong += n != 1 ? 1 : 0;
    EXPECT_EQ(wrong, 0U) << "of " << count;
}

TEST(ThreadPool, EveryIndexOnce) {
    for (const std::size_t threads : thread_counts) {
        SCOPED_TRACE(threads);
        thread_pool pool(threads);
        EXPECT_EQ(pool.concurrency(), threads);
        for (const std::size_t count : {0, 1, 2, 3, 100, 100000}) expect_each_once(pool, count);
    }
    thread_pool standard;
    EXPECT_EQ(standard.concurrency(), usable_processors());
    expect_each_once(standard, 100);
}

TEST(ThreadPool, ResultsAreVisible) {
    for (const std::size_t threads : thread_counts) {
        thread_pool pool(threads);
        std::vector<std::size_t> squares(1000);  // not atomic: for TSan
        for (std::size_t round = 0; round < 20; ++round) {
            run(pool, squares.size(), [&](std::size_t i) { squares[i] += i * i; });
            for (std::size_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], (round + 1) * i * i);
        }
    }
}

TEST(ThreadPool, OneThreadIsTheCaller) {
    thread_pool pool(1);
    std::set<std::thread::id> seen;
    run(pool, 50, [&](std::size_t) { seen.insert(std::this_thread::get_id()); });
    EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(ThreadPool, AllThreadsWorkAtATime) {
    for (const unsigned threads : {2U, 3U, 8U}) {
        thread_pool pool(threads);
        for (int round = 0; round < 3; ++round) {
            std::atomic<unsigned> arrived{0};
            std::atomic<unsigned> late{0};
            std::mutex m;
            std::set<std::thread::id> seen;
            run(pool, threads, [&](std::size_t) {
                if (!all_come(arrived, threads)) ++late;
                const std::lock_guard lock(m);
                seen.insert(std::this_thread::get_id());
            });
            EXPECT_EQ(late, 0U);
            EXPECT_EQ(seen.size(), threads);
            EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
            std::this_thread::sleep_for(round * 1ms);  // sleeping threads and looking ones
        }
    }
}

TEST(ThreadPool, RunsOfSeveralThreads) {
    for (const std::size_t threads : thread_counts) {
        thread_pool pool(threads);
        std::vector<std::thread> callers;
        for (int c = 0; c < 4; ++c) {
            callers.emplace_back([&] {
                for (const std::size_t count : {1, 2, 7, 1000, 3, 20000}) expect_each_once(pool, count);
                for (int i = 0; i < 200; ++i) expect_each_once(pool, 4);
            });
        }
        for (std::thread& t : callers) t.join();
    }
}

void nest(executor& e, int depth, std::size_t width, std::atomic<std::size_t>& leaves) {
    run(e, width, [&](std::size_t) {
        if (depth == 1) {
            ++leaves;
        } else {
            nest(e, depth - 1, width, leaves);
        }
    });
}

TEST(ThreadPool, NestedRuns) {
    for (const std::size_t threads : thread_counts) {
        thread_pool pool(threads);
        for (const std::size_t width : {1, 2, 5, 12}) {
            std::atomic<std::size_t> leaves{0};
            nest(pool, 3, width, leaves);
            EXPECT_EQ(leaves, width * width * width);
        }
    }
}

TEST(ThreadPool, NestedRunsOfSeveralThreads) {
    thread_pool pool(3);
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c) {
        callers.emplace_back([&] {
            for (int i = 0; i < 20; ++i) {
                std::atomic<std::size_t> leaves{0};
                nest(pool, 3, 4, leaves);
                EXPECT_EQ(leaves, 64U);
            }
        });
    }
    for (std::thread& t : callers) t.join();
}

TEST(ThreadPool, NestedRunWithEveryThreadBusy) {
    thread_pool pool(3);
    std::atomic<unsigned> arrived{0};
    std::atomic<unsigned> leaves{0};
    run(pool, 3, [&](std::size_t) {
        EXPECT_TRUE(all_come(arrived, 3));  // all three are here
        run(pool, 10, [&](std::size_t) { ++leaves; });
    });
    EXPECT_EQ(leaves, 30U);
}

TEST(ThreadPool, AnExceptionEndsTheRun) {
    for (const std::size_t threads : thread_counts) {
        SCOPED_TRACE(threads);
        thread_pool pool(threads);
        for (int round = 0; round < 20; ++round) {
            std::atomic<std::size_t> begun{0};
            try {
                run(pool, 100000, [&](std::size_t) {
                    const std::size_t earlier = begun++;
                    if (earlier == 10) throw std::runtime_error("the eleventh");
                    if (earlier > 10) std::this_thread::sleep_for(100us);  // throwing takes a while
                });
                ADD_FAILURE() << "nothing thrown";
            } catch (const std::runtime_error& e) {
                EXPECT_STREQ(e.what(), "the eleventh");
            }
            EXPECT_GE(begun, 11U);
            if (threads == 1) {
                EXPECT_EQ(begun, 11U);
            }
            EXPECT_LT(begun, 100000U);
            expect_each_once(pool, 1000);
        }
        EXPECT_THROW(run(pool, 1, [](std::size_t) { throw 1; }), int);
        expect_each_once(pool, 2);
    }
}

TEST(ThreadPool, TheFirstExceptionCounts) {
    thread_pool pool(3);
    for (int round = 0; round < 50; ++round) {
        std::atomic<unsigned> arrived{0};
        std::atomic<bool> thrown{false};
        try {
            run(pool, 3, [&](std::size_t) {
                if (all_come(arrived, 3); !thrown.exchange(true)) throw std::string("first");
                std::this_thread::sleep_for(2ms);
                throw 2;
            });
            ADD_FAILURE() << "nothing thrown";
        } catch (const std::string& s) {
            EXPECT_EQ(s, "first");
        }
    }
}

TEST(ThreadPool, ExceptionsOfNestedRuns) {
    thread_pool pool(3);
    for (int round = 0; round < 20; ++round) {
        std::atomic<unsigned> caught{0};
        run(pool, 10, [&](std::size_t i) {
            try {
                run(pool, 10, [&](std::size_t k) {
                    if (k == i) throw k;
                });
            } catch (std::size_t k) {
                if (k == i) ++caught;
            }
        });
        EXPECT_EQ(caught, 10U);
        EXPECT_THROW(run(pool, 4, [&](std::size_t) { run(pool, 4, [](std::size_t) { throw 1; }); }), int);
    }
}

TEST(ThreadPool, ManyTinyRuns) {
    for (const std::size_t threads : thread_counts) {
        thread_pool pool(threads);
        std::atomic<std::size_t> sum{0};
        for (int i = 0; i < 10000; ++i) {
            run(pool, 3, [&](std::size_t k) { sum.fetch_add(k + 1, std::memory_order_relaxed); });
        }
        EXPECT_EQ(sum, 60000U);
    }
}

TEST(ThreadPool, Destruction) {
    for (int round = 0; round < 50; ++round) {
        for (const std::size_t threads : thread_counts) {
            {
                thread_pool unused(threads);
            }
            std::atomic<unsigned> tasks{0};
            {
                thread_pool used(threads);
                run(used, 5, [&](std::size_t) { ++tasks; });
            }
            EXPECT_EQ(tasks, 5U);
        }
    }
}

TEST(ThreadPool, DestructionWaitsForRunsOfOtherThreads) {
    for (const std::size_t threads : thread_counts) {
        for (const std::size_t count : {1, 4}) {
            auto pool = std::make_unique<thread_pool>(threads);
            std::atomic<bool> begun{false};
            std::atomic<unsigned> tasks{0};
            std::thread caller([&, p = pool.get()] {
                run(*p, count, [&](std::size_t) {
                    begun = true;
                    std::this_thread::sleep_for(10ms);
                    run(*p, 2, [](std::size_t) {});
                    ++tasks;
                });
            });
            while (!begun) std::this_thread::yield();
            pool.reset();
            EXPECT_EQ(tasks, count);
            caller.join();
        }
    }
}

std::string own_name() {
    char name[16] = "";
#if defined(__linux__)
    pthread_getname_np(pthread_self(), name, sizeof name);
#endif
    return name;
}

TEST(ThreadPool, SignalsAndNames) {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    thread_pool pool(3);
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<unsigned> arrived{0};
    std::atomic<unsigned> right{0};
    run(pool, 3, [&](std::size_t) {
        if (!all_come(arrived, 3) || std::this_thread::get_id() == caller) return;
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        bool blocked = true;
        for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD, SIGPROF}) {
            blocked = blocked && sigismember(&mask, s) == 1;
        }
        const bool named = own_name() == "hwacha" || own_name().empty();
        if (blocked && sigismember(&mask, SIGSEGV) == 0 && named) ++right;
    });
    EXPECT_EQ(right, 2U);
    for (const int s : {SIGINT, SIGTERM, SIGUSR1, SIGSEGV}) EXPECT_EQ(sigismember(&before, s), sigismember(&after, s));
}

TEST(ThreadPool, IdleThreadsSleep) {
    thread_pool pool;
    run(pool, 100, [](std::size_t) {});
    std::this_thread::sleep_for(10ms);
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(300ms);
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.1);
}

// The interface with threads of the user's.
class one_thread_per_task final : public executor {
  public:
    void run(std::size_t count, task t, void* context) override {
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back(t, context, i);
        for (std::thread& thread : threads) thread.join();
    }
    std::size_t concurrency() const noexcept override { return 4; }
};

TEST(Executor, OfTheUser) {
    const std::unique_ptr<executor> own = std::make_unique<one_thread_per_task>();
    EXPECT_EQ(own->concurrency(), 4U);
    for (const std::size_t count : {0, 1, 2, 20}) expect_each_once(*own, count);
    std::atomic<std::size_t> leaves{0};
    nest(*own, 3, 3, leaves);
    EXPECT_EQ(leaves, 27U);
}

}  // namespace
