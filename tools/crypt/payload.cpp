#include "crypt/payload.hpp"

#include <algorithm>
#include <string>

#include <hwacha/kdf.hpp>
#include <hwacha/lsh.hpp>

namespace hwacha::crypt {

chunk_cipher::derived chunk_cipher::derive(bytes_view header, const file_key& key) {
    derived d;
    d.header_id = lsh512_512::hash(header);
    const status s = hkdf_hmac_lsh(lsh_variant::lsh512_512, key, d.header_id, bytes_of("hwacha/1 payload"), d.bytes);
    if (s != status::ok) throw error(s, std::string(to_string(s)));
    return d;
}

chunk_cipher::chunk_cipher(bytes_view header, const file_key& key) : chunk_cipher(derive(header, key)) {}

chunk_cipher::chunk_cipher(const derived& d) : header_id_(d.header_id), gcm_(bytes_view(d.bytes).first(32)) {
    std::copy_n(d.bytes.begin() + 32, prefix_.size(), prefix_.begin());
}

std::array<std::byte, 12> chunk_cipher::nonce(std::uint64_t number, bool last) const noexcept {
    std::array<std::byte, 12> n;
    std::ranges::copy(prefix_, n.begin());
    for (std::size_t i = 0; i < 4; ++i) n[7 + i] = static_cast<std::byte>(number >> (24 - 8 * i));
    n[11] = static_cast<std::byte>(last);
    return n;
}

void chunk_cipher::seal(std::uint64_t number, bool last, bytes_view text, bytes_span out) const {
    const status s = gcm_.seal(nonce(number, last), header_id_, text, out);
    if (s != status::ok) throw error(s, std::string(to_string(s)));
}

bool chunk_cipher::open(std::uint64_t number, bool last, bytes_view sealed, bytes_span out) const {
    const status s = gcm_.open(nonce(number, last), header_id_, sealed, out);
    if (s != status::ok && s != status::auth_failed) throw error(s, std::string(to_string(s)));
    return s == status::ok;
}

}  // namespace hwacha::crypt
