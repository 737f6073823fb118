// What hash_run is given: files in order, and what is to be said of each.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/bytes.hpp>
#include <hwacha/lsh.hpp>

#include "sum/walk.hpp"

namespace hwacha::tool {

struct file_item {
    std::string name = {};                // as it is printed; "-" is standard input unless there is a folder
    const lsh_info* algorithm = nullptr;  // null: no file but a message for standard error, at this place
    std::string text = {};                // the message; or what else the job wants to know
    std::shared_ptr<const tool::folder> folder =
        {};                // where a walk found the file; null: an operand, or a line of a list
    std::size_t leaf = 0;  // with a folder: where in `name` the file's own name begins
};

struct file_result {
    int error = 0;             // an errno; 0: `digest` is the digest
    bool not_found = false;    // there is no such file
    bool passed_over = false;  // a walk found it, and it is no regular file any more: nothing is told
    bytes_view digest = {};
};

// Text for standard output and messages for standard error, in their order.
class transcript {
  public:
    void print(std::string_view text) {
        if (parts_.empty() || parts_.back().message) parts_.push_back({false, {}});
        parts_.back().text += text;
    }
    void report(std::string message) { parts_.push_back({true, std::move(message)}); }

    struct part {
        bool message;
        std::string text;
    };
    [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }

  private:
    std::vector<part> parts_;
};

class hash_job {
  public:
    virtual ~hash_job() = default;
    // Appends some of the next files, at most `most`: those that can be had without waiting, but one at least if there
    // is one. False: these are the last. Called by one thread at a time, whichever it is.
    virtual bool next(std::vector<file_item>& items, std::size_t most) = 0;
    // What is said of a file. Called by any threads at any time.
    virtual void tell(const file_item& item, const file_result& result, transcript& to) = 0;
};

}  // namespace hwacha::tool
