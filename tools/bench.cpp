// A quick look at the speed of the kernels in use. Comparisons, intervals and peers are the harness's (bench/).
#include "bench.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <new>
#include <optional>
#include <set>
#include <string_view>

#include <hwacha/hwacha.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "core/sampler.hpp"
#include "stats/quantiles.hpp"

namespace hwacha::tool {
namespace {

constexpr std::size_t block = lea_block_size;
constexpr std::string_view batch_prefix = "batch-";

struct operation {
    std::string name;
    std::string kernels;
    std::optional<std::size_t> threads = std::nullopt;  // of a batch; 0: without a pool
};

// Messages of a batch: as many as have room, but not so few that lanes stay empty.
constexpr std::size_t most_messages = 1024;
constexpr std::size_t least_messages = 64;
constexpr std::size_t batch_bytes = std::size_t{16} << 20;

std::size_t messages_of(const operation& o, std::size_t size) {
    return o.threads ? std::clamp(batch_bytes / size, least_messages, most_messages) : 1;
}

constexpr auto counting = [] {
    std::array<std::byte, 32> k{};
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<std::byte>(i);
    return k;
}();

constexpr std::array key_sizes = {std::size_t{16}, std::size_t{24}, std::size_t{32}};

// Numbers of operations: the LSH variants, then for each key size ECB, CTR and GCM, then batches.
struct keyed {
    lea cipher;
    lea_ctr ctr;
    lea_gcm gcm;

    explicit keyed(std::size_t size) : cipher(first(size)), ctr(first(size), first(block)), gcm(first(size)) {}
    static bytes_view first(std::size_t n) { return bytes_view(counting).first(n); }
};

long run_operation(int number, const unsigned char* input, std::size_t length, unsigned char* output) {
    static std::array keys = {keyed(key_sizes[0]), keyed(key_sizes[1]), keyed(key_sizes[2])};
    const bytes_view in(reinterpret_cast<const std::byte*>(input), length);
    const bytes_span out(reinterpret_cast<std::byte*>(output), length + bench::buffers::output_slack);
    const auto variants = lsh_variants();
    const auto at = static_cast<std::size_t>(number);
    status result = status::ok;
    if (at < variants.size()) {
        lsh h(variants[at].variant);
        result = h.update(in).finish(out.first(variants[at].digest_size));
    } else {
        keyed& k = keys[(at - variants.size()) / 3];
        switch ((at - variants.size()) % 3) {
            case 0: result = k.cipher.encrypt_blocks(in, out); break;
            case 1: result = k.ctr.update(in, out); break;
            case 2: result = k.gcm.seal(keyed::first(12), {}, in, out); break;
        }
    }
    return result == status::ok ? static_cast<long>(length) : -1;
}

// The batch that run_batch is asked for: set up before it is measured.
struct batch {
    lsh_variant variant{};
    std::vector<bytes_view> messages;
    std::optional<thread_pool> pool;

    void set_up(lsh_variant v, std::size_t count, std::size_t threads) {
        variant = v;
        messages.assign(count, {});
        if (threads == 0) {
            pool.reset();
        } else if (!pool || pool->concurrency() != threads) {
            pool.emplace(threads);
        }
    }
};

batch& current_batch() {
    static batch b;
    return b;
}

long run_batch(int, const unsigned char* input, std::size_t length, unsigned char* output) {
    batch& b = current_batch();
    const bytes_view in(reinterpret_cast<const std::byte*>(input), length);
    const bytes_span out(reinterpret_cast<std::byte*>(output), length + bench::buffers::output_slack);
    const std::size_t size = length / b.messages.size();
    for (std::size_t i = 0; i < b.messages.size(); ++i) b.messages[i] = in.subspan(i * size, size);
    batch_options options;
    options.threads = b.pool ? &*b.pool : nullptr;
    return hash_batch(b.variant, b.messages, out, options) == status::ok ? static_cast<long>(length) : -1;
}

std::string chosen(std::string_view algorithm) {
    for (const kernel_info& k : describe_cpu().kernels) {
        if (k.algorithm == algorithm && k.state == kernel_state::chosen) return std::string(k.table);
    }
    return "";
}

std::vector<operation> all_operations() {
    std::vector<operation> all;
    for (const lsh_info& v : lsh_variants()) {
        all.push_back({std::string(v.name), chosen(v.block_size == 128 ? "LSH-256" : "LSH-512")});
    }
    for (const std::size_t size : key_sizes) {
        const std::string cipher = fmt::format("LEA-{}", 8 * size);
        all.push_back({cipher + "-ECB", chosen("LEA")});
        all.push_back({cipher + "-CTR", chosen("LEA")});
        all.push_back({cipher + "-GCM", chosen("LEA") + " + " + chosen("GHASH")});
    }
    // Without a pool; in pools of powers of two, and of as many threads as there are processors.
    std::set<std::size_t> counts{0, usable_processors()};
    for (std::size_t n = 1; n < usable_processors(); n *= 2) counts.insert(n);
    for (const lsh_info& v : lsh_variants()) {
        for (const std::size_t n : counts) {
            const std::string threads = n == 0 ? "no pool" : fmt::format("{} thread{}", n, n == 1 ? "" : "s");
            const std::string lanes = chosen(v.block_size == 128 ? "LSH-256 lanes" : "LSH-512 lanes");
            all.push_back({fmt::format("{}{}", batch_prefix, v.name), fmt::format("{} lanes, {}", lanes, threads), n});
        }
    }
    return all;
}

bool begins_with(std::string_view name, std::string_view start) {
    return start.size() <= name.size() && std::ranges::equal(name.substr(0, start.size()), start, [](char a, char b) {
               return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
           });
}

struct figure {
    double ticks;        // median, a call
    double deviation;    // median absolute deviation, a call
    std::size_t blocks;  // that count
    bool disturbed;      // hardly any did: all were taken
};

// `size`: of all messages together.
std::optional<figure> measure(bench::sampler& s, const bench::contender& contender, bench::buffers& memory,
                              std::size_t size, double seconds) {
    if (contender.run(contender.operation, memory.input(), size, memory.output()) < 0) return std::nullopt;
    std::vector<bench::block> blocks;
    s.run({&contender, 1}, memory, {size, static_cast<std::size_t>(-1), std::chrono::duration<double>(seconds)},
          [&](const bench::block& b) { blocks.push_back(b); });
    std::vector<double> slower_probes;
    for (const bench::block& b : blocks) slower_probes.push_back(std::max(b.probe_before, b.probe_after));
    std::ranges::sort(slower_probes);
    const double fast_end = bench::fast_end_of_variant(s.fast_end(), slower_probes);
    std::vector<double> undisturbed;
    std::vector<double> all;
    for (const bench::block& b : blocks) {
        all.push_back(static_cast<double>(b.ticks) / b.calls);
        if (b.switches == 0 && bench::undisturbed(fast_end, b.probe_before, b.probe_after)) {
            undisturbed.push_back(all.back());
        }
    }
    const bool disturbed = undisturbed.size() < all.size() / 10 + 1;
    const std::vector<double>& counted = disturbed ? all : undisturbed;
    return figure{bench::median(counted), bench::median_absolute_deviation(counted), counted.size(), disturbed};
}

struct measured {
    const operation* op;
    std::vector<std::optional<figure>> at;  // by size

    std::size_t bytes(std::size_t size) const { return size * messages_of(*op, size); }
};

struct machine {
    double ticks_per_second, cycles_per_tick;

    double mebibytes(const figure& f, std::size_t size) const {
        return static_cast<double>(size) / f.ticks * ticks_per_second / (1 << 20);
    }
    double cycles(const figure& f, std::size_t size) const {
        return f.ticks / static_cast<double>(size) * cycles_per_tick;
    }
};

std::string as_table(const std::vector<measured>& rows, const bench_options& options, const machine& m) {
    std::size_t name_width = std::string_view("operation").size();
    std::size_t kernel_width = std::string_view("kernels").size();
    for (const measured& r : rows) {
        name_width = std::max(name_width, r.op->name.size());
        kernel_width = std::max(kernel_width, r.op->kernels.size());
    }
    std::string text = fmt::format("{:<{}}  {:<{}}", "operation", name_width, "kernels", kernel_width);
    for (const std::size_t size : options.sizes) text += fmt::format("  {:>18}", fmt::format("{} bytes", size));
    text += fmt::format("\n{:<{}}  {:<{}}", "", name_width, "", kernel_width);
    for (std::size_t i = 0; i < options.sizes.size(); ++i) text += fmt::format("  {:>8}  {:>8}", "MiB/s", "cycles/B");
    text += '\n';
    bool disturbed = false;
    for (const measured& r : rows) {
        text += fmt::format("{:<{}}  {:<{}}", r.op->name, name_width, r.op->kernels, kernel_width);
        for (std::size_t i = 0; i < r.at.size(); ++i) {
            if (!r.at[i]) {
                text += fmt::format("  {:>8}  {:>8}", "-", "-");
                continue;
            }
            const std::size_t size = r.bytes(options.sizes[i]);
            text += fmt::format("  {:>8.1f} {:>8.2f}{}", m.mebibytes(*r.at[i], size), m.cycles(*r.at[i], size),
                                r.at[i]->disturbed ? '~' : ' ');
            disturbed |= r.at[i]->disturbed;
        }
        while (text.back() == ' ') text.pop_back();
        text += '\n';
    }
    text += fmt::format(
        "\nMedians of blocks of {:.0f} us and more; a cycle is one of the core's, {:.2f} a tick of {:.0f} MHz.\n",
        1e6 * bench::block_seconds, m.cycles_per_tick, m.ticks_per_second / 1e6);
    if (std::ranges::any_of(rows, [](const measured& r) { return r.op->threads.has_value(); })) {
        text += fmt::format("A batch: {} messages of so many bytes; fewer, at least {}, above {} MiB in all.\n",
                            most_messages, least_messages, batch_bytes >> 20);
    }
    if (disturbed) text += "~ something else used the core nearly all the time: not reliable.\n";
    return text;
}

std::string as_json(const std::vector<measured>& rows, const bench_options& options, const machine& m) {
    nlohmann::json results = nlohmann::json::array();
    for (const measured& r : rows) {
        for (std::size_t i = 0; i < r.at.size(); ++i) {
            if (!r.at[i]) continue;
            const std::size_t size = r.bytes(options.sizes[i]);
            const double bytes = static_cast<double>(size);
            results.push_back({{"operation", r.op->name},
                               {"kernels", r.op->kernels},
                               {"size", options.sizes[i]},
                               {"messages", messages_of(*r.op, options.sizes[i])},
                               {"ticks_per_byte", r.at[i]->ticks / bytes},
                               {"mad_ticks_per_byte", r.at[i]->deviation / bytes},
                               {"cycles_per_byte", m.cycles(*r.at[i], size)},
                               {"mebibytes_per_second", m.mebibytes(*r.at[i], size)},
                               {"blocks", r.at[i]->blocks},
                               {"disturbed", r.at[i]->disturbed}});
            if (r.op->threads) results.back()["threads"] = *r.op->threads;
        }
    }
    const nlohmann::json report = {{"version", hwacha_version()},
                                   {"ticks_per_second", m.ticks_per_second},
                                   {"core_cycles_per_tick", m.cycles_per_tick},
                                   {"results", results}};
    return report.dump(1) + '\n';
}

}  // namespace

int run_bench(const bench_options& options, output& out, diagnostics& err) {
    if (!accept_cpu_cap(err)) return exit_usage;
    const std::vector<operation> all = all_operations();
    std::vector<measured> rows;
    for (const std::string& wanted : options.operations) {
        if (std::ranges::none_of(all, [&](const operation& o) { return begins_with(o.name, wanted); })) {
            err.report(
                "no operation begins with '{}'; there are LSH-256-224 to LSH-512-512, the same after batch-, and "
                "LEA-128 to "
                "LEA-256 with -ECB, -CTR and -GCM",
                printable(wanted));
            return exit_usage;
        }
    }
    for (const operation& o : all) {
        const bool wanted =
            (options.operations.empty() && !o.threads) ||
            std::ranges::any_of(options.operations, [&](const std::string& w) { return begins_with(o.name, w); });
        if (wanted) rows.push_back({&o, {}});
    }

    const std::size_t longest = std::ranges::max(options.sizes);
    std::optional<bench::buffers> memory;
    try {
        std::size_t most = 0;
        for (const measured& r : rows) {
            for (const std::size_t size : options.sizes) {
                if (size > static_cast<std::size_t>(-1) / least_messages) throw std::bad_alloc();
                most = std::max(most, r.bytes(size));
            }
        }
        memory.emplace(most);
    } catch (const std::exception&) {
        err.report("no memory for messages of {} bytes", longest);
        return exit_io;
    }
    bench::sampler sampler(1);
    const bool show_progress = isatty(STDERR_FILENO) != 0;
    const std::size_t steps = rows.size() * options.sizes.size();
    std::size_t step = 0;
    for (measured& r : rows) {
        for (const std::size_t size : options.sizes) {
            if (show_progress) fmt::print(stderr, "\r\x1b[K{} of {}: {}, {} bytes", ++step, steps, r.op->name, size);
            const int number = static_cast<int>(r.op - all.data());
            bench::contender contender{run_operation, number};
            if (r.op->threads) {
                const lsh_info* variant = find_lsh(std::string_view(r.op->name).substr(batch_prefix.size()));
                current_batch().set_up(variant->variant, messages_of(*r.op, size), *r.op->threads);
                contender.run = run_batch;
            }
            r.at.push_back(measure(sampler, contender, *memory, r.bytes(size), options.seconds));
        }
    }
    if (show_progress) fmt::print(stderr, "\r\x1b[K");
    const machine m{bench::ticks_per_second(), bench::core_cycles_per_tick()};
    out.write(options.json ? as_json(rows, options, m) : as_table(rows, options, m));
    return exit_done;
}

}  // namespace hwacha::tool
