// Bytes that nobody may find later: wiped when they go.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include <hwacha/bytes.hpp>

namespace hwacha::crypt {

// In a way that the compiler may not drop although nothing reads it again.
inline void wipe(bytes_span bytes) noexcept {
    if (bytes.empty()) return;
    std::memset(bytes.data(), 0, bytes.size());
    __asm__ volatile("" : : "r"(bytes.data()) : "memory");
}

// The time depends on the sizes only.
inline bool equal_constant_time(bytes_view a, bytes_view b) noexcept {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= std::to_integer<unsigned>(a[i] ^ b[i]);
        __asm__ volatile("" : "+r"(difference));
    }
    return difference == 0;
}

template <std::size_t N>
class secret : public std::array<std::byte, N> {
  public:
    secret() noexcept { this->fill({}); }
    explicit secret(bytes_view from) noexcept { std::memcpy(this->data(), from.data(), N); }
    secret(const secret&) noexcept = default;
    secret& operator=(const secret&) noexcept = default;
    ~secret() { wipe(*this); }
};

using file_key = secret<32>;

// For containers of bytes: what they give back, when they grow too, is wiped.
template <class T>
struct wiping_allocator {
    using value_type = T;

    wiping_allocator() noexcept = default;
    template <class U>
    explicit wiping_allocator(const wiping_allocator<U>&) noexcept {}
    T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
    void deallocate(T* p, std::size_t n) noexcept {
        wipe(std::as_writable_bytes(std::span(p, n)));
        std::allocator<T>().deallocate(p, n);
    }
    bool operator==(const wiping_allocator&) const noexcept = default;
};

// A size that is known only later. Its memory is not initialised.
class secret_buffer {
  public:
    secret_buffer() noexcept = default;
    explicit secret_buffer(std::size_t size) : bytes_(new std::byte[size]), size_(size) {}
    explicit secret_buffer(bytes_view from) : secret_buffer(from.size()) {
        if (!from.empty()) std::memcpy(bytes_.get(), from.data(), from.size());
    }
    secret_buffer(secret_buffer&& other) noexcept
        : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
    secret_buffer& operator=(secret_buffer&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~secret_buffer() { wipe(bytes()); }

    [[nodiscard]] bytes_span bytes() const noexcept { return {bytes_.get(), size_}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] explicit operator bool() const noexcept { return bytes_ != nullptr; }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = 0;
};

}  // namespace hwacha::crypt
