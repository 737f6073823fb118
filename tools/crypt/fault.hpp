// What can be wrong with a file, as exceptions. Texts go on after the name of the file: "is not ...".
#pragma once

#include <stdexcept>
#include <string>

namespace hwacha::crypt {

enum class fault {
    empty,
    not_ours,             // no Hwacha file, or not of the type that is needed
    unsupported,          // a version, suite, slot or kind of key that this reader does not know
    malformed,            // not allowed by the format
    bad_armor,            // the text around the file
    header_damaged,       // the check sum does not fit
    header_altered,       // the MAC does not fit
    slot_damaged,         // opened by this passphrase or key, but not what was wrapped
    wrong_key,            // no slot for any passphrase or key that was given
    too_many_iterations,  // more than the caller is ready for
    truncated,
    chunk_altered,
    trailing,  // bytes after the end
    too_long,  // more than 2^32 chunks
};

class file_fault : public std::runtime_error {
  public:
    file_fault(fault kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
    [[nodiscard]] fault kind() const noexcept { return kind_; }

  private:
    fault kind_;
};

// The system refused.
class system_failure : public std::runtime_error {
  public:
    // `what`: the name of a file.
    system_failure(int error, const std::string& what) : std::runtime_error(what), error_(error) {}
    [[nodiscard]] int error() const noexcept { return error_; }

  private:
    int error_;
};

}  // namespace hwacha::crypt
