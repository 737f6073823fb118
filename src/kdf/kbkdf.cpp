// KBKDF in counter mode, NIST SP 800-108r1 section 4.1.
#include <hwacha/kdf.hpp>

#include <algorithm>

#include <hwacha/cmac_lea.hpp>
#include <hwacha/hmac_lsh.hpp>

#include "base/bytes.hpp"

namespace hwacha {
namespace {

// [L]: as many bits.
constexpr std::uint64_t most_bytes_with_length = 0xffffffff / 8;

struct fixed_input {
    bytes_view before;
    bytes_view after[4];
    unsigned counter_bits;
};

status check(const fixed_input& in, std::size_t prf_size, bytes_view key, bytes_view out) {
    if (in.counter_bits % 8 != 0 || in.counter_bits < 8 || in.counter_bits > 32) return status::bad_option;
    const std::uint64_t blocks = out.size() / prf_size + (out.size() % prf_size != 0 ? 1 : 0);
    if (blocks > (std::uint64_t{1} << in.counter_bits) - 1) return status::output_too_long;
    bool apart = disjoint(key, out) && disjoint(in.before, out);
    for (const bytes_view a : in.after) apart = apart && disjoint(a, out);
    return apart ? status::ok : status::overlap;
}

// K(i) = PRF(key, before || [i] || after)
template <class Mac>
void derive(Mac prf, std::size_t prf_size, const fixed_input& in, bytes_span out) {
    std::byte k[64];
    for (std::uint32_t i = 1; !out.empty(); ++i) {
        std::byte counter[4];
        store_be(counter, i);
        prf.reset();
        prf.update(in.before).update(bytes_view(counter).last(in.counter_bits / 8));
        for (const bytes_view a : in.after) prf.update(a);
        static_cast<void>(prf.finish(k));
        const std::size_t n = std::min(out.size(), prf_size);
        std::memcpy(out.data(), k, n);
        out = out.subspan(n);
    }
    wipe(k, sizeof k);
}

status with_hmac(lsh_variant v, bytes_view key, const fixed_input& in, bytes_span out) {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (const status s = check(in, i->digest_size, key, out); s != status::ok) return s;
    derive(hmac_lsh(v, key), i->digest_size, in, out);
    return status::ok;
}

status with_cmac(bytes_view key, const fixed_input& in, bytes_span out) {
    if (key.size() != 16 && key.size() != 24 && key.size() != 32) return status::bad_key_length;
    if (const status s = check(in, lea_block_size, key, out); s != status::ok) return s;
    derive(cmac_lea(key), lea_block_size, in, out);
    return status::ok;
}

// label || 0x00 || context || [L]
struct labelled {
    labelled(bytes_view label, bytes_view context, std::size_t size) : in{{}, {label, zero, context, bits}, 32} {
        store_be(bits, static_cast<std::uint32_t>(8 * size));
    }
    std::byte zero[1] = {};
    std::byte bits[4];
    fixed_input in;
};

}  // namespace

status kbkdf_hmac_lsh(lsh_variant v, bytes_view key, bytes_view label, bytes_view context, bytes_span out) noexcept {
    if (find_lsh(v) == nullptr) return status::unknown_algorithm;
    if (out.size() > most_bytes_with_length) return status::output_too_long;
    return with_hmac(v, key, labelled(label, context, out.size()).in, out);
}

status kbkdf_cmac_lea(bytes_view key, bytes_view label, bytes_view context, bytes_span out) noexcept {
    if (out.size() > most_bytes_with_length) return status::output_too_long;
    return with_cmac(key, labelled(label, context, out.size()).in, out);
}

status kbkdf_hmac_lsh(lsh_variant v, bytes_view key, const kbkdf_fixed_input& input, bytes_span out) noexcept {
    return with_hmac(v, key, {input.before, {input.after}, input.counter_bits}, out);
}

status kbkdf_cmac_lea(bytes_view key, const kbkdf_fixed_input& input, bytes_span out) noexcept {
    return with_cmac(key, {input.before, {input.after}, input.counter_bits}, out);
}

}  // namespace hwacha
