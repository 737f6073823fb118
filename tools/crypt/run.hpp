// encrypt, decrypt, inspect and keygen. Each returns the exit status of the process.
#pragma once

#include "commands.hpp"
#include "crypt/options.hpp"
#include "stdio.hpp"

namespace hwacha::tool {

int run_encrypt(const crypt_options& options, diagnostics& err);
int run_decrypt(const crypt_options& options, diagnostics& err);
int run_inspect(const crypt_options& options, output& out, diagnostics& err);
int run_keygen(const crypt_options& options, diagnostics& err);

}  // namespace hwacha::tool
