// Runs secret-handling paths with their secrets marked as undefined, for valgrind (memcheck): a branch or an address
// that depends on them is then an error. Results that are public are marked as defined again and compared with a run on
// the same secrets unmarked. scripts/ct builds it and runs all of it.
//
//   hwacha_ct --list                     names of the cases, and of them: clean, leaks, no_trace (what is expected)
//   hwacha_ct --table LEVEL [CASE...]    those cases or all, on the best tables up to that level; a line for each
//
// Status 0: all is as it should be. 1: something is not. 2: usage, or no table of that level runs here. Outside of
// valgrind only the results are compared.
#include "ct/ct.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cpu/features.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"
#include "lea/tables.hpp"
#include "lsh/tables.hpp"

namespace hwacha::ct {

void run::publish(bytes_view data) {
    bytes marks(data.size());
    if (hidden_ && !data.empty() && VALGRIND_GET_VBITS(data.data(), marks.data(), data.size()) == 1) {
        untouched_ += static_cast<std::size_t>(std::ranges::count(marks, std::byte{0}));
    }
    publish_public(data);
}

void run::publish_number(std::size_t n) {
    // Looked at as it is: if nobody has declared it public, that is an error.
    while (n > 255) {
        result_.push_back(static_cast<std::byte>(n % 256));
        n /= 256;
    }
    result_.push_back(static_cast<std::byte>(n));
}

namespace {

std::vector<named_case> all_cases() {
    std::vector<named_case> all;
    for (const auto list :
         {lsh_cases(), lea_cases(), modes_cases(), mac_cases(), kdf_cases(), batch_cases(), control_cases()})
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

const char* name_of(verdict v) {
    return v == verdict::clean ? "clean" : v == verdict::leaks ? "leaks" : "no_trace";
}

// False if no table of this level runs here.
template <class Table>
bool force_up_to(cpu::registry<Table>& algorithm, cpu::level highest) {
    const Table* t = cpu::choose(algorithm.tables(), cpu::detected(), highest);
    algorithm.force(t);
    std::printf("%s: %s\n", algorithm.algorithm(), t->head.name());
    return t->head.at == highest;
}

bool force_tables(const cpu::level_info& level) {
    const bool forced[] = {force_up_to(lsh256_tables, level.id),       force_up_to(lsh512_tables, level.id),
                           force_up_to(lsh256_lanes_tables, level.id), force_up_to(lsh512_lanes_tables, level.id),
                           force_up_to(lea_tables, level.id),          force_up_to(ghash_tables, level.id),
                           force_up_to(lea_gcm_tables, level.id)};
    return std::ranges::any_of(forced, [](bool f) { return f; });
}

bool as_expected(const named_case& c) {
    const auto line = [&](const char* word, const std::string& what) {
        std::printf("%s %.*s: %s\n", word, static_cast<int>(c.name.size()), c.name.data(), what.c_str());
        std::fflush(stdout);
        return *word == 'o';
    };
    VALGRIND_PRINTF("case %.*s\n", static_cast<int>(c.name.size()), c.name.data());
    run plain(false);
    c.body(plain);
    const auto before = VALGRIND_COUNT_ERRORS;
    run secret(true);
    c.body(secret);
    const auto errors = VALGRIND_COUNT_ERRORS - before;
    if (plain.result().empty() || plain.result() != secret.result()) {
        return line("FAILED", "the results of the two runs differ");
    }
    if (RUNNING_ON_VALGRIND == 0) return line("ok", "results agree (not under valgrind)");

    const std::string found =
        std::to_string(errors) + " errors, " + std::to_string(secret.untouched_bytes()) + " bytes without a trace";
    const bool leaks = errors != 0;
    const bool traced = secret.untouched_bytes() == 0;
    const bool good = c.expected == verdict::clean   ? !leaks && traced
                      : c.expected == verdict::leaks ? leaks
                                                     : !leaks && !traced;
    return line(good ? "ok" : "FAILED", found + (good ? "" : std::string(", expected: ") + name_of(c.expected)));
}

int usage() {
    std::fprintf(stderr, "usage: hwacha_ct --list | --table LEVEL [CASE...]\n");
    return 2;
}

int main(std::span<const std::string_view> arguments) {
    const std::vector<named_case> all = all_cases();
    if (arguments.size() == 1 && arguments[0] == "--list") {
        for (const named_case& c : all) std::printf("%s %s\n", std::string(c.name).c_str(), name_of(c.expected));
        return 0;
    }
    if (arguments.size() < 2 || arguments[0] != "--table") return usage();
    const auto wanted = arguments.subspan(2);
    for (const std::string_view name : wanted) {
        if (std::ranges::none_of(all, [&](const named_case& c) { return c.name == name; })) return usage();
    }
    const auto level =
        std::ranges::find_if(cpu::levels, [&](const cpu::level_info& l) { return arguments[1] == l.name; });
    if (level == std::end(cpu::levels)) return usage();
    if (!force_tables(*level)) {
        std::fprintf(stderr, "hwacha_ct: no table of level %s runs here\n", level->name);
        return 2;
    }
    bool good = true;
    for (const named_case& c : all) {
        if (!wanted.empty() && std::ranges::find(wanted, c.name) == wanted.end()) continue;
        good &= as_expected(c);
    }
    return good ? 0 : 1;
}

}  // namespace

}  // namespace hwacha::ct

int main(int argc, char** argv) {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    return hwacha::ct::main(arguments);
}
