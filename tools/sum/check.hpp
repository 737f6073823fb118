// Check mode of `hwacha sum`.
#pragma once

#include <string>

#include "stdio.hpp"
#include "sum/check_line.hpp"
#include "sum/input.hpp"
#include "sum/options.hpp"

namespace hwacha::tool {

class checker {
  public:
    checker(const sum_options& options, output& out, diagnostics& err) : options_(options), out_(out), err_(err) {}

    // Verifies the files of one list. True if they are as it says.
    bool check(const std::string& list);

  private:
    struct tally {
        std::size_t well_formed = 0;
        std::size_t malformed = 0;
        std::size_t unreadable = 0;
        std::size_t differing = 0;
        std::size_t matching = 0;
        bool byte_order_mark = false;
    };
    void verify(const checksum_line& line, tally& count);
    void tell(const std::string& name, std::string_view verdict);
    bool conclude(const std::string& list, const tally& count);

    const sum_options& options_;
    output& out_;
    diagnostics& err_;
    file_hasher hasher_;
    untagged_form form_ = untagged_form::undecided;  // of all lists of the run, as in GNU's
};

}  // namespace hwacha::tool
