// HMAC's key as LSH sees it (RFC 2104 section 2), for all that is built on HMAC.
#pragma once

#include <hwacha/lsh.hpp>

namespace hwacha {

inline constexpr std::byte hmac_ipad{0x36};
inline constexpr std::byte hmac_opad{0x5c};

// LSH after the block key ^ pad, with nothing buffered. `v` is one of the six.
lsh hmac_keyed(lsh_variant v, bytes_view key, std::byte pad);

}  // namespace hwacha
