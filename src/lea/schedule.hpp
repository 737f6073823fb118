// LEA's key schedule. Internal linkage: bench/scalar compiles it with other flags.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace hwacha {
namespace {

// KS X 3246 section 5: the constants delta, from the hexadecimal digits of sqrt(766995).
constexpr std::uint32_t lea_delta[8] = {0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                        0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957};
constexpr int lea_key_rotation[6] = {1, 3, 6, 11, 13, 17};

constexpr std::uint32_t lea_rounds(std::size_t key_size) {
    return static_cast<std::uint32_t>(16 + key_size / 2);
}
static_assert(lea_rounds(16) == 24 && lea_rounds(24) == 28 && lea_rounds(32) == 32);

// What each word of each round adds: lea_delta[i mod words], rotated by i + j.
template <std::uint32_t Words>
struct lea_rotated_deltas {
    static constexpr std::uint32_t updated = Words == 4 ? 4 : 6;
    std::uint32_t at[lea_rounds(4 * Words)][updated];

    constexpr lea_rotated_deltas() : at() {
        for (std::uint32_t i = 0; i < lea_rounds(4 * Words); ++i) {
            for (std::uint32_t j = 0; j < updated; ++j) {
                at[i][j] = std::rotl(lea_delta[i % Words], static_cast<int>(i + j));
            }
        }
    }
};

// Section 5: T is the key as words; each round updates four (128 bits) or six of them. Four rounds a turn: the places
// of all words are then constants.
template <std::uint32_t Words>
void lea_expand_key(const std::byte* key, std::uint32_t* round_keys) {
    static constexpr lea_rotated_deltas<Words> deltas{};
    std::uint32_t t[Words];
    for (std::uint32_t j = 0; j < Words; ++j) t[j] = load_le<std::uint32_t>(key + 4 * j);

    for (std::uint32_t i = 0; i < lea_rounds(4 * Words); i += 4) {
#pragma GCC unroll 4
        for (std::uint32_t r = 0; r < 4; ++r, round_keys += 6) {
            const std::uint32_t first = Words == 8 ? 6 * r : 0;
#pragma GCC unroll 6
            for (std::uint32_t j = 0; j < deltas.updated; ++j) {
                std::uint32_t& word = t[(first + j) % Words];
                word = std::rotl(word + deltas.at[i + r][j], lea_key_rotation[j]);
                __asm__("" : "+r"(word));  // or clang 19 gathers words in vectors
                round_keys[j] = word;
            }
            if constexpr (Words == 4) {
                // The round key is T0, T1, T2, T1, T3, T1.
                round_keys[4] = round_keys[3];
                round_keys[3] = round_keys[5] = round_keys[1];
            }
        }
    }
    wipe(t, sizeof t);
}

}  // namespace
}  // namespace hwacha
