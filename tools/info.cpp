#include <algorithm>
#include <string>
#include <string_view>

#include <hwacha/hwacha.h>
#include <hwacha/cpu.hpp>

#include "commands.hpp"

namespace hwacha::tool {
namespace {

std::string_view to_string(kernel_state state) {
    switch (state) {
        case kernel_state::chosen: return "chosen";
        case kernel_state::usable: return "usable";
        case kernel_state::above_cap: return "above the cap";
        case kernel_state::not_supported: return "not supported";
    }
    return "";
}

// Or a word for an empty value.
std::string_view or_else(std::string_view text, std::string_view otherwise) {
    return text.empty() ? otherwise : text;
}

}  // namespace

bool accept_cpu_cap(diagnostics& err) {
    const std::string complaint = describe_cpu().complaint;
    if (!complaint.empty()) err.report("{}", printable(complaint));
    return complaint.empty();
}

int run_info(output& out, diagnostics& err) {
    const cpu_report cpu = describe_cpu();
    std::string text = fmt::format(
        "Hwacha {}, built with {}\n"
        "processor features  {}\n"
        "levels              {}\n"
        "HWACHA_CPU caps to  {}\n\n",
        hwacha_version(), HWACHA_TOOL_COMPILER, or_else(cpu.features, "none that a kernel asks for"),
        fmt::join(cpu.levels, ", "), or_else(cpu.cap, "nothing"));

    std::size_t algorithm_width = std::string_view("algorithm").size();
    std::size_t table_width = std::string_view("table").size();
    for (const kernel_info& k : cpu.kernels) {
        algorithm_width = std::max(algorithm_width, k.algorithm.size());
        table_width = std::max(table_width, k.table.size());
    }
    const auto row = [&](std::string_view algorithm, std::string_view table, std::string_view state,
                         std::string_view reason) {
        text +=
            fmt::format("{:<{}}  {:<{}}  {:<13}  {}\n", algorithm, algorithm_width, table, table_width, state, reason);
    };
    row("algorithm", "table", "state", "reason");
    for (const kernel_info& k : cpu.kernels) row(k.algorithm, k.table, to_string(k.state), k.reason);
    out.write(text);

    if (!cpu.complaint.empty()) {
        err.report("{}", printable(cpu.complaint));
        return exit_usage;
    }
    return exit_done;
}

}  // namespace hwacha::tool
