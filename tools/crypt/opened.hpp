// What the commands share: inputs of either form, and what opens them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crypt/armor.hpp"
#include "crypt/container.hpp"
#include "crypt/fault.hpp"
#include "crypt/files.hpp"
#include "crypt/header.hpp"
#include "crypt/key_file.hpp"
#include "crypt/options.hpp"
#include "stdio.hpp"

namespace hwacha::tool {

// Runs f(), and puts the name of the file before what it says of it.
template <class Function>
auto naming(const std::string& name, Function f) {
    try {
        return f();
    } catch (const crypt::file_fault& e) {
        throw crypt::file_fault(e.kind(), printable(name) + " " + e.what());
    }
}

// Runs a command: what it throws becomes a message and an exit status.
int reporting(diagnostics& err, const std::function<int()>& command);

// A Hwacha file with its head read, from armor or not.
class opened_file {
  public:
    // Throws file_fault without its name.
    explicit opened_file(crypt::source& file);

    [[nodiscard]] bool armored() const noexcept { return armor_ != nullptr; }
    [[nodiscard]] const crypt::container_head& head() const noexcept { return head_; }
    crypt::kept_bytes& kept() noexcept { return *kept_; }
    // Behind what was kept.
    crypt::source& rest() noexcept { return *inside_; }

  private:
    std::unique_ptr<crypt::rewound_source> rewound_;
    std::unique_ptr<crypt::armor_source> armor_;
    crypt::source* inside_;
    std::unique_ptr<crypt::kept_bytes> kept_;
    crypt::container_head head_;
};

// Keys and passphrases as the options name them. Passphrases are for the protected key files, if there are any, and
// otherwise for the encrypted file itself.
class credentials {
  public:
    // Reads key files and all passphrases that are not typed.
    explicit credentials(const crypt_options& options);

    // Asks for what is to be typed, unless that was done, and opens protected key files. `anew`: for a file that is
    // made, so what is typed is asked for twice.
    void complete(bool anew);

    [[nodiscard]] const crypt::holders& holders() const noexcept { return holders_; }
    [[nodiscard]] bool empty() const noexcept { return holders_.keys.empty() && holders_.passphrases.empty(); }
    // Of the files they came from.
    [[nodiscard]] const std::vector<crypt::file_identity>& files() const noexcept { return files_; }

  private:
    struct protected_key {
        std::string name;
        crypt::header header;
        crypt::secret_buffer payload;
        std::size_t size;
    };
    void read_key_file(const std::string& name);
    void open_protected(const protected_key& key);

    const crypt_options& options_;
    crypt::holders holders_;
    std::vector<protected_key> protected_;
    std::vector<crypt::file_identity> files_;
};

std::size_t threads_of(const crypt_options& options);

}  // namespace hwacha::tool
