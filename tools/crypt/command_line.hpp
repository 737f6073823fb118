// The arguments of encrypt, decrypt, inspect and keygen.
#pragma once

#include <CLI/CLI.hpp>

#include "crypt/options.hpp"

namespace hwacha::tool {

struct crypt_commands {
    CLI::App* encrypt;
    CLI::App* decrypt;
    CLI::App* inspect;
    CLI::App* keygen;
};

// All of them fill `options`: one is given at a time.
crypt_commands add_crypt_commands(CLI::App& app, crypt_options& options);

}  // namespace hwacha::tool
