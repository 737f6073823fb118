// LEA on one block in general registers: for chains (CBC, CFB, OFB, CMAC, CCM) and single values, where a block waits
// for the one before. The latency of a round is that of the vector kernels, without their transposition.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace hwacha {

// round_keys as at the waist: six words a round; `in` and `out` are 16 bytes and may be the same.
inline void lea_encrypt_one(const std::uint32_t* round_keys, std::uint32_t rounds, const std::byte* in,
                            std::byte* out) {
    std::uint32_t x0 = load_le<std::uint32_t>(in), x1 = load_le<std::uint32_t>(in + 4);
    std::uint32_t x2 = load_le<std::uint32_t>(in + 8), x3 = load_le<std::uint32_t>(in + 12);
    for (const std::uint32_t* k = round_keys; k != round_keys + 6 * rounds; k += 6) {
        const std::uint32_t y0 = std::rotl((x0 ^ k[0]) + (x1 ^ k[1]), 9);
        const std::uint32_t y1 = std::rotr((x1 ^ k[2]) + (x2 ^ k[3]), 5);
        const std::uint32_t y2 = std::rotr((x2 ^ k[4]) + (x3 ^ k[5]), 3);
        x3 = x0;
        x0 = y0;
        x1 = y1;
        x2 = y2;
    }
    store_le(out, x0);
    store_le(out + 4, x1);
    store_le(out + 8, x2);
    store_le(out + 12, x3);
}

inline void lea_decrypt_one(const std::uint32_t* round_keys, std::uint32_t rounds, const std::byte* in,
                            std::byte* out) {
    std::uint32_t x0 = load_le<std::uint32_t>(in), x1 = load_le<std::uint32_t>(in + 4);
    std::uint32_t x2 = load_le<std::uint32_t>(in + 8), x3 = load_le<std::uint32_t>(in + 12);
    for (const std::uint32_t* k = round_keys + 6 * rounds; k != round_keys;) {
        k -= 6;
        const std::uint32_t y0 = x3;
        const std::uint32_t y1 = (std::rotr(x0, 9) - (y0 ^ k[0])) ^ k[1];
        const std::uint32_t y2 = (std::rotl(x1, 5) - (y1 ^ k[2])) ^ k[3];
        const std::uint32_t y3 = (std::rotl(x2, 3) - (y2 ^ k[4])) ^ k[5];
        x0 = y0;
        x1 = y1;
        x2 = y2;
        x3 = y3;
    }
    store_le(out, x0);
    store_le(out + 4, x1);
    store_le(out + 8, x2);
    store_le(out + 12, x3);
}

}  // namespace hwacha
