// The header of an encrypted file (docs/FORMAT.md section 2).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/bytes.hpp>

#include "crypt/container.hpp"
#include "crypt/secret.hpp"
#include "crypt/slots.hpp"

namespace hwacha::crypt {

inline constexpr unsigned least_chunk_log2 = 12;
inline constexpr unsigned most_chunk_log2 = 24;
inline constexpr unsigned default_chunk_log2 = 20;

// Its slots point into its bytes.
struct header {
    std::vector<std::byte> bytes;
    std::string comment;
    unsigned chunk_log2 = default_chunk_log2;
    std::vector<slot> slots;

    header() = default;
    header(header&&) noexcept = default;  // a vector's elements stay where they are
    header& operator=(header&&) noexcept = default;

    // Compares the MAC, in constant time.
    [[nodiscard]] bool is_authentic(const file_key& key) const;
    [[nodiscard]] std::size_t chunk_size() const noexcept { return std::size_t{1} << chunk_log2; }
    [[nodiscard]] bytes_view salt() const noexcept;
};

// All but the MAC is checked, which needs the file key. Throws file_fault.
header read_header(source& from);
// The same, with the head already read.
header read_header(kept_bytes& from, container_head head);

// `salt`: 32 random bytes of its own. `slots`: as slots.hpp writes them, 1 to 64.
header write_header(std::string_view comment, unsigned chunk_log2, bytes_view salt,
                    std::span<const std::vector<std::byte>> slots, const file_key& key);

struct holders {
    std::vector<secret<32>> keys;
    std::vector<secret_buffer> passphrases;
};

// Finds the slot for one of the holders, keys first, opens it and checks the MAC. Throws file_fault: wrong_key,
// too_many_iterations (all passphrase slots for all passphrases together would take more than `most_iterations`),
// slot_damaged, header_altered.
file_key find_file_key(const header& h, const holders& given, std::uint64_t most_iterations);

}  // namespace hwacha::crypt
