#include <hwacha/cmac_lea.hpp>

#include <algorithm>
#include <string>

#include "base/bytes.hpp"
#include "lea/access.hpp"

namespace hwacha {
namespace {

constexpr std::size_t block = lea_block_size;

constexpr bool valid_mac_size(std::size_t n, bool short_macs) {
    return n <= block && n >= (short_macs ? 4 : 8);
}

// SP 800-38B section 6.1 steps 2 and 3: times x modulo x^128 + x^7 + x^2 + x + 1.
void double_block(const std::byte* in, std::byte* out) {
    const auto high = load_be<std::uint64_t>(in);
    const auto low = load_be<std::uint64_t>(in + 8);
    store_be(out, high << 1 | low >> 63);
    store_be(out + 8, low << 1 ^ (0x87 & (0 - (high >> 63))));
}

void add(std::byte* to, const std::byte* what) {
    for (std::size_t i = 0; i < block; ++i) to[i] ^= what[i];
}

}  // namespace

cmac_lea::cmac_lea(bytes_view key, cmac_lea_options options) : cmac_lea(lea(key), options) {}

cmac_lea::cmac_lea(const lea& key, cmac_lea_options options)
    : key_(key), last_size_(0), mac_size_(static_cast<std::uint32_t>(options.mac_size)), finished_(false) {
    if (!valid_mac_size(options.mac_size, options.short_macs)) {
        throw error(status::bad_tag_length, "CMAC-LEA MAC: " + std::to_string(options.mac_size) + " bytes given, " +
                                                (options.short_macs ? "4" : "8") + " to 16 expected");
    }
    std::byte l[block] = {};
    lea_access::encrypt_one(key_, l, l);
    double_block(l, k1_);
    double_block(k1_, k2_);
    wipe(l, sizeof l);
    reset();
}

cmac_lea::~cmac_lea() {
    wipe(k1_, sizeof k1_);
    wipe(k2_, sizeof k2_);
    wipe(chain_, sizeof chain_);
    wipe(last_, sizeof last_);
}

cmac_lea& cmac_lea::update(bytes_view data) noexcept {
    if (finished_ || data.empty()) return *this;
    const auto absorb = [this](const std::byte* b) {
        add(chain_, b);
        lea_access::encrypt_one(key_, chain_, chain_);
    };
    const std::size_t taken = std::min(data.size(), block - last_size_);
    copy_bytes(last_ + last_size_, data.data(), taken);
    last_size_ += static_cast<std::uint32_t>(taken);
    data = data.subspan(taken);
    if (data.empty()) return *this;  // the block may be the last one, which is treated differently
    absorb(last_);
    for (; data.size() > block; data = data.subspan(block)) absorb(data.data());
    std::memcpy(last_, data.data(), data.size());
    last_size_ = static_cast<std::uint32_t>(data.size());
    return *this;
}

status cmac_lea::finish(bytes_span mac) noexcept {
    if (finished_) return status::finished;
    if (mac.size() < mac_size_) return status::buffer_too_small;
    // Section 6.2 step 4.
    if (last_size_ < block) {
        last_[last_size_] = std::byte{0x80};
        std::memset(last_ + last_size_ + 1, 0, block - last_size_ - 1);
    }
    add(last_, last_size_ == block ? k1_ : k2_);
    add(chain_, last_);
    lea_access::encrypt_one(key_, chain_, chain_);
    std::memcpy(mac.data(), chain_, mac_size_);
    reset();
    finished_ = true;
    return status::ok;
}

status cmac_lea::verify(bytes_view mac) noexcept {
    if (mac.size() != mac_size_) return status::bad_tag_length;
    std::byte computed[block];
    status s = finish(computed);
    if (s == status::ok && !equal_constant_time(computed, mac.data(), mac.size())) s = status::auth_failed;
    wipe(computed, sizeof computed);
    return s;
}

void cmac_lea::reset() noexcept {
    wipe(chain_, sizeof chain_);
    wipe(last_, sizeof last_);
    last_size_ = 0;
    finished_ = false;
}

status cmac_lea::mac(bytes_view key, bytes_view data, bytes_span mac) noexcept {
    if (key.size() != 16 && key.size() != 24 && key.size() != 32) return status::bad_key_length;
    if (mac.size() < block) return status::buffer_too_small;
    return cmac_lea(key).update(data).finish(mac);
}

}  // namespace hwacha
