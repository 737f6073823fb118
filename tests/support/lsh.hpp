// LSH for tests: results by value, the plain model of a variant.
#pragma once

#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lsh.hpp>

#include "support/plain.hpp"
#include "support/run.hpp"
#include "support/tables.hpp"

namespace hwacha::test {

inline bytes hash(const lsh_info& i, bytes_view data) {
    bytes digest(i.digest_size);
    EXPECT_EQ(lsh::hash(i.variant, data, digest), status::ok);
    return digest;
}

inline bytes finish(lsh& h) {
    bytes digest(h.digest_size());
    EXPECT_EQ(h.finish(digest), status::ok);
    return digest;
}

inline bytes finish_bits(lsh& h, std::byte last, unsigned bits) {
    bytes digest(h.digest_size());
    EXPECT_EQ(h.finish_bits(last, bits, digest), status::ok);
    return digest;
}

inline bytes mac(const lsh_info& i, bytes_view key, bytes_view data) {
    bytes out(i.digest_size);
    EXPECT_EQ(hmac_lsh::mac(i.variant, key, data, out), status::ok);
    return out;
}

inline unsigned word_bits(const lsh_info& i) {
    return static_cast<unsigned>(i.block_size / 4);
}
inline unsigned digest_bits(const lsh_info& i) {
    return static_cast<unsigned>(8 * i.digest_size);
}
inline bytes plain_hash(const lsh_info& i, bytes_view data) {
    return plain::lsh(word_bits(i), digest_bits(i), data);
}

}  // namespace hwacha::test
