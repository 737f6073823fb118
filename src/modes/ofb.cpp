// LEA-OFB, NIST SP 800-38A section 6.4: a chain in both directions.
#include <algorithm>

#include <hwacha/lea_modes.hpp>

#include "lea/access.hpp"
#include "modes/blocks.hpp"

namespace hwacha {

namespace {

using namespace modes;

// `keystream` is the block before, of which the last `left` bytes are unused.
void crypt(const lea& key, std::byte (&keystream)[block], std::uint32_t& left, bytes_view text, std::byte* out) {
    const std::byte* in = text.data();
    std::size_t size = text.size();
    const auto use = [&](std::size_t n) {
        const std::byte* k = keystream + block - left;
        for (std::size_t i = 0; i < n; ++i) out[i] = in[i] ^ k[i];
        left -= static_cast<std::uint32_t>(n);
        in += n;
        out += n;
        size -= n;
    };
    use(std::min<std::size_t>(size, left));
    if (size == 0) return;

    std::byte x[block];
    std::memcpy(x, keystream, block);
    for (; size >= block; size -= block, in += block, out += block) {
        lea_access::encrypt_one(key, x, x);
        std::byte text_block[block];
        std::memcpy(text_block, in, block);
        xor_words(text_block, x);
        std::memcpy(out, text_block, block);
    }
    if (size != 0) lea_access::encrypt_one(key, x, x);
    std::memcpy(keystream, x, block);
    wipe(x, sizeof x);
    if (size != 0) {
        left = block;
        use(size);
    }
}

}  // namespace

status lea_ofb_crypt(const lea& key, bytes_view iv, bytes_view in, bytes_span out) noexcept {
    if (const status s = check_text(iv, in, out); s != status::ok) return s;
    std::byte keystream[block];
    std::memcpy(keystream, iv.data(), block);
    std::uint32_t left = 0;
    crypt(key, keystream, left, in, out.data());
    wipe(keystream, sizeof keystream);
    return status::ok;
}

lea_ofb::lea_ofb(const lea& key, bytes_view iv) : key_(key), left_(0) {
    check_iv("LEA-OFB", iv);
    std::memcpy(keystream_, iv.data(), block);
}

lea_ofb::~lea_ofb() {
    wipe(keystream_, sizeof keystream_);
}

status lea_ofb::update(bytes_view in, bytes_span out) noexcept {
    if (const status s = check_text(in, out); s != status::ok) return s;
    crypt(key_, keystream_, left_, in, out.data());
    return status::ok;
}

}  // namespace hwacha
