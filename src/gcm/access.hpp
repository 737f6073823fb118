// What lies under a LEA-GCM key: for the mode itself, and for checks that name the tables.
#pragma once

#include <hwacha/lea_gcm.hpp>

#include "base/bytes.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"
#include "lea/access.hpp"

namespace hwacha {

struct lea_gcm_access {
    static const lea& cipher(const lea_gcm& key) { return key.cipher_; }
    static const lea_gcm_table& kernel(const lea_gcm& key) { return *static_cast<const lea_gcm_table*>(key.kernel_); }

    static lea_gcm_keys keys(const lea_gcm& key) {
        return {lea_access::round_keys(key.cipher_), lea_access::rounds(key.cipher_), octets(key.powers_)};
    }

    static void absorb(const lea_gcm& key, lea_gcm_state& m, const std::byte* blocks, std::size_t count) {
        absorb(key, m.ghash, blocks, count);
    }
    static void absorb(const lea_gcm& key, std::byte* state, const std::byte* blocks, std::size_t count) {
        hash(key).absorb(octets(state), octets(key.powers_), octets(blocks), count);
    }

    // A message whose nonce and lengths are checked. By reference: a copy of a view that was just stored word by word
    // costs a short message several percent.
    static void crypt_message(const lea_gcm& key, const bytes_view& nonce, const bytes_view& aad,
                              const bytes_view& text, std::byte* out, std::byte (&tag)[16], bool sealing);

    // The hash key H = E(K, 0) (NIST SP 800-38D section 6.4) and its powers.
    static void expand_hash_key(lea_gcm& key) {
        std::byte h[lea_block_size] = {};
        lea_encrypt_one(lea_access::round_keys(key.cipher_), lea_access::rounds(key.cipher_), h, h);
        hash(key).expand_key(octets(h), octets(key.powers_));
        wipe(h, sizeof h);
    }

    // LEA and GHASH in one loop.
    static void use(lea_gcm& key, const lea_gcm_table& fused) {
        key.kernel_ = &fused;
        key.ghash_ = fused.seal_text == nullptr ? &ghash_tables.active() : &fused.hash;
        expand_hash_key(key);
    }
    // LEA and GHASH in turn.
    static void use(lea_gcm& key, const lea_table& cipher, const ghash_table& hash) {
        lea_access::use(key.cipher_, cipher);
        key.kernel_ = lea_gcm_tables.tables().back();
        key.ghash_ = &hash;
        expand_hash_key(key);
    }

    static const std::uint8_t* octets(const std::byte* p) { return reinterpret_cast<const std::uint8_t*>(p); }
    static std::uint8_t* octets(std::byte* p) { return reinterpret_cast<std::uint8_t*>(p); }

  private:
    static const ghash_table& hash(const lea_gcm& key) { return *static_cast<const ghash_table*>(key.ghash_); }
};

}  // namespace hwacha
