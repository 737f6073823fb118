// What encrypt, decrypt, inspect and keygen were asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crypt/slots.hpp"

namespace hwacha::tool {

struct crypt_options {
    std::string input = "-";
    std::string output = "-";
    std::vector<std::string> key_files;
    bool ask = false;  // for a passphrase
    std::vector<int> passphrase_descriptors;
    std::vector<std::string> passphrase_files;
    std::vector<std::string> passphrase_variables;
    bool armor = false;
    bool force = false;
    std::size_t threads = 0;  // 0: as many as there are usable processors
    std::optional<std::string> chunk_size;
    std::string comment;
    std::optional<std::uint32_t> iterations;  // nothing: half a second's
    std::uint64_t most_iterations = crypt::default_most_iterations;
    bool progress = false;
    bool json = false;

    [[nodiscard]] bool has_passphrases() const noexcept {
        return ask || !passphrase_descriptors.empty() || !passphrase_files.empty() || !passphrase_variables.empty();
    }
};

}  // namespace hwacha::tool
