#include <atomic>
#include <optional>

#include <hwacha/hwacha.h>

#include <sys/stat.h>

#include "commands.hpp"
#include "sum/check.hpp"
#include "sum/hash_run.hpp"
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
        "Without FILE, and for the FILE -, standard input is read. Results are in the order of the FILEs.\n"
        "\n"
        "  -a, --algorithm=NAME  which LSH; LSH-256-256 if not given\n"
        "                        ({1})\n"
        "  -b, --binary          print '*' before the name\n"
        "  -t, --text            print ' ' before the name (this is the default; files are always read as they are)\n"
        "      --tag             print lines that name their algorithm: ALGORITHM (NAME) = DIGEST\n"
        "  -z, --zero            end lines with a null byte and print names as they are\n"
        "  -c, --check           each FILE is a list as printed by this program: compare the files it names\n"
        "  -r, --recursive       of a FILE that is a folder, the files below, in the order of sort; FILE is . if not "
        "given.\n"
        "                        Below it symbolic links are not followed; they, devices and pipes are passed over\n"
        "  -j, --jobs=N          so many threads; 0, and if not given: one for each processor\n"
        "      --progress        tell on standard error how far it has come, if that is a terminal;\n"
        "                        --progress=always: in any case\n"
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

// Digests of the operands, and with --recursive of the files below those that are folders.
class printer : hash_job {
  public:
    printer(const sum_options& options, output& out, diagnostics& err, progress& shown)
        : options_(options), out_(out), err_(err), shown_(shown) {}

    // True if all could be read.
    bool print() {
        hash_run(*this, options_.threads, out_, err_, shown_)();
        return !failed_;
    }

    bool next(std::vector<file_item>& items, std::size_t most) override {
        while (items.size() < most) {
            if (walk_) {
                walk(items, most);
            } else if (operand_ == options_.files.size()) {
                return false;
            } else {
                std::string name = options_.files[operand_++];
                if (options_.recursive && is_folder(name)) {
                    walk_.emplace(std::move(name));
                } else {
                    items.push_back({.name = std::move(name), .algorithm = options_.algorithm});
                }
            }
        }
        return walk_ || operand_ != options_.files.size();
    }

    void tell(const file_item& item, const file_result& result, transcript& to) override {
        if (result.error != 0) {
            to.report(fmt::format("{}: {}", display_name(item.name), error_text(result.error)));
            failed_ = true;
        } else {
            to.print(print_line(*options_.algorithm, to_hex(result.digest), item.name, options_.format));
        }
    }

  private:
    static bool is_folder(const std::string& name) {
        struct stat s = {};
        return name != standard_input && ::stat(name.c_str(), &s) == 0 && S_ISDIR(s.st_mode);
    }

    void walk(std::vector<file_item>& items, std::size_t most) {
        const std::size_t before = items.size();
        if (!walk_->next(items, most)) walk_.reset();
        for (std::size_t i = before; i < items.size(); ++i) {
            if (items[i].folder) {
                items[i].algorithm = options_.algorithm;
            } else {
                failed_ = true;
            }
        }
    }

    const sum_options& options_;
    output& out_;
    diagnostics& err_;
    progress& shown_;
    std::size_t operand_ = 0;
    std::optional<tree_walk> walk_;
    std::atomic<bool> failed_ = false;
};

bool check_lists(const sum_options& options, output& out, diagnostics& err, progress& shown) {
    checker lists(options, out, err, shown);
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
    progress shown(options.progress);
    const bool ok = options.action == sum_action::check ? check_lists(options, out, err, shown)
                                                        : printer(options, out, err, shown).print();
    return ok ? exit_done : exit_failed;
}

}  // namespace hwacha::tool
