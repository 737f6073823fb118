// Memory of a batch does not grow with its messages: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <hwacha/lsh_batch.hpp>

namespace {
std::atomic<std::size_t> allocated{0};
}  // namespace

void* operator new(std::size_t size) {
    allocated.fetch_add(size, std::memory_order_relaxed);
    if (void* p = std::malloc(size)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}

namespace {

using namespace hwacha;

// Bytes that the batch functions allocate for `n` messages.
std::size_t allocated_for(std::size_t n, executor* threads) {
    static const std::vector<std::byte> text(5000);
    std::vector<bytes_view> messages(n);
    for (std::size_t i = 0; i < n; ++i) messages[i] = bytes_view(text).first(i % 7 == 0 ? 1500 : i % 300);
    const bytes_view key = bytes_view(text).first(32);
    const std::vector<bytes_view> keys(n, key);
    std::vector<std::byte> out(n * 64);
    std::vector<lsh> objects(n, lsh(lsh_variant::lsh256_256));
    std::vector<lsh*> streams;
    for (lsh& s : objects) streams.push_back(&s);

    const std::size_t before = allocated;
    for (const lsh_info& i : lsh_variants()) {
        EXPECT_EQ(hash_batch(i.variant, messages, out, {.threads = threads}), status::ok);
        EXPECT_EQ(hmac_batch(i.variant, key, messages, out, {.threads = threads}), status::ok);
        EXPECT_EQ(hmac_batch(i.variant, keys, messages, out, {.threads = threads}), status::ok);
    }
    EXPECT_EQ(update_batch(streams, messages, {.threads = threads}), status::ok);
    return allocated - before;
}

TEST(BatchMemory, AllocationsAreCounted) {
    const std::size_t before = allocated;
    ::operator delete(::operator new(1));
    EXPECT_GT(allocated, before);
}

TEST(BatchMemory, NoneOnOneThread) {
    for (const std::size_t n : {1, 16, 1000, 50000}) EXPECT_EQ(allocated_for(n, nullptr), 0U) << n << " messages";
}

TEST(BatchMemory, NoMoreForMoreMessages) {
    thread_pool pool(2);
    allocated_for(1000, &pool);
    const std::size_t few = allocated_for(1000, &pool);
    EXPECT_LE(allocated_for(50000, &pool), few);
}

}  // namespace
