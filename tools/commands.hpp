// The commands of the tool. Each returns the exit status of the process.
#pragma once

#include "bench.hpp"
#include "stdio.hpp"

namespace hwacha::tool {

// Of every command but `sum`, whose usage and read errors are 1, as sha256sum's are.
inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;  // a verification failed
inline constexpr int exit_usage = 2;
inline constexpr int exit_io = 3;

int run_info(output& out, diagnostics& err);
int run_selftest(output& out, diagnostics& err);
int run_bench(const bench_options& options, output& out, diagnostics& err);
// `argv[0]` is skipped; the arguments are permuted.
int run_sum(int argc, char** argv, output& out, diagnostics& err);

// False, with the reason reported, if HWACHA_CPU names no level or none that runs here. (The library goes on without a
// cap; whoever typed it for a tool wants to know.)
bool accept_cpu_cap(diagnostics& err);

}  // namespace hwacha::tool
