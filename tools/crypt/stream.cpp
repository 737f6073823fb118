#include "crypt/stream.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace hwacha::crypt {

std::size_t read_fully(source& from, bytes_span room) {
    std::size_t filled = 0;
    while (filled < room.size()) {
        const std::size_t size = from.read(room.subspan(filled));
        if (size == 0) break;
        filled += size;
    }
    return filled;
}

std::size_t memory_source::read(bytes_span room) {
    const bytes_view next = lend(room.size());
    if (!next.empty()) std::memcpy(room.data(), next.data(), next.size());
    return next.size();
}

bytes_view memory_source::lend(std::size_t most) {
    const bytes_view next = rest_.first(std::min(most, rest_.size()));
    rest_ = rest_.subspan(next.size());
    return next;
}

void memory_sink::write(bytes_view bytes) {
    const bytes_span to = lend(bytes.size());
    if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
}

bytes_span memory_sink::lend(std::size_t size) {
    if (size > rest_.size()) throw std::length_error("no room left in memory");
    const bytes_span next = rest_.first(size);
    rest_ = rest_.subspan(size);
    return next;
}

std::size_t rewound_source::read(bytes_span room) {
    if (used_ == first_.size()) return from_.read(room);
    const std::size_t size = std::min(room.size(), first_.size() - used_);
    std::memcpy(room.data(), first_.data() + used_, size);
    used_ += size;
    return size;
}

}  // namespace hwacha::crypt
