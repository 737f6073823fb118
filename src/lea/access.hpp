// What lies under an expanded LEA key: for the modes, and for checks that name the table.
#pragma once

#include <hwacha/lea.hpp>

#include "lea/one_block.hpp"
#include "lea/tables.hpp"

namespace hwacha {

struct lea_access {
    static const lea_table& kernel(const lea& key) { return *static_cast<const lea_table*>(key.kernel_); }

    static const std::uint32_t* round_keys(const lea& key) { return key.round_keys_; }
    static std::uint32_t rounds(const lea& key) { return key.rounds_; }

    static void use(lea& key, const lea_table& table) { key.kernel_ = &table; }

    static void encrypt(const lea& key, const std::byte* in, std::byte* out, std::size_t count) {
        kernel(key).encrypt_blocks(key.round_keys_, key.rounds_, octets(in), octets(out), count);
    }
    static void decrypt(const lea& key, const std::byte* in, std::byte* out, std::size_t count) {
        kernel(key).decrypt_blocks(key.round_keys_, key.rounds_, octets(in), octets(out), count);
    }
    // One block in general registers, whichever table is in use: for chains.
    static void encrypt_one(const lea& key, const std::byte* in, std::byte* out) {
        lea_encrypt_one(key.round_keys_, key.rounds_, in, out);
    }
    static void decrypt_one(const lea& key, const std::byte* in, std::byte* out) {
        lea_decrypt_one(key.round_keys_, key.rounds_, in, out);
    }
    static void ctr32(const lea& key, const std::byte* counter, const std::byte* in, std::byte* out,
                      std::size_t count) {
        kernel(key).ctr32(key.round_keys_, key.rounds_, octets(counter), octets(in), octets(out), count);
    }

  private:
    static const std::uint8_t* octets(const std::byte* p) { return reinterpret_cast<const std::uint8_t*>(p); }
    static std::uint8_t* octets(std::byte* p) { return reinterpret_cast<std::uint8_t*>(p); }
};

}  // namespace hwacha
