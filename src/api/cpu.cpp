// cpu.hpp: the registries of all algorithms, told to the user.
#include <hwacha/cpu.hpp>

#include "cpu/registry.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"
#include "lea/tables.hpp"
#include "lsh/tables.hpp"

namespace hwacha {
namespace {

using cpu::feature;
using cpu::level;
using cpu::verdict;

template <class Table>
void describe_kernels(cpu::registry<Table>& algorithm, cpu_report& report) {
    const feature have = cpu::detected();
    const auto& cap = cpu::process_cap();
    for (const Table* t : algorithm.tables()) {
        kernel_info k{algorithm.algorithm(), t->head.name(), kernel_state::usable, "a faster table is in use"};
        if (t == &algorithm.active()) {
            k.state = kernel_state::chosen;
            k.reason =
                cap.highest ? "the first usable one of the list under HWACHA_CPU" : "the first usable one of the list";
        } else if (const verdict v = judge(t->head, have, cap.highest); v == verdict::not_supported) {
            k.state = kernel_state::not_supported;
            k.reason = "lacks " + cpu::describe(t->head.needs & ~have);
        } else if (v == verdict::above_cap) {
            k.state = kernel_state::above_cap;
            k.reason = std::string("above the cap of HWACHA_CPU");
        }
        report.kernels.push_back(std::move(k));
    }
}

}  // namespace

cpu_report describe_cpu() {
    cpu_report report;
    report.features = cpu::describe(cpu::detected());
    const auto& cap = cpu::process_cap();
    if (cap.highest) report.cap = cpu::info(*cap.highest).name;
    report.complaint = cap.complaint(cpu::detected());
    for (const cpu::level_info& l : cpu::levels) report.levels.emplace_back(l.name);
    describe_kernels(lsh256_tables, report);
    describe_kernels(lsh512_tables, report);
    describe_kernels(lsh256_lanes_tables, report);
    describe_kernels(lsh512_lanes_tables, report);
    describe_kernels(lea_tables, report);
    describe_kernels(ghash_tables, report);
    describe_kernels(lea_gcm_tables, report);
    return report;
}

}  // namespace hwacha
