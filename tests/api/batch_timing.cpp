// Faults that others had: batches that take longer than they should. Minima of runs that take turns, so that what else
// the machine does hits both sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include <hwacha/lsh_batch.hpp>

namespace {

using namespace hwacha;

using seconds = std::chrono::duration<double>;

template <class Function>
seconds time_of(Function f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::steady_clock::now() - start;
}

// The least time of `f` as a multiple of that of `reference`. Goes on while it is above `enough`, for some 100 turns.
template <class Reference, class Function>
double ratio(double enough, Reference reference, Function f) {
    seconds best_reference{std::numeric_limits<double>::max()};
    seconds best = best_reference;
    for (int turn = 0; turn < 100 && (turn < 10 || best > enough * best_reference); ++turn) {
        best_reference = std::min(best_reference, time_of(reference));
        best = std::min(best, time_of(f));
    }
    return best / best_reference;
}

constexpr lsh_variant both_cores[] = {lsh_variant::lsh256_256, lsh_variant::lsh512_512};

void expect_ok(status s) {
    if (s != status::ok) ADD_FAILURE() << to_string(s);
}

TEST(CasesBatchTiming, B15_AsLongAsTheLongestMessage) {
    const std::vector<std::byte> huge(10U << 20);
    for (const lsh_variant v : both_cores) {
        std::vector<std::byte> out(8 * find_lsh(v)->digest_size);
        for (std::size_t at = 0; at < 8; ++at) {
            std::vector<bytes_view> messages(8);
            messages[at] = huge;
            const double r = ratio(
                1.3, [&] { expect_ok(lsh::hash(v, huge, out)); }, [&] { expect_ok(hash_batch(v, messages, out)); });
            EXPECT_LT(r, 1.3) << find_lsh(v)->name << ", the long one at " << at;
        }
    }
}

TEST(CasesBatchTiming, B17_SmallMessagesGain) {
    constexpr std::size_t count = 10000;
    constexpr std::size_t size = 64;
    const std::vector<std::byte> data(count * size);
    std::vector<bytes_view> messages;
    for (std::size_t i = 0; i < count; ++i) messages.push_back(bytes_view(data).subspan(i * size, size));
    for (const lsh_variant v : both_cores) {
        const std::size_t digest_size = find_lsh(v)->digest_size;
        std::vector<std::byte> out(count * digest_size);
        const auto loop = [&] {
            for (std::size_t i = 0; i < count; ++i) {
                expect_ok(lsh::hash(v, messages[i], bytes_span(out).subspan(i * digest_size)));
            }
        };
        const auto expect = [&](executor* threads, const char* what) {
            const double r = ratio(1.2, loop, [&] { expect_ok(hash_batch(v, messages, out, {.threads = threads})); });
            EXPECT_LT(r, 1.2) << find_lsh(v)->name << ", " << what;
            RecordProperty(std::string(find_lsh(v)->name) + ' ' + what, std::to_string(r));
        };
        expect(nullptr, "no pool");
        for (const std::size_t threads : {1, 2}) {
            thread_pool pool(threads);
            expect(&pool, threads == 1 ? "1 thread" : "2 threads");
        }
        thread_pool all;
        expect(&all, "all threads");
    }
}

}  // namespace
