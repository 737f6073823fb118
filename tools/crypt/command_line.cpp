#include "crypt/command_line.hpp"

#include <limits>

namespace hwacha::tool {
namespace {

void add_input(CLI::App& command, crypt_options& options) {
    command.add_option("FILE", options.input, "The input; standard input if it is - or not given");
}

void add_output(CLI::App& command, crypt_options& options) {
    command.add_option("-o,--output", options.output, "The output; standard output if it is - or not given")
        ->type_name("FILE");
    command.add_flag("-f,--force", options.force, "Replace the output if it exists");
}

void add_holders(CLI::App& command, crypt_options& options, bool keys) {
    if (keys) {
        command
            .add_option("-k,--key", options.key_files,
                        "A key file as keygen makes it (may be repeated). If it is under a passphrase, the passphrases "
                        "given are for it")
            ->type_name("KEYFILE")
            ->allow_extra_args(false);
    }
    command.add_flag("-p,--ask", options.ask, "Ask for a passphrase at the terminal");
    const auto add = [&]<class T>(const char* name, T& values, const char* what, const char* type) {
        command.add_option(name, values, what)->type_name(type)->allow_extra_args(false);
    };
    add("--passphrase-fd", options.passphrase_descriptors,
        "Read a passphrase from this open descriptor: its first line", "N");
    add("--passphrase-file", options.passphrase_files,
        "Read a passphrase from this file, which nobody else may read: its first line", "FILE");
    add("--passphrase-env", options.passphrase_variables, "Take a passphrase from this environment variable", "NAME");
    // So that no message repeats what somebody types there.
    command
        .add_option_function<std::string>("--passphrase",
                                          [](const std::string&) {
                                              throw CLI::ValidationError(
                                                  "--passphrase",
                                                  "others see what is in the arguments; use -p, "
                                                  "--passphrase-file, --passphrase-fd or --passphrase-env");
                                          })
        ->group("");
}

void add_threads(CLI::App& command, crypt_options& options) {
    command.add_option("-j,--jobs", options.threads, "So many threads; 0, and if not given: one for each processor")
        ->type_name("N")
        ->check(CLI::Range(0, 4096));
    command.add_flag("--progress", options.progress,
                     "Tell on standard error how far it has come, if that is a terminal");
}

void add_comment(CLI::App& command, crypt_options& options) {
    command.add_option("--comment", options.comment, "A comment, readable for everyone")->type_name("TEXT");
    command
        .add_option("--iterations", options.iterations,
                    "Cost of a passphrase, 210000 at least (default: about half a second on this machine)")
        ->type_name("N");
}

void add_limit(CLI::App& command, crypt_options& options) {
    command
        .add_option("--max-iterations", options.most_iterations,
                    "Iterations that a file may ask for to try a passphrase (default: 10000000)")
        ->type_name("N");
}

void add_armor(CLI::App& command, crypt_options& options) {
    command.add_flag("-a,--armor", options.armor, "Write text, for channels that carry only that");
}

}  // namespace

crypt_commands add_crypt_commands(CLI::App& app, crypt_options& options) {
    crypt_commands c{};
    c.encrypt = app.add_subcommand("encrypt", "Encrypt a file for keys and passphrases");
    add_input(*c.encrypt, options);
    add_holders(*c.encrypt, options, true);
    add_output(*c.encrypt, options);
    add_armor(*c.encrypt, options);
    add_threads(*c.encrypt, options);
    c.encrypt
        ->add_option("--chunk-size", options.chunk_size,
                     "Bytes a chunk, a power of two from 4K to 16M (default: 1M); what is verified at a time")
        ->type_name("SIZE");
    add_comment(*c.encrypt, options);
    c.decrypt = app.add_subcommand("decrypt", "Decrypt a file, armored or not");
    add_input(*c.decrypt, options);
    add_holders(*c.decrypt, options, true);
    add_output(*c.decrypt, options);
    add_threads(*c.decrypt, options);
    add_limit(*c.decrypt, options);
    add_limit(*c.encrypt, options);
    c.inspect = app.add_subcommand("inspect", "Show what an encrypted file or a key says of itself");
    add_input(*c.inspect, options);
    add_holders(*c.inspect, options, true);
    add_limit(*c.inspect, options);
    c.inspect->add_flag("--json", options.json, "Print JSON");
    c.keygen = app.add_subcommand("keygen", "Make a key file, under a passphrase or not");
    add_holders(*c.keygen, options, false);
    add_output(*c.keygen, options);
    add_armor(*c.keygen, options);
    add_comment(*c.keygen, options);
    return c;
}

}  // namespace hwacha::tool
