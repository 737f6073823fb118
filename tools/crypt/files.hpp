// Descriptors as sources and sinks, the identity of files, and output that appears whole or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

#include "crypt/stream.hpp"

namespace hwacha::crypt {

class owned_descriptor {
  public:
    explicit owned_descriptor(int number = -1) noexcept : number_(number) {}
    ~owned_descriptor() { reset(); }
    owned_descriptor(owned_descriptor&& other) noexcept : number_(other.release()) {}
    owned_descriptor& operator=(owned_descriptor&& other) noexcept {
        reset(other.release());
        return *this;
    }
    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }
    int release() noexcept {
        const int number = number_;
        number_ = -1;
        return number;
    }
    void reset(int number = -1) noexcept;

  private:
    int number_;
};

struct file_identity {
    dev_t device;
    ino_t number;
    bool operator==(const file_identity&) const = default;
};

// An input: a file, or standard input for "-".
class file_source final : public source {
  public:
    // Throws system_failure.
    explicit file_source(const std::string& name);

    std::size_t read(bytes_span room) override;
    void interrupt() noexcept override;

    // As messages call it.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] bool is_standard_input() const noexcept { return !owned_; }
    [[nodiscard]] bool is_regular() const noexcept { return regular_; }
    [[nodiscard]] file_identity identity() const noexcept { return identity_; }
    [[nodiscard]] mode_t mode() const noexcept { return mode_; }
    // Has contents that an output to the same place would destroy.
    [[nodiscard]] bool keeps_contents() const noexcept;

  private:
    std::string name_;
    owned_descriptor owned_;
    int descriptor_;
    file_identity identity_{};
    mode_t mode_ = 0;
    bool regular_ = false;
    // Told by interrupt() while a read waits for a pipe, a terminal or the like.
    owned_descriptor woken_, waker_;
};

// What encrypt, decrypt and keygen write to: a new file, or standard output for "-", or what is no regular file (a
// device, a FIFO). A new file is made beside its later place under another name, for its owner alone, and gets its name
// when commit() finds it complete and on the disk. Before that, the destructor or a signal that ends the program takes
// it away.
class output_file final : public sink {
  public:
    // Checks only. Throws usage_refused (the same file as one of `inputs`, exists and not `force`, a folder, read-only)
    // and system_failure.
    output_file(const std::string& name, bool force, const std::vector<file_identity>& inputs);
    ~output_file() override;

    // Begins. Throws system_failure.
    void open();
    void write(bytes_view bytes) override;
    void commit();

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] bool is_terminal() const noexcept;
    [[nodiscard]] bool is_standard_output() const noexcept { return kind_ == kind::standard_output; }
    [[nodiscard]] bool is_new_file() const noexcept { return kind_ == kind::new_file; }

  private:
    void open_folder(const std::string& path);
    void give_name();

    enum class kind { standard_output, special, new_file } kind_;
    std::string name_;
    bool force_;
    std::string leaf_;       // in folder_
    std::string temporary_;  // in folder_; empty: there is none
    owned_descriptor folder_, file_;
};

class usage_refused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace hwacha::crypt
