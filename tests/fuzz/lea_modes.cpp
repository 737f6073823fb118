// LEA in CBC, CFB, OFB, CTR, CCM and XTS: all tables agree, pieces give what one call gives, decryption undoes
// encryption, padding and tags that were changed are refused.
//
// Bytes: key length; mode and its variant; number of pieces; where to corrupt (two bytes); then two keys, IV, the
// lengths of the pieces; the rest is the text.
#include <hwacha/lea.hpp>
#include <hwacha/lea_ccm.hpp>
#include <hwacha/lea_modes.hpp>

#include "fuzz/input.hpp"
#include "lea/tables.hpp"

using namespace hwacha;

namespace {

using bytes = std::vector<std::byte>;
using fuzz::require;

struct job {
    bytes key, key2, iv, text;
    std::vector<std::size_t> cuts;
    unsigned variant;
    std::size_t corrupt;

    // Calls f(first byte, number of bytes) for the pieces of a text of that size.
    template <class Function>
    void pieces(std::size_t size, Function f) const {
        std::size_t at = 0;
        for (const std::size_t c : cuts) {
            const std::size_t n = std::min(c, size - at);
            f(at, n);
            at += n;
        }
        f(at, size - at);
    }
    void damage(bytes& b) const {
        if (!b.empty()) b[corrupt / 8 % b.size()] ^= static_cast<std::byte>(1U << (corrupt % 8));
    }
};

// Streams that write as much as they read, in place.
template <class Stream>
bytes in_pieces(const job& j, Stream s, bytes text) {
    j.pieces(text.size(), [&](std::size_t at, std::size_t n) {
        const bytes_span piece = bytes_span(text).subspan(at, n);
        require(s.update(piece, piece) == status::ok);
    });
    return text;
}

template <class Stream>
bytes cbc_in_pieces(const job& j, Stream s, const bytes& text, status last) {
    bytes out(text.size() + 16);
    bytes_span left = out;
    std::size_t written = 0;
    j.pieces(text.size(), [&](std::size_t at, std::size_t n) {
        const bytes piece(text.begin() + static_cast<std::ptrdiff_t>(at),
                          text.begin() + static_cast<std::ptrdiff_t>(at + n));
        const std::size_t expected = s.update_size(n);
        require(s.update(piece, left, written) == status::ok && written == expected);
        left = left.subspan(written);
    });
    require(s.finish(left, written) == last);
    out.resize(out.size() - left.size() + written);
    return out;
}

bytes cbc(const job& j) {
    const lea key(j.key);
    const cbc_padding padding = j.variant % 2 == 0 ? cbc_padding::none : cbc_padding::pkcs7;
    bytes text = j.text;
    if (padding == cbc_padding::none) text.resize(text.size() / 16 * 16);
    bytes sealed(cbc_ciphertext_size(text.size(), padding));
    std::size_t written = 0;
    require(lea_cbc_encrypt(key, j.iv, padding, text, sealed, written) == status::ok && written == sealed.size());
    require(cbc_in_pieces(j, lea_cbc_encryptor(key, j.iv, padding), text, status::ok) == sealed);

    bytes opened = sealed;
    require(lea_cbc_decrypt(key, j.iv, padding, opened, opened, written) == status::ok && written == text.size());
    require(std::equal(text.begin(), text.end(), opened.begin()));
    require(cbc_in_pieces(j, lea_cbc_decryptor(key, j.iv, padding), sealed, status::ok) == text);

    // Any ciphertext: the padding is right by chance, or all of the output is zeros.
    bytes changed = sealed;
    j.damage(changed);
    opened.assign(changed.size(), std::byte{0x5a});
    const status s = lea_cbc_decrypt(key, j.iv, padding, changed, opened, written);
    require(s == status::ok || (s == status::bad_padding && written == 0));
    if (s != status::ok) require(std::ranges::all_of(opened, [](std::byte b) { return b == std::byte{0}; }));
    const bytes streamed = cbc_in_pieces(j, lea_cbc_decryptor(key, j.iv, padding), changed, s);
    if (s == status::ok) require(std::equal(streamed.begin(), streamed.end(), opened.begin()));
    sealed.push_back(static_cast<std::byte>(s));
    sealed.insert(sealed.end(), opened.begin(), opened.end());
    return sealed;
}

bytes cfb(const job& j) {
    const lea key(j.key);
    constexpr cfb_segment segments[] = {cfb_segment::bits8, cfb_segment::bits64, cfb_segment::bits128};
    const cfb_segment segment = segments[j.variant % 3];
    bytes sealed(j.text.size());
    require(lea_cfb_encrypt(key, j.iv, segment, j.text, sealed) == status::ok);
    require(in_pieces(j, lea_cfb_encryptor(key, j.iv, segment), j.text) == sealed);
    require(in_pieces(j, lea_cfb_decryptor(key, j.iv, segment), sealed) == j.text);
    bytes opened = sealed;
    require(lea_cfb_decrypt(key, j.iv, segment, opened, opened) == status::ok && opened == j.text);
    return sealed;
}

bytes stream_modes(const job& j) {
    const lea key(j.key);
    bytes out(j.text.size());
    if (j.variant % 2 == 0) {
        require(lea_ofb_crypt(key, j.iv, j.text, out) == status::ok);
        require(in_pieces(j, lea_ofb(key, j.iv), j.text) == out);
        require(in_pieces(j, lea_ofb(key, j.iv), out) == j.text);
    } else {
        lea_ctr whole(j.key, j.iv);
        require(whole.update(j.text, out) == status::ok);
        require(in_pieces(j, lea_ctr(j.key, j.iv), j.text) == out);
        require(in_pieces(j, lea_ctr(j.key, j.iv), out) == j.text);
    }
    return out;
}

bytes ccm(const job& j) {
    constexpr std::size_t tag_sizes[] = {4, 6, 8, 10, 12, 14, 16};
    const std::size_t tag_size = tag_sizes[j.variant % 7];
    const bytes_view nonce = bytes_view(j.iv).first(7 + j.corrupt % 7);
    const bytes_view aad = bytes_view(j.key2).first(j.variant % (j.key2.size() + 1));
    const lea_ccm key(j.key, tag_size);
    bytes sealed(j.text.size() + tag_size);
    require(key.seal(nonce, aad, j.text, sealed) == status::ok);

    const auto crypt = [&](auto&& update, const bytes_view from) {
        bytes out(from.begin(), from.end());
        j.pieces(out.size(), [&](std::size_t at, std::size_t n) {
            const bytes_span piece = bytes_span(out).subspan(at, n);
            require(update(piece, piece) == status::ok);
        });
        return out;
    };
    lea_ccm_sealer s(key, nonce, aad.size(), j.text.size());
    require(s.aad(aad.first(aad.size() / 2)) == status::ok && s.aad(aad.subspan(aad.size() / 2)) == status::ok);
    bytes streamed = crypt([&](bytes_view in, bytes_span out) { return s.update(in, out); }, j.text);
    bytes tag(tag_size);
    require(s.finish(tag) == status::ok);
    streamed.insert(streamed.end(), tag.begin(), tag.end());
    require(streamed == sealed);

    const auto opens = [&](const bytes& message) {
        lea_ccm_opener o(key, nonce, aad.size(), j.text.size());
        require(o.aad(aad) == status::ok);
        const bytes text = crypt([&](bytes_view in, bytes_span out) { return o.update_unverified(in, out); },
                                 bytes_view(message).first(j.text.size()));
        const status answer = o.finish(bytes_view(message).last(tag_size));
        require(answer == status::auth_failed || (answer == status::ok && text == j.text));
        return answer == status::ok;
    };
    require(opens(sealed));
    bytes opened = sealed;
    require(key.open(nonce, aad, opened, opened) == status::ok);
    require(std::equal(j.text.begin(), j.text.end(), opened.begin()));

    bytes bad = sealed;
    j.damage(bad);
    bytes out(j.text.size(), std::byte{0x5a});
    require(key.open(nonce, aad, bad, out) == status::auth_failed && !opens(bad));
    require(std::ranges::all_of(out, [](std::byte b) { return b == std::byte{0x5a}; }));
    require(key.open(nonce, aad, bytes_view(sealed).first(j.corrupt % sealed.size()), out) == status::auth_failed);
    return sealed;
}

bytes xts(const job& j) {
    bytes keys = j.key;
    keys.insert(keys.end(), j.key2.begin(), j.key2.end());
    if (j.key == j.key2) keys.back() ^= std::byte{1};
    const lea_xts key(keys);
    bytes unit(j.text.size());
    const status answer = j.text.size() < 16 ? status::bad_block_length : status::ok;
    require(key.encrypt(j.iv, j.text, unit) == answer);
    if (answer != status::ok) return unit;
    bytes opened = unit;
    require(key.decrypt(j.iv, opened, opened) == status::ok && opened == j.text);

    // Sectors are units under their numbers.
    const std::size_t sector = 16 + j.variant % 50;
    const std::size_t count = j.text.size() / sector;
    const std::uint64_t first = j.corrupt * std::uint64_t{0x10001};
    const bytes_view text = bytes_view(j.text).first(count * sector);
    bytes sectors(text.size());
    require(key.encrypt_sectors(first, sector, text, sectors) == status::ok);
    for (std::size_t k = 0; k < count; ++k) {
        bytes tweak(16);
        for (std::size_t i = 0; i < 8; ++i) tweak[i] = static_cast<std::byte>((first + k) >> (8 * i));
        bytes one(sector);
        require(key.encrypt(tweak, text.subspan(k * sector, sector), one) == status::ok);
        require(std::equal(one.begin(), one.end(), sectors.begin() + static_cast<std::ptrdiff_t>(k * sector)));
    }
    unit.insert(unit.end(), sectors.begin(), sectors.end());
    require(key.decrypt_sectors(first, sector, sectors, sectors) == status::ok);
    require(std::equal(text.begin(), text.end(), sectors.begin()));
    return unit;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input in(data, size);
    constexpr bytes (*modes[])(const job&) = {cbc, cfb, stream_modes, ccm, xts};
    constexpr std::size_t key_sizes[] = {16, 24, 32};
    job j;
    const std::size_t key_size = key_sizes[in.byte() % 3];
    const unsigned choice = in.byte();
    j.variant = choice / 5;
    j.cuts.resize(in.byte() % 16);
    j.corrupt = in.byte() * 256U + in.byte();
    j.key = in.take(key_size);
    j.key2 = in.take(key_size);
    j.iv = in.take(16);
    for (std::size_t& c : j.cuts) c = in.byte();
    j.text = in.rest();

    bytes expected;
    bool first = true;
    fuzz::for_each_table(lea_tables, [&] {
        const bytes actual = modes[choice % 5](j);
        if (first) expected = actual;
        first = false;
        require(actual == expected);
    });
    return 0;
}
