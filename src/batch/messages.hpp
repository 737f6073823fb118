// Where the messages of a batch (or its keys, or pieces) lie, in any of the layouts that the interfaces take. No list
// of views of all of them is made: only of those of a portion.
#pragma once

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

#include <cstdint>

#include "base/bytes.hpp"

namespace hwacha {

class message_list {
  public:
    explicit message_list(std::span<const bytes_view> views)
        : layout_(layout::views), count_(views.size()), list_(views.data()) {}
    message_list(const void* const* starts, const std::size_t* sizes, std::size_t count)
        : layout_(layout::starts), count_(count), list_(starts), sizes_(sizes) {}
    // Message i is the bytes offsets[i] to offsets[i + 1] of `data`; nothing is read of the offsets of no messages.
    message_list(bytes_view data, const std::int32_t* offsets, std::size_t count)
        : layout_(layout::offsets32), count_(count), list_(offsets), data_(data) {}
    message_list(bytes_view data, const std::int64_t* offsets, std::size_t count)
        : layout_(layout::offsets64), count_(count), list_(offsets), data_(data) {}
    template <class Offset>
    message_list(bytes_view data, std::span<const Offset> offsets)
        : message_list(data, offsets.data(), offsets.empty() ? 0 : offsets.size() - 1) {}

    using slot = bytes_view;

    std::size_t count() const { return count_; }
    std::size_t size(std::size_t i) const { return (*this)[i].size(); }

    // What the list says must be so, or else nothing below may be asked: null_pointer, bad_offsets.
    status check() const {
        if (count_ == 0) return status::ok;
        switch (layout_) {
            case layout::views: break;
            case layout::starts: return starts_given() ? status::ok : status::null_pointer;
            case layout::offsets32: return in_order<std::int32_t>() ? status::ok : status::bad_offsets;
            case layout::offsets64: return in_order<std::int64_t>() ? status::ok : status::bad_offsets;
        }
        return status::ok;
    }

    bytes_view operator[](std::size_t i) const {
        switch (layout_) {
            case layout::views: return entry<bytes_view>(i);
            case layout::starts: return {static_cast<const std::byte*>(entry<const void*>(i)), sizes_[i]};
            case layout::offsets32: return between(entry<std::int32_t>(i), entry<std::int32_t>(i + 1));
            case layout::offsets64: return between(entry<std::int64_t>(i), entry<std::int64_t>(i + 1));
        }
        return {};
    }

    // Some messages as views, which are made in `room` unless they are there already.
    std::span<const bytes_view> part(std::size_t first, std::size_t count, bytes_view* room) const {
        if (layout_ == layout::views) return {static_cast<const bytes_view*>(list_) + first, count};
        for (std::size_t i = 0; i < count; ++i) room[i] = (*this)[first + i];
        return {room, count};
    }

    // Neither a message nor what says where they are has a byte in common with `out`.
    bool apart_from(bytes_view out) const {
        if (count_ == 0) return true;
        switch (layout_) {
            case layout::views: return list_apart<bytes_view>(count_, out) && each_apart(out);
            case layout::starts:
                return list_apart<const void*>(count_, out) &&
                       disjoint(std::as_bytes(std::span(sizes_, count_)), out) && each_apart(out);
            case layout::offsets32: return list_apart<std::int32_t>(count_ + 1, out) && all_apart<std::int32_t>(out);
            case layout::offsets64: return list_apart<std::int64_t>(count_ + 1, out) && all_apart<std::int64_t>(out);
        }
        return false;
    }

  private:
    enum class layout { views, starts, offsets32, offsets64 };

    template <class Entry>
    const Entry& entry(std::size_t i) const {
        return static_cast<const Entry*>(list_)[i];
    }
    template <class Offset>
    bytes_view between(Offset first, Offset last) const {
        return data_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    }

    bool starts_given() const {
        bool good = true;
        for (std::size_t i = 0; i < count_; ++i) good &= entry<const void*>(i) != nullptr || sizes_[i] == 0;
        return good;
    }
    template <class Offset>
    bool in_order() const {
        bool good = entry<Offset>(0) >= 0;
        for (std::size_t i = 0; i < count_; ++i) good &= entry<Offset>(i) <= entry<Offset>(i + 1);
        return good && static_cast<std::uint64_t>(entry<Offset>(count_)) <= data_.size();
    }

    template <class Entry>
    bool list_apart(std::size_t entries, bytes_view out) const {
        return disjoint(std::as_bytes(std::span(static_cast<const Entry*>(list_), entries)), out);
    }
    bool each_apart(bytes_view out) const {
        for (std::size_t i = 0; i < count_; ++i) {
            if (!disjoint((*this)[i], out)) return false;
        }
        return true;
    }
    template <class Offset>
    bool all_apart(bytes_view out) const {
        return disjoint(between(entry<Offset>(0), entry<Offset>(count_)), out);
    }

    layout layout_;
    std::size_t count_;
    const void* list_;
    const std::size_t* sizes_ = nullptr;
    bytes_view data_;
};

}  // namespace hwacha
