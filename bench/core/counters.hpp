// Hardware counters of this thread through Linux' perf events, where the machine and its settings allow them.
#pragma once

#include <cstdint>

namespace hwacha::bench {

struct counts {
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
};

class counters {
  public:
    counters();
    ~counters();
    counters(const counters&) = delete;
    counters& operator=(const counters&) = delete;

    bool available() const { return cycles_ >= 0; }
    // Counts so far, in user mode; zeros if not available.
    counts read() const;

  private:
    int cycles_ = -1;  // leads the group
    int instructions_ = -1;
};

}  // namespace hwacha::bench
