// Views of bytes: what every function takes and fills.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace hwacha {

using bytes_view = std::span<const std::byte>;
using bytes_span = std::span<std::byte>;

// The bytes of a text.
[[nodiscard]] inline bytes_view bytes_of(std::string_view text) noexcept {
    return std::as_bytes(std::span(text.data(), text.size()));
}

// The bytes of a literal, without its final null.
template <std::size_t N>
[[nodiscard]] bytes_view bytes_of(const char (&literal)[N]) noexcept {
    return std::as_bytes(std::span(literal, literal[N - 1] == '\0' ? N - 1 : N));
}

// All bytes of an array of characters, nulls included.
template <std::size_t N>
[[nodiscard]] bytes_view bytes_of(char (&array)[N]) noexcept {
    return std::as_bytes(std::span(array));
}

// The bytes of any other contiguous range that outlives the view, of elements whose bytes are their
// value: integers, std::byte, structs of them without padding.
template <std::ranges::contiguous_range Range>
    requires std::ranges::sized_range<Range> && std::ranges::borrowed_range<Range> &&
             (!std::convertible_to<Range, std::string_view>) &&
             std::has_unique_object_representations_v<std::ranges::range_value_t<Range>>
[[nodiscard]] bytes_view bytes_of(Range&& range) noexcept {
    return std::as_bytes(std::span(std::ranges::data(range), std::ranges::size(range)));
}

}  // namespace hwacha
