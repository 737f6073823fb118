#include "crypt/armor.hpp"

#include <algorithm>
#include <cstring>

#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t block_lines = 1024;
constexpr std::string_view begin_mark = "-----BEGIN ";
constexpr std::string_view end_mark = "-----END ";
constexpr std::string_view dashes = "-----";

// All ones if a <= x <= b, otherwise 0.
constexpr unsigned within(unsigned x, unsigned a, unsigned b) {
    return (((x - a) | (b - x)) >> 31) - 1U;
}

constexpr char character_of(unsigned x) {
    // 'A' + x, with what is to be added at each border between the ranges of characters.
    const unsigned c = 'A' + x + (within(x, 26, 63) & ('a' - 'A' - 26U)) - (within(x, 52, 63) & ('a' + 26U - '0')) -
                       (within(x, 62, 63) & ('0' + 10U - '+')) + (within(x, 63, 63) & ('/' - '+' - 1U));
    return static_cast<char>(c);
}

// 0 to 63; above 255 if `c` is none of the characters.
constexpr unsigned value_of(unsigned c) {
    const unsigned upper = within(c, 'A', 'Z');
    const unsigned lower = within(c, 'a', 'z');
    const unsigned digit = within(c, '0', '9');
    const unsigned plus = within(c, '+', '+');
    const unsigned slash = within(c, '/', '/');
    const unsigned value =
        (upper & (c - 'A')) | (lower & (c - 'a' + 26)) | (digit & (c - '0' + 52)) | (plus & 62U) | (slash & 63U);
    return value | (~(upper | lower | digit | plus | slash) & 0x100U);
}

constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

[[noreturn]] void bad(const std::string& text) {
    throw file_fault(fault::bad_armor, "has damaged armor: " + text);
}

}  // namespace

void encode_base64(bytes_view bytes, char* out) noexcept {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3, out += 4) {
        const unsigned group = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        out[0] = character_of(group >> 18);
        out[1] = character_of(group >> 12 & 63);
        out[2] = character_of(group >> 6 & 63);
        out[3] = character_of(group & 63);
    }
    if (i == bytes.size()) return;
    const bool two = i + 2 == bytes.size();
    const unsigned group = at(i) << 16 | (two ? at(i + 1) << 8 : 0);
    out[0] = character_of(group >> 18);
    out[1] = character_of(group >> 12 & 63);
    out[2] = two ? character_of(group >> 6 & 63) : '=';
    out[3] = '=';
}

std::size_t decode_base64(std::string_view text, std::byte* out) noexcept {
    if (text.size() % 4 != 0) return std::string_view::npos;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    const auto value = [&](std::size_t i) { return value_of(static_cast<unsigned char>(text[i])); };
    const std::byte* const start = out;
    unsigned wrong = 0;
    const std::size_t whole = text.size() - (padding != 0 ? 4 : 0);
    for (std::size_t i = 0; i < whole; i += 4, out += 3) {
        const unsigned a = value(i), b = value(i + 1), c = value(i + 2), d = value(i + 3);
        wrong |= a | b | c | d;
        const unsigned group = a << 18 | b << 12 | c << 6 | d;
        out[0] = static_cast<std::byte>(group >> 16);
        out[1] = static_cast<std::byte>(group >> 8);
        out[2] = static_cast<std::byte>(group);
    }
    if (padding != 0) {
        const unsigned a = value(whole), b = value(whole + 1), c = padding == 1 ? value(whole + 2) : 0;
        const unsigned group = a << 18 | b << 12 | c << 6;
        // The bits that encode nothing.
        wrong |= a | b | c | (padding == 1 ? group << 8 & 0xff00U : group << 8 & 0xffff00U);
        *out++ = static_cast<std::byte>(group >> 16);
        if (padding == 1) *out++ = static_cast<std::byte>(group >> 8);
    }
    return wrong > 0xff ? std::string_view::npos : static_cast<std::size_t>(out - start);
}

std::string_view armor_label(file_type type) noexcept {
    return type == file_type::encrypted ? "HWACHA ENCRYPTED FILE" : "HWACHA SECRET KEY";
}

armor_sink::armor_sink(file_type type, sink& to)
    : label_(armor_label(type)), to_(to), text_(block_lines * (armor_line + 1)) {
    std::string line;
    line.append(begin_mark).append(label_).append(dashes).append("\n");
    to_.write(bytes_of(line));
}

// Whole lines, or the last one.
void armor_sink::flush(bytes_view bytes) {
    while (!bytes.empty()) {
        auto* const text = reinterpret_cast<char*>(text_.bytes().data());
        std::size_t size = 0;
        for (std::size_t i = 0; i < block_lines && !bytes.empty(); ++i) {
            const bytes_view line = bytes.first(std::min(armor_line_bytes, bytes.size()));
            encode_base64(line, text + size);
            size += (line.size() + 2) / 3 * 4;
            text[size++] = '\n';
            bytes = bytes.subspan(line.size());
        }
        to_.write(text_.bytes().first(size));
    }
}

void armor_sink::write(bytes_view bytes) {
    if (pending_size_ != 0) {
        const std::size_t more = std::min(bytes.size(), armor_line_bytes - pending_size_);
        std::copy_n(bytes.begin(), more, pending_.begin() + static_cast<std::ptrdiff_t>(pending_size_));
        pending_size_ += more;
        bytes = bytes.subspan(more);
        if (pending_size_ < armor_line_bytes) return;
        flush(pending_);
        pending_size_ = 0;
    }
    const std::size_t rest = bytes.size() % armor_line_bytes;
    flush(bytes.first(bytes.size() - rest));
    std::ranges::copy(bytes.last(rest), pending_.begin());
    pending_size_ = rest;
}

void armor_sink::finish() {
    flush(bytes_view(pending_).first(pending_size_));
    pending_size_ = 0;
    std::string line;
    line.append(end_mark).append(label_).append(dashes).append("\n");
    to_.write(bytes_of(line));
}

armor_source::armor_source(source& from) : from_(from), text_(block_lines * (armor_line + 2)) {}

// Moves what is left to the front and reads more behind it.
bool armor_source::fill() {
    if (exhausted_) return false;
    const bytes_span text = text_.bytes();
    if (size_ != 0) std::memmove(text.data(), text.data() + at_, size_);
    at_ = 0;
    const std::size_t size = from_.read(text.subspan(size_));
    exhausted_ = size == 0;
    size_ += size;
    return size != 0;
}

// Without its end; false if nothing is left. No line of armor is longer than the buffer: a longer one comes in parts.
bool armor_source::next_line(std::string_view& line) {
    std::size_t searched = 0;
    for (;;) {
        const std::string_view text(reinterpret_cast<const char*>(text_.bytes().data()) + at_, size_);
        const std::size_t end = text.find('\n', searched);
        last_line_ended_ = end != text.npos;
        if (last_line_ended_) {
            line = text.substr(0, end);
            at_ += end + 1;
            size_ -= end + 1;
            break;
        }
        searched = size_;
        if (size_ >= text_.size() / 2 || !fill()) {
            if (size_ == 0) return false;
            line = std::string_view(reinterpret_cast<const char*>(text_.bytes().data()) + at_, size_);
            at_ += size_;
            size_ = 0;
            break;
        }
    }
    if (last_line_ended_ && line.ends_with('\r')) line.remove_suffix(1);
    return true;
}

void armor_source::begin() {
    while (size_ == 0 || is_space(static_cast<char>(text_.bytes()[at_]))) {
        if (size_ == 0) {
            if (!fill()) throw file_fault(fault::not_ours, "is not a Hwacha file: there is nothing in it");
        } else {
            ++at_;
            --size_;
        }
    }
    std::string_view line;
    next_line(line);
    for (const file_type type : {file_type::encrypted, file_type::secret_key}) {
        std::string wanted;
        wanted.append(begin_mark).append(armor_label(type)).append(dashes);
        if (line == wanted && last_line_ended_) {
            type_ = type;
            phase_ = phase::body;
            return;
        }
    }
    const std::string_view guess = guess_content(bytes_of(line.substr(0, 8)));
    throw file_fault(fault::not_ours, "is not a Hwacha file" + (guess.empty() ? "" : ": it " + std::string(guess)));
}

void armor_source::end(std::string_view line) {
    std::string wanted;
    wanted.append(end_mark).append(armor_label(type_)).append(dashes);
    if (!line.starts_with(wanted)) bad("its END line does not fit its BEGIN line");
    line.remove_prefix(wanted.size());
    phase_ = phase::after;
    do {
        if (!std::ranges::all_of(line, is_space)) bad("there is something after its END line");
    } while (next_line(line));
}

std::size_t armor_source::read(bytes_span room) {
    if (phase_ == phase::before) begin();
    std::size_t filled = 0;
    while (filled < room.size()) {
        if (line_at_ == line_size_) {
            std::string_view line;
            if (phase_ == phase::after) break;
            if (!next_line(line)) bad("it is truncated, its END line is missing");
            if (line.starts_with('-')) {
                if (!any_line_) bad("there is nothing in it");
                end(line);
                break;
            }
            if (short_line_) bad("a line in the middle is too short");
            if (line.size() > armor_line) bad("a line is longer than 64 characters");
            if (line.empty()) bad("a line is empty");
            const std::size_t size = decode_base64(line, line_.data());
            if (size == line.npos) bad("a line is not in base64, or not in its canonical form");
            any_line_ = true;
            short_line_ = line.size() < armor_line || size < armor_line_bytes;
            line_at_ = 0;
            line_size_ = size;
        }
        const std::size_t more = std::min(room.size() - filled, line_size_ - line_at_);
        std::memcpy(room.data() + filled, line_.data() + line_at_, more);
        line_at_ += more;
        filled += more;
    }
    return filled;
}

bool looks_armored(bytes_view first) noexcept {
    const auto found = std::ranges::find_if_not(first, [](std::byte b) { return is_space(static_cast<char>(b)); });
    return found != first.end() && *found == std::byte{'-'};
}

}  // namespace hwacha::crypt
