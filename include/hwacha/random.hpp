// Random bytes of the operating system.
#pragma once

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

// Fills `out` from the operating system's generator (getrandom(2)); waits, early in a system's start, until that has
// been seeded. rng_failed: `out` is zeros.
[[nodiscard]] HWACHA_API status random_bytes(bytes_span out) noexcept;

}  // namespace hwacha
