// LEA-GCM for tests: results by value.
#pragma once

#include <hwacha/lea_gcm.hpp>

#include "support/plain.hpp"
#include "support/run.hpp"
#include "support/tables.hpp"

namespace hwacha::test {

struct gcm_message {
    bytes key;
    bytes nonce;
    bytes aad;
    bytes plaintext;
};

inline gcm_message random_message(random_source& random, std::size_t text_size) {
    constexpr std::size_t key_sizes[] = {16, 24, 32};
    gcm_message m;
    m.key = random.take(key_sizes[random.below(3)]);
    m.nonce = random.take(random.below(2) != 0 ? 12 : random.between(1, 40));
    m.aad = random.take(random.below(3) != 0 ? random.below(48) : 0);
    m.plaintext = random.take(text_size);
    return m;
}

inline bytes joined(bytes_view a, bytes_view b) {
    bytes all = copy_of(a);
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

// Ciphertext and tag.
inline bytes seal(const lea_gcm& key, bytes_view nonce, bytes_view aad, bytes_view plaintext) {
    bytes out(plaintext.size() + key.tag_size());
    EXPECT_EQ(key.seal(nonce, aad, plaintext, out), status::ok);
    return out;
}

inline bytes seal(const gcm_message& m, std::size_t tag_size = 16) {
    return seal(lea_gcm(m.key, {.tag_size = tag_size, .short_tags = true}), m.nonce, m.aad, m.plaintext);
}

inline bytes plain_seal(const gcm_message& m, std::size_t tag_size = 16) {
    const plain::sealed s = plain::gcm_seal(m.key, m.nonce, m.aad, m.plaintext);
    return joined(s.ciphertext, bytes_view(s.tag).first(tag_size));
}

// Seals with the text cut into pieces whose sizes next_size() gives (0 allowed).
template <class NextSize>
bytes seal_in_pieces(const lea_gcm& key, const gcm_message& m, NextSize next_size, bool in_place = false) {
    lea_gcm_sealer s(key, m.nonce);
    const auto cut = [&](std::size_t size, auto use) {
        for (std::size_t at = 0; at < size;) {
            const std::size_t n = std::min(size - at, next_size());
            use(at, n);
            at += n;
        }
    };
    cut(m.aad.size(),
        [&](std::size_t at, std::size_t n) { EXPECT_EQ(s.aad(bytes_view(m.aad).subspan(at, n)), status::ok); });
    bytes out = in_place ? m.plaintext : bytes(m.plaintext.size());
    const bytes_view in = in_place ? bytes_view(out) : bytes_view(m.plaintext);
    cut(in.size(), [&](std::size_t at, std::size_t n) {
        EXPECT_EQ(s.update(in.subspan(at, n), bytes_span(out).subspan(at, n)), status::ok);
    });
    bytes tag(key.tag_size());
    EXPECT_EQ(s.finish(tag), status::ok);
    return joined(out, tag);
}

// Opens likewise; checks what the opener says at the end.
template <class NextSize>
bytes open_in_pieces(const lea_gcm& key, const gcm_message& m, bytes_view sealed, NextSize next_size, status expected,
                     bool in_place = false) {
    lea_gcm_opener o(key, m.nonce);
    EXPECT_EQ(o.aad(m.aad), status::ok);
    const std::size_t size = sealed.size() - key.tag_size();
    bytes out = copy_of(sealed.first(size));
    const bytes_view in = in_place ? bytes_view(out) : sealed.first(size);
    for (std::size_t at = 0; at < size;) {
        const std::size_t n = std::min(size - at, next_size());
        EXPECT_EQ(o.update_unverified(in.subspan(at, n), bytes_span(out).subspan(at, n)), status::ok);
        at += n;
    }
    check(o.finish(sealed.subspan(size)) == expected, "the opener's verdict");
    return out;
}

}  // namespace hwacha::test
