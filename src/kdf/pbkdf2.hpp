// pbkdf2_hmac_lsh_batch of hwacha/kdf.hpp for passwords and salts in any layout: what the C++ and the C interface have
// in common.
#pragma once

#include <hwacha/kdf.hpp>

#include "batch/messages.hpp"

namespace hwacha {

status pbkdf2_messages(lsh_variant v, const message_list& passwords, const message_list& salts,
                       std::uint64_t iterations, std::size_t key_size, bytes_span keys, const batch_options& options);

}  // namespace hwacha
