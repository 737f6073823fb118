// An algorithm's ordered list of kernel tables and the one in use: the only place that chooses.
#pragma once

#include <atomic>
#include <span>

#include "cpu/features.hpp"

namespace hwacha::cpu {

enum class verdict { usable, above_cap, not_supported };

// A pure function of its arguments, so that tests can ask it about processors that they do not have.
constexpr verdict judge(const table_head& t, feature have, const std::optional<level>& highest) {
    if (!has_all(have, t.needs)) return verdict::not_supported;
    if (highest && t.at > *highest) return verdict::above_cap;
    return verdict::usable;
}

// Table lists are ordered best first, by measurement (docs/KERNELS.md), and end with the portable table, which needs
// nothing: something is always usable.
template <class Table>
constexpr const Table* choose(std::span<const Table* const> best_first, feature have,
                              const std::optional<level>& highest) {
    for (const Table* t : best_first) {
        if (judge(t->head, have, highest) == verdict::usable) return t;
    }
    return best_first.back();
}

template <class Table>
class registry {
  public:
    constexpr registry(const char* algorithm, std::span<const Table* const> best_first)
        : algorithm_(algorithm), tables_(best_first) {}

    const char* algorithm() const { return algorithm_; }
    std::span<const Table* const> tables() const { return tables_; }

    // The table in use; chosen on first use. Concurrent first uses agree, since the choice is a pure function.
    const Table& active() {
        const Table* t = active_.load(std::memory_order_acquire);
        if (t == nullptr) {
            t = choose(tables_, detected(), process_cap().highest);
            active_.store(t, std::memory_order_release);
        }
        return *t;
    }

    // For tests and benchmarks: objects made from now on use `t`, which must run here. Null returns to the choice.
    void force(const Table* t) { active_.store(t, std::memory_order_release); }

  private:
    const char* algorithm_;
    std::span<const Table* const> tables_;
    std::atomic<const Table*> active_{nullptr};
};

}  // namespace hwacha::cpu
