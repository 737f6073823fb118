// Controls: what the check must notice, so that its silence about the other cases says something.
#include <array>
#include <cstring>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

void leaky_branch(run& r) {
    const bytes secret = r.secret(1, 27);
    std::byte seen{0};
    if ((secret[0] & std::byte{1}) != std::byte{0}) {
        __asm__ volatile("" : : : "memory");
        seen = std::byte{1};
    }
    r.publish_public(bytes_view(&seen, 1));
}

void leaky_index(run& r) {
    static const bytes table = test::pattern(256);
    const bytes secret = r.secret(1, 28);
    std::byte found = table[std::to_integer<std::size_t>(secret[0])];
    r.publish_public(bytes_view(&found, 1));
}

void leaky_compare(run& r) {
    const bytes secret = r.secret(16, 29);
    bool same = std::memcmp(secret.data(), test::pattern(16).data(), 16) == 0;
    if (same) __asm__ volatile("" : : : "memory");
    reveal_value(same);
    r.publish_number(same ? 1 : 0);
}

// The length of a text that padding ends, found by looking from its end on (Vaudenay 2002).
void leaky_padding(run& r) {
    const bytes secret = r.secret(16, 31);
    std::size_t size = secret.size();
    while (size != 0 && secret[size - 1] == std::byte{0}) --size;
    reveal_value(size);
    r.publish_number(size);
}

void leaky_store(run& r) {
    static std::array<std::byte, 256> table;
    const bytes secret = r.secret(1, 32);
    table[std::to_integer<std::size_t>(secret[0])] = std::byte{1};
    r.publish_public(bytes_view(table).first(0));
    r.publish_number(1);
}

void traceless(run& r) {
    const bytes secret = r.secret(16, 33);
    const bytes copy(secret.size());
    r.publish(copy);
}

constexpr named_case cases[] = {
    {"leaky-branch", leaky_branch, verdict::leaks},   {"leaky-index", leaky_index, verdict::leaks},
    {"leaky-compare", leaky_compare, verdict::leaks}, {"leaky-padding", leaky_padding, verdict::leaks},
    {"leaky-store", leaky_store, verdict::leaks},     {"traceless", traceless, verdict::no_trace},
};

}  // namespace

std::span<const named_case> control_cases() {
    return cases;
}

}  // namespace hwacha::ct
