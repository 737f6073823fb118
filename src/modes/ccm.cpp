// LEA-CCM, NIST SP 800-38C: CBC-MAC over nonce, sizes, AAD and plaintext, and counter mode.
#include "modes/ccm.hpp"

#include <string>

namespace hwacha {

namespace {

using namespace modes;
using phase = lea_ccm_state::phase;

constexpr bool valid_tag_size(std::size_t n) {
    return n >= 4 && n <= 16 && n % 2 == 0;
}

constexpr bool valid_nonce_size(std::size_t n) {
    return n >= 7 && n <= 13;
}

const lea& cipher(const lea_ccm& key) {
    return lea_ccm_access::cipher(key);
}

void end_block(const lea& key, lea_ccm_state& m) {
    lea_access::encrypt_one(key, m.mac, m.mac);
    m.filled = 0;
}

void pad(const lea& key, lea_ccm_state& m) {
    if (m.filled != 0) end_block(key, m);
}

void absorb_blocks(const lea& key, lea_ccm_state& m, const std::byte* in, std::size_t count) {
    std::byte x[block];
    std::memcpy(x, m.mac, block);
    for (; count != 0; --count, in += block) {
        xor_words(x, in);
        lea_access::encrypt_one(key, x, x);
    }
    std::memcpy(m.mac, x, block);
    wipe(x, sizeof x);
}

void absorb(const lea& key, lea_ccm_state& m, bytes_view data) {
    if (m.filled != 0 || data.size() < block) {
        const std::size_t n = std::min(data.size(), block - m.filled);
        for (std::size_t i = 0; i < n; ++i) m.mac[m.filled + i] ^= data[i];
        m.filled += static_cast<std::uint32_t>(n);
        if (m.filled < block) return;
        end_block(key, m);
        data = data.subspan(n);
    }
    const std::size_t whole = data.size() / block;
    absorb_blocks(key, m, data.data(), whole);
    for (const std::byte b : data.subspan(whole * block)) m.mac[m.filled++] ^= b;
}

// A.2.1, A.2.2 and A.3, on a state of zeros: the first block, the size of the AAD, the first counter block.
void start(const lea_ccm& key, lea_ccm_state& m, bytes_view nonce, std::uint64_t aad_size, std::uint64_t text_size) {
    const std::size_t q = block - 1 - nonce.size();
    std::byte size[8];
    store_be(size, text_size);
    m.mac[0] = static_cast<std::byte>((aad_size != 0 ? 0x40U : 0U) | ((key.tag_size() - 2) / 2 << 3) | (q - 1));
    std::memcpy(m.mac + 1, nonce.data(), nonce.size());
    std::memcpy(m.mac + block - q, size + 8 - q, q);
    m.counter[0] = static_cast<std::byte>(q - 1);
    std::memcpy(m.counter + 1, nonce.data(), nonce.size());
    lea_access::encrypt_one(cipher(key), m.mac, m.mac);
    lea_access::encrypt_one(cipher(key), m.counter, m.tag_mask);
    m.counter[block - 1] = std::byte{1};
    m.aad_left = aad_size;
    m.text_left = text_size;
    if (aad_size != 0) {
        std::byte prefix[10];
        const std::size_t n = ccm_write_aad_size(aad_size, prefix);
        absorb(cipher(key), m, bytes_view(prefix).first(n));
    }
}

void add_aad(const lea& key, lea_ccm_state& m, bytes_view aad) {
    absorb(key, m, aad);
    m.aad_left -= aad.size();
}

// Bytes of the unfinished block, `m.filled` of which are done.
void crypt_bytes(const lea& key, lea_ccm_state& m, const std::byte* in, std::byte* out, std::size_t n, bool sealing) {
    if (n == 0) return;
    if (m.filled == 0) {
        std::memset(m.keystream, 0, block);
        ccm_count(key, m.counter, m.keystream, m.keystream, 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::byte before = in[i];
        const std::byte after = before ^ m.keystream[m.filled];
        m.mac[m.filled++] ^= sealing ? before : after;
        out[i] = after;
    }
    if (m.filled == block) end_block(key, m);
}

// Text of any size: the MAC runs over the plaintext, whichever side that is.
void crypt_text(const lea& key, lea_ccm_state& m, bytes_view text, std::byte* out, bool sealing) {
    if (m.at == phase::aad) {
        pad(key, m);
        m.at = phase::text;
    }
    m.text_left -= text.size();
    const std::byte* in = text.data();
    std::size_t left = text.size();
    const auto take = [&](std::size_t n) {
        in += n;
        out += n;
        left -= n;
    };
    if (m.filled != 0) {
        const std::size_t n = std::min(left, block - m.filled);
        crypt_bytes(key, m, in, out, n, sealing);
        take(n);
    }
    while (left >= block) {
        const std::size_t n = std::min(left / block, piece_blocks);
        if (sealing) absorb_blocks(key, m, in, n);
        ccm_count(key, m.counter, in, out, n);
        if (!sealing) absorb_blocks(key, m, out, n);
        take(n * block);
    }
    crypt_bytes(key, m, in, out, left, sealing);
}

void make_tag(const lea& key, lea_ccm_state& m, std::byte (&tag)[16]) {
    pad(key, m);
    for (std::size_t i = 0; i < block; ++i) tag[i] = m.mac[i] ^ m.tag_mask[i];
}

status check_text_size(std::size_t nonce_size, std::uint64_t text_size) {
    if (!valid_nonce_size(nonce_size)) return status::bad_nonce_length;
    return text_size > ccm_max_text(nonce_size) ? status::message_too_long : status::ok;
}

// What is written lies over no input but, in place, the text.
status check_message(bytes_view nonce, bytes_view aad, bytes_view text, bytes_view tag, bytes_span out) {
    if (const status s = check_text_size(nonce.size(), text.size()); s != status::ok) return s;
    if (const status s = check_text(text, out); s != status::ok) return s;
    const bytes_view written = out.first(text.size());
    return disjoint(written, nonce) && disjoint(written, aad) && disjoint(written, tag) ? status::ok : status::overlap;
}

}  // namespace

lea_ccm::lea_ccm(bytes_view key, std::size_t tag_size) : cipher_(key), tag_size_(tag_size) {
    if (!valid_tag_size(tag_size)) {
        throw error(status::bad_tag_length,
                    "LEA-CCM tag: " + std::to_string(tag_size) + " bytes given, 4, 6, 8, 10, 12, 14 or 16 expected");
    }
}

lea_ccm_state::~lea_ccm_state() {
    wipe(this, sizeof *this);
}

status lea_ccm::seal(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span out) const noexcept {
    if (const status s = check_text_size(nonce.size(), plaintext.size()); s != status::ok) return s;
    if (out.size() < tag_size_ || out.size() - tag_size_ < plaintext.size()) return status::buffer_too_small;
    return seal_detached(nonce, aad, plaintext, out.first(plaintext.size()), out.subspan(plaintext.size(), tag_size_));
}

status lea_ccm::open(bytes_view nonce, bytes_view aad, bytes_view sealed, bytes_span out) const noexcept {
    if (!valid_nonce_size(nonce.size())) return status::bad_nonce_length;
    if (sealed.size() < tag_size_) return status::auth_failed;
    const std::size_t size = sealed.size() - tag_size_;
    return open_detached(nonce, aad, sealed.first(size), sealed.subspan(size), out);
}

status lea_ccm::seal_detached(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span ciphertext,
                              bytes_span tag) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    if (const status s = check_message(nonce, aad, plaintext, tag, ciphertext); s != status::ok) return s;
    if (!disjoint(tag, nonce) || !disjoint(tag, aad) || !disjoint(tag, plaintext)) return status::overlap;
    lea_ccm_state m{};
    start(*this, m, nonce, aad.size(), plaintext.size());
    add_aad(cipher_, m, aad);
    crypt_text(cipher_, m, plaintext, ciphertext.data(), true);
    std::byte full[16];
    make_tag(cipher_, m, full);
    std::memcpy(tag.data(), full, tag_size_);
    wipe(full, sizeof full);
    return status::ok;
}

// Two passes, although the MAC runs over the plaintext: the first decrypts into a small buffer only. It costs little,
// since the chain of the MAC takes most of the time.
status lea_ccm::open_detached(bytes_view nonce, bytes_view aad, bytes_view ciphertext, bytes_view tag,
                              bytes_span plaintext) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    if (const status s = check_message(nonce, aad, ciphertext, tag, plaintext); s != status::ok) return s;
    lea_ccm_state m{};
    start(*this, m, nonce, aad.size(), ciphertext.size());
    add_aad(cipher_, m, aad);
    std::byte first[block];
    std::memcpy(first, m.counter, block);

    std::byte piece[piece_blocks * block];
    for (std::size_t at = 0; at < ciphertext.size(); at += sizeof piece) {
        crypt_text(cipher_, m, ciphertext.subspan(at, std::min(sizeof piece, ciphertext.size() - at)), piece, false);
    }
    wipe(piece, std::min(sizeof piece, ciphertext.size()));
    std::byte expected[16];
    make_tag(cipher_, m, expected);
    const bool authentic = equal_constant_time(expected, tag.data(), tag_size_);
    wipe(expected, sizeof expected);
    if (!authentic) return status::auth_failed;

    const std::size_t whole = ciphertext.size() / block;
    std::memcpy(m.counter, first, block);
    ccm_count(cipher_, m.counter, ciphertext.data(), plaintext.data(), whole);
    crypt_bytes(cipher_, m, ciphertext.data() + whole * block, plaintext.data() + whole * block,
                ciphertext.size() % block, false);
    return status::ok;
}

lea_ccm_stream::lea_ccm_stream(const lea_ccm& key, bytes_view nonce, std::uint64_t aad_size, std::uint64_t text_size)
    : key_(key), state_{} {
    if (!valid_nonce_size(nonce.size())) {
        throw error(status::bad_nonce_length,
                    "LEA-CCM nonce: " + std::to_string(nonce.size()) + " bytes given, 7 to 13 expected");
    }
    if (text_size > ccm_max_text(nonce.size())) {
        throw error(status::message_too_long, "LEA-CCM text: " + std::to_string(text_size) + " bytes given, at most " +
                                                  std::to_string(ccm_max_text(nonce.size())) + " expected");
    }
    start(key_, state_, nonce, aad_size, text_size);
}

status lea_ccm_stream::absorb_aad(bytes_view aad) noexcept {
    if (state_.at == phase::finished) return status::finished;
    if (state_.at != phase::aad) return status::wrong_order;
    if (aad.size() > state_.aad_left) return status::message_too_long;
    add_aad(cipher(key_), state_, aad);
    return status::ok;
}

status lea_ccm_stream::crypt(bytes_view in, bytes_span out, bool sealing) noexcept {
    if (state_.at == phase::finished) return status::finished;
    if (state_.aad_left != 0) return status::wrong_order;
    if (in.size() > state_.text_left) return status::message_too_long;
    if (const status s = check_text(in, out); s != status::ok) return s;
    crypt_text(cipher(key_), state_, in, out.data(), sealing);
    return status::ok;
}

status lea_ccm_stream::end(std::byte (&tag)[16]) noexcept {
    if (state_.at == phase::finished) return status::finished;
    if (state_.aad_left != 0 || state_.text_left != 0) return status::wrong_order;
    make_tag(cipher(key_), state_, tag);
    wipe(&state_, sizeof state_);
    state_.at = phase::finished;
    return status::ok;
}

status lea_ccm_sealer::finish(bytes_span tag) noexcept {
    if (tag.size() != key_.tag_size()) return status::bad_tag_length;
    std::byte full[16];
    const status s = end(full);
    if (s != status::ok) return s;
    std::memcpy(tag.data(), full, tag.size());
    wipe(full, sizeof full);
    return status::ok;
}

status lea_ccm_opener::finish(bytes_view tag) noexcept {
    if (tag.size() != key_.tag_size()) return status::bad_tag_length;
    std::byte expected[16];
    status s = end(expected);
    if (s != status::ok) return s;
    if (!equal_constant_time(expected, tag.data(), tag.size())) s = status::auth_failed;
    wipe(expected, sizeof expected);
    return s;
}

}  // namespace hwacha
