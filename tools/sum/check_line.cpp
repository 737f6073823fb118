#include "sum/check_line.hpp"

#include <algorithm>
#include <optional>

#include "sum/escape.hpp"

namespace hwacha::tool {
namespace {

constexpr std::string_view blanks = " \t";

bool is_blank(char c) noexcept {
    return blanks.find(c) != blanks.npos;
}

bool is_hex(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string_view without_leading_blanks(std::string_view text) noexcept {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

std::string_view leading_hex(std::string_view text) noexcept {
    const auto end = std::find_if_not(text.begin(), text.end(), is_hex);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::size_t hex_size(const lsh_info& algorithm) noexcept {
    return 2 * algorithm.digest_size;
}

// An unescaped name ends at a null byte, as it would in the call that opens it.
std::optional<std::string> read_name(std::string_view text, bool escaped) {
    if (escaped) return unescape_name(text);
    return std::string(text.substr(0, text.find('\0')));
}

// `text` is what follows the opening parenthesis. The name ends at the last closing one.
parsed_line parse_tagged(std::string_view text, const lsh_info& algorithm, bool escaped) {
    const std::size_t close = text.rfind(')');
    if (close == text.npos) return line_fault::not_a_checksum;
    auto name = read_name(text.substr(0, close), escaped);
    if (!name) return line_fault::bad_escape;
    std::string_view rest = without_leading_blanks(text.substr(close + 1));
    if (!rest.starts_with('=')) return line_fault::not_a_checksum;
    rest = without_leading_blanks(rest.substr(1));
    const std::string_view digest = leading_hex(rest);
    if (digest.size() != hex_size(algorithm)) return line_fault::bad_digest;
    if (digest.size() != rest.size() && rest[digest.size()] != '\0') return line_fault::bad_digest;
    return checksum_line{&algorithm, digest, *std::move(name)};
}

parsed_line parse_untagged(std::string_view text, const lsh_info& algorithm, bool escaped, untagged_form& form) {
    const std::string_view digest = leading_hex(text);
    if (digest.empty()) return line_fault::not_a_checksum;
    // At least the digest, a blank and one more byte.
    if (digest.size() != hex_size(algorithm) || text.size() < digest.size() + 2 || !is_blank(text[digest.size()])) {
        return line_fault::bad_digest;
    }
    std::string_view rest = text.substr(digest.size() + 1);
    const bool marker = rest.size() > 1 && (rest[0] == ' ' || rest[0] == '*');
    if (!marker && form == untagged_form::with_marker) return line_fault::other_form;
    if (form == untagged_form::undecided) {
        form = marker ? untagged_form::with_marker : untagged_form::without_marker;
    }
    if (form == untagged_form::with_marker) rest.remove_prefix(1);
    auto name = read_name(rest, escaped);
    if (!name) return line_fault::bad_escape;
    return checksum_line{&algorithm, digest, *std::move(name)};
}

bool has_byte_order_mark(std::string_view line) noexcept {
    return line.starts_with("\xef\xbb\xbf") || line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff");
}

}  // namespace

std::string to_hex(bytes_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const std::byte b : bytes) {
        hex += digits[std::to_integer<std::size_t>(b >> 4)];
        hex += digits[std::to_integer<std::size_t>(b & std::byte{15})];
    }
    return hex;
}

std::string print_line(const lsh_info& algorithm, std::string_view hex, std::string_view name,
                       const line_format& format) {
    const bool escape = !format.zero && needs_escape(name);
    std::string line;
    if (escape) line += '\\';
    const std::string escaped = escape ? escape_name(name) : std::string(name);
    if (format.tag) {
        line.append(algorithm.name).append(" (").append(escaped).append(") = ").append(hex);
    } else {
        line.append(hex).append(format.binary ? " *" : "  ").append(escaped);
    }
    return line += format.zero ? '\0' : '\n';
}

std::string_view to_string(line_fault fault) noexcept {
    switch (fault) {
        case line_fault::not_a_checksum: return "neither 'DIGEST  NAME' nor 'ALGORITHM (NAME) = DIGEST'";
        case line_fault::byte_order_mark: return "it starts with a byte-order mark; lists are plain bytes";
        case line_fault::unknown_algorithm: return "its algorithm is not known";
        case line_fault::bad_digest: return "the digest has not the form or length of the algorithm's";
        case line_fault::bad_escape: return "the name has an unknown escape";
        case line_fault::other_form: return "it has one blank after the digest where earlier lines have two characters";
    }
    return "";
}

parsed_line parse_line(std::string_view line, const lsh_info& untagged, untagged_form& form) {
    if (line.starts_with('#')) return ignored_line{};
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return ignored_line{};
    if (has_byte_order_mark(line)) return line_fault::byte_order_mark;

    line = without_leading_blanks(line);
    const bool escaped = line.starts_with('\\');
    if (escaped) line.remove_prefix(1);

    if (const std::size_t tag_end = line.find_first_of(" ("); tag_end != line.npos) {
        const std::size_t open = line[tag_end] == ' ' ? tag_end + 1 : tag_end;
        const bool tagged = open < line.size() && line[open] == '(';
        const lsh_info* algorithm = find_lsh(line.substr(0, tag_end));
        if (tagged && algorithm) return parse_tagged(line.substr(open + 1), *algorithm, escaped);
        if (tagged && tag_end != 0 && leading_hex(line).size() != tag_end) return line_fault::unknown_algorithm;
    }
    return parse_untagged(line, untagged, escaped, form);
}

}  // namespace hwacha::tool
