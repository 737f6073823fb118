#include <hwacha/hmac_lsh.hpp>

#include "base/bytes.hpp"
#include "mac/hmac_keyed.hpp"

namespace hwacha {

// RFC 2104 section 2: the key, hashed if longer than a block, padded with zeros, XORed with the pad byte.
lsh hmac_keyed(lsh_variant v, bytes_view key, std::byte pad) {
    lsh h(v);
    std::byte block[256] = {};
    if (key.size() > h.block_size()) {
        static_cast<void>(lsh::hash(v, key, block));
    } else {
        copy_bytes(block, key.data(), key.size());
    }
    for (std::byte& b : block) b ^= pad;
    h.update(bytes_view(block, h.block_size()));
    wipe(block, sizeof block);
    return h;
}

hmac_lsh::hmac_lsh(lsh_variant v, bytes_view key)
    : inner_(hmac_keyed(v, key, hmac_ipad)), outer_(hmac_keyed(v, key, hmac_opad)), running_(inner_) {}

hmac_lsh& hmac_lsh::update(bytes_view data) noexcept {
    running_.update(data);
    return *this;
}

status hmac_lsh::finish(bytes_span mac) noexcept {
    if (mac.size() < mac_size()) return status::buffer_too_small;
    std::byte digest[64];
    if (const status s = running_.finish(digest); s != status::ok) return s;
    lsh outer = outer_;
    const status s = outer.update(bytes_view(digest, mac_size())).finish(mac);
    wipe(digest, sizeof digest);
    return s;
}

status hmac_lsh::verify(bytes_view mac) noexcept {
    if (mac.size() != mac_size()) return status::bad_tag_length;
    std::byte computed[64];
    status s = finish(computed);
    if (s == status::ok && !equal_constant_time(computed, mac.data(), mac.size())) s = status::auth_failed;
    wipe(computed, sizeof computed);
    return s;
}

void hmac_lsh::reset() noexcept {
    running_ = inner_;
}

status hmac_lsh::mac(lsh_variant v, bytes_view key, bytes_view data, bytes_span mac) noexcept {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (mac.size() < i->digest_size) return status::buffer_too_small;
    return hmac_lsh(v, key).update(data).finish(mac);
}

}  // namespace hwacha
