#include <hwacha/selftest.hpp>

#include "commands.hpp"

namespace hwacha::tool {

int run_selftest(output& out, diagnostics& err) {
    if (!accept_cpu_cap(err)) return exit_usage;
    unsigned checks = 0;
    unsigned failures = 0;
    for (const selftest_result& r : selftest()) {
        out.write(fmt::format("{} {}: {} checks, {} failures\n", r.algorithm, r.table, r.checks, r.failures));
        checks += r.checks;
        failures += r.failures;
    }
    // A self-test that compared nothing proves nothing.
    const bool passed = checks != 0 && failures == 0;
    out.write(fmt::format("total: {} checks, {} failures: {}\n", checks, failures, passed ? "passed" : "FAILED"));
    return passed ? exit_done : exit_failed;
}

}  // namespace hwacha::tool
