// Check mode of `hwacha sum`.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "stdio.hpp"
#include "sum/check_line.hpp"
#include "sum/hash_job.hpp"
#include "sum/input.hpp"
#include "sum/options.hpp"
#include "sum/progress.hpp"

namespace hwacha::tool {

class checker : hash_job {
  public:
    checker(const sum_options& options, output& out, diagnostics& err, progress& shown)
        : options_(options), out_(out), err_(err), shown_(shown) {}

    // Verifies the files of one list. True if they are as it says.
    bool check(const std::string& list);

    bool next(std::vector<file_item>& items, std::size_t most) override;
    void tell(const file_item& item, const file_result& result, transcript& to) override;

  private:
    struct tally {
        std::size_t well_formed = 0;
        std::size_t malformed = 0;
        std::atomic<std::size_t> unreadable = 0;
        std::atomic<std::size_t> differing = 0;
        std::atomic<std::size_t> matching = 0;
        bool byte_order_mark = false;
    };
    // A list under way.
    struct open_list {
        explicit open_list(const std::string& list) : name(list), file(list), lines(file) {}
        const std::string& name;
        input file;
        line_reader lines;
        std::size_t line = 0;
        tally count;
    };
    bool conclude();

    const sum_options& options_;
    output& out_;
    diagnostics& err_;
    progress& shown_;
    std::optional<open_list> list_;
    untagged_form form_ = untagged_form::undecided;  // of all lists of the run, as in GNU's
};

}  // namespace hwacha::tool
