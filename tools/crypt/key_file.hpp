// Secret keys as files (docs/FORMAT.md section 3).
#pragma once

#include <string>
#include <string_view>

#include <hwacha/bytes.hpp>

#include "crypt/container.hpp"
#include "crypt/secret.hpp"

namespace hwacha::crypt {

inline constexpr std::size_t largest_key_file = 4096;

struct secret_key {
    std::string comment;
    secret<32> key;
};

secret_buffer write_secret_key(const secret_key& key);

// With the head already read. Throws file_fault.
secret_key read_secret_key(kept_bytes& from, container_head head, source& rest);

}  // namespace hwacha::crypt
