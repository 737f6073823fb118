// Views of bytes: what every function takes and fills.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

namespace hwacha {

using bytes_view = std::span<const std::byte>;
using bytes_span = std::span<std::byte>;

// The bytes of a text (of a literal: without its final null), or of any other contiguous range of trivial elements.
inline bytes_view bytes_of(std::string_view text) noexcept {
    return std::as_bytes(std::span(text.data(), text.size()));
}

template <class Range>
    requires(!std::convertible_to<const Range&, std::string_view>) &&
            requires(const Range& r) { std::as_bytes(std::span(r)); }
bytes_view bytes_of(const Range& range) noexcept {
    return std::as_bytes(std::span(range));
}

}  // namespace hwacha
