// HKDF, RFC 5869 section 2, with HMAC-LSH.
#include <hwacha/kdf.hpp>

#include <algorithm>

#include <hwacha/hmac_lsh.hpp>

#include "base/bytes.hpp"

namespace hwacha {
namespace {

constexpr std::size_t most_blocks = 255;

// Section 2.3: T(i) = HMAC(key, T(i - 1) || info || i).
void expand(const lsh_info& v, bytes_view key, bytes_view info, bytes_span out) {
    hmac_lsh m(v.variant, key);
    std::byte t[64];
    bytes_view before;
    for (std::uint8_t i = 1; !out.empty(); ++i) {
        m.reset();
        m.update(before).update(info).update(std::as_bytes(std::span(&i, 1)));
        static_cast<void>(m.finish(t));
        before = bytes_view(t, v.digest_size);
        const std::size_t n = std::min(out.size(), v.digest_size);
        std::memcpy(out.data(), t, n);
        out = out.subspan(n);
    }
    wipe(t, sizeof t);
}

}  // namespace

status hkdf_hmac_lsh(lsh_variant v, bytes_view key, bytes_view salt, bytes_view info, bytes_span out) noexcept {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (out.size() > most_blocks * i->digest_size) return status::output_too_long;
    if (!disjoint(key, out) || !disjoint(salt, out) || !disjoint(info, out)) return status::overlap;
    std::byte pseudorandom_key[64];
    static_cast<void>(hmac_lsh::mac(v, salt, key, pseudorandom_key));
    expand(*i, bytes_view(pseudorandom_key, i->digest_size), info, out);
    wipe(pseudorandom_key, sizeof pseudorandom_key);
    return status::ok;
}

// Section 2.2. HMAC pads an empty salt to the zeros that it stands for.
status hkdf_hmac_lsh_extract(lsh_variant v, bytes_view key, bytes_view salt, bytes_span pseudorandom_key) noexcept {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (pseudorandom_key.size() < i->digest_size) return status::buffer_too_small;
    const bytes_span out = pseudorandom_key.first(i->digest_size);
    if (!disjoint(key, out) || !disjoint(salt, out)) return status::overlap;
    return hmac_lsh::mac(v, salt, key, out);
}

status hkdf_hmac_lsh_expand(lsh_variant v, bytes_view pseudorandom_key, bytes_view info, bytes_span out) noexcept {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (pseudorandom_key.size() < i->digest_size) return status::bad_key_length;
    if (out.size() > most_blocks * i->digest_size) return status::output_too_long;
    if (!disjoint(pseudorandom_key, out) || !disjoint(info, out)) return status::overlap;
    expand(*i, pseudorandom_key, info, out);
    return status::ok;
}

}  // namespace hwacha
