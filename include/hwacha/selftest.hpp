// Known answers of every table that runs on this processor and that HWACHA_CPU allows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <hwacha/export.h>

namespace hwacha {

struct selftest_result {
    std::string_view algorithm;  // as in kernel_info
    std::string_view table;
    unsigned checks;  // known answers that were computed and compared
    unsigned failures;
};

// Runs the built-in known answers on each runnable table, whether or not it is the one in use. Allocates; does not
// disturb other threads' work: the tables are called directly.
[[nodiscard]] HWACHA_API std::vector<selftest_result> selftest();

}  // namespace hwacha
