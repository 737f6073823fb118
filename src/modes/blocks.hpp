// What the modes share: exclusive or, and the checks of IVs and buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <hwacha/lea.hpp>

#include "base/bytes.hpp"

namespace hwacha::modes {

inline constexpr std::size_t block = lea_block_size;

// Bulk work is done in pieces of so many blocks: enough to fill the widest kernels, with intermediate values on the
// stack and in the first-level cache.
inline constexpr std::size_t piece_blocks = 64;

// to ^= from, in the words in which the cipher writes and reads a block: a chain would wait for a load that is wider
// than the stores before it. Size is a multiple of 4.
template <std::size_t Size = block>
void xor_words(std::byte* to, const std::byte* from) {
    static_assert(Size % 4 == 0);
    for (std::size_t i = 0; i < Size; i += 4) {
        store_le(to + i, load_le<std::uint32_t>(to + i) ^ load_le<std::uint32_t>(from + i));
    }
}

// out = a ^ b, Size bytes, where out may be a or b: all is loaded before anything is stored, so that the compiler may
// use vectors without asking.
template <std::size_t Size>
void xor_fixed(std::byte* out, const std::byte* a, const std::byte* b) {
    static_assert(Size % 8 == 0);
    std::uint64_t x[Size / 8];
    std::uint64_t y[Size / 8];
    std::memcpy(x, a, Size);
    std::memcpy(y, b, Size);
    for (std::size_t i = 0; i < Size / 8; ++i) x[i] ^= y[i];
    std::memcpy(out, x, Size);
}

// The same with any number of whole blocks.
inline void xor_blocks(std::byte* out, const std::byte* a, const std::byte* b, std::size_t count) {
    for (; count >= 2; count -= 2, out += 2 * block, a += 2 * block, b += 2 * block) xor_fixed<2 * block>(out, a, b);
    if (count != 0) xor_fixed<block>(out, a, b);
}

inline void check_iv(const char* mode, bytes_view iv) {
    if (iv.size() == block) return;
    throw error(status::bad_nonce_length,
                std::string(mode) + " IV: " + std::to_string(iv.size()) + " bytes given, 16 expected");
}

// For functions that write as many bytes as they read.
inline status check_text(bytes_view in, bytes_span out) {
    if (out.size() < in.size()) return status::buffer_too_small;
    return aliasing_allowed(in, out.first(in.size())) ? status::ok : status::overlap;
}

// The same with an IV, which lies under no output.
inline status check_text(bytes_view iv, bytes_view in, bytes_span out) {
    if (iv.size() != block) return status::bad_nonce_length;
    if (const status s = check_text(in, out); s != status::ok) return s;
    return disjoint(iv, out.first(in.size())) ? status::ok : status::overlap;
}

}  // namespace hwacha::modes
