#include "support/run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "cpu/features.hpp"
#include "support/tables.hpp"

namespace hwacha::test {
namespace {

using key = std::pair<std::string, cpu::level>;

run_options current_options;
std::vector<std::uint64_t*> counters_in_force;
std::set<std::string> missing;

std::map<key, std::uint64_t>& counters() {
    static std::map<key, std::uint64_t> c;
    return c;
}

bool demanded(cpu::level l) {
    const auto& wanted = current_options.levels;
    return wanted.empty() || std::ranges::find(wanted, std::string(cpu::info(l).name)) != wanted.end();
}

}  // namespace

const run_options& options() {
    return current_options;
}
void set_options(run_options o) {
    current_options = std::move(o);
}

std::size_t scaled(std::size_t full, std::size_t at_least) {
    const std::size_t n = current_options.at == scale::full    ? full
                          : current_options.at == scale::quick ? full / 10
                                                               : full / 50;
    return std::max(n, at_least);
}

random_source seeded(std::uint64_t salt) {
    const char* text = std::getenv("HWACHA_TEST_SEED");
    const std::uint64_t seed = text != nullptr ? std::strtoull(text, nullptr, 0) : 0;
    random_source mix(seed ^ (salt << 32));
    return random_source(mix.next());
}

bool takes_part(const cpu::table_head& head) {
    return cpu::has_all(cpu::detected(), head.needs) && demanded(head.at);
}

in_force::in_force(std::string algorithm, cpu::level at)
    : trace_(__FILE__, __LINE__, algorithm + ' ' + cpu::info(at).name) {
    counters_in_force.push_back(&counters()[key(std::move(algorithm), at)]);
}

in_force::~in_force() {
    counters_in_force.pop_back();
}

void count_check() {
    for (std::uint64_t* c : counters_in_force) ++*c;
}

void note_missing(const std::string& what) {
    missing.insert(what);
}

bool report_tables(bool partial) {
    bool good = true;
    std::set<std::string> exercised;  // levels
    std::set<std::string> existing;
    const auto report = [&](const auto& algorithm) {
        for (const auto* t : algorithm.tables()) {
            const cpu::table_head& h = t->head;
            if (!demanded(h.at)) continue;
            const bool runs = cpu::has_all(cpu::detected(), h.needs);
            const auto found = counters().find(key(algorithm.algorithm(), h.at));
            const std::uint64_t n = found == counters().end() ? 0 : found->second;
            std::printf("tables: %s %s %llu%s\n", algorithm.algorithm(), h.name(), static_cast<unsigned long long>(n),
                        runs ? "" : " (does not run on this processor)");
            existing.insert(h.name());
            if (n != 0) exercised.insert(h.name());
            // A table that does not run here is a failure only where it was asked for by name.
            if (n == 0 && !partial && (runs || !current_options.levels.empty())) {
                std::printf("FAILED: no check ran on %s %s\n", algorithm.algorithm(), h.name());
                good = false;
            }
        }
    };
    for_each_registry(report);
    for (const std::string& l : current_options.levels) {
        if (!existing.contains(l)) {
            std::printf("FAILED: --tables asks for %s, and this build has no such table\n", l.c_str());
            good = false;
        } else if (partial && !exercised.contains(l)) {
            std::printf("FAILED: no check ran on any table of level %s\n", l.c_str());
            good = false;
        }
    }
    for (const std::string& m : missing) std::printf("not at hand: %s\n", m.c_str());
    return good;
}

}  // namespace hwacha::test
