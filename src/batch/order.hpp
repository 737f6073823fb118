// The order in which a portion's messages go into the lanes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "batch/portions.hpp"

namespace hwacha {

// Indices of messages, those with most blocks first: exactly up to 15 blocks, to within an eighth from there on, and
// otherwise as they came. Lanes that refill are full until the last few messages, whichever of the long ones came
// first.
class longest_first {
  public:
    template <class Blocks>
    longest_first(std::size_t count, Blocks blocks) : count_(count) {
        std::uint16_t classes[batch_portion];
        std::uint16_t low = most_classes - 1;
        std::uint16_t high = 0;
        for (std::size_t i = 0; i < count; ++i) {
            classes[i] = class_of(blocks(i));
            low = std::min(low, classes[i]);
            high = std::max(high, classes[i]);
            order_[i] = static_cast<std::uint16_t>(i);
        }
        if (low < high) sort(classes, low, high);
    }
    std::size_t count() const { return count_; }
    std::size_t operator[](std::size_t i) const { return order_[i]; }

  private:
    static constexpr std::uint16_t most_classes = 8 * 62;

    // The number itself up to 15; then eight classes for each power of two.
    static constexpr std::uint16_t class_of(std::size_t blocks) {
        const auto width = static_cast<int>(std::bit_width(blocks));
        if (width <= 4) return static_cast<std::uint16_t>(blocks);
        return static_cast<std::uint16_t>(8 * (width - 3) + static_cast<int>(blocks >> (width - 4) & 7));
    }

    void sort(const std::uint16_t* classes, std::size_t low, std::size_t high) {
        std::uint16_t next[most_classes] = {};  // by class: its messages, then the place of the next one of them
        for (std::size_t i = 0; i < count_; ++i) ++next[classes[i]];
        std::uint16_t place = 0;
        for (std::size_t c = high + 1; c-- > low;) {
            const std::uint16_t messages = next[c];
            next[c] = place;
            place = static_cast<std::uint16_t>(place + messages);
        }
        for (std::size_t i = 0; i < count_; ++i) order_[next[classes[i]]++] = static_cast<std::uint16_t>(i);
    }

    std::size_t count_;
    std::uint16_t order_[batch_portion];
};

}  // namespace hwacha
