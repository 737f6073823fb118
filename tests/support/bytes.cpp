#include "support/bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace hwacha::test {
namespace {

unsigned nibble(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    throw std::invalid_argument(std::string("not a hexadecimal digit: ") + c);
}

constexpr std::byte untouched{0xa5};

}  // namespace

bytes from_hex(std::string_view hex) {
    if (hex.size() % 2 != 0) throw std::invalid_argument("odd number of hexadecimal digits");
    bytes out(hex.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<std::byte>(16 * nibble(hex[2 * i]) + nibble(hex[2 * i + 1]));
    }
    return out;
}

std::string to_hex(bytes_view data) {
    constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const std::byte b : data) {
        out += digits[std::to_integer<unsigned>(b) >> 4];
        out += digits[std::to_integer<unsigned>(b) & 15];
    }
    return out;
}

bytes pattern(std::size_t size) {
    bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(i % 251);
    return out;
}

bytes counting(std::size_t size, unsigned first) {
    bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>((first + i) & 0xff);
    return out;
}

bytes repeated(std::size_t size, unsigned value) {
    return bytes(size, static_cast<std::byte>(value));
}

bytes copy_of(bytes_view data) {
    return {data.begin(), data.end()};
}

void put(bytes_view data, bytes_span area, std::size_t offset) {
    if (offset > area.size() || data.size() > area.size() - offset) throw std::logic_error("put: beyond the area");
    std::ranges::copy(data, area.subspan(offset).begin());
}

std::uint64_t random_source::next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

void random_source::fill(bytes_span out) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i % 8 == 0) bits = next();
        out[i] = static_cast<std::byte>(bits & 0xff);
        bits >>= 8;
    }
}

bytes random_source::take(std::size_t size) {
    bytes out(size);
    fill(out);
    return out;
}

guarded::guarded(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_ = std::max<std::size_t>(1, (size + page - 1) / page) * page;
    mapped_ = usable_ + 2 * page;
    void* p = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::runtime_error("mmap failed");
    map_ = static_cast<std::byte*>(p);
    start_ = map_ + page;
    if (mprotect(map_, page, PROT_NONE) != 0 || mprotect(start_ + usable_, page, PROT_NONE) != 0) {
        throw std::runtime_error("mprotect failed");
    }
}

guarded::~guarded() {
    munmap(map_, mapped_);
}

bytes_span guarded::before_fence(std::size_t size) {
    if (size > usable_) throw std::logic_error("guarded: too small");
    const bytes_span s(start_ + usable_ - size, size);
    std::ranges::fill(s, untouched);
    return s;
}

bytes_span guarded::after_fence(std::size_t size) {
    if (size > usable_) throw std::logic_error("guarded: too small");
    const bytes_span s(start_, size);
    std::ranges::fill(s, untouched);
    return s;
}

bytes_span guarded::before_fence(bytes_view data) {
    const bytes_span s = before_fence(data.size());
    std::ranges::copy(data, s.begin());
    return s;
}

bytes_span guarded::after_fence(bytes_view data) {
    const bytes_span s = after_fence(data.size());
    std::ranges::copy(data, s.begin());
    return s;
}

}  // namespace hwacha::test
