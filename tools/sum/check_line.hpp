// One line of a list of digests: printing it, and reading it back. No input or output.
//
//   DIGEST  NAME            untagged; the second character after the digest is ' ' or '*' (called text and binary)
//   DIGEST NAME             untagged, without that character: lists of BSD's `md5 -r` kind
//   LSH-256-256 (NAME) = DIGEST
//
// A backslash before any of them says that the name is escaped. Which lines are well formed is GNU coreutils' choice,
// to the byte: a list that sha256sum would take is taken here.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <hwacha/bytes.hpp>
#include <hwacha/lsh.hpp>

namespace hwacha::tool {

struct line_format {
    bool tag = false;
    bool binary = false;  // '*' for ' '
    bool zero = false;    // ends in a null byte; the name is not escaped
};

// In lower case.
std::string to_hex(bytes_view bytes);

// With its end. `hex` is the digest in lower-case hexadecimal.
std::string print_line(const lsh_info& algorithm, std::string_view hex, std::string_view name,
                       const line_format& format);

// The two untagged forms look alike ("DIGEST  x" could name " x"): the first untagged line decides for the rest.
enum class untagged_form { undecided, with_marker, without_marker };

// An empty line or a comment.
struct ignored_line {};

struct checksum_line {
    const lsh_info* algorithm;
    std::string_view digest;  // part of the line; hexadecimal in any case, 2 * algorithm->digest_size
    std::string name;         // may be empty
};

enum class line_fault {
    not_a_checksum,
    byte_order_mark,
    unknown_algorithm,
    bad_digest,  // its length, or what surrounds it
    bad_escape,
    other_form,  // without a marker, after lines with one
};

// As a clause: "the digest does not ...".
std::string_view to_string(line_fault fault) noexcept;

using parsed_line = std::variant<ignored_line, checksum_line, line_fault>;

// `line` comes without its newline. Untagged digests are taken for `untagged`'s.
parsed_line parse_line(std::string_view line, const lsh_info& untagged, untagged_form& form);

}  // namespace hwacha::tool
