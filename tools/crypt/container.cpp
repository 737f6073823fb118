#include "crypt/container.hpp"

#include <algorithm>
#include <cstring>

#include <hwacha/lsh.hpp>

#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

// The size of the UTF-8 sequence at the start of `text`, with its character; 0 if it is none (RFC 3629).
std::size_t decode_utf8(std::string_view text, char32_t& character) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        character = first;
        return 1;
    }
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
    character = first & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
        character = character << 6 | (byte(i) & 0x3fU);
    }
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool allowed = character >= smallest[size] && character <= 0x10ffff && (character & ~0x7ffU) != 0xd800;
    return allowed ? size : 0;
}

bool begins_with(bytes_view bytes, std::string_view start) noexcept {
    return bytes.size() >= start.size() && std::memcmp(bytes.data(), start.data(), start.size()) == 0;
}

}  // namespace

std::string_view to_string(file_type type) noexcept {
    return type == file_type::encrypted ? "an encrypted file" : "a secret key";
}

const char* why_no_comment(std::string_view text) noexcept {
    if (text.size() > longest_comment) return "longer than 1024 bytes";
    while (!text.empty()) {
        char32_t character = 0;
        const std::size_t size = decode_utf8(text, character);
        if (size == 0) return "not UTF-8";
        if (character < 0x20 || (character >= 0x7f && character < 0xa0)) return "with control characters";
        text.remove_prefix(size);
    }
    return nullptr;
}

void demand_comment(std::string_view comment) {
    if (const char* why = why_no_comment(comment)) {
        throw file_fault(fault::malformed, std::string("has a comment that the format does not allow: ") + why);
    }
}

std::vector<std::byte> write_head(file_type type, std::string_view comment) {
    std::vector<std::byte> out;
    append(out, bytes_of(magic));
    append_number(out, 1, 1);
    append_number(out, static_cast<std::uint64_t>(type), 1);
    append_number(out, comment.size(), 2);
    append(out, bytes_of(comment));
    return out;
}

bytes_view kept_bytes::take(std::size_t size, const char* where) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    const std::size_t got = read_fully(from_, bytes_span(bytes_).subspan(before));
    if (got < size) {
        const std::size_t end = before + got;
        bytes_.resize(end);
        throw file_fault(fault::truncated,
                         "is truncated: it ends at byte " + std::to_string(end) + ", in its " + where);
    }
    return bytes_view(bytes_).subspan(before);
}

container_head read_head(kept_bytes& from) {
    bytes_view first;
    try {
        first = from.take(magic.size(), "head");
    } catch (const file_fault& f) {
        if (f.kind() != fault::truncated) throw;
        const bytes_view got = from.all();
        if (got.empty()) throw file_fault(fault::empty, "is empty, not a Hwacha file");
        if (std::memcmp(got.data(), magic.data(), got.size()) == 0) throw;
        throw file_fault(fault::not_ours, "is not a Hwacha file");
    }
    if (std::memcmp(first.data(), magic.data(), magic.size()) != 0) {
        const std::string_view guess = guess_content(first);
        throw file_fault(fault::not_ours, "is not a Hwacha file" + (guess.empty() ? "" : ": it " + std::string(guess)));
    }
    const bytes_view fields = from.take(4, "head");
    const auto version = load_number(fields.first(1));
    if (version != 1) {
        throw file_fault(fault::unsupported, "has version " + std::to_string(version) +
                                                 " of the format; this program reads version 1, a later one may do");
    }
    const auto type = load_number(fields.subspan(1, 1));
    if (type != 1 && type != 2) {
        throw file_fault(fault::not_ours, "is not an encrypted file or a secret key but of type " +
                                              std::to_string(type) + ", which this program does not know");
    }
    const auto size = static_cast<std::size_t>(load_number(fields.subspan(2, 2)));
    if (size > longest_comment) {
        throw file_fault(fault::malformed, "is damaged: a comment of " + std::to_string(size) + " bytes is announced");
    }
    const bytes_view comment = from.take(size, "comment");
    return {static_cast<file_type>(type), std::string(reinterpret_cast<const char*>(comment.data()), comment.size())};
}

std::string_view guess_content(bytes_view first) noexcept {
    struct known {
        std::string_view start;
        std::string_view guess;
    };
    using namespace std::string_view_literals;
    static constexpr known contents[] = {
        {"\xff\xfe"sv, "is text in UTF-16, as PowerShell's > makes of a program's output; use -o FILE"},
        {"\xfe\xff"sv, "is text in UTF-16; use -o FILE in place of a redirection"},
        {"\xef\xbb\xbf"sv, "begins with a byte order mark, which an editor or a shell has added; use -o FILE"},
        {"\x93HWA\n"sv, "was one, but its line ends were converted; transfer it as binary, or make it with --armor"},
        {"\x93HWA\r\r"sv, "was one, but its line ends were converted; transfer it as binary, or make it with --armor"},
        {"\xc2\x93HWA"sv, "was one, but was taken for text and converted to UTF-8; transfer it as binary"},
        {"\xef\xbf\xbdHWA"sv, "was one, but was taken for text and converted to UTF-8; transfer it as binary"},
        {"?HWA"sv, "was one, but was taken for text and converted; transfer it as binary, or make it with --armor"},
        {"age-encr"sv, "is a file of age"},
        {"Salted__"sv, "is a file of openssl enc"},
        {"-----BEG"sv, "is armored text of another program, or its first line is damaged"},
        {"\x85\x01"sv, "seems to be a file of GnuPG"},
        {"\x85\x02"sv, "seems to be a file of GnuPG"},
        {"\x8c\x0d"sv, "seems to be a file of GnuPG"},
        {"\x1f\x8b"sv, "is a gzip file; decompress it first"},
        {"PK\x03\x04"sv, "is a zip file; unpack it first"},
    };
    for (const known& k : contents) {
        if (begins_with(first, k.start)) return k.guess;
    }
    return {};
}

std::uint64_t load_number(bytes_view bytes) noexcept {
    std::uint64_t number = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return number;
}

void append_number(std::vector<std::byte>& to, std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to.push_back(static_cast<std::byte>(number >> 8 * i));
}

std::array<std::byte, 16> check_sum(bytes_view bytes) {
    const auto digest = lsh256_256::hash(bytes);
    std::array<std::byte, 16> sum;
    std::copy_n(digest.begin(), sum.size(), sum.begin());
    return sum;
}

}  // namespace hwacha::crypt
