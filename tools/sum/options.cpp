// getopt_long, and not CLI11: abbreviated long options, operands before options, POSIXLY_CORRECT and options whose
// order counts then are GNU's by construction.
#include "sum/options.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <getopt.h>

#include "stdio.hpp"

namespace hwacha::tool {
namespace {

enum : int {
    opt_tag = 256,
    opt_quiet,
    opt_status,
    opt_strict,
    opt_ignore_missing,
    opt_progress,
    opt_help,
    opt_version
};

constexpr char short_options[] = ":a:bcj:rtwz";
constexpr option long_options[] = {
    {"algorithm", required_argument, nullptr, 'a'},
    {"binary", no_argument, nullptr, 'b'},
    {"check", no_argument, nullptr, 'c'},
    {"jobs", required_argument, nullptr, 'j'},
    {"recursive", no_argument, nullptr, 'r'},
    {"text", no_argument, nullptr, 't'},
    {"warn", no_argument, nullptr, 'w'},
    {"zero", no_argument, nullptr, 'z'},
    {"tag", no_argument, nullptr, opt_tag},
    {"quiet", no_argument, nullptr, opt_quiet},
    {"status", no_argument, nullptr, opt_status},
    {"strict", no_argument, nullptr, opt_strict},
    {"ignore-missing", no_argument, nullptr, opt_ignore_missing},
    {"progress", optional_argument, nullptr, opt_progress},
    {"help", no_argument, nullptr, opt_help},
    {"version", no_argument, nullptr, opt_version},
    {},
};

[[noreturn]] void refuse(const std::string& why) {
    throw usage_error(why);
}

const lsh_info* algorithm_by_name(std::string_view name) {
    if (const lsh_info* found = find_lsh(name)) return found;
    std::string known;
    for (const lsh_info& v : lsh_variants()) known.append(known.empty() ? "" : ", ").append(v.name);
    refuse(fmt::format("unknown algorithm '{}'; there are {}", printable(name), known));
}

std::size_t number_of_threads(std::string_view text) {
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) {
        refuse(fmt::format("-j, --jobs needs a number of threads (0: one for each processor), '{}' given",
                           printable(text)));
    }
    return n;
}

progress_mode progress_by_name(const char* when) {
    if (when == nullptr) return progress_mode::terminal;
    if (std::string_view(when) == "always") return progress_mode::always;
    refuse(fmt::format("--progress may be given 'always', not '{}'", printable(when)));
}

// What getopt_long answered '?' to: `code` is its optopt, `argument` the last argument it looked at.
[[noreturn]] void refuse_option(int code, std::string_view argument) {
    for (const option& o : long_options) {
        if (o.name && o.val == code) refuse(fmt::format("option --{} takes no value", o.name));
    }
    if (code != 0) refuse(fmt::format("unknown option '-{}'", printable(std::string(1, static_cast<char>(code)))));
    argument = argument.substr(0, argument.find('='));
    std::string candidates;
    for (const option& o : long_options) {
        if (o.name && fmt::format("--{}", o.name).starts_with(argument)) candidates.append(" --").append(o.name);
    }
    if (!candidates.empty()) refuse(fmt::format("option '{}' may be any of{}", printable(argument), candidates));
    refuse(fmt::format("unknown option '{}'", printable(argument)));
}

void refuse_bad_combinations(const sum_options& o, std::optional<bool> binary) {
    const bool check = o.action == sum_action::check;
    if (o.format.tag && binary == false) refuse("--tag has no --text form");
    if (check) {
        if (o.format.zero) refuse("--zero is for printing digests, not for --check");
        if (o.format.tag) refuse("--tag is for printing digests, not for --check");
        if (o.recursive) refuse("--recursive is for printing digests, not for --check");
        if (binary) refuse("--binary and --text are for printing digests, not for --check");
        return;
    }
    if (o.ignore_missing) refuse("--ignore-missing needs --check");
    if (o.strict) refuse("--strict needs --check");
    switch (o.detail) {
        case check_detail::all: break;
        case check_detail::all_and_faults: refuse("--warn needs --check");
        case check_detail::failures: refuse("--quiet needs --check");
        case check_detail::nothing: refuse("--status needs --check");
    }
}

}  // namespace

sum_options parse_sum_options(int argc, char** argv) {
    sum_options o;
    o.algorithm = find_lsh(lsh_variant::lsh256_256);
    std::optional<bool> binary;
    opterr = 0;
    for (int code = 0; (code = getopt_long(argc, argv, short_options, long_options, nullptr)) != -1;) {
        switch (code) {
            case 'a': o.algorithm = algorithm_by_name(optarg); break;
            case 'b': binary = true; break;
            case 't': binary = false; break;
            case 'c': o.action = sum_action::check; break;
            case 'j': o.threads = number_of_threads(optarg); break;
            case 'r': o.recursive = true; break;
            case 'w': o.detail = check_detail::all_and_faults; break;
            case 'z': o.format.zero = true; break;
            case opt_tag:
                // Only a --text that follows conflicts.
                o.format.tag = true;
                binary = true;
                break;
            case opt_quiet: o.detail = check_detail::failures; break;
            case opt_status: o.detail = check_detail::nothing; break;
            case opt_strict: o.strict = true; break;
            case opt_ignore_missing: o.ignore_missing = true; break;
            case opt_progress: o.progress = progress_by_name(optarg); break;
            // Nothing after these two is looked at.
            case opt_help: o.action = sum_action::help; return o;
            case opt_version: o.action = sum_action::version; return o;
            case ':':
                refuse(optopt == 'a' ? "-a, --algorithm needs the name of an algorithm"
                                     : "-j, --jobs needs a number of threads");
            default: refuse_option(optopt, argv[optind - 1]);
        }
    }
    refuse_bad_combinations(o, binary);
    o.format.binary = binary.value_or(false);
    o.files.assign(argv + optind, argv + argc);
    if (o.files.empty()) o.files.push_back(o.recursive ? "." : "-");
    return o;
}

}  // namespace hwacha::tool
