// The arguments of `hwacha sum`, read as GNU sha256sum reads them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <hwacha/lsh.hpp>

#include "sum/check_line.hpp"
#include "sum/progress.hpp"

namespace hwacha::tool {

enum class sum_action { print, check, help, version };

// How much a check tells. The last of --warn, --quiet and --status on the command line holds.
enum class check_detail {
    all,
    all_and_faults,  // --warn
    failures,        // --quiet
    nothing,         // --status
};

struct sum_options {
    sum_action action = sum_action::print;
    const lsh_info* algorithm = nullptr;
    line_format format;
    check_detail detail = check_detail::all;
    bool ignore_missing = false;
    bool strict = false;
    bool recursive = false;
    std::size_t threads = 0;  // 0: as many as there are usable processors
    progress_mode progress = progress_mode::off;
    std::vector<const char*> files;  // at least one; "-" is standard input
};

struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Permutes argv. Throws usage_error.
sum_options parse_sum_options(int argc, char** argv);

}  // namespace hwacha::tool
