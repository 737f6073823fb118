// Which kernels exist in this library, which run on this processor, which are in use, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <hwacha/export.h>

namespace hwacha {

enum class kernel_state {
    chosen,         // in use
    usable,         // would run here; a faster one is in use
    above_cap,      // would run here, but HWACHA_CPU forbids it
    not_supported,  // this processor or operating system lacks something
};

struct kernel_info {
    std::string_view algorithm;  // "LSH-256", "LSH-512", "LEA", "GHASH"
    std::string_view table;      // the level: "portable", "avx2", ...
    kernel_state state;
    std::string reason;  // one clause, "lacks avx512f avx512bw"
};

struct cpu_report {
    std::string features;                  // what was detected, of what the kernels ask for
    std::string cap;                       // the level that HWACHA_CPU caps to; empty: no cap
    std::string complaint;                 // why HWACHA_CPU was ignored; empty: it was not
    std::vector<std::string_view> levels;  // all that this library knows, worst to best
    std::vector<kernel_info> kernels;      // by algorithm, best first
};

// Thread-safe. Allocates.
[[nodiscard]] HWACHA_API cpu_report describe_cpu();

}  // namespace hwacha
