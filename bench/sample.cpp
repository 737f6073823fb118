// hwacha_sample: one process of a measurement, which is one cluster of its statistics. Reads a plan, writes a row a
// block. bench/schema/README.md has the formats.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <sys/resource.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/clock.hpp"
#include "core/sampler.hpp"

namespace {

using namespace hwacha::bench;
using nlohmann::json;

struct options {
    std::string plan, out;
    int cluster = 0;
    int cpu = -1;
    std::uint64_t seed = 1;
    double probe_best = 0;
    bool progress = false;
    std::vector<std::string> list;
    std::vector<std::string> once;
};

// A result that must not be measured: variants that differ, or that do not take the length.
struct mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

json info_of(const module& m) {
    json info;
    for (const char* key : {"name", "version", "compiler", "flags"}) info[key] = m.info(key);
    return info;
}

int list_modules(const std::vector<std::string>& paths) {
    json all = json::array();
    for (const std::string& path : paths) {
        const module m(path);
        json operations = json::array();
        for (const offer& o : m.offers()) operations.push_back({{"operation", o.operation}, {"variant", o.variant}});
        all.push_back({{"module", path}, {"info", info_of(m)}, {"operations", operations}});
    }
    std::puts(all.dump(1).c_str());
    return 0;
}

// One run, to be counted from outside (driver/instructions.py).
int run_once(const std::vector<std::string>& what) {
    const module m(what[0]);
    const offer* o = m.find(what[1], what[2]);
    if (o == nullptr) throw std::runtime_error(what[0] + " does not offer " + what[1] + " in a variant " + what[2]);
    const std::size_t size = std::stoul(what[3]);
    buffers memory(size);
    return m.run()(o->number, memory.input(), size, memory.output()) < 0 ? 1 : 0;
}

// On `cpu`, or where the system has put this process. Returns it, or -1 if the system cannot.
int stay_on(int cpu) {
#ifdef __linux__
    if (cpu < 0) cpu = sched_getcpu();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        throw std::runtime_error("cannot run on processor " + std::to_string(cpu));
    }
    return cpu;
#else
    static_cast<void>(cpu);
    return -1;
#endif
}

struct usage {
    double cpu_seconds;
    long involuntary_switches;
};

usage used_so_far() {
    rusage r{};
    getrusage(RUSAGE_SELF, &r);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return {seconds(r.ru_utime) + seconds(r.ru_stime), r.ru_nivcsw};
}

// 64-bit FNV-1a: tells equal outputs of different runs, no more.
std::string digest(const unsigned char* data, std::size_t n) {
    std::uint64_t h = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < n; ++i) h = (h ^ data[i]) * 0x100000001b3;
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
    return text;
}

class cluster {
  public:
    cluster(const json& plan, const options& given)
        : plan_(plan), given_(given), memory_(longest(plan)), sampler_(given.seed, given.probe_best) {
        for (const json& m : plan.at("modules")) modules_.emplace(m.at("name"), module(m.at("path")));
        cycles_per_tick_ = core_cycles_per_tick();
        for (const json& cell : plan.at("cells")) check(cell);
    }

    void measure(std::ostream& rows) {
        const json& cells = plan_.at("cells");
        std::vector<std::size_t> order(cells.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), sampler_.random());
        const std::size_t clusters = plan_.at("clusters");
        // A tenth more: the last word on acceptance is the analysis's, which knows the probes of all processes.
        const std::size_t target = (plan_.at("target").get<std::size_t>() * 11 / 10 + clusters - 1) / clusters;
        const extent wanted{0, target, std::chrono::duration<double>(plan_.at("box_seconds").get<double>())};

        rows << "cell,variant,round,calls,ticks,probe_before,probe_after,switches,"
                "input_offset,output_offset,stack_offset,cycles,instructions\n";
        std::size_t done = 0;
        for (const std::size_t i : order) {
            extent cell = wanted;
            cell.length = cells[i].at("size");
            sampler_.run(contenders_[i], memory_, cell, [&](const block& b) {
                rows << i << ',' << b.contender << ',' << b.round << ',' << b.calls << ',' << b.ticks << ','
                     << b.probe_before << ',' << b.probe_after << ',' << b.switches << ',' << b.input_offset << ','
                     << b.output_offset << ',' << b.stack_offset << ',';
                if (sampler_.counts_instructions())
                    rows << b.counted.cycles << ',' << b.counted.instructions << '\n';
                else
                    rows << ",\n";
            });
            // A neighbour may be there for some of it.
            cycles_per_tick_ = std::max(cycles_per_tick_, core_cycles_per_tick());
            ++done;
            if (given_.progress) std::fprintf(stderr, "\r%zu of %zu cells", done, cells.size());
        }
        if (given_.progress) std::fputs("\n", stderr);
    }

    json facts() const {
        json f = {{"clock", clock_name},
                  {"granularity", sampler_.granularity()},
                  {"empty_block", empty_block()},
                  {"ticks_per_second", ticks_per_second()},
                  {"core_cycles_per_tick", cycles_per_tick_},
                  {"probe_fast_end", sampler_.fast_end()},
                  {"counters", sampler_.counts_instructions()},
                  {"outputs", outputs_}};
        for (const json& m : plan_.at("modules")) {
            f["modules"].push_back({{"name", m.at("name")}, {"info", info_of(modules_.at(m.at("name")))}});
        }
        return f;
    }

  private:
    static std::size_t longest(const json& plan) {
        std::size_t n = 0;
        for (const json& cell : plan.at("cells")) n = std::max(n, cell.at("size").get<std::size_t>());
        return n;
    }

    // What one run writes, over what was there before.
    std::vector<unsigned char> output_of(const contender& c, const std::string& name, const std::string& operation,
                                         std::size_t size, std::size_t offset) {
        unsigned char* const output = memory_.output(offset);
        const std::size_t room = size + buffers::output_slack;
        std::fill_n(output, room, static_cast<unsigned char>(0x5a + offset));
        const long n = c.run(c.operation, memory_.input(), size, output);
        if (n < 0) throw mismatch(name + ": " + operation + " does not take " + std::to_string(size) + " bytes");
        if (static_cast<std::size_t>(n) > room) {
            throw mismatch(name + ": " + operation + " says that it wrote " + std::to_string(n) + " bytes, at most " +
                           std::to_string(room) + " have room");
        }
        return {output, output + n};
    }

    // "LEVEL, threads N" with more threads than processors.
    static bool crowded(const std::string& variant) {
        constexpr std::string_view threads = ", threads ";
        const std::size_t at = variant.find(threads);
        return at != variant.npos && std::strtoul(variant.c_str() + at + threads.size(), nullptr, 10) > processors();
    }

    // Asked before this thread stays on one.
    static std::size_t processors() {
#ifdef __linux__
        cpu_set_t usable;
        if (sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<std::size_t>(CPU_COUNT(&usable));
#endif
        return std::max(1U, std::thread::hardware_concurrency());
    }

    // Finds the variants of a cell and compares what they write.
    void check(const json& cell) {
        const std::string operation = cell.at("operation");
        const std::size_t size = cell.at("size");
        std::vector<unsigned char> expected;
        contenders_.emplace_back();
        for (const std::string name : cell.at("variants")) {
            const std::size_t colon = name.find(':');
            const auto found = modules_.find(name.substr(0, colon));
            if (found == modules_.end()) throw std::runtime_error("plan: no module for " + name);
            const module& m = found->second;
            const offer* o = m.find(operation, name.substr(std::min(colon, name.size() - 1) + 1));
            if (o == nullptr) throw std::runtime_error(name + " does not offer " + operation + " on this machine");
            const contender c{m.run(), o->number, crowded(o->variant)};
            const std::vector<unsigned char> output = output_of(c, name, operation, size, 0);
            if (contenders_.back().empty()) expected = output;
            if (output != expected) {
                throw mismatch(operation + " of " + std::to_string(size) + " bytes: " + name + " and " +
                               cell.at("variants")[0].get<std::string>() + " write different outputs");
            }
            if (output_of(c, name, operation, size, 48) != output) {
                throw mismatch(operation + " of " + std::to_string(size) + " bytes: " + name +
                               " writes another output the second time");
            }
            contenders_.back().push_back(c);
        }
        outputs_.push_back({{"operation", operation},
                            {"size", size},
                            {"bytes", expected.size()},
                            {"digest", digest(expected.data(), expected.size())}});
    }

    const json& plan_;
    const options& given_;
    buffers memory_;
    sampler sampler_;
    std::map<std::string, module> modules_;
    std::vector<std::vector<contender>> contenders_;
    json outputs_ = json::array();
    double cycles_per_tick_ = 0;  // when the process began
};

json read_json(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(path + ": cannot be read");
    return json::parse(in);
}

template <class Writer>
void write_file(const std::filesystem::path& path, Writer writer) {
    std::ofstream out(path);
    writer(out);
    out.close();
    if (!out) throw std::runtime_error(path.string() + ": cannot be written");
}

int sample(const options& given) {
    const json plan = read_json(given.plan);
    if (plan.at("format") != 1) throw std::runtime_error(given.plan + ": format 1 expected");

    cluster c(plan, given);
    // Only now, and only this thread: modules may have started threads of their own.
    const int cpu = stay_on(given.cpu);
    char name[16];
    std::snprintf(name, sizeof name, "%02d", given.cluster);
    const std::filesystem::path stem = std::filesystem::path(given.out) / name;
    std::filesystem::create_directories(given.out);

    const usage before = used_so_far();
    const auto begun = std::chrono::steady_clock::now();
    write_file(stem.string() + ".csv", [&](std::ostream& out) { c.measure(out); });
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    const usage after = used_so_far();

    json facts = c.facts();
    facts["cluster"] = given.cluster;
    facts["seed"] = given.seed;
    facts["cpu"] = cpu;
    facts["wall_seconds"] = wall.count();
    facts["cpu_seconds"] = after.cpu_seconds - before.cpu_seconds;
    facts["involuntary_switches"] = after.involuntary_switches - before.involuntary_switches;
    write_file(stem.string() + ".json", [&](std::ostream& out) { out << facts.dump(1) << '\n'; });
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures the cells of a plan once; one process is one cluster.", "hwacha_sample");
    options given;
    app.add_option("--plan", given.plan, "plan.json");
    app.add_option("--out", given.out, "Folder for NN.csv and NN.json");
    app.add_option("--cluster", given.cluster, "Number of this process, NN")->check(CLI::NonNegativeNumber);
    app.add_option("--cpu", given.cpu, "Processor to stay on (default: where the process starts)")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--seed", given.seed, "Seed of orders and offsets");
    app.add_option("--probe-best", given.probe_best, "Fast end of the contention probe that earlier processes saw")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--progress", given.progress, "Count cells on standard error");
    app.add_option("--list", given.list, "Print what these modules offer on this machine, and end");
    app.add_option("--once", given.once, "Run once: module, operation, variant, size; and end")->expected(4);
    try {
        app.parse(argc, argv);
        if (given.list.empty() && given.once.empty() && (given.plan.empty() || given.out.empty())) {
            throw CLI::RequiredError("--plan and --out, or --list, or --once");
        }
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    try {
        if (!given.list.empty()) return list_modules(given.list);
        return given.once.empty() ? sample(given) : run_once(given.once);
    } catch (const mismatch& e) {
        std::fprintf(stderr, "hwacha_sample: %s\n", e.what());
        return 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hwacha_sample: %s\n", e.what());
        return 3;
    }
}
