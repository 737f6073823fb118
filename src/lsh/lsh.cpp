// LSH above the waist: variants, streaming, padding, digests.
#include <hwacha/lsh.hpp>

#include <algorithm>

#include "lsh/chaining.hpp"
#include "lsh/tables.hpp"

namespace hwacha {
namespace {

constexpr lsh_info variants[] = {
#define HWACHA_LSH(id, name, core, digest_bits, aliases) \
    {lsh_variant::id, name, (digest_bits) / 8, 32 * sizeof(core::word)},
#include "lsh/variants.def"
#undef HWACHA_LSH
};

constexpr std::string_view aliases_of[] = {
#define HWACHA_LSH(id, name, core, digest_bits, aliases) aliases,
#include "lsh/variants.def"
#undef HWACHA_LSH
};

#define HWACHA_LSH(id, name, core, digest_bits, aliases) \
    constexpr lsh_chaining<core> iv_##id = lsh_initial_value<core>(digest_bits);
#include "lsh/variants.def"
#undef HWACHA_LSH

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool listed(std::string_view name, std::string_view comma_list) {
    while (!comma_list.empty()) {
        const std::size_t end = std::min(comma_list.find(','), comma_list.size());
        if (same_name(name, comma_list.substr(0, end))) return true;
        comma_list.remove_prefix(std::min(end + 1, comma_list.size()));
    }
    return false;
}

const lsh_info& checked(lsh_variant v) {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) {
        throw error(status::unknown_algorithm,
                    "LSH: variant " + std::to_string(static_cast<int>(v)) + " given, 1 to 6 expected");
    }
    return *i;
}

}  // namespace

const void* lsh_initial_value_of(const lsh_info& v) {
    switch (v.variant) {
#define HWACHA_LSH(id, name, core, digest_bits, aliases) \
    case lsh_variant::id: return iv_##id.word;
#include "lsh/variants.def"
#undef HWACHA_LSH
    }
    return nullptr;
}

std::span<const lsh_info> lsh_variants() noexcept {
    return variants;
}

const lsh_info* find_lsh(lsh_variant v) noexcept {
    for (const lsh_info& i : variants) {
        if (i.variant == v) return &i;
    }
    return nullptr;
}

const lsh_info* find_lsh(std::string_view name) noexcept {
    for (std::size_t i = 0; i < std::size(variants); ++i) {
        if (same_name(name, variants[i].name) || listed(name, aliases_of[i])) return &variants[i];
    }
    return nullptr;
}

void throw_error(status s, lsh_variant v) {
    throw error(s, std::string(checked(v).name) + ": " + std::string(to_string(s)));
}

lsh::lsh(lsh_variant v) : lsh(checked(v)) {}

lsh::lsh(const lsh_info& info) noexcept
    : buffered_(0),
      finished_(false),
      info_(&info),
      kernel_(is_lsh256(info) ? static_cast<const void*>(&lsh256_tables.active())
                              : static_cast<const void*>(&lsh512_tables.active())) {
    reset();
}

lsh::~lsh() {
    wipe(&cv_, sizeof cv_);
    wipe(buffer_, sizeof buffer_);
}

void lsh::reset() noexcept {
    if (buffered_ != 0 || finished_) wipe(buffer_, sizeof buffer_);
    std::memcpy(&cv_, lsh_initial_value_of(*info_), is_lsh256(*info_) ? sizeof cv_.w32 : sizeof cv_.w64);
    buffered_ = 0;
    finished_ = false;
}

void lsh::compress(const std::byte* blocks, std::size_t count) noexcept {
    const auto* p = reinterpret_cast<const std::uint8_t*>(blocks);
    if (is_lsh256(*info_)) {
        static_cast<const lsh256_table*>(kernel_)->compress(cv_.w32, p, count);
    } else {
        static_cast<const lsh512_table*>(kernel_)->compress(cv_.w64, p, count);
    }
}

lsh& lsh::update(bytes_view data) noexcept {
    if (finished_ || data.empty()) return *this;
    const std::size_t block = info_->block_size;

    if (buffered_ != 0) {
        const std::size_t taken = std::min(data.size(), block - buffered_);
        std::memcpy(buffer_ + buffered_, data.data(), taken);
        buffered_ += static_cast<std::uint32_t>(taken);
        data = data.subspan(taken);
        if (buffered_ < block) return *this;
        compress(buffer_, 1);
        buffered_ = 0;
    }
    const std::size_t whole = data.size() / block;
    if (whole != 0) compress(data.data(), whole);
    data = data.subspan(whole * block);
    copy_bytes(buffer_, data.data(), data.size());
    buffered_ = static_cast<std::uint32_t>(data.size());
    return *this;
}

// KS X 3262, padding: a 1 bit, then zeros to the end of the block; the length is not encoded. `marker` holds the last
// bits of the message and the 1 bit after them.
status lsh::end(std::byte marker, bytes_span digest) noexcept {
    if (finished_) return status::finished;
    if (digest.size() < info_->digest_size) return status::buffer_too_small;

    buffer_[buffered_] = marker;
    std::memset(buffer_ + buffered_ + 1, 0, info_->block_size - buffered_ - 1);
    compress(buffer_, 1);

    if (is_lsh256(*info_)) {
        write_digest(cv_.w32, digest.data(), info_->digest_size);
    } else {
        write_digest(cv_.w64, digest.data(), info_->digest_size);
    }
    wipe(&cv_, sizeof cv_);
    wipe(buffer_, sizeof buffer_);
    buffered_ = 0;
    finished_ = true;
    return status::ok;
}

status lsh::finish(bytes_span digest) noexcept {
    return end(std::byte{0x80}, digest);
}

status lsh::finish_bits(std::byte last, unsigned bits, bytes_span digest) noexcept {
    if (finished_) return status::finished;
    if (bits < 1 || bits > 7) return status::bad_bit_count;
    const auto kept = static_cast<std::byte>(0xff00U >> bits);
    return end((last & kept) | static_cast<std::byte>(0x80U >> bits), digest);
}

status lsh::hash(lsh_variant v, bytes_view data, bytes_span digest) noexcept {
    const lsh_info* i = find_lsh(v);
    if (i == nullptr) return status::unknown_algorithm;
    if (digest.size() < i->digest_size) return status::buffer_too_small;
    lsh h(*i);
    return h.update(data).finish(digest);
}

}  // namespace hwacha
