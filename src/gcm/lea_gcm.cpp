// LEA-GCM, NIST SP 800-38D sections 6 and 7, above the block kernels.
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

// Where no kernel does both, counter mode and GHASH take turns on pieces that stay in the first-level cache.
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

// Section 7.1 step 2: J0 from the nonce.
void first_counter(const lea_gcm& key, const bytes_view& nonce, std::byte (&j0)[16]) {
    if (nonce.size() == 12) {
        std::memcpy(j0, nonce.data(), 12);
        store_be(j0 + 12, std::uint32_t{1});
    } else {
        lea_gcm_state m{};
        absorb(key, m, nonce);
        absorb_padding(key, m);
        absorb_lengths(key, m, 0, nonce.size());
        std::memcpy(j0, m.ghash, block);
    }
}

// On a state of zeros. The text starts at inc32(J0), step 3.
void start(const lea_gcm& key, lea_gcm_state& m, bytes_view nonce) {
    first_counter(key, nonce, m.counter);
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

void crypt_blocks(const lea_gcm& key, lea_gcm_state& m, const std::byte* in, std::byte* out, std::size_t count,
                  bool sealing) {
    const lea_gcm_table& fused = access::kernel(key);
    if (const auto f = sealing ? fused.seal_blocks : fused.open_blocks; f != nullptr) {
        const std::size_t whole = count / fused.turn * fused.turn;
        const lea_gcm_keys keys = access::keys(key);
        f(&keys, access::octets(m.ghash), access::octets(m.counter), access::octets(in), access::octets(out), whole);
        in += whole * block;
        out += whole * block;
        count -= whole;
    }
    while (count != 0) {
        const std::size_t n = std::min(count, piece_blocks);
        if (!sealing) access::absorb(key, m, in, n);
        lea_access::ctr32(access::cipher(key), m.counter, in, out, n);
        if (sealing) access::absorb(key, m, out, n);
        add_to_counter(m.counter, n);
        in += n * block;
        out += n * block;
        count -= n;
    }
}

// Bytes of the unfinished text block: `m.partial_size` of it are done.
void crypt_bytes(const lea_gcm& key, lea_gcm_state& m, const std::byte* in, std::byte* out, std::size_t n,
                 bool sealing) {
    if (n == 0) return;
    if (m.partial_size == 0) {
        lea_access::encrypt_one(access::cipher(key), m.counter, m.keystream);
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
    if (const std::size_t whole = left / block; whole != 0) {
        crypt_blocks(key, m, in, out, whole, sealing);
        take(whole * block);
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
status check_message(const bytes_view& nonce, const bytes_view& aad, const bytes_view& text, bytes_view tag,
                     bytes_span out) {
    if (const status s = check_nonce(nonce); s != status::ok) return s;
    if (!gcm_fits(0, aad.size(), gcm_max_aad)) return status::message_too_long;
    if (const status s = check_text(text, out, 0); s != status::ok) return s;
    const bytes_view written = out.first(text.size());
    return disjoint(written, nonce) && disjoint(written, aad) && disjoint(written, tag) ? status::ok : status::overlap;
}

status seal_message(const lea_gcm& key, const bytes_view& nonce, const bytes_view& aad, const bytes_view& plaintext,
                    bytes_span ciphertext, bytes_span tag) {
    if (const status s = check_message(nonce, aad, plaintext, tag, ciphertext); s != status::ok) return s;
    if (!disjoint(tag, nonce) || !disjoint(tag, aad) || !disjoint(tag, plaintext)) return status::overlap;
    std::byte full[16];
    access::crypt_message(key, nonce, aad, plaintext, ciphertext.data(), full, true);
    std::memcpy(tag.data(), full, tag.size());
    wipe(full, sizeof full);
    return status::ok;
}

// One pass: the plaintext is there before the tag is verified, and zeroed unless it is right.
status open_message(const lea_gcm& key, const bytes_view& nonce, const bytes_view& aad, const bytes_view& ciphertext,
                    bytes_view tag, bytes_span plaintext) {
    if (const status s = check_message(nonce, aad, ciphertext, tag, plaintext); s != status::ok) return s;
    std::byte expected[16];
    access::crypt_message(key, nonce, aad, ciphertext, plaintext.data(), expected, false);
    const bool authentic = equal_constant_time(expected, tag.data(), tag.size());
    wipe(expected, sizeof expected);
    if (authentic) return status::ok;
    if (!ciphertext.empty()) wipe(plaintext.data(), ciphertext.size());
    return status::auth_failed;
}

}  // namespace

void lea_gcm_access::crypt_message(const lea_gcm& key, const bytes_view& nonce, const bytes_view& aad,
                                   const bytes_view& text, std::byte* out, std::byte (&tag)[16], bool sealing) {
    const lea_gcm_table& fused = kernel(key);
    if (const auto f = sealing ? fused.seal_text : fused.open_text; f != nullptr) {
        std::byte j0[block];
        first_counter(key, nonce, j0);
        std::memset(tag, 0, sizeof tag);
        const std::size_t whole = aad.size() / block;
        if (whole != 0) absorb(key, tag, aad.data(), whole);
        if (const bytes_view rest = aad.subspan(whole * block); !rest.empty()) {
            std::byte padded[block] = {};
            std::memcpy(padded, rest.data(), rest.size());
            absorb(key, tag, padded, 1);
        }
        const lea_gcm_keys k = keys(key);
        f(&k, octets(tag), octets(j0), aad.size(), octets(text.data()), octets(out), text.size());
        return;
    }
    lea_gcm_state m{};
    start(key, m, nonce);
    static_cast<void>(add_aad(key, m, aad));
    crypt_text(key, m, text, out, sealing);
    make_tag(key, m, tag);
}

lea_gcm::lea_gcm(bytes_view key, lea_gcm_options options)
    : cipher_(key), tag_size_(static_cast<std::uint32_t>(options.tag_size)) {
    if (!valid_tag_size(options.tag_size, options.short_tags)) {
        throw error(status::bad_tag_length, "LEA-GCM tag: " + std::to_string(options.tag_size) +
                                                " bytes given, 12 to 16" + (options.short_tags ? ", 8 or 4" : "") +
                                                " expected");
    }
    access::use(*this, lea_gcm_tables.active());
}

lea_gcm::~lea_gcm() {
    // With the padding: a copy may have carried there what its maker's stack held.
    wipe(reinterpret_cast<std::byte*>(this) + sizeof cipher_, sizeof *this - sizeof cipher_);
}

lea_gcm_state::~lea_gcm_state() {
    wipe(this, sizeof *this);
}

status lea_gcm::seal(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span out) const noexcept {
    if (!gcm_fits(0, plaintext.size(), gcm_max_text)) return status::message_too_long;
    if (out.size() < tag_size_ || out.size() - tag_size_ < plaintext.size()) return status::buffer_too_small;
    return seal_message(*this, nonce, aad, plaintext, out, out.subspan(plaintext.size(), tag_size_));
}

status lea_gcm::open(bytes_view nonce, bytes_view aad, bytes_view sealed, bytes_span out) const noexcept {
    if (sealed.size() < tag_size_) return status::auth_failed;
    const std::size_t size = sealed.size() - tag_size_;
    return open_message(*this, nonce, aad, sealed.first(size), sealed.subspan(size), out);
}

status lea_gcm::seal_detached(bytes_view nonce, bytes_view aad, bytes_view plaintext, bytes_span ciphertext,
                              bytes_span tag) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    return seal_message(*this, nonce, aad, plaintext, ciphertext, tag);
}

status lea_gcm::open_detached(bytes_view nonce, bytes_view aad, bytes_view ciphertext, bytes_view tag,
                              bytes_span plaintext) const noexcept {
    if (tag.size() != tag_size_) return status::bad_tag_length;
    return open_message(*this, nonce, aad, ciphertext, tag, plaintext);
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
