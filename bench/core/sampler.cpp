#include "core/sampler.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <numeric>

#include "core/clock.hpp"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace hwacha::bench {
namespace {

// Involuntary ones: an operation that waits for its own threads is not disturbed.
long context_switches() {
#ifdef __linux__
    rusage use{};
    if (getrusage(RUSAGE_THREAD, &use) == 0) return use.ru_nivcsw;
#endif
    return 0;
}

std::size_t with_room(std::size_t longest, std::size_t more) {
    // What vectors and differences of pointers can hold.
    if (longest > static_cast<std::size_t>(PTRDIFF_MAX) - more) throw std::bad_alloc();
    return longest + more;
}

std::size_t first_page(const std::vector<unsigned char>& v) {
    const auto address = reinterpret_cast<std::uintptr_t>(v.data());
    return (buffers::page - address % buffers::page) % buffers::page;
}

// What one block runs, deep in the stack or not so deep: how the addresses of local variables fall on those of the
// operation's objects, modulo a page, is luck that would otherwise last for a whole process.
struct timed {
    const contender& c;
    const unsigned char* input;
    std::size_t length;
    unsigned char* output;

    void run() const { c.run(c.operation, input, length, output); }

    [[gnu::noinline]] void warm_up(std::size_t stack_offset, double ticks) const {
        occupy(__builtin_alloca(stack_offset));
        const std::uint64_t start = block_start();
        do run();
        while (static_cast<double>(block_end() - start) < ticks);
    }

    [[gnu::noinline]] std::uint64_t block(std::size_t stack_offset, std::uint32_t calls) const {
        occupy(__builtin_alloca(stack_offset));
        const std::uint64_t start = block_start();
        for (std::uint32_t i = 0; i < calls; ++i) run();
        return block_end() - start;
    }

  private:
    static void occupy(void* room) { __asm__ volatile("" : : "r"(room) : "memory"); }
};

}  // namespace

buffers::buffers(std::size_t longest)
    : input_(with_room(longest, 2 * page)),
      output_(with_room(longest, output_slack + 2 * page)),
      input_start_(first_page(input_)),
      output_start_(first_page(output_)) {
    std::mt19937_64 random(20260405);
    // From the page on, so that the message at offset 0 is the same in every process.
    std::generate(input_.begin() + static_cast<std::ptrdiff_t>(input_start_), input_.end(),
                  [&] { return static_cast<unsigned char>(random()); });
}

sampler::sampler(std::uint64_t seed, double known_fast_end)
    : random_(seed),
      judge_(known_fast_end),
      granularity_(counter_granularity()),
      ticks_per_second_(bench::ticks_per_second()) {
    // Until the clock has settled.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (std::chrono::steady_clock::now() < end) contention_probe();
    for (int i = 0; i < 400; ++i) probe();
}

double sampler::probe() {
    const double ticks = contention_probe();
    judge_.add(ticks);
    return ticks;
}

std::uint32_t sampler::calibrate(const contender& c, buffers& memory, std::size_t length) const {
    const double wanted = std::max(block_granules * granularity_, block_seconds * ticks_per_second_);
    for (std::uint32_t calls = 1;; calls *= 2) {
        double ticks = 0;
        for (int attempt = 0; attempt < 5 && !(calls == 1 && ticks > 20 * wanted); ++attempt) {
            const std::uint64_t start = block_start();
            for (std::uint32_t i = 0; i < calls; ++i) c.run(c.operation, memory.input(), length, memory.output());
            const auto taken = static_cast<double>(block_end() - start);
            ticks = attempt == 0 ? taken : std::min(ticks, taken);
        }
        if (ticks >= wanted) return calls;
        if (2 * ticks >= wanted) {
            return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(calls * wanted / ticks + 1));
        }
    }
}

void sampler::run(std::span<const contender> contenders, buffers& memory, const extent& wanted,
                  const std::function<void(const block&)>& sink) {
    const auto end = std::chrono::steady_clock::now() + wanted.box;
    const double warm_up = warm_up_seconds * ticks_per_second_;
    std::uniform_int_distribution<std::size_t> offset(0, buffers::page / 16 - 1);

    std::vector<std::uint32_t> calls;
    for (const contender& c : contenders) calls.push_back(calibrate(c, memory, wanted.length));
    std::vector<std::size_t> accepted(contenders.size());
    std::vector<std::vector<double>> slower_probes(contenders.size());  // in ascending order
    const double settle = settle_seconds * ticks_per_second_;
    std::vector<std::size_t> order(contenders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});

    for (std::uint32_t round = 0;; ++round) {
        std::shuffle(order.begin(), order.end(), random_);
        for (const std::size_t which : order) {
            block b{.contender = which,
                    .round = round,
                    .calls = calls[which],
                    .ticks = 0,
                    .probe_before = 0,
                    .probe_after = 0,
                    .switches = 0,
                    .input_offset = 16 * offset(random_),
                    .output_offset = 16 * offset(random_),
                    .stack_offset = 16 * offset(random_),
                    .counted = {}};
            const timed t{contenders[which], memory.input(b.input_offset), wanted.length,
                          memory.output(b.output_offset)};
            const std::uint64_t start = block_start();
            std::vector<double>& slower = slower_probes[which];
            const double own = fast_end_of_variant(judge_.fast_end(), slower);
            double now_at = 0;
            do {
                t.warm_up(b.stack_offset, warm_up);
                now_at = contention_probe();
            } while (!undisturbed(own, now_at, now_at) && static_cast<double>(block_end() - start) < settle);

            const long switches = context_switches();
            b.probe_before = probe();
            const counts counted = counters_.read();
            b.ticks = t.block(b.stack_offset, b.calls);
            const counts now = counters_.read();
            b.probe_after = probe();
            b.switches = contenders[which].crowded ? 0 : context_switches() - switches;
            b.counted = {now.cycles - counted.cycles, now.instructions - counted.instructions};

            const double now_slower = std::max(b.probe_before, b.probe_after);
            slower.insert(std::ranges::upper_bound(slower, now_slower), now_slower);
            const double fast_end = fast_end_of_variant(judge_.fast_end(), slower);
            if (b.switches == 0 && undisturbed(fast_end, b.probe_before, b.probe_after)) ++accepted[which];
            sink(b);
        }
        const bool enough = std::ranges::all_of(accepted, [&](std::size_t n) { return n >= wanted.target; });
        if (enough || std::chrono::steady_clock::now() >= end) return;
    }
}

}  // namespace hwacha::bench
