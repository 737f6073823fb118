// Slots: the file key, wrapped for one holder each (docs/FORMAT.md section 2.1).
#pragma once

#include <cstdint>
#include <vector>

#include <hwacha/bytes.hpp>

#include "crypt/secret.hpp"

namespace hwacha::crypt {

inline constexpr std::size_t slot_head_size = 8;
inline constexpr std::size_t most_slots = 64;
inline constexpr std::size_t largest_slots = 65536;  // all together
inline constexpr std::uint32_t least_iterations = 1000;
inline constexpr std::uint32_t least_written_iterations = 210'000;
inline constexpr std::uint64_t default_most_iterations = 10'000'000;
inline constexpr std::size_t longest_passphrase = 1024;

enum class slot_type : std::uint16_t { passphrase = 1, key = 2 };  // and those that this reader does not know

struct slot {
    std::uint16_t type;
    bytes_view bytes;  // head and body

    [[nodiscard]] bytes_view body() const noexcept { return bytes.subspan(slot_head_size); }
    [[nodiscard]] bool is(slot_type t) const noexcept { return type == static_cast<std::uint16_t>(t); }
    // Of a passphrase slot.
    [[nodiscard]] std::uint32_t iterations() const noexcept;
};

// Splits and checks them: throws file_fault (malformed, unsupported). They point into `bytes`.
std::vector<slot> read_slots(bytes_view bytes, std::size_t count);

// `salt`: 32 random bytes of its own.
std::vector<std::byte> write_passphrase_slot(const file_key& key, bytes_view passphrase, std::uint32_t iterations,
                                             bytes_view salt);
std::vector<std::byte> write_key_slot(const file_key& key, bytes_view holder_key, bytes_view salt);

// False: not this slot's `secret` (a passphrase, or a key of 32 bytes). Throws file_fault(slot_damaged).
bool open_slot(const slot& s, bytes_view secret, file_key& key);

}  // namespace hwacha::crypt
