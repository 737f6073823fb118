// A run of the test program: which kernel tables take part, how much is done, and what really ran on each table.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/status.hpp>

#include "cpu/levels.hpp"
#include "support/bytes.hpp"

namespace hwacha {

// How GoogleTest shows a status.
inline void PrintTo(status s, std::ostream* out) {
    *out << to_string(s);
}

}  // namespace hwacha

namespace hwacha::test {

enum class scale {
    emulator,  // a fiftieth of the full counts: a processor emulated instruction by instruction
    quick,     // a tenth: while developing, and under user-mode emulation
    full,
};

struct run_options {
    scale at = scale::quick;
    bool require_vectors = false;
    std::vector<std::string> levels;  // empty: all tables that run here
    std::string vectors;              // folder of the official files; empty: not at hand
};

const run_options& options();
inline bool full_scale() {
    return options().at == scale::full;
}
// `full` reduced to the scale of this run, `at_least` at least.
std::size_t scaled(std::size_t full, std::size_t at_least = 1);
// A random source whose seed depends on `salt` and on HWACHA_TEST_SEED (printed at the start).
random_source seeded(std::uint64_t salt);

// Whether tables of this head take part: they run on this processor and were not deselected.
bool takes_part(const cpu::table_head& head);

// While it lives, checks count for this table too (a test of GCM runs on one of LEA's and one of GHASH's).
class in_force {
  public:
    in_force(std::string algorithm, cpu::level at);
    ~in_force();
    in_force(const in_force&) = delete;
    in_force& operator=(const in_force&) = delete;

  private:
    ::testing::ScopedTrace trace_;
};

void count_check();

// One check on the tables in force. What describes it is put together only if it fails.
template <class... What>
bool check(bool good, const What&... what) {
    count_check();
    if (good) return true;
    std::ostringstream text;
    (text << ... << what);
    ADD_FAILURE() << text.str();
    return false;
}

template <class... What>
bool check_bytes(bytes_view expected, bytes_view actual, const What&... what) {
    count_check();
    if (expected.size() == actual.size() && std::equal(expected.begin(), expected.end(), actual.begin())) return true;
    constexpr std::size_t shown = 96;
    std::ostringstream text;
    (text << ... << what);
    const std::size_t common = std::min(expected.size(), actual.size());
    std::size_t first = 0;
    while (first < common && expected[first] == actual[first]) ++first;
    ADD_FAILURE() << text.str() << "\n  sizes " << expected.size() << " and " << actual.size()
                  << ", first difference at " << first << "\n  expected "
                  << to_hex(expected.first(std::min(shown, expected.size()))) << "\n  actual   "
                  << to_hex(actual.first(std::min(shown, actual.size())));
    return false;
}

// For main().
void set_options(run_options o);
// Prints one line per algorithm and level. False if a demanded table, or one that runs here, had no check.
bool report_tables(bool partial);
// Vector sets that were not at hand; printed at the end.
void note_missing(const std::string& what);

}  // namespace hwacha::test
