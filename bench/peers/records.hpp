// The records of "CIPHER-GCM xN" and "CIPHER-GCM open xN" in an input: adapter.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "peers/division.hpp"

namespace hwacha::bench {

class gcm_records {
  public:
    using nonce = std::array<unsigned char, 12>;
    static constexpr std::size_t tag_size = 16;

    explicit gcm_records(const batch_shape& shape) : texts_(shape.divided()), nonces_(texts_.count()) {
        for (std::size_t i = 0; i < nonces_.size(); ++i) {
            for (std::size_t k = 0; k < 8; ++k) nonces_[i][k] = static_cast<unsigned char>(k);
            for (std::size_t k = 0; k < 4; ++k) nonces_[i][8 + k] = static_cast<unsigned char>(i >> (24 - 8 * k));
        }
    }

    std::size_t count() const { return nonces_.size(); }
    const nonce& nonce_of(std::size_t i) const { return nonces_[i]; }
    bool divide(std::size_t length) { return texts_.divide(length); }

    // use(i, start, size) for every record: of its text. Sealed it starts at sealed(i, start).
    template <class Use>
    void each(Use use) const {
        texts_.each(use);
    }
    static std::size_t sealed(std::size_t i, std::size_t start) { return start + i * tag_size; }

  private:
    division texts_;
    std::vector<nonce> nonces_;
};

// The records of an input that is taken as ciphertext, each with its tag behind it. They are made when another input
// comes, which its length and its first bytes tell: once, in the warm-up.
class sealed_records {
  public:
    explicit sealed_records(const batch_shape& shape) : records_(shape) {}

    const gcm_records& records() const { return records_; }
    const unsigned char* at(std::size_t i, std::size_t start) const {
        return sealed_.data() + gcm_records::sealed(i, start);
    }

    // seal(nonce, text, size) seals in place and appends the tag; false if it cannot. False: there are no such records.
    template <class Seal>
    bool take(const unsigned char* input, std::size_t length, Seal seal) {
        const std::size_t told_by = std::min(length, first_.size());
        if (length == length_ && std::equal(input, input + told_by, first_.begin())) return true;
        length_ = none;
        if (!records_.divide(length)) return false;
        sealed_.resize(length + records_.count() * gcm_records::tag_size);
        bool done = true;
        // Counter mode is its own inverse: sealed ciphertext is the plaintext, and that sealed gives the tag.
        records_.each([&](std::size_t i, std::size_t start, std::size_t size) {
            unsigned char* const text = sealed_.data() + gcm_records::sealed(i, start);
            std::copy(input + start, input + start + size, text);
            for (int turn = 0; turn < 2; ++turn) done = done && seal(records_.nonce_of(i).data(), text, size);
        });
        if (!done) return false;
        std::copy(input, input + told_by, first_.begin());
        length_ = length;
        return true;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    gcm_records records_;
    std::vector<unsigned char> sealed_;
    std::array<unsigned char, 32> first_{};
    std::size_t length_ = none;
};

// What there is of "LEA-128-GCM x...".
inline constexpr batch_shape gcm_shape = {" x128", 128, division::lengths::equal};

}  // namespace hwacha::bench
