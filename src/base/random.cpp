#include "base/random.hpp"

#include <hwacha/random.hpp>

#include <algorithm>
#include <cerrno>

#include <sys/random.h>

#include "base/bytes.hpp"

namespace hwacha {
namespace {

// SP 800-38D section 8.3.
constexpr std::uint64_t most_random_nonces = std::uint64_t{1} << 32;
// Section 8.2.2: a random field of 96 bits at least.
constexpr std::size_t least_random_nonce = 12;

ssize_t ask_the_system(void* out, std::size_t size) {
    return getrandom(out, size, 0);
}

}  // namespace

constinit std::atomic<entropy_function> entropy_in_use{ask_the_system};

status random_bytes(bytes_span out) noexcept {
    const entropy_function entropy = entropy_in_use.load(std::memory_order_relaxed);
    for (bytes_span left = out; !left.empty();) {
        const ssize_t n = entropy(left.data(), left.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0 || static_cast<std::size_t>(n) > left.size()) {
            wipe(out.data(), out.size());
            return status::rng_failed;
        }
        left = left.subspan(static_cast<std::size_t>(n));
    }
    return status::ok;
}

random_nonces::random_nonces(std::uint64_t used) noexcept : used_(std::min(used, most_random_nonces)) {}

status random_nonces::next(bytes_span nonce) noexcept {
    if (nonce.size() < least_random_nonce) return status::bad_nonce_length;
    // Never above the limit, however many threads come after it.
    std::uint64_t before = used_.load(std::memory_order_relaxed);
    do {
        if (before == most_random_nonces) return status::counter_exhausted;
    } while (!used_.compare_exchange_weak(before, before + 1, std::memory_order_relaxed));
    return random_bytes(nonce);
}

std::uint64_t random_nonces::used() const noexcept {
    return used_.load(std::memory_order_relaxed);
}

}  // namespace hwacha
