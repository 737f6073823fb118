// Random bytes of the operating system, and random nonces that are counted.
#pragma once

#include <atomic>
#include <cstdint>

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// Fills `out`, of any size, from the operating system's generator (getrandom(2)); waits, early in a system's start,
// until that has been seeded. rng_failed: `out` is zeros.
[[nodiscard]] HWACHA_API status random_bytes(bytes_span out) noexcept;

// Random nonces for one key, of GCM above all: no more of them than NIST SP 800-38D section 8.3 allows, 2^32, so that
// two are the same with a probability of at most 2^-32. One object per key, whose uses it counts; any number of threads
// may use it at once.
class HWACHA_API random_nonces {
  public:
    // `used`: how many the key has had before, where a key outlives a process.
    explicit random_nonces(std::uint64_t used = 0) noexcept;
    random_nonces(const random_nonces&) = delete;
    random_nonces& operator=(const random_nonces&) = delete;

    // Fills `nonce`, 12 bytes or more (bad_nonce_length; section 8.2.2). counter_exhausted: the key has had its 2^32,
    // change it; `nonce` is untouched. rng_failed: `nonce` is zeros, and counts as used.
    [[nodiscard]] status next(bytes_span nonce) noexcept;

    // With those of before: what to keep with a key that goes on.
    [[nodiscard]] std::uint64_t used() const noexcept;

  private:
    std::atomic<std::uint64_t> used_;
};

}  // namespace hwacha
