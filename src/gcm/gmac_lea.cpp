#include <hwacha/gmac_lea.hpp>

#include "base/bytes.hpp"

namespace hwacha {

status gmac_lea::finish(bytes_span mac) noexcept {
    if (mac.size() != mac_size()) return status::bad_tag_length;
    std::byte full[16];
    const status s = end(full);
    if (s != status::ok) return s;
    std::memcpy(mac.data(), full, mac.size());
    wipe(full, sizeof full);
    return s;
}

status gmac_lea::verify(bytes_view mac) noexcept {
    if (mac.size() != mac_size()) return status::bad_tag_length;
    std::byte expected[16];
    status s = end(expected);
    if (s != status::ok) return s;
    if (!equal_constant_time(expected, mac.data(), mac.size())) s = status::auth_failed;
    wipe(expected, sizeof expected);
    return s;
}

}  // namespace hwacha
