// Random bytes with a system that fails, hesitates or gives little; nonces that are counted.
#include <hwacha/random.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <thread>

#include "base/random.hpp"
#include "support/run.hpp"

namespace hwacha::test {
namespace {

// While it lives, `f` stands for the operating system.
class entropy_from {
  public:
    explicit entropy_from(entropy_function f) : before_(entropy_in_use.exchange(f)) {}
    ~entropy_from() { entropy_in_use = before_; }
    entropy_from(const entropy_from&) = delete;
    entropy_from& operator=(const entropy_from&) = delete;

  private:
    entropy_function before_;
};

int calls;

ssize_t give(void* out, std::size_t size) {
    std::memset(out, ++calls, size);
    return static_cast<ssize_t>(size);
}

ssize_t give_seven(void* out, std::size_t size) {
    return give(out, std::min<std::size_t>(size, 7));
}

ssize_t fail(int error) {
    errno = error;
    return -1;
}

TEST(ApiRandom, TheSystemsBytes) {
    random_source sizes = seeded(300);
    std::set<bytes> seen;
    for (std::size_t round = 0; round < 50; ++round) {
        bytes out(sizes.between(16, 600));
        ASSERT_EQ(random_bytes(out), status::ok);
        EXPECT_TRUE(seen.insert(copy_of(bytes_view(out).first(16))).second) << "the same bytes twice";
        EXPECT_NE(copy_of(bytes_view(out).last(16)), bytes(16)) << "the end was not filled";
    }
    bytes large(1U << 20);
    ASSERT_EQ(random_bytes(large), status::ok);
    // 4,096 ones are expected of each value; six deviations are 384.
    std::size_t counts[256] = {};
    for (const std::byte b : large) ++counts[std::to_integer<std::size_t>(b)];
    for (const std::size_t c : counts) EXPECT_NEAR(static_cast<double>(c), 4096, 400);
}

TEST(ApiRandom, NothingAskedForNothing) {
    const entropy_from system(give);
    calls = 0;
    EXPECT_EQ(random_bytes({}), status::ok);
    EXPECT_EQ(calls, 0);
}

TEST(ApiRandom, LittleAtATime) {
    const entropy_from system(give_seven);
    for (std::size_t n = 1; n < 40; ++n) {
        calls = 0;
        bytes area = repeated(n + 2, 0xa5);
        ASSERT_EQ(random_bytes(bytes_span(area).subspan(1, n)), status::ok);
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(std::to_integer<std::size_t>(area[1 + i]), 1 + i / 7);
        EXPECT_EQ(area.front(), std::byte{0xa5});
        EXPECT_EQ(area.back(), std::byte{0xa5});
    }
}

TEST(ApiRandom, Interrupted) {
    const entropy_from system(
        [](void* out, std::size_t size) { return ++calls % 3 != 0 ? fail(EINTR) : give_seven(out, size); });
    calls = 0;
    bytes out(30);
    ASSERT_EQ(random_bytes(out), status::ok);
    EXPECT_EQ(std::ranges::count(out, std::byte{0}), 0);
}

TEST(ApiRandom, FailureLeavesZeros) {
    struct row {
        const char* what;
        entropy_function f;
    };
    const row rows[] = {
        {"fails at once", [](void*, std::size_t) { return fail(ENOSYS); }},
        {"fails later", [](void* out, std::size_t size) { return calls < 2 ? give_seven(out, size) : fail(EAGAIN); }},
        {"ends", [](void* out, std::size_t size) { return calls < 2 ? give_seven(out, size) : ssize_t{0}; }},
        {"says too much", [](void*, std::size_t size) { return static_cast<ssize_t>(size + 1); }},
    };
    for (const row& r : rows) {
        const entropy_from system(r.f);
        calls = 0;
        bytes out = repeated(33, 0xa5);
        EXPECT_EQ(random_bytes(out), status::rng_failed) << r.what;
        EXPECT_EQ(out, bytes(33)) << r.what;
    }
}

constexpr std::uint64_t limit = std::uint64_t{1} << 32;

TEST(ApiRandomNonces, Different) {
    random_nonces nonces;
    std::set<bytes> seen;
    for (std::size_t i = 1; i <= 1000; ++i) {
        bytes nonce(i % 2 == 0 ? 12 : 13);
        ASSERT_EQ(nonces.next(nonce), status::ok);
        EXPECT_TRUE(seen.insert(nonce).second);
        EXPECT_EQ(nonces.used(), i);
    }
}

TEST(ApiRandomNonces, NoMoreThanTwoToThe32) {
    random_nonces nonces(limit - 2);
    bytes nonce = repeated(12, 0xa5);
    EXPECT_EQ(nonces.next(nonce), status::ok);
    EXPECT_EQ(nonces.next(nonce), status::ok);
    EXPECT_EQ(nonces.used(), limit);
    for (int i = 0; i < 3; ++i) {
        nonce = repeated(12, 0xa5);
        EXPECT_EQ(nonces.next(nonce), status::counter_exhausted);
        EXPECT_EQ(nonce, repeated(12, 0xa5));
        EXPECT_EQ(nonces.used(), limit);
    }
    random_nonces beyond(~std::uint64_t{0});
    EXPECT_EQ(beyond.next(nonce), status::counter_exhausted);
    EXPECT_EQ(beyond.used(), limit);
}

TEST(ApiRandomNonces, ShortOnesAreRefused) {
    random_nonces nonces;
    for (std::size_t n = 0; n < 12; ++n) {
        bytes nonce = repeated(n, 0xa5);
        EXPECT_EQ(nonces.next(nonce), status::bad_nonce_length);
        EXPECT_EQ(nonce, repeated(n, 0xa5));
    }
    EXPECT_EQ(nonces.used(), 0U);
}

TEST(ApiRandomNonces, AFailureCounts) {
    const entropy_from system([](void*, std::size_t) { return fail(EIO); });
    random_nonces nonces(7);
    bytes nonce = repeated(12, 0xa5);
    EXPECT_EQ(nonces.next(nonce), status::rng_failed);
    EXPECT_EQ(nonce, bytes(12));
    EXPECT_EQ(nonces.used(), 8U);
}

TEST(ApiRandomNonces, ThreadsShareOneCount) {
    constexpr std::size_t left = 1000;
    random_nonces nonces(limit - left);
    std::atomic<std::size_t> given{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            bytes nonce(12);
            while (nonces.next(nonce) == status::ok) ++given;
        });
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(given, left);
    EXPECT_EQ(nonces.used(), limit);
}

}  // namespace
}  // namespace hwacha::test
