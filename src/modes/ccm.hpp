// The parts of CCM (NIST SP 800-38C appendix A) that are worth a test of their own, and what lies under a key.
#pragma once

#include <algorithm>
#include <limits>

#include <hwacha/lea_ccm.hpp>

#include "lea/access.hpp"
#include "modes/blocks.hpp"

namespace hwacha {

struct lea_ccm_access {
    static const lea& cipher(const lea_ccm& key) { return key.cipher_; }
};

namespace modes {

// The longest text: its size is written in q = 15 - nonce size bytes.
constexpr std::uint64_t ccm_max_text(std::size_t nonce_size) {
    const std::size_t q = block - 1 - nonce_size;
    return q >= 8 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << (8 * q)) - 1;
}

// A.2.2: how the size of the AAD, more than 0, is written before it. Returns 2, 6 or 10 bytes.
inline std::size_t ccm_write_aad_size(std::uint64_t size, std::byte (&to)[10]) {
    if (size < 0xff00) {
        to[0] = static_cast<std::byte>(size >> 8);
        to[1] = static_cast<std::byte>(size & 0xff);
        return 2;
    }
    to[0] = std::byte{0xff};
    if (size <= 0xffffffff) {
        to[1] = std::byte{0xfe};
        store_be(to + 2, static_cast<std::uint32_t>(size));
        return 6;
    }
    to[1] = std::byte{0xff};
    store_be(to + 2, size);
    return 10;
}

// Whole blocks in counter mode. The kernel counts modulo 2^32, the counter has up to 8 bytes: a call ends where the low
// word wraps, and the carry is made here. Texts end before it could reach the nonce.
inline void ccm_count(const lea& key, std::byte (&counter)[block], const std::byte* in, std::byte* out,
                      std::size_t blocks) {
    while (blocks != 0) {
        const std::uint64_t until_wrap = (std::uint64_t{1} << 32) - load_be<std::uint32_t>(counter + 12);
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(blocks, until_wrap));
        lea_access::ctr32(key, counter, in, out, n);
        store_be(counter + 8, load_be<std::uint64_t>(counter + 8) + n);
        in += n * block;
        out += n * block;
        blocks -= n;
    }
}

}  // namespace modes
}  // namespace hwacha
