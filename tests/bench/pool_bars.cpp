// What the thread pool must be worth, as a program that fails when it is not: scripts/prove, stage batch. 10,000
// messages of one length, the best of ten trials of each way, all ways in turn.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <hwacha/hwacha.hpp>

#include "core/clock.hpp"
#include "core/probe.hpp"

namespace {

using namespace hwacha;

constexpr std::size_t messages_in_all = 10000;
constexpr int trials = 10;
constexpr double trial_seconds = 0.01;

struct way {
    std::string name;
    thread_pool* pool;
    double best = std::numeric_limits<double>::infinity();  // ticks a batch
};

class workload {
  public:
    workload(const lsh_info& v, std::size_t size) : variant_(v), size_(size), text_(messages_in_all * size) {
        std::mt19937_64 random(size);
        for (std::byte& b : text_) b = static_cast<std::byte>(random());
        for (std::size_t i = 0; i < messages_in_all; ++i)
            messages_.push_back(bytes_view(text_).subspan(i * size, size));
        digests_.resize(messages_in_all * v.digest_size);
    }

    void measure(std::vector<way>& ways) {
        const double wanted = trial_seconds * bench::ticks_per_second();
        std::vector<int> calls;
        for (const way& w : ways) {
            run(w);
            calls.push_back(static_cast<int>(wanted / ticks(w, 1)) + 1);
        }
        std::mt19937_64 random(1);
        std::vector<std::size_t> order(ways.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        for (int t = 0; t < trials; ++t) {
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t i : order) {
                run(ways[i]);
                ways[i].best = std::min(ways[i].best, ticks(ways[i], calls[i]));
            }
        }
    }

    std::string name() const { return std::string(variant_.name) + ", " + std::to_string(size_) + " bytes"; }
    double bytes() const { return static_cast<double>(text_.size()); }

  private:
    void run(const way& w) {
        batch_options options;
        options.threads = w.pool;
        if (hash_batch(variant_.variant, messages_, digests_, options) != status::ok) std::abort();
    }

    double ticks(const way& w, int calls) {
        const auto start = bench::block_start();
        for (int i = 0; i < calls; ++i) run(w);
        return static_cast<double>(bench::block_end() - start) / calls;
    }

    const lsh_info& variant_;
    std::size_t size_;
    std::vector<std::byte> text_, digests_;
    std::vector<bytes_view> messages_;
};

struct bar {
    const char* what;
    double ratio, least, most;

    bool met() const { return ratio >= least && ratio <= most; }
};

}  // namespace

int main() {
    constexpr double any = std::numeric_limits<double>::infinity();
    const std::size_t processors = usable_processors();
    const std::size_t crowd = 4 * processors;
    thread_pool one(1);
    thread_pool two(2);
    thread_pool all(processors);
    thread_pool many(crowd);
    int missed = 0;
    for (const char* name : {"LSH-256-256", "LSH-512-512"}) {
        for (const std::size_t size : {std::size_t{64}, std::size_t{4096}}) {
            workload work(*find_lsh(name), size);
            std::vector<way> ways = {{"no pool", nullptr}, {"1 thread", &one}, {"2 threads", &two}};
            if (processors > 2) ways.push_back({std::to_string(processors) + " threads", &all});
            const std::size_t last = ways.size() - 1;
            ways.push_back({std::to_string(crowd) + " threads", &many});
            work.measure(ways);
            std::printf("%s:", work.name().c_str());
            for (const way& w : ways) std::printf(" %s %.3f", w.name.c_str(), w.best / work.bytes());
            std::printf(" ticks/B\n");

            std::vector<bar> bars = {{"a pool of one thread against none", ways[1].best / ways[0].best, 0, 1.03}};
            if (processors >= 2) {
                bars.push_back({"2 threads over 1", ways[1].best / ways[2].best, size == 64 ? 1.6 : 1.85, any});
                if (size == 4096) {
                    bars.push_back({"4 threads a processor against 1", ways.back().best / ways[last].best, 0, 1.05});
                }
            } else {
                std::printf("    left out for want of a second processor: 2 threads, and too many threads\n");
            }
            for (const bar& b : bars) {
                std::printf("    %-7s %s: %.3f (%s %.2f)\n", b.met() ? "met" : "MISSED", b.what, b.ratio,
                            b.most == any ? "at least" : "at most", b.most == any ? b.least : b.most);
                missed += !b.met();
            }
        }
    }
    std::printf("%s\n", missed == 0 ? "all bars met" : (std::to_string(missed) + " missed").c_str());
    return missed == 0 ? 0 : 1;
}
