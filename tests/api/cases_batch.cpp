// Faults that others had: batches. The identifiers name rows of the project's list of known pitfalls.
#include <pthread.h>

#include <cstring>

#include "api/batch.hpp"
#include "support/sanitizers.hpp"

namespace hwacha::test {
namespace {

// Digest i belongs to message i; one long message among short ones; no messages at all.
TEST(CasesBatch, B13_ResultsInTheOrderOfMessages) {
    for_each_core([](const lsh_info& i) {
        const bool emulated = options().at == scale::emulator;
        const std::size_t seeds = emulated ? 1 : full_scale() ? 50 : 10;
        const bytes huge = random_source(1).take(emulated ? 1U << 14 : 1U << 20);
        const bytes huge_digest = hash(i, huge);
        for (std::size_t seed = 1; seed <= seeds; ++seed) {
            random_source random = seeded(1300 + seed);
            for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 1000}) {
                if (n == 1000 && emulated) continue;
                const std::vector<bytes> messages = random_messages(random, n, 1000);
                std::vector<bytes_view> views = views_of(messages);
                bytes expected = hashes(i, views);
                const std::size_t at = random.below(n + 1);
                views.insert(views.begin() + static_cast<std::ptrdiff_t>(at), huge);
                expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at * i.digest_size), huge_digest.begin(),
                                huge_digest.end());
                check_batch(
                    expected, [&](bytes_span out) { return hash_batch(i.variant, views, out); }, "seed ", seed, ", ", n,
                    " messages, the long one at ", at);
            }
        }
        EXPECT_EQ(hash_batch(i.variant, std::span<const bytes_view>(), {}), status::ok);
    });
}

// Whole blocks exactly, in rising and in falling numbers; then all empty but one that is long, in every place.
TEST(CasesBatch, B15_NumbersOfBlocksPerLane) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(15);
        const bytes data = random.take(16 * i.block_size);
        const bytes huge = random.take(options().at == scale::full ? 10U << 20 : 1U << 16);
        const bytes huge_digest = hash(i, huge);
        for_each_batch_table(i, [&] {
            for (const std::size_t lanes : {8, 16}) {
                std::vector<bytes_view> views;
                for (std::size_t k = 0; k < lanes; ++k) views.push_back(bytes_view(data).first(k * i.block_size));
                const bytes rising = hashes(i, views);
                check_batch(rising, [&](bytes_span out) { return hash_batch(i.variant, views, out); }, "rising");
                std::ranges::reverse(views);
                const bytes falling = hashes(i, views);
                check_batch(falling, [&](bytes_span out) { return hash_batch(i.variant, views, out); }, "falling");
                for (std::size_t at = 0; at < lanes; ++at) {
                    std::vector<bytes_view> one(lanes);
                    bytes expected = hashes(i, one);
                    one[at] = huge;
                    put(huge_digest, expected, at * i.digest_size);
                    check_batch(
                        expected, [&](bytes_span out) { return hash_batch(i.variant, one, out); }, "long in place ", at,
                        " of ", lanes);
                }
            }
        });
    });
}

// The most stack that `body` uses on a thread that has `size` bytes of it.
template <class Body>
std::size_t stack_used(std::size_t size, Body body) {
    constexpr int paint = 0xc3;
    guarded memory(size);
    const bytes_span stack = memory.after_fence(size);  // beyond its end is a fault
    std::memset(stack.data(), paint, size);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstack(&attributes, stack.data(), size), 0);
    pthread_t thread;
    const auto call = [](void* context) -> void* {
        (*static_cast<Body*>(context))();
        return nullptr;
    };
    if (pthread_create(&thread, &attributes, call, &body) == 0) {
        pthread_join(thread, nullptr);
    } else {
        ADD_FAILURE() << "no thread with a stack of " << size;
    }
    pthread_attr_destroy(&attributes);
    const auto used = std::ranges::find_if(stack, [](std::byte b) { return b != std::byte{paint}; });
    return static_cast<std::size_t>(stack.end() - used);
}

TEST(CasesBatch, B85_ThreadsWithSmallStacks) {
#if defined(HWACHA_TEST_SANITIZED) || !defined(__OPTIMIZE__)
    GTEST_SKIP() << "sanitizers and unoptimised kernels need more stack";
#endif
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(85);
        const std::vector<bytes> messages = random_messages(random, 300, 700);
        const std::vector<bytes> keys = random_messages(random, 300, 400);
        const auto views = views_of(messages);
        const auto key_views = views_of(keys);
        const bytes key = random.take(300);
        bytes out(300 * i.digest_size);
        std::vector<lsh> objects(300, lsh(i.variant));
        const auto streams = pointers_to(objects);
        const auto run = [&](const char* name, auto batch) {
            std::size_t most = 0;
            for_each_batch_table(i, [&] {
                status s = status::cancelled;
                const std::size_t size = 128U << 10;
                most = std::max(most, stack_used(size, [&] { s = batch(); }));
                works(s, name);
            });
            EXPECT_LT(most, 64U << 10) << name;
        };
        run("hash_batch", [&] { return hash_batch(i.variant, views, out); });
        run("hmac_batch", [&] { return hmac_batch(i.variant, key, views, out); });
        run("hmac_batch_keys", [&] { return hmac_batch(i.variant, key_views, views, out); });
        run("update_batch", [&] { return update_batch(streams, views); });
    });
}

}  // namespace
}  // namespace hwacha::test
