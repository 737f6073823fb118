// Where passphrases come from: never from the arguments.
#pragma once

#include <string>

#include "crypt/files.hpp"
#include "crypt/secret.hpp"

namespace hwacha::crypt {

// The first line, without its end. Throws usage_refused if it is empty or longer than 1024 bytes, system_failure.
secret_buffer read_passphrase(source& from, const std::string& name);
// Of an open descriptor, byte by byte, so that what follows is left to others.
secret_buffer read_passphrase(int descriptor);
// Throws usage_refused if others may read the file.
secret_buffer read_passphrase_file(const std::string& name, file_identity& identity);
secret_buffer passphrase_of_variable(const std::string& name);
// Asks at the terminal of the process, whatever standard input is; `twice`: and again, and compares.
secret_buffer ask_passphrase(const std::string& prompt, bool twice);

}  // namespace hwacha::crypt
