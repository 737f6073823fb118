// File names in lists: a line stays a line, whatever bytes the name has.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hwacha::tool {

// Whether `name` has a backslash, newline or carriage return. Its line then starts with a backslash.
bool needs_escape(std::string_view name) noexcept;

// `name` with those three as \\, \n and \r.
std::string escape_name(std::string_view name);

// The reverse. Nothing if there is any other escape, a lone backslash at the end, or a null byte.
std::optional<std::string> unescape_name(std::string_view text);

}  // namespace hwacha::tool
