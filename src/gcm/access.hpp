// What lies under a LEA-GCM key: for the mode itself, and for checks that name the tables.
#pragma once

#include <hwacha/lea_gcm.hpp>

#include "base/bytes.hpp"
#include "ghash/tables.hpp"
#include "lea/access.hpp"

namespace hwacha {

struct lea_gcm_access {
    static const lea& cipher(const lea_gcm& key) { return key.cipher_; }

    static void absorb(const lea_gcm& key, lea_gcm_state& m, const std::byte* blocks, std::size_t count) {
        hash(key).absorb(octets(m.ghash), octets(key.powers_), octets(blocks), count);
    }

    // The hash key H = E(K, 0) (NIST SP 800-38D section 6.4) and its powers.
    static void expand_hash_key(lea_gcm& key) {
        std::byte h[lea_block_size] = {};
        lea_access::encrypt(key.cipher_, h, h, 1);
        hash(key).expand_key(octets(h), octets(key.powers_));
        wipe(h, sizeof h);
    }

    static void use(lea_gcm& key, const lea_table& cipher, const ghash_table& hash) {
        lea_access::use(key.cipher_, cipher);
        key.ghash_ = &hash;
        expand_hash_key(key);
    }

  private:
    static const ghash_table& hash(const lea_gcm& key) { return *static_cast<const ghash_table*>(key.ghash_); }
    static const std::uint8_t* octets(const std::byte* p) { return reinterpret_cast<const std::uint8_t*>(p); }
    static std::uint8_t* octets(std::byte* p) { return reinterpret_cast<std::uint8_t*>(p); }
};

}  // namespace hwacha
