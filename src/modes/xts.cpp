// LEA-XTS, IEEE 1619-2018 section 5, NIST SP 800-38E.
#include <algorithm>
#include <limits>

#include <hwacha/lea_modes.hpp>

#include "lea/access.hpp"
#include "modes/blocks.hpp"

namespace hwacha {

namespace {

using namespace modes;

enum class direction { encrypt, decrypt };

// SP 800-38E: at most 2^20 blocks under one tweak.
constexpr std::size_t max_unit = (std::size_t{1} << 20) * block;

// Sectors whose tweaks are encrypted together.
constexpr std::size_t sectors_at_once = 32;

constexpr bool valid_keys_size(std::size_t n) {
    return n == 32 || n == 48 || n == 64;
}

// An element of GF(2^128) in the order of IEEE 1619: byte 0 has the lowest powers.
struct tweak {
    std::uint64_t low;
    std::uint64_t high;

    void multiply_by_x() {
        const std::uint64_t out = high >> 63;
        high = (high << 1) | (low >> 63);
        low = (low << 1) ^ (0x87 & (0 - out));  // x^128 = x^7 + x^2 + x + 1
    }
    void store(std::byte* to) const {
        store_le(to, low);
        store_le(to + 8, high);
    }
};

void crypt(const lea& key, const std::byte* in, std::byte* out, std::size_t count, direction way) {
    if (way == direction::encrypt) {
        lea_access::encrypt(key, in, out, count);
    } else {
        lea_access::decrypt(key, in, out, count);
    }
}

// One data unit after another passes through this memory; it is wiped at the end.
class units {
  public:
    units(const lea& key, direction way) : key_(key), way_(way) {}
    units(const units&) = delete;
    units& operator=(const units&) = delete;
    ~units() {
        wipe(tweaks_, used_);
        wipe(text_, used_);
    }

    // `in` and `out` are the same or disjoint; size is at least 16.
    void crypt_unit(tweak t, const std::byte* in, std::byte* out, std::size_t size) {
        const std::size_t rest = size % block;
        const std::size_t count = size / block;
        if (rest == 0) {
            crypt_blocks(t, in, out, count);
            return;
        }
        // Ciphertext stealing (section 5.3.2): the last whole block is crypted with its tweak, and what a short block
        // lacks is taken from it. Decryption undoes the two in the other order, hence the tweaks change places.
        crypt_blocks(t, in, out, count - 1);
        in += (count - 1) * block;
        out += (count - 1) * block;
        tweak next = t;
        next.multiply_by_x();
        const bool encrypting = way_ == direction::encrypt;
        std::byte whole[block];
        std::byte stolen[block];
        crypt_one(encrypting ? t : next, in, whole);
        std::memcpy(stolen, in + block, rest);
        std::memcpy(stolen + rest, whole + rest, block - rest);
        std::memcpy(out + block, whole, rest);
        crypt_one(encrypting ? next : t, stolen, out);
        wipe(whole, sizeof whole);
        wipe(stolen, sizeof stolen);
    }

  private:
    void crypt_blocks(tweak& t, const std::byte* in, std::byte* out, std::size_t count) {
        while (count != 0) {
            const std::size_t n = std::min(count, piece_blocks);
            const std::size_t size = n * block;
            for (std::size_t i = 0; i < n; ++i) {
                t.store(tweaks_ + i * block);
                t.multiply_by_x();
            }
            xor_blocks(text_, in, tweaks_, n);
            crypt(key_, text_, text_, n, way_);
            xor_blocks(out, text_, tweaks_, n);
            used_ = std::max(used_, size);
            in += size;
            out += size;
            count -= n;
        }
    }

    void crypt_one(tweak t, const std::byte* in, std::byte* out) { crypt_blocks(t, in, out, 1); }

    const lea& key_;
    direction way_;
    std::size_t used_ = 0;
    std::byte tweaks_[piece_blocks * block];
    std::byte text_[piece_blocks * block];
};

tweak load_tweak(const std::byte* from) {
    return {load_le<std::uint64_t>(from), load_le<std::uint64_t>(from + 8)};
}

status check_unit(std::size_t size) {
    if (size < block) return status::bad_block_length;
    return size > max_unit ? status::message_too_long : status::ok;
}

status one_unit(const lea& data, const lea& tweak_key, bytes_view value, bytes_view in, bytes_span out, direction way) {
    if (const status s = check_unit(in.size()); s != status::ok) return s;
    if (const status s = check_text(value, in, out); s != status::ok) return s;
    std::byte first[block];
    lea_access::encrypt_one(tweak_key, value.data(), first);
    units(data, way).crypt_unit(load_tweak(first), in.data(), out.data(), in.size());
    wipe(first, sizeof first);
    return status::ok;
}

status many_units(const lea& data, const lea& tweak_key, std::uint64_t number, std::size_t size, bytes_view text,
                  bytes_span out_span, direction way) {
    if (const status s = check_unit(size); s != status::ok) return s;
    if (text.size() % size != 0) return status::bad_block_length;
    if (const status s = check_text(text, out_span); s != status::ok) return s;
    std::size_t count = text.size() / size;
    if (count != 0 && count - 1 > std::numeric_limits<std::uint64_t>::max() - number) return status::counter_exhausted;

    units work(data, way);
    std::byte tweaks[sectors_at_once * block];
    const std::byte* in = text.data();
    std::byte* out = out_span.data();
    while (count != 0) {
        const std::size_t n = std::min(count, sectors_at_once);
        for (std::size_t i = 0; i < n; ++i) tweak{number + i, 0}.store(tweaks + i * block);
        lea_access::encrypt(tweak_key, tweaks, tweaks, n);
        for (std::size_t i = 0; i < n; ++i, in += size, out += size) {
            work.crypt_unit(load_tweak(tweaks + i * block), in, out, size);
        }
        number += n;
        count -= n;
    }
    wipe(tweaks, sizeof tweaks);
    return status::ok;
}

bytes_view half(bytes_view keys, std::size_t which) {
    if (!valid_keys_size(keys.size())) {
        throw error(status::bad_key_length,
                    "LEA-XTS keys: " + std::to_string(keys.size()) + " bytes given, 32, 48 or 64 expected");
    }
    const std::size_t size = keys.size() / 2;
    return keys.subspan(which * size, size);
}

}  // namespace

lea_xts::lea_xts(bytes_view keys) : data_(half(keys, 0)), tweak_(half(keys, 1)) {
    const std::size_t size = keys.size() / 2;
    if (equal_constant_time(keys.data(), keys.data() + size, size)) {
        throw error(status::weak_key, "LEA-XTS keys: two equal ones given, different ones expected");
    }
}

status lea_xts::encrypt(bytes_view tweak, bytes_view in, bytes_span out) const noexcept {
    return one_unit(data_, tweak_, tweak, in, out, direction::encrypt);
}

status lea_xts::decrypt(bytes_view tweak, bytes_view in, bytes_span out) const noexcept {
    return one_unit(data_, tweak_, tweak, in, out, direction::decrypt);
}

status lea_xts::encrypt_sectors(std::uint64_t first, std::size_t sector_size, bytes_view in,
                                bytes_span out) const noexcept {
    return many_units(data_, tweak_, first, sector_size, in, out, direction::encrypt);
}

status lea_xts::decrypt_sectors(std::uint64_t first, std::size_t sector_size, bytes_view in,
                                bytes_span out) const noexcept {
    return many_units(data_, tweak_, first, sector_size, in, out, direction::decrypt);
}

}  // namespace hwacha
