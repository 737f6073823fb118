#include <hwacha/hwacha.h>

#include "commands.hpp"
#include "sum/check.hpp"
#include "sum/input.hpp"
#include "sum/options.hpp"

namespace hwacha::tool {
namespace {

std::string help_text(const std::string& program) {
    std::string algorithms;
    for (const lsh_info& v : lsh_variants()) algorithms.append(algorithms.empty() ? "" : ", ").append(v.name);
    return fmt::format(
        "Usage: {0} [OPTION]... [FILE]...\n"
        "Print the LSH digest (KS X 3262) of each FILE, or check files against lists of digests.\n"
        "Without FILE, and for the FILE -, standard input is read.\n"
        "\n"
        "  -a, --algorithm=NAME  which LSH; LSH-256-256 if not given\n"
        "                        ({1})\n"
        "  -b, --binary          print '*' before the name\n"
        "  -t, --text            print ' ' before the name (this is the default; files are always read as they are)\n"
        "      --tag             print lines that name their algorithm: ALGORITHM (NAME) = DIGEST\n"
        "  -z, --zero            end lines with a null byte and print names as they are\n"
        "  -c, --check           each FILE is a list as printed by this program: compare the files it names\n"
        "      --help            print this help\n"
        "      --version         print the version\n"
        "\n"
        "With --check; of --quiet, --status and --warn the last one holds:\n"
        "      --ignore-missing  pass over files that do not exist\n"
        "      --quiet           no line for files that match\n"
        "      --status          no lines at all, only the exit status\n"
        "      --strict          fail if a line of a list is improperly formatted\n"
        "  -w, --warn            tell which lines are improperly formatted, and why\n"
        "\n"
        "Lines that name an algorithm are checked with it, others with that of -a.\n"
        "Exit status: 0 if all went well and all files match, otherwise 1.\n",
        program, algorithms);
}

bool print_digests(const sum_options& options, output& out, diagnostics& err) {
    file_hasher hasher;
    bool ok = true;
    for (const std::string name : options.files) {
        const file_hasher::result file = hasher.hash(*options.algorithm, name);
        if (file.error != 0) {
            err.report("{}: {}", display_name(name), error_text(file.error));
            ok = false;
        } else {
            out.write(print_line(*options.algorithm, file.hex, name, options.format));
            if (out.error() != 0) return false;
        }
    }
    return ok;
}

bool check_lists(const sum_options& options, output& out, diagnostics& err) {
    checker lists(options, out, err);
    bool ok = true;
    for (const char* list : options.files) {
        if (!lists.check(list)) ok = false;
        if (out.error() != 0) return false;
    }
    return ok;
}

}  // namespace

int run_sum(int argc, char** argv, output& out, diagnostics& err) {
    sum_options options;
    try {
        options = parse_sum_options(argc, argv);
    } catch (const usage_error& e) {
        err.report("{}\nSee '{} --help'.", e.what(), err.program());
        return exit_failed;
    }
    switch (options.action) {
        case sum_action::help: out.write(help_text(err.program())); return exit_done;
        case sum_action::version:
            out.write(fmt::format("{} (Hwacha) {}\n", err.program(), hwacha_version()));
            return exit_done;
        case sum_action::print:
        case sum_action::check: break;
    }
    if (!accept_cpu_cap(err)) return exit_failed;
    const bool ok =
        options.action == sum_action::check ? check_lists(options, out, err) : print_digests(options, out, err);
    return ok ? exit_done : exit_failed;
}

}  // namespace hwacha::tool
