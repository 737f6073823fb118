// Byte strings for tests: hexadecimal, patterns, reproducible random data, buffers between inaccessible pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/bytes.hpp>

namespace hwacha::test {

using bytes = std::vector<std::byte>;

bytes from_hex(std::string_view hex);  // throws std::invalid_argument
std::string to_hex(bytes_view data);

// Bytes i mod 251: the pattern of the long known answers.
bytes pattern(std::size_t size);
// 00 01 02 ... ff 00 ...
bytes counting(std::size_t size, unsigned first = 0);
bytes repeated(std::size_t size, unsigned value);
bytes copy_of(bytes_view data);
// Copies `data` into `area` from `offset` on.
void put(bytes_view data, bytes_span area, std::size_t offset);

// splitmix64: the same numbers on every platform.
class random_source {
  public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    // 0 to bound - 1
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    // low to high, both included
    std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
    void fill(bytes_span out);
    bytes take(std::size_t size);

  private:
    std::uint64_t state_;
};

// Memory whose neighbours on both sides fault when touched.
class guarded {
  public:
    explicit guarded(std::size_t size);
    ~guarded();
    guarded(const guarded&) = delete;
    guarded& operator=(const guarded&) = delete;

    // `size` bytes that end where the inaccessible page begins, filled with 0xa5.
    bytes_span before_fence(std::size_t size);
    // `size` bytes that start where the inaccessible page ends.
    bytes_span after_fence(std::size_t size);
    // The same with a copy of `data`.
    bytes_span before_fence(bytes_view data);
    bytes_span after_fence(bytes_view data);
    // One of the two.
    template <class What>
    bytes_span at(bool front, What what) {
        return front ? after_fence(what) : before_fence(what);
    }

  private:
    std::byte* map_;
    std::byte* start_;
    std::size_t usable_;
    std::size_t mapped_;
};

}  // namespace hwacha::test
