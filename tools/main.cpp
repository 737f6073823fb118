// The program: finds the command and turns what goes wrong into an exit status.
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <hwacha/hwacha.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "crypt/command_line.hpp"
#include "crypt/run.hpp"

namespace {

using namespace hwacha::tool;

// Runs `command`. Whatever it throws is out of memory, or a defect.
template <class Command>
int guarded(output& out, diagnostics& err, int on_error, Command command) {
    int status = on_error;
    try {
        status = command();
    } catch (const std::bad_alloc&) {
        err.report("out of memory");
    } catch (const std::exception& e) {
        err.report("{}", e.what());
    }
    return finish(out, err, status, on_error);
}

int refuse(diagnostics& err, std::string_view why) {
    err.report("{}\nUsage: hwacha COMMAND [OPTION]...; see 'hwacha --help'.", printable(why));
    return exit_usage;
}

int dispatch(int argc, char** argv, output& out, diagnostics& err) {
    CLI::App app("Korean-standard cryptography as fast as the processor allows.", "hwacha");
    app.set_version_flag("--version", fmt::format("hwacha {}", hwacha_version()), "Print the version");
    app.set_help_flag("--help,-h", "Print this help");
    app.require_subcommand(0, 1);  // with a minimum, an unknown command would only be called a missing one
    // For the help text: main() hands the arguments of `sum` to its own parser, which follows GNU's rules, not CLI11's.
    app.add_subcommand("sum", "Print or check LSH digests of files ('hwacha sum --help'; also called lshsum)");
    const CLI::App* info = app.add_subcommand("info", "Show the processor, the kernels, which are in use and why");
    const CLI::App* selftest = app.add_subcommand("selftest", "Compute known answers with every kernel that runs here");
    CLI::App* bench = app.add_subcommand("bench", "Measure the kernels in use, for a quick look");
    bench_options wanted;
    bench->add_option("OPERATION", wanted.operations,
                      "Beginnings of names: LSH, LEA-128-GCM, batch, ... (default: all but batch)");
    bench->add_option("--size", wanted.sizes, "Bytes a message, separated by commas (default: 64,1024,65536)")
        ->delimiter(',')
        ->check([](const std::string& text) { return text == "0" ? "a message of 0 bytes has no speed a byte" : ""; });
    bench->add_option("--seconds", wanted.seconds, "Time for each operation and size (default: 0.1)")
        ->check([](const std::string& text) {
            const double seconds = std::strtod(text.c_str(), nullptr);
            return seconds >= 0.001 && seconds <= 3600 ? "" : "a time from 0.001 to 3600 expected, " + text + " given";
        });
    bench->add_flag("--json", wanted.json, "Print JSON");
    crypt_options crypt;
    const crypt_commands commands = add_crypt_commands(app, crypt);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out.write(app.help());
        return exit_done;
    } catch (const CLI::CallForVersion& e) {
        out.write(fmt::format("{}\n", e.what()));
        return exit_done;
    } catch (const CLI::ParseError& e) {
        return refuse(err, e.what());
    }
    if (app.get_subcommands().empty()) return refuse(err, "no command given");
    if (commands.encrypt->parsed()) return run_encrypt(crypt, err);
    if (commands.decrypt->parsed()) return run_decrypt(crypt, err);
    if (commands.inspect->parsed()) return run_inspect(crypt, out, err);
    if (commands.keygen->parsed()) return run_keygen(crypt, err);
    if (info->parsed()) return run_info(out, err);
    return selftest->parsed() ? run_selftest(out, err) : run_bench(wanted, out, err);
}

}  // namespace

int main(int argc, char** argv) {
    occupy_closed_descriptors();
    output out;
    std::string_view called = argc > 0 ? argv[0] : "hwacha";
    called.remove_prefix(called.rfind('/') + 1);  // npos + 1 is 0
    if (called == "lshsum") {
        diagnostics err("lshsum");
        return guarded(out, err, exit_failed, [&] { return run_sum(argc, argv, out, err); });
    }
    if (argc > 1 && std::string_view(argv[1]) == "sum") {
        diagnostics err("hwacha sum");
        return guarded(out, err, exit_failed, [&] { return run_sum(argc - 1, argv + 1, out, err); });
    }
    diagnostics err("hwacha");
    return guarded(out, err, exit_io, [&] { return dispatch(argc, argv, out, err); });
}
