// LEA-CBC, NIST SP 800-38A section 6.2, with and without the padding of RFC 5652 section 6.3. Encryption is a chain;
// decryption works on many blocks at once.
#include <algorithm>

#include <hwacha/lea_modes.hpp>

#include "lea/access.hpp"
#include "modes/blocks.hpp"

namespace hwacha {

namespace {

using namespace modes;

constexpr bool valid(cbc_padding p) {
    return p == cbc_padding::none || p == cbc_padding::pkcs7;
}

// `chain` is the ciphertext block before, and then the last one. `in` and `out` are the same or disjoint.
void encrypt_chain(const lea& key, std::byte (&chain)[block], const std::byte* in, std::byte* out, std::size_t count) {
    std::byte x[block];
    std::memcpy(x, chain, block);
    for (; count != 0; --count, in += block, out += block) {
        xor_words(x, in);
        lea_access::encrypt_one(key, x, x);
        std::memcpy(out, x, block);
    }
    std::memcpy(chain, x, block);
}

void decrypt_chain(const lea& key, std::byte (&chain)[block], const std::byte* in, std::byte* out, std::size_t count) {
    std::byte decrypted[piece_blocks * block];
    const std::size_t used = std::min(count, piece_blocks) * block;
    while (count != 0) {
        const std::size_t n = std::min(count, piece_blocks);
        lea_access::decrypt(key, in, decrypted, n);
        std::byte last[block];
        std::memcpy(last, in + (n - 1) * block, block);
        // From the end on: in place, a block of ciphertext is needed once more after its own.
        for (std::size_t i = n; i-- > 1;) {
            xor_fixed<block>(out + i * block, decrypted + i * block, in + (i - 1) * block);
        }
        xor_fixed<block>(out, decrypted, chain);
        std::memcpy(chain, last, block);
        in += n * block;
        out += n * block;
        count -= n;
    }
    wipe(decrypted, used);
}

void pad(std::byte (&last)[block], std::size_t size) {
    std::memset(last + size, static_cast<int>(block - size), block - size);
}

// How many bytes of a padded block are text; -1 if it is not padded. The same operations on every block; the result is
// public, since the caller gets it.
int unpadded_size(const std::byte (&last)[block]) {
    const auto n = std::to_integer<std::uint32_t>(last[block - 1]);
    std::uint32_t bad = (n - 1) >> 4;  // unless 1 to 16
    for (std::uint32_t i = 0; i < block; ++i) {
        const std::uint32_t in_padding = 0U - ((i - n) >> 31);  // all ones if i < n
        bad |= in_padding & (std::to_integer<std::uint32_t>(last[block - 1 - i]) ^ n);
        __asm__ volatile("" : "+r"(bad));
    }
    declassify(bad);
    if (bad != 0) return -1;
    int size = static_cast<int>(block) - static_cast<int>(n);
    declassify(size);
    return size;
}

}  // namespace

status lea_cbc_encrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view plaintext, bytes_span ciphertext,
                       std::size_t& written) noexcept {
    written = 0;
    if (!valid(padding)) return status::bad_option;
    if (iv.size() != block) return status::bad_nonce_length;
    const std::size_t rest = plaintext.size() % block;
    if (padding == cbc_padding::none && rest != 0) return status::bad_block_length;
    const std::size_t size = cbc_ciphertext_size(plaintext.size(), padding);
    if (ciphertext.size() < size || size < plaintext.size()) return status::buffer_too_small;
    const bytes_span out = ciphertext.first(size);
    if (!aliasing_allowed(plaintext, out) || !disjoint(iv, out)) return status::overlap;

    std::byte chain[block];
    std::memcpy(chain, iv.data(), block);
    const std::size_t whole = plaintext.size() - rest;
    encrypt_chain(key, chain, plaintext.data(), out.data(), whole / block);
    if (padding == cbc_padding::pkcs7) {
        std::byte last[block];
        copy_bytes(last, plaintext.data() + whole, rest);
        pad(last, rest);
        encrypt_chain(key, chain, last, out.data() + whole, 1);
        wipe(last, sizeof last);
    }
    written = size;
    return status::ok;
}

status lea_cbc_decrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view ciphertext, bytes_span plaintext,
                       std::size_t& written) noexcept {
    written = 0;
    if (!valid(padding)) return status::bad_option;
    if (ciphertext.size() % block != 0) return status::bad_block_length;
    if (padding == cbc_padding::pkcs7 && ciphertext.empty()) return status::bad_block_length;
    if (const status s = check_text(iv, ciphertext, plaintext); s != status::ok) return s;

    std::byte chain[block];
    std::memcpy(chain, iv.data(), block);
    const std::size_t count = ciphertext.size() / block;
    if (padding == cbc_padding::none) {
        decrypt_chain(key, chain, ciphertext.data(), plaintext.data(), count);
        written = ciphertext.size();
        return status::ok;
    }
    // All of it before the padding is looked at: how long the answer takes tells as little as it can.
    const std::size_t before = (count - 1) * block;
    decrypt_chain(key, chain, ciphertext.data(), plaintext.data(), count - 1);
    std::byte last[block];
    decrypt_chain(key, chain, ciphertext.data() + before, last, 1);
    const int size = unpadded_size(last);
    if (size < 0) {
        std::memset(plaintext.data(), 0, ciphertext.size());
    } else {
        copy_bytes(plaintext.data() + before, last, static_cast<std::size_t>(size));
        written = before + static_cast<std::size_t>(size);
    }
    wipe(last, sizeof last);
    return size < 0 ? status::bad_padding : status::ok;
}

lea_cbc_stream::lea_cbc_stream(const lea& key, bytes_view iv, cbc_padding padding)
    : key_(key), held_size_(0), padding_(padding), finished_(false) {
    check_iv("LEA-CBC", iv);
    if (!valid(padding)) {
        throw error(status::bad_option, "LEA-CBC padding: " + std::to_string(static_cast<int>(padding)) +
                                            " given, none (0) or pkcs7 (1) expected");
    }
    std::memcpy(chain_, iv.data(), block);
    std::memset(held_, 0, block);
}

lea_cbc_stream::~lea_cbc_stream() {
    wipe(chain_, sizeof chain_);
    wipe(held_, sizeof held_);
}

// The last block of a padded ciphertext is held back until finish.
std::size_t lea_cbc_stream::blocks_ready(std::size_t size, direction way) const noexcept {
    const std::size_t keep = way == direction::decrypt && padding_ == cbc_padding::pkcs7 ? 1 : 0;
    const std::size_t all = held_size_ + size;
    return finished_ || all < keep ? 0 : (all - keep) / block;
}

status lea_cbc_stream::run(bytes_view in, bytes_span out, std::size_t& written, direction way) noexcept {
    written = 0;
    if (finished_) return status::finished;
    const std::size_t ready = blocks_ready(in.size(), way);
    if (out.size() / block < ready) return status::buffer_too_small;
    const auto distance = reinterpret_cast<std::uintptr_t>(in.data()) - reinterpret_cast<std::uintptr_t>(out.data());
    if (distance != held_size_ && !aliasing_allowed(in, out.first(ready * block))) return status::overlap;

    const auto chain = [&](const std::byte* from, std::byte* to, std::size_t count) {
        if (way == direction::encrypt) {
            encrypt_chain(key_, chain_, from, to, count);
        } else {
            decrypt_chain(key_, chain_, from, to, count);
        }
    };
    const auto take = [&](std::byte* to, std::size_t n) {
        copy_bytes(to, in.data(), n);
        in = in.subspan(n);
    };
    if (held_size_ == 0) {
        chain(in.data(), out.data(), ready);
        in = in.subspan(ready * block);
    } else {
        // Blocks begin in what is held. As many bytes as are held are read ahead of what is written: in place, output
        // may start where the piece starts.
        std::byte gathered[piece_blocks * block];
        const std::size_t used = std::min(ready, piece_blocks) * block;
        for (std::size_t left = ready; left != 0;) {
            const std::size_t n = std::min(left, piece_blocks);
            std::memcpy(gathered, held_, held_size_);
            take(gathered + held_size_, n * block - held_size_);
            held_size_ = static_cast<std::uint32_t>(std::min<std::size_t>(held_size_, in.size()));
            take(held_, held_size_);
            chain(gathered, gathered, n);
            std::memcpy(out.data() + written, gathered, n * block);
            written += n * block;
            left -= n;
        }
        wipe(gathered, used);
    }
    written = ready * block;
    const std::size_t rest = in.size();
    take(held_ + held_size_, rest);
    held_size_ += static_cast<std::uint32_t>(rest);
    return status::ok;
}

void lea_cbc_stream::end() noexcept {
    wipe(chain_, sizeof chain_);
    wipe(held_, sizeof held_);
    held_size_ = 0;
    finished_ = true;
}

status lea_cbc_encryptor::finish(bytes_span ciphertext, std::size_t& written) noexcept {
    written = 0;
    if (finished_) return status::finished;
    if (padding_ == cbc_padding::none) {
        if (held_size_ != 0) return status::bad_block_length;
    } else {
        if (ciphertext.size() < block) return status::buffer_too_small;
        pad(held_, held_size_);
        encrypt_chain(key_, chain_, held_, ciphertext.data(), 1);
        written = block;
    }
    end();
    return status::ok;
}

status lea_cbc_decryptor::finish(bytes_span plaintext, std::size_t& written) noexcept {
    written = 0;
    if (finished_) return status::finished;
    if (padding_ == cbc_padding::none) {
        if (held_size_ != 0) return status::bad_block_length;
        end();
        return status::ok;
    }
    if (held_size_ != block) return status::bad_block_length;
    if (plaintext.size() < block) return status::buffer_too_small;
    std::byte last[block];
    decrypt_chain(key_, chain_, held_, last, 1);
    const int size = unpadded_size(last);
    if (size > 0) std::memcpy(plaintext.data(), last, static_cast<std::size_t>(size));
    if (size > 0) written = static_cast<std::size_t>(size);
    wipe(last, sizeof last);
    end();
    return size < 0 ? status::bad_padding : status::ok;
}

}  // namespace hwacha
