// LEA-GCM, NIST SP 800-38D sections 6 and 7: counter mode and GHASH composed, block kernels below.
#include <hwacha/lea_gcm.hpp>

#include <algorithm>
#include <string>

#include "base/bytes.hpp"
#include "gcm/access.hpp"
#include "gcm/limits.hpp"

namespace hwacha {

namespace {

using access = lea_gcm_access;
using phase = lea_gcm_state::phase;

constexpr std::size_t block = lea_block_size;

// Counter mode and GHASH take turns on pieces that stay in the first-level cache.
constexpr std::size_t piece_blocks = 256;

constexpr bool valid_tag_size(std::size_t n, bool short_tags) {
    return (n >= 12 && n <= 16) || (short_tags && (n == 4 || n == 8));
}

void add_to_counter(std::byte (&counter)[16], std::size_t blocks) {
    store_be(counter + 12, load_be<std::uint32_t>(counter + 12) + static_cast<std::uint32_t>(blocks));
}

void absorb(const lea_gcm& key, lea_gcm_state& m, bytes_view data) {
    if (m.partial_size != 0) {
        const std::size_t n = std::min(data.size(), block - m.partial_size);
        copy_bytes(m.partial + m.partial_size, data.data(), n);
        m.partial_size += static_cast<std::uint32_t>(n);
        data = data.subspan(n);
        if (m.partial_size < block) return;
        access::absorb(key, m, m.partial, 1);
        m.partial_size = 0;
    }
    const std::size_t whole = data.size() / block;
    if (whole != 0) access::absorb(key, m, data.data(), whole);
    data = data.subspan(whole * block);
    copy_bytes(m.partial, data.data(), data.size());
    m.partial_size = static_cast<std::uint32_t>(data.size());
}

void absorb_padding(const lea_gcm& key, lea_gcm_state& m) {
    if (m.partial_size == 0) return;
    std::memset(m.partial + m.partial_size, 0, block - m.partial_size);
    access::absorb(key, m, m.partial, 1);
    m.partial_size = 0;
}

void absorb_lengths(const lea_gcm& key, lea_gcm_state& m, std::uint64_t first, std::uint64_t second) {
    std::byte lengths[block];
    store_be(lengths, 8 * first);
    store_be(lengths + 8, 8 * second);
    access::absorb(key, m, lengths, 1);
}

status check_nonce(bytes_view nonce) {
    if (nonce.empty()) return status::bad_nonce_length;
    return gcm_fits(0, nonce.size(), gcm_max_nonce) ? status::ok : status::message_too_long;
}

// Section 7.1 steps 2 and 3, on a state of zeros: J0 from the nonce; the text starts at inc32(J0).
void start(const lea_gcm& key, lea_gcm_state& m, bytes_view nonce) {
    if (nonce.size() == 12) {
        std::memcpy(m.counter, nonce.data(), 12);
        m.counter[15] = std::byte{1};
    } else {
        absorb(key, m, nonce);
        absorb_padding(key, m);
        absorb_lengths(key, m, 0, nonce.size());
        std::memcpy(m.counter, m.ghash, block);
        std::memset(m.ghash, 0, block);
    }
    lea_access::encrypt(access::cipher(key), m.counter, m.tag_mask, 1);
    add_to_counter(m.counter, 1);
}

status add_aad(const lea_gcm& key, lea_gcm_state& m, bytes_view aad) {
    if (m.at == phase::finished) return status::finished;
    if (m.at != phase::aad) {
        m.at = phase::failed;
        return status::wrong_order;
    }
    if (!gcm_fits(m.aad_size, aad.size(), gcm_max_aad)) return status::message_too_long;
    absorb(key, m, aad);
    m.aad_size += aad.size();
    return status::ok;
}

void crypt_blocks(const lea_gcm& key, lea_gcm_state& m, const std::byte* in, std::byte* out, std::size_t count) {
    lea_access::ctr32(access::cipher(key), m.counter, in, out, count);
    add_to_counter(m.counter, count);
}

// Bytes of the unfinished text block: `m.partial_size` of it are done.
void crypt_bytes(const lea_gcm& key, lea_gcm_state& m, const std::byte* in, std::byte* out, std::size_t n,
                 bool sealing) {
    if (n == 0) return;
    if (m.partial_size == 0) {
        lea_access::encrypt(access::cipher(key), m.counter, m.keystream, 1);
        add_to_counter(m.counter, 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::byte before = in[i];
        const std::byte after = before ^ m.keystream[m.partial_size];
        m.partial[m.partial_size++] = sealing ? after : before;
        out[i] = after;
    }
    if (m.partial_size == block) {
        access::absorb(key, m, m.partial, 1);
        m.partial_size = 0;
    }
}

// Text of any size; GHASH runs over the ciphertext, whichever side that is.
void crypt_text(const lea_gcm& key, lea_gcm_state& m, bytes_view text, std::byte* out, bool sealing) {
    if (m.at == phase::aad) {
        absorb_padding(key, m);
        m.at = phase::text;
    }
    m.text_size += text.size();
    const std::byte* in = text.data();
    std::size_t left = text.size();
    const auto take = [&](std::size_t n) {
        in += n;
        out += n;
        left -= n;
    };
    if (m.partial_size != 0) {
        const std::size_t n = std::min(left, block - m.partial_size);
        crypt_bytes(key, m, in, out, n, sealing);
        take(n);
    }
    while (left >= block) {
        const std::size_t count = std::min(left / block, piece_blocks);
        if (!sealing) access::absorb(key, m, in, count);
        crypt_blocks(key, m, in, out, count);
        if (sealing) access::absorb(key, m, out, count);
        take(count * block);
    }
    crypt_bytes(key, m, in, out, left, sealing);
}

// Section 7.1 steps 5 to 7.
void make_tag(const lea_gcm& key, lea_gcm_state& m, std::byte (&tag)[16]) {
    absorb_padding(key, m);
    absorb_lengths(key, m, m.aad_size, m.text_size);
    for (std::size_t i = 0; i < block; ++i) tag[i] = m.ghash[i] ^ m.tag_mask[i];
}

status check_text(bytes_view text, bytes_view out, std::uint64_t so_far) {
    if (!gcm_fits(so_far, text.size(), gcm_max_text)) return status::message_too_long;
    if (out.size() < text.size()) return status::buffer_too_small;
    return aliasing_allowed(text, out.first(text.size())) ? status::ok : status::overlap;
}

// What is written lies over no input but, in place, the text.
status check_message(bytes_view nonce, bytes_view aad, bytes_view text, bytes_view tag, bytes_span out) {
    if (const status s = check_nonce(nonce); s != status::ok) return s;
    if (!gcm_fits(0, aad.size(), gcm_max_aad)) return status::message_too_long;
    if (const status s = check_text(text, out, 0); s != status::ok) return s;
    const bytes_view written = out.first(text.size());
    return disjoint(written, nonce) && disjoint(written, aad) && disjoint(written, tag) ? status::ok : status::overlap;
}

}  // namespace

lea_gcm::lea_gcm(bytes_view key, lea_gcm_options options)
    : cipher_(key), tag_size_(static_cast<std::uint32_t>(options.tag_size)), ghash_(&ghash_tables.active()) {
    if (!valid_tag_size(options.tag_size, options.short_tags)) {
        throw error(status::bad_tag_length, "LEA-GCM tag: " + std::to_string(options.tag_size) +
                                                " bytes given, 12 to 16" + (options.short_tags ? ", 8 or 4" : "") +
                                                " expected");
    }
    access::expand_hash_key(*this);
}

lea_gcm::~lea_gcm() {
    wipe(powers_, sizeof powers_);
}

lea_gcm_state::~lea_gcm_state() {
    wipe(this, sizeof *this);
}

status lea_gcm::seal(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span out) const noexcept {
    if (!gcm_fits(0, plaintext.size(), gcm_max_text)) return status::message_too_long;
    if (out.size() < tag_size_ || out.size() - tag_size_ < plaintext.size()) return status::buffer_too_small;
    return seal_detached(nonce, aad, plaintext, out.first(plaintext.size()), out.subspan(plaintext.size(), tag_size_));
}

status lea_gcm::open(bytes_view nonce, bytes_view aad, bytes_view sealed, bytes_span out) const noexcept {
    if (sealed.size() < tag_size_) return status::auth_failed;
    const std::size_t size = sealed.size() - tag_size_;
    return open_detached(nonce, aad, sealed.first(size), sealed.subspan(size), out);
}

status lea_gcm::seal_detached(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span ciphertext,
                              bytes_span tag) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    if (const status s = check_message(nonce, aad, plaintext, tag, ciphertext); s != status::ok) return s;
    if (!disjoint(tag, nonce) || !disjoint(tag, aad) || !disjoint(tag, plaintext)) return status::overlap;
    lea_gcm_state m{};
    start(*this, m, nonce);
    static_cast<void>(add_aad(*this, m, aad));
    crypt_text(*this, m, plaintext, ciphertext.data(), true);
    std::byte full[16];
    make_tag(*this, m, full);
    std::memcpy(tag.data(), full, tag_size_);
    wipe(full, sizeof full);
    return status::ok;
}

// Two passes: the tag is verified before the first byte of plaintext is made.
status lea_gcm::open_detached(bytes_view nonce, bytes_view aad, bytes_view ciphertext, bytes_view tag,
                              bytes_span plaintext) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    if (const status s = check_message(nonce, aad, ciphertext, tag, plaintext); s != status::ok) return s;

    lea_gcm_state m{};
    start(*this, m, nonce);
    static_cast<void>(add_aad(*this, m, aad));
    absorb_padding(*this, m);
    absorb(*this, m, ciphertext);
    m.text_size = ciphertext.size();
    std::byte expected[16];
    make_tag(*this, m, expected);
    const bool authentic = equal_constant_time(expected, tag.data(), tag_size_);
    wipe(expected, sizeof expected);
    if (!authentic) return status::auth_failed;

    const std::size_t whole = ciphertext.size() / block;
    if (whole != 0) crypt_blocks(*this, m, ciphertext.data(), plaintext.data(), whole);
    crypt_bytes(*this, m, ciphertext.data() + whole * block, plaintext.data() + whole * block,
                ciphertext.size() % block, false);
    return status::ok;
}

lea_gcm_stream::lea_gcm_stream(const lea_gcm& key, bytes_view nonce) : key_(key), state_{} {
    if (const status s = check_nonce(nonce); s != status::ok) {
        throw error(s, "LEA-GCM nonce: " + std::to_string(nonce.size()) + " bytes given, 1 to 2^61-1 expected");
    }
    start(key_, state_, nonce);
}

status lea_gcm_stream::absorb_aad(bytes_view aad) noexcept {
    return add_aad(key_, state_, aad);
}

status lea_gcm_stream::crypt(bytes_view in, bytes_span out, bool sealing) noexcept {
    if (state_.at == phase::finished) return status::finished;
    if (state_.at == phase::failed) return status::wrong_order;
    if (const status s = check_text(in, out, state_.text_size); s != status::ok) return s;
    crypt_text(key_, state_, in, out.data(), sealing);
    return status::ok;
}

status lea_gcm_stream::end(std::byte (&tag)[16]) noexcept {
    if (state_.at == phase::finished) return status::finished;
    if (state_.at == phase::failed) return status::wrong_order;
    make_tag(key_, state_, tag);
    wipe(&state_, sizeof state_);
    state_.at = phase::finished;
    return status::ok;
}

status lea_gcm_sealer::finish(bytes_span tag) noexcept {
    if (tag.size() != key_.tag_size()) return status::bad_tag_length;
    std::byte full[16];
    const status s = end(full);
    if (s != status::ok) return s;
    std::memcpy(tag.data(), full, tag.size());
    wipe(full, sizeof full);
    return status::ok;
}

status lea_gcm_opener::finish(bytes_view tag) noexcept {
    if (tag.size() != key_.tag_size()) return status::bad_tag_length;
    std::byte expected[16];
    status s = end(expected);
    if (s != status::ok) return s;
    if (!equal_constant_time(expected, tag.data(), tag.size())) s = status::auth_failed;
    wipe(expected, sizeof expected);
    return s;
}

}  // namespace hwacha
