// LEA on 32 blocks at a time, word w of all of them in x[w]: the arrangement of the kernels under src/lea. It tells
// what the arrangement alone is worth, with the vectors left to the compiler.
#include "base/bytes.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {
namespace {

constexpr size_t lea_group_blocks = 32;
constexpr size_t lea_group_size = 16 * lea_group_blocks;

struct lea_group {
    uint32_t x[4][lea_group_blocks];
};

inline void lea_encrypt_group(const lea_key& key, lea_group& g) {
    for (uint32_t r = 0; r < key.rounds; ++r) {
        for (size_t i = 0; i < lea_group_blocks; ++i) {
            uint32_t x[4] = {g.x[0][i], g.x[1][i], g.x[2][i], g.x[3][i]};
            lea_round(x, key.round_keys + 6 * r);
            for (size_t w = 0; w < 4; ++w) g.x[w][i] = x[w];
        }
    }
}

}  // namespace

void lea_ecb_side_by_side(const lea_key& key, const uint8_t* in, uint8_t* out, size_t blocks) {
    for (; blocks >= lea_group_blocks; blocks -= lea_group_blocks, in += lea_group_size, out += lea_group_size) {
        lea_group g;
        for (size_t i = 0; i < lea_group_blocks; ++i) {
            for (size_t w = 0; w < 4; ++w) g.x[w][i] = load_le<uint32_t>(in + 16 * i + 4 * w);
        }
        lea_encrypt_group(key, g);
        for (size_t i = 0; i < lea_group_blocks; ++i) {
            for (size_t w = 0; w < 4; ++w) store_le(out + 16 * i + 4 * w, g.x[w][i]);
        }
    }
    lea_ecb(key, in, out, blocks);
}

void lea_ctr_side_by_side(const lea_key& key, const uint8_t* counter, const uint8_t* in, uint8_t* out, size_t length) {
    auto number = load_be<uint32_t>(counter + 12);
    for (; length >= lea_group_size; length -= lea_group_size, in += lea_group_size, out += lea_group_size) {
        lea_group g;
        for (size_t w = 0; w < 3; ++w) {
            for (size_t i = 0; i < lea_group_blocks; ++i) g.x[w][i] = load_le<uint32_t>(counter + 4 * w);
        }
        for (size_t i = 0; i < lea_group_blocks; ++i) g.x[3][i] = byte_swap(number + static_cast<uint32_t>(i));
        number += lea_group_blocks;
        lea_encrypt_group(key, g);
        for (size_t i = 0; i < lea_group_blocks; ++i) {
            for (size_t w = 0; w < 4; ++w) {
                const size_t at = 16 * i + 4 * w;
                store_le(out + at, load_le<uint32_t>(in + at) ^ g.x[w][i]);
            }
        }
    }
    uint8_t next[16];
    copy_bytes(next, counter, 12);
    store_be(next + 12, number);
    lea_ctr(key, next, in, out, length);
}

}  // namespace hwacha::scalar
