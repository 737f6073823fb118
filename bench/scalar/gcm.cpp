// LEA-GCM (NIST SP 800-38D section 7.1) for a nonce of 12 bytes and no additional data.
#include <string.h>

#include "base/bytes.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::scalar {

void gcm_expand_key(gcm_key& key, const uint8_t* user_key, size_t size) {
    lea_expand_key(key.cipher, user_key, size);
    uint8_t h[16] = {};
    lea_ecb(key.cipher, h, h, 1);
    ghash_expand_key(key.hash, h);
}

void gcm_seal(const gcm_key& key, const uint8_t* nonce, const uint8_t* in, uint8_t* out, size_t length) {
    uint8_t counter[16];
    uint8_t mask[16];
    memcpy(counter, nonce, 12);
    store_be<uint32_t>(counter + 12, 1);
    lea_ecb(key.cipher, counter, mask, 1);
    store_be<uint32_t>(counter + 12, 2);
    lea_ctr(key.cipher, counter, in, out, length);

    uint8_t hash[16] = {};
    uint8_t lengths[16] = {};
    store_be<uint64_t>(lengths + 8, 8 * length);
    ghash_absorb(key.hash, hash, out, length);
    ghash_absorb(key.hash, hash, lengths, 16);
    for (size_t i = 0; i < 16; ++i) out[length + i] = hash[i] ^ mask[i];
}

}  // namespace hwacha::scalar
