// The messages of "NAME xN", "NAME xN uniform" and "NAME xN records" in an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "peers/lengths.h"

namespace hwacha::bench {

class division {
  public:
    enum class lengths { equal, uniform, records };

    division(std::size_t count, lengths l) : sums_(sums(count, l)), ends_(count) {}

    std::size_t count() const { return ends_.size(); }

    // To be called first in a run; false: the messages would not be equal.
    bool divide(std::size_t length) {
        if (length == divided_) return true;
        if (sums_ == nullptr && length % count() != 0) return false;
        for (std::size_t i = 0; i < count(); ++i) {
            ends_[i] = sums_ == nullptr ? length / count() * (i + 1)
                                        : static_cast<std::size_t>((*sums_)[i] * length / sums_->back());
        }
        divided_ = length;
        return true;
    }

    // use(i, start, length) for every message.
    template <class Use>
    void each(Use use) const {
        std::size_t start = 0;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            use(i, start, ends_[i] - start);
            start = ends_[i];
        }
    }

  private:
    using sum_list = std::vector<std::uint64_t>;

    // Found once for all that are alike; null if all messages have the same length.
    static const sum_list* sums(std::size_t count, lengths l) {
        if (l == lengths::equal) return nullptr;
        static std::map<std::pair<std::size_t, lengths>, sum_list> known;
        sum_list& found = known[{count, l}];
        if (found.empty()) {
            found.resize(count);
            hwacha_peer_lengths(l == lengths::uniform ? hwacha_peer_uniform : hwacha_peer_records, count, found.data());
        }
        return &found;
    }

    const sum_list* sums_;
    std::vector<std::size_t> ends_;
    std::size_t divided_ = static_cast<std::size_t>(-1);
};

// What there is of "NAME x...".
struct batch_shape {
    const char* suffix;
    std::size_t count;
    division::lengths lengths;

    division divided() const { return {count, lengths}; }
    std::string of(const std::string& name) const { return name + suffix; }
};

inline constexpr batch_shape batch_shapes[] = {
    {" x2", 2, division::lengths::equal},
    {" x4", 4, division::lengths::equal},
    {" x16", 16, division::lengths::equal},
    {" x128", 128, division::lengths::equal},
    {" x1024", 1024, division::lengths::equal},
    {" x10000", 10000, division::lengths::equal},
    {" x256 uniform", 256, division::lengths::uniform},
    {" x1024 records", 1024, division::lengths::records},
};

}  // namespace hwacha::bench
