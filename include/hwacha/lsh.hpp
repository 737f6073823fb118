// LSH, the Korean standard hash family (KS X 3262): six variants over two cores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

namespace hwacha {

enum class lsh_variant : int {
    lsh256_224 = HWACHA_LSH256_224,
    lsh256_256 = HWACHA_LSH256_256,
    lsh512_224 = HWACHA_LSH512_224,
    lsh512_256 = HWACHA_LSH512_256,
    lsh512_384 = HWACHA_LSH512_384,
    lsh512_512 = HWACHA_LSH512_512,
};

struct lsh_info {
    lsh_variant variant;
    std::string_view name;    // canonical, null-terminated: "LSH-256-256"
    std::size_t digest_size;  // bytes: 28, 32, 48 or 64
    std::size_t block_size;   // bytes: 128 (LSH-256) or 256 (LSH-512)
};

// All six, in the order of the standard.
[[nodiscard]] HWACHA_API std::span<const lsh_info> lsh_variants() noexcept;
// The entry of `v`, or null if the number is none of the six.
[[nodiscard]] HWACHA_API const lsh_info* find_lsh(lsh_variant v) noexcept;
// By canonical name or alias, in any case: LSH-256-256, LSH256-256, LSH-256_256, LSH-256 (= 256-256), LSH-512
// (= 512-512), LSH-224 (= 256-224), LSH-384 (= 512-384).
[[nodiscard]] HWACHA_API const lsh_info* find_lsh(std::string_view name) noexcept;

// Throws error(s), with the name of the variant.
[[noreturn]] HWACHA_API void throw_error(status s, lsh_variant v);

// A message in pieces. Copying continues both copies from the same point; the destructor wipes the state.
// One object serves one thread at a time. No allocation.
class HWACHA_API lsh {
  public:
    // Throws error(unknown_algorithm) if `v` is none of the six.
    explicit lsh(lsh_variant v);
    lsh(const lsh&) noexcept = default;
    lsh& operator=(const lsh&) noexcept = default;
    ~lsh();

    // Appends `data`, of any length; any splitting gives the same digest. After finish it does nothing until reset, and
    // the next finish says so.
    lsh& update(bytes_view data) noexcept;

    // Writes digest_size() bytes to the start of `digest`, which may lie over the input, and ends the message.
    // buffer_too_small: `digest` is shorter, nothing happened; finished: already ended, `digest` untouched.
    [[nodiscard]] status finish(bytes_span digest) noexcept;

    // The same for a message whose length is no multiple of 8 bits: its last `bits` bits (1 to 7) are the most
    // significant ones of `last`. bad_bit_count otherwise.
    [[nodiscard]] status finish_bits(std::byte last, unsigned bits, bytes_span digest) noexcept;

    // Back to the empty message.
    void reset() noexcept;

    [[nodiscard]] lsh_variant variant() const noexcept { return info_->variant; }
    [[nodiscard]] std::string_view name() const noexcept { return info_->name; }
    [[nodiscard]] std::size_t digest_size() const noexcept { return info_->digest_size; }
    [[nodiscard]] std::size_t block_size() const noexcept { return info_->block_size; }

    // One call. unknown_algorithm, buffer_too_small: `digest` untouched.
    [[nodiscard]] static status hash(lsh_variant v, bytes_view data, bytes_span digest) noexcept;

  private:
    friend struct lsh_access;
    explicit lsh(const lsh_info& info) noexcept;
    void compress(const std::byte* blocks, std::size_t count) noexcept;
    status end(std::byte marker, bytes_span digest) noexcept;

    union chaining {
        std::uint32_t w32[16];
        std::uint64_t w64[16];
    };
    chaining cv_;
    std::byte buffer_[256];
    std::uint32_t buffered_;
    bool finished_;
    const lsh_info* info_;
    const void* kernel_;
};

// The same with the variant as a type: digests come back by value.
template <lsh_variant V, std::size_t DigestSize>
class lsh_fixed {
  public:
    static constexpr std::size_t digest_size = DigestSize;
    using digest = std::array<std::byte, DigestSize>;

    lsh_fixed() : h_(V) {}

    lsh_fixed& update(bytes_view data) noexcept {
        h_.update(data);
        return *this;
    }
    // Throws error(finished) if called twice without reset.
    [[nodiscard]] digest finish() {
        digest d;
        check(h_.finish(d));
        return d;
    }
    // Throws error(bad_bit_count) or error(finished).
    [[nodiscard]] digest finish_bits(std::byte last, unsigned bits) {
        digest d;
        check(h_.finish_bits(last, bits, d));
        return d;
    }
    void reset() noexcept { h_.reset(); }

    [[nodiscard]] static digest hash(bytes_view data) noexcept {
        digest d{};
        static_cast<void>(lsh::hash(V, data, d));
        return d;
    }

  private:
    static void check(status s) {
        if (s != status::ok) throw_error(s, V);
    }
    lsh h_;
};

using lsh256_224 = lsh_fixed<lsh_variant::lsh256_224, 28>;
using lsh256_256 = lsh_fixed<lsh_variant::lsh256_256, 32>;
using lsh512_224 = lsh_fixed<lsh_variant::lsh512_224, 28>;
using lsh512_256 = lsh_fixed<lsh_variant::lsh512_256, 32>;
using lsh512_384 = lsh_fixed<lsh_variant::lsh512_384, 48>;
using lsh512_512 = lsh_fixed<lsh_variant::lsh512_512, 64>;

}  // namespace hwacha
