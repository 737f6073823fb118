// What an object leaves in its memory after its destruction. Two objects with different secrets and the same history
// must leave the same bytes: then these depend on nothing secret (addresses, sizes and states may stay).
#pragma once

#include <cstdint>
#include <new>

#include "support/run.hpp"

namespace hwacha::test {

// What lies on the stack differs with the secret too, so that padding copied from there is seen.
[[gnu::noinline]] inline void stain_the_stack(std::uint64_t secret) {
    volatile std::uint64_t stain[1024];
    for (auto& word : stain) word = secret;
}

// make(memory, secret) constructs, use(object, secret) works with it.
template <class Object, class Make, class Use>
void expect_no_residue(Make make, Use use) {
    struct memory {
        alignas(Object) std::byte at[sizeof(Object)];
    };
    const auto alive_and_dead = [&](std::uint64_t secret, bytes& alive, bytes& dead) {
        memory m;
        std::fill(std::begin(m.at), std::end(m.at), std::byte{0xa5});
        // What the compiler knows about the lifetime of the object must not reach the reads of its memory.
        volatile const std::byte* looking = m.at;
        const auto image = [&] {
            bytes b(sizeof m.at);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = looking[i];
            return b;
        };
        stain_the_stack(secret);
        Object* o = make(static_cast<void*>(m.at), secret);
        use(*o, secret);
        __asm__ volatile("" : : "r"(m.at) : "memory");
        alive = image();
        o->~Object();
        __asm__ volatile("" : : "r"(m.at) : "memory");
        dead = image();
    };
    bytes alive[2];
    bytes dead[2];
    alive_and_dead(0x1234567890abcdef, alive[0], dead[0]);
    alive_and_dead(0xfedcba0987654321, alive[1], dead[1]);
    check_bytes(dead[0], dead[1], "the dead objects still tell their secrets apart");
    static_cast<void>(alive);
}

}  // namespace hwacha::test
