// LEA above the waist: key schedule, block interface, CTR mode.
#include <hwacha/lea.hpp>

#include <algorithm>
#include <string>

#include "base/bytes.hpp"
#include "lea/access.hpp"
#include "lea/schedule.hpp"

namespace hwacha {
namespace {

constexpr bool valid_key_size(std::size_t n) {
    return n == 16 || n == 24 || n == 32;
}

error bad_length(const char* what, std::size_t given, const char* expected, status s) {
    return error(s, std::string(what) + ": " + std::to_string(given) + " bytes given, " + expected + " expected");
}

status check_blocks(bytes_view in, bytes_span out) {
    if (in.size() % lea_block_size != 0) return status::bad_block_length;
    if (out.size() < in.size()) return status::buffer_too_small;
    if (!aliasing_allowed(in, out.first(in.size()))) return status::overlap;
    return status::ok;
}

// Adds `blocks` to the big-endian number of 16 bytes, modulo 2^128.
void add_to_counter(std::byte (&counter)[16], std::uint64_t blocks) {
    const std::uint64_t low = load_be<std::uint64_t>(counter + 8);
    const std::uint64_t sum = low + blocks;
    store_be(counter + 8, sum);
    store_be(counter, load_be<std::uint64_t>(counter) + (sum < low ? 1 : 0));
}

}  // namespace

lea::lea(bytes_view key)
    : rounds_(0), key_size_(static_cast<std::uint32_t>(key.size())), kernel_(&lea_tables.active()) {
    if (!valid_key_size(key.size())) {
        throw bad_length("LEA key", key.size(), "16, 24 or 32", status::bad_key_length);
    }
    rounds_ = lea_rounds(key.size());
    switch (key.size()) {
        case 16: lea_expand_key<4>(key.data(), round_keys_); break;
        case 24: lea_expand_key<6>(key.data(), round_keys_); break;
        default: lea_expand_key<8>(key.data(), round_keys_); break;
    }
    std::fill(round_keys_ + 6 * rounds_, std::end(round_keys_), 0U);
}

lea::~lea() {
    wipe(round_keys_, sizeof round_keys_);
}

status lea::encrypt_blocks(bytes_view in, bytes_span out) const noexcept {
    if (const status s = check_blocks(in, out); s != status::ok) return s;
    lea_access::encrypt(*this, in.data(), out.data(), in.size() / lea_block_size);
    return status::ok;
}

status lea::decrypt_blocks(bytes_view in, bytes_span out) const noexcept {
    if (const status s = check_blocks(in, out); s != status::ok) return s;
    lea_access::decrypt(*this, in.data(), out.data(), in.size() / lea_block_size);
    return status::ok;
}

lea_ctr::lea_ctr(bytes_view key, bytes_view iv) : lea_ctr(lea(key), iv) {}

lea_ctr::lea_ctr(const lea& key, bytes_view iv) : key_(key), keystream_left_(0) {
    if (iv.size() != lea_block_size) throw bad_length("LEA-CTR IV", iv.size(), "16", status::bad_nonce_length);
    std::memcpy(counter_, iv.data(), sizeof counter_);
    std::memset(keystream_, 0, sizeof keystream_);
}

lea_ctr::~lea_ctr() {
    wipe(counter_, sizeof counter_);
    wipe(keystream_, sizeof keystream_);
}

status lea_ctr::update(bytes_view in, bytes_span out) noexcept {
    if (out.size() < in.size()) return status::buffer_too_small;
    if (!aliasing_allowed(in, out.first(in.size()))) return status::overlap;
    const std::byte* from = in.data();
    std::byte* to = out.data();
    std::size_t left = in.size();

    const auto use_keystream = [&] {
        const std::size_t n = std::min<std::size_t>(left, keystream_left_);
        const std::byte* k = keystream_ + sizeof keystream_ - keystream_left_;
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i] ^ k[i];
        keystream_left_ -= static_cast<std::uint32_t>(n);
        from += n;
        to += n;
        left -= n;
    };
    if (keystream_left_ != 0) use_keystream();

    // The kernel counts modulo 2^32: a call ends where the low word wraps, and the carry is made here.
    while (left >= lea_block_size) {
        const std::uint64_t until_wrap = (std::uint64_t{1} << 32) - load_be<std::uint32_t>(counter_ + 12);
        const auto blocks = static_cast<std::size_t>(std::min<std::uint64_t>(left / lea_block_size, until_wrap));
        lea_access::ctr32(key_, counter_, from, to, blocks);
        add_to_counter(counter_, blocks);
        from += blocks * lea_block_size;
        to += blocks * lea_block_size;
        left -= blocks * lea_block_size;
    }
    if (left != 0) {
        lea_access::encrypt(key_, counter_, keystream_, 1);
        add_to_counter(counter_, 1);
        keystream_left_ = lea_block_size;
        use_keystream();
    }
    return status::ok;
}

}  // namespace hwacha
