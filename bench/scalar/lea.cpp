#include "base/bytes.hpp"
#include "lea/schedule.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {
namespace {

void lea_encrypt(const lea_key& key, const uint8_t* in, uint8_t* out) {
    uint32_t x[4];
    for (size_t i = 0; i < 4; ++i) x[i] = load_le<uint32_t>(in + 4 * i);
    for (uint32_t r = 0; r < key.rounds; ++r) lea_round(x, key.round_keys + 6 * r);
    for (size_t i = 0; i < 4; ++i) store_le(out + 4 * i, x[i]);
}

}  // namespace

void lea_expand_key(lea_key& key, const uint8_t* user_key, size_t size) {
    const auto* k = reinterpret_cast<const std::byte*>(user_key);
    key.rounds = lea_rounds(size);
    switch (size) {
        case 16: hwacha::lea_expand_key<4>(k, key.round_keys); break;
        case 24: hwacha::lea_expand_key<6>(k, key.round_keys); break;
        default: hwacha::lea_expand_key<8>(k, key.round_keys); break;
    }
}

void lea_ecb(const lea_key& key, const uint8_t* in, uint8_t* out, size_t blocks) {
    for (size_t i = 0; i < blocks; ++i) lea_encrypt(key, in + 16 * i, out + 16 * i);
}

void lea_ctr(const lea_key& key, const uint8_t* counter, const uint8_t* in, uint8_t* out, size_t length) {
    uint8_t block[16];
    for (int i = 0; i < 16; ++i) block[i] = counter[i];
    auto number = load_be<uint32_t>(block + 12);
    while (length != 0) {
        uint8_t keystream[16];
        lea_encrypt(key, block, keystream);
        store_be(block + 12, ++number);
        const size_t n = length < 16 ? length : 16;
        for (size_t i = 0; i < n; ++i) out[i] = in[i] ^ keystream[i];
        in += n;
        out += n;
        length -= n;
    }
}

}  // namespace hwacha::scalar
