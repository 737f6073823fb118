#include "core/counters.hpp"

#include <cstring>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace hwacha::bench {

#ifdef __linux__

namespace {

int open_event(std::uint64_t event, int leader) {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = event;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_GROUP;
    return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, leader, 0));
}

}  // namespace

counters::counters() : cycles_(open_event(PERF_COUNT_HW_CPU_CYCLES, -1)) {
    if (cycles_ < 0) return;
    instructions_ = open_event(PERF_COUNT_HW_INSTRUCTIONS, cycles_);
    // Some virtual machines open counters that never count.
    if (instructions_ < 0 || read().instructions == 0) {
        if (instructions_ >= 0) close(instructions_);
        close(cycles_);
        cycles_ = instructions_ = -1;
    }
}

counters::~counters() {
    if (instructions_ >= 0) close(instructions_);
    if (cycles_ >= 0) close(cycles_);
}

counts counters::read() const {
    std::uint64_t values[3] = {};  // how many, then each
    if (cycles_ < 0 || ::read(cycles_, values, sizeof values) != sizeof values) return {};
    return {values[1], values[2]};
}

#else

counters::counters() = default;
counters::~counters() = default;
counts counters::read() const {
    return {};
}

#endif

}  // namespace hwacha::bench
