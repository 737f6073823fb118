// LEA-GCM: all pairs of tables agree, however the message is cut; it opens again; a changed one does not.
//
// Bytes: key length, tag length, nonce length, AAD length, number of pieces, where to corrupt (two bytes); then key,
// nonce, AAD, lengths of the pieces; the rest is the text.
#include <hwacha/lea_gcm.hpp>

#include "fuzz/input.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"
#include "lea/tables.hpp"

using namespace hwacha;

namespace {

using bytes = std::vector<std::byte>;

bytes seal_in_pieces(const lea_gcm& key, const bytes& nonce, const bytes& aad, bytes text,
                     const std::vector<std::size_t>& cuts) {
    lea_gcm_sealer s(key, nonce);
    fuzz::require(s.aad(bytes_view(aad).first(aad.size() / 2)) == status::ok);
    fuzz::require(s.aad(bytes_view(aad).subspan(aad.size() / 2)) == status::ok);
    bytes_span left = text;
    for (const std::size_t c : cuts) {
        const std::size_t n = std::min(c, left.size());
        fuzz::require(s.update(left.first(n), left) == status::ok);
        left = left.subspan(n);
    }
    fuzz::require(s.update(left, left) == status::ok);
    bytes tag(key.tag_size());
    fuzz::require(s.finish(tag) == status::ok);
    text.insert(text.end(), tag.begin(), tag.end());
    return text;
}

bool opens_in_pieces(const lea_gcm& key, const bytes& nonce, const bytes& aad, const bytes& sealed, const bytes& text,
                     const std::vector<std::size_t>& cuts) {
    lea_gcm_opener o(key, nonce);
    fuzz::require(o.aad(aad) == status::ok);
    const std::size_t size = sealed.size() - key.tag_size();
    bytes out(size);
    std::size_t at = 0;
    const auto piece = [&](std::size_t n) {
        fuzz::require(o.update_unverified(bytes_view(sealed).subspan(at, n), bytes_span(out).subspan(at, n)) ==
                      status::ok);
        at += n;
    };
    for (const std::size_t c : cuts) piece(std::min(c, size - at));
    piece(size - at);
    const status s = o.finish(bytes_view(sealed).subspan(size));
    fuzz::require(s == status::ok || s == status::auth_failed);
    return s == status::ok && out == text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input in(data, size);
    constexpr std::size_t key_sizes[] = {16, 24, 32};
    constexpr std::size_t tag_sizes[] = {4, 8, 12, 13, 14, 15, 16};
    const std::size_t key_size = key_sizes[in.byte() % 3];
    const std::size_t tag_size = tag_sizes[in.byte() % 7];
    const std::uint8_t nonce_choice = in.byte();
    const std::size_t nonce_size = nonce_choice < 128 ? 12 : nonce_choice - 127U;
    const std::size_t aad_size = in.byte();
    std::vector<std::size_t> cuts(in.byte() % 16);
    const std::size_t corrupt = in.byte() * 256U + in.byte();
    const bytes key_bytes = in.take(key_size);
    const bytes nonce = in.take(nonce_size);
    const bytes aad = in.take(aad_size);
    for (std::size_t& c : cuts) c = in.byte();
    const bytes text = in.rest();

    bytes expected;
    const auto run = [&] {
        const lea_gcm key(key_bytes, {.tag_size = tag_size, .short_tags = true});
        bytes sealed(text.size() + tag_size);
        fuzz::require(key.seal(nonce, aad, text, sealed) == status::ok);
        if (expected.empty()) expected = sealed;
        fuzz::require(sealed == expected);
        fuzz::require(seal_in_pieces(key, nonce, aad, text, cuts) == sealed);
        fuzz::require(opens_in_pieces(key, nonce, aad, sealed, text, cuts));

        bytes opened = sealed;
        fuzz::require(key.open(nonce, aad, opened, opened) == status::ok);
        fuzz::require(std::equal(text.begin(), text.end(), opened.begin()));

        // Tags of 4 and 8 bytes may be hit by chance, though no fuzzer gets there.
        bytes bad = sealed;
        bad[corrupt / 8 % bad.size()] ^= static_cast<std::byte>(1U << (corrupt % 8));
        bytes out(text.size(), std::byte{0x5a});
        fuzz::require(key.open(nonce, aad, bad, out) == status::auth_failed);
        fuzz::require(std::ranges::all_of(out, [](std::byte b) { return b == std::byte{}; }));
        fuzz::require(!opens_in_pieces(key, nonce, aad, bad, text, cuts));
        const std::size_t shorter = corrupt % sealed.size();
        fuzz::require(key.open(nonce, aad, bytes_view(sealed).first(shorter), out) == status::auth_failed);
    };
    lea_gcm_tables.force(lea_gcm_tables.tables().back());  // LEA and GHASH in turn
    fuzz::for_each_table(lea_tables, [&] { fuzz::for_each_table(ghash_tables, run); });
    fuzz::for_each_table(lea_gcm_tables, run);
    return 0;
}
