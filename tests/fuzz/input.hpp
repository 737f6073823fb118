// What fuzz targets share: bytes of the input as numbers, and a check that stops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include <hwacha/bytes.hpp>

#include "cpu/registry.hpp"

namespace hwacha::fuzz {

inline void require(bool holds) {
    if (!holds) std::abort();
}

class input {
  public:
    input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    // 0 where the input is used up.
    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const std::uint8_t b = rest_.front();
        rest_ = rest_.subspan(1);
        return b;
    }
    // `n` bytes, zeros behind the end. A copy of its own, so that the sanitizer sees every access beyond it.
    std::vector<std::byte> take(std::size_t n) {
        std::vector<std::byte> out(n);
        for (std::byte& b : out) b = static_cast<std::byte>(byte());
        return out;
    }
    std::vector<std::byte> rest() { return take(rest_.size()); }
    bool empty() const { return rest_.empty(); }

  private:
    std::span<const std::uint8_t> rest_;
};

// Runs f() with each table that runs here in use.
template <class Table, class Function>
void for_each_table(cpu::registry<Table>& algorithm, Function f) {
    for (const Table* t : algorithm.tables()) {
        if (!cpu::has_all(cpu::detected(), t->head.needs)) continue;
        algorithm.force(t);
        f();
    }
    algorithm.force(nullptr);
}

}  // namespace hwacha::fuzz
