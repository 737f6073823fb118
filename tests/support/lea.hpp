// LEA for tests: results by value.
#pragma once

#include <hwacha/lea.hpp>

#include "support/plain.hpp"
#include "support/run.hpp"
#include "support/tables.hpp"

namespace hwacha::test {

inline bytes ecb_encrypt(const lea& key, bytes_view in) {
    bytes out(in.size());
    EXPECT_EQ(key.encrypt_blocks(in, out), status::ok);
    return out;
}

inline bytes ecb_decrypt(const lea& key, bytes_view in) {
    bytes out(in.size());
    EXPECT_EQ(key.decrypt_blocks(in, out), status::ok);
    return out;
}

inline bytes ctr(bytes_view key, bytes_view iv, bytes_view in) {
    bytes out(in.size());
    lea_ctr c(key, iv);
    EXPECT_EQ(c.update(in, out), status::ok);
    return out;
}

constexpr std::size_t lea_key_sizes[] = {16, 24, 32};

}  // namespace hwacha::test
