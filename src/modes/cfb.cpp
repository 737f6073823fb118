// LEA-CFB, NIST SP 800-38A section 6.3, with segments of 8, 64 and 128 bits. Encryption is a chain; for decryption all
// inputs of the cipher are known, so that it works on many at once.
#include <algorithm>

#include <hwacha/lea_modes.hpp>

#include "lea/access.hpp"
#include "modes/blocks.hpp"

namespace hwacha {

namespace {

using namespace modes;

enum class direction { encrypt, decrypt };

constexpr bool valid(cfb_segment s) {
    return s == cfb_segment::bits8 || s == cfb_segment::bits64 || s == cfb_segment::bits128;
}

// The register loses its first Size bytes; what comes in at the end is the low bytes of `fresh`. In 64-bit words, which
// a chain reads back without waiting.
template <std::size_t Size>
void shift_in(std::byte* input, std::uint64_t fresh) {
    static_assert(Size <= 8);
    const auto low = load_le<std::uint64_t>(input);
    const auto high = load_le<std::uint64_t>(input + 8);
    if constexpr (Size == 8) {
        store_le(input, high);
        store_le(input + 8, fresh);
    } else {
        store_le(input, (low >> (8 * Size)) | (high << (64 - 8 * Size)));
        store_le(input + 8, (high >> (8 * Size)) | (fresh << (64 - 8 * Size)));
    }
}

// Bytes of one segment, `m.used` of which are done. While it is under way, its ciphertext gathers at the end of
// m.input.
template <std::size_t Size>
void crypt_bytes(const lea& key, lea_cfb_state& m, const std::byte* in, std::byte* out, std::size_t n, direction way) {
    if (n == 0) return;
    if (m.used == 0) {
        lea_access::encrypt_one(key, m.input, m.keystream);
        if constexpr (Size != block) std::memmove(m.input, m.input + Size, block - Size);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::byte before = in[i];
        const std::byte after = before ^ m.keystream[m.used];
        m.input[block - Size + m.used] = way == direction::encrypt ? after : before;
        out[i] = after;
        ++m.used;
    }
    if (m.used == Size) m.used = 0;
}

template <std::size_t Size>
void encrypt_segments(const lea& key, lea_cfb_state& m, const std::byte* in, std::byte* out, std::size_t count) {
    std::byte input[block];
    std::byte keystream[block];
    std::memcpy(input, m.input, block);
    for (; count != 0; --count, in += Size, out += Size) {
        if constexpr (Size == block) {
            lea_access::encrypt_one(key, input, input);
            xor_words(input, in);
            std::memcpy(out, input, block);
        } else if constexpr (Size == 8) {
            lea_access::encrypt_one(key, input, keystream);
            const std::uint64_t c = load_le<std::uint64_t>(keystream) ^ load_le<std::uint64_t>(in);
            store_le(out, c);
            shift_in<8>(input, c);
        } else {
            lea_access::encrypt_one(key, input, keystream);
            *out = keystream[0] ^ *in;
            shift_in<1>(input, std::to_integer<std::uint64_t>(*out));
        }
    }
    std::memcpy(m.input, input, block);
    wipe(keystream, sizeof keystream);
}

template <std::size_t Size>
void decrypt_segments(const lea& key, lea_cfb_state& m, const std::byte* in, std::byte* out, std::size_t count) {
    // m.input and then ciphertext: input i of the cipher starts at byte i * Size.
    std::byte known[block + piece_blocks * Size];
    std::byte keystream[piece_blocks * block];
    const std::size_t used = std::min(count, piece_blocks) * block;
    while (count != 0) {
        const std::size_t n = std::min(count, piece_blocks);
        std::memcpy(known, m.input, block);
        std::memcpy(known + block, in, n * Size);
        std::memcpy(m.input, known + n * Size, block);
        if constexpr (Size == block) {
            lea_access::encrypt(key, known, keystream, n);
            xor_blocks(out, in, keystream, n);
        } else {
            for (std::size_t i = 0; i < n; ++i) std::memcpy(keystream + i * block, known + i * Size, block);
            lea_access::encrypt(key, keystream, keystream, n);
            for (std::size_t i = 0; i < n; ++i) {
                if constexpr (Size % 8 == 0) {
                    xor_fixed<Size>(out + i * Size, in + i * Size, keystream + i * block);
                } else {
                    for (std::size_t k = 0; k < Size; ++k)
                        out[i * Size + k] = in[i * Size + k] ^ keystream[i * block + k];
                }
            }
        }
        in += n * Size;
        out += n * Size;
        count -= n;
    }
    wipe(keystream, used);
}

template <std::size_t Size>
void crypt_text(const lea& key, lea_cfb_state& m, bytes_view text, std::byte* out, direction way) {
    const std::byte* in = text.data();
    std::size_t left = text.size();
    if (m.used != 0) {
        const std::size_t n = std::min(left, Size - m.used);
        crypt_bytes<Size>(key, m, in, out, n, way);
        in += n;
        out += n;
        left -= n;
    }
    const std::size_t whole = left / Size;
    if (way == direction::encrypt) {
        encrypt_segments<Size>(key, m, in, out, whole);
    } else {
        decrypt_segments<Size>(key, m, in, out, whole);
    }
    crypt_bytes<Size>(key, m, in + whole * Size, out + whole * Size, left % Size, way);
}

void crypt(const lea& key, lea_cfb_state& m, bytes_view in, std::byte* out, direction way) {
    if (in.empty()) return;
    switch (m.segment) {
        case cfb_segment::bits8: crypt_text<1>(key, m, in, out, way); break;
        case cfb_segment::bits64: crypt_text<8>(key, m, in, out, way); break;
        default: crypt_text<16>(key, m, in, out, way); break;
    }
}

void start(lea_cfb_state& m, bytes_view iv, cfb_segment segment) {
    std::memcpy(m.input, iv.data(), block);
    m.segment = segment;
}

status one_call(const lea& key, bytes_view iv, cfb_segment segment, bytes_view in, bytes_span out, direction way) {
    if (!valid(segment)) return status::bad_option;
    if (const status s = check_text(iv, in, out); s != status::ok) return s;
    lea_cfb_state m{};
    start(m, iv, segment);
    crypt(key, m, in, out.data(), way);
    return status::ok;
}

}  // namespace

status lea_cfb_encrypt(const lea& key, bytes_view iv, cfb_segment segment, bytes_view plaintext,
                       bytes_span ciphertext) noexcept {
    return one_call(key, iv, segment, plaintext, ciphertext, direction::encrypt);
}

status lea_cfb_decrypt(const lea& key, bytes_view iv, cfb_segment segment, bytes_view ciphertext,
                       bytes_span plaintext) noexcept {
    return one_call(key, iv, segment, ciphertext, plaintext, direction::decrypt);
}

lea_cfb_state::~lea_cfb_state() {
    wipe(this, sizeof *this);
}

lea_cfb_stream::lea_cfb_stream(const lea& key, bytes_view iv, cfb_segment segment) : key_(key), state_{} {
    check_iv("LEA-CFB", iv);
    if (!valid(segment)) {
        throw error(status::bad_option, "LEA-CFB segment: " + std::to_string(static_cast<int>(segment)) +
                                            " bits given, 8, 64 or 128 expected");
    }
    start(state_, iv, segment);
}

status lea_cfb_encryptor::update(bytes_view plaintext, bytes_span ciphertext) noexcept {
    if (const status s = check_text(plaintext, ciphertext); s != status::ok) return s;
    crypt(key_, state_, plaintext, ciphertext.data(), direction::encrypt);
    return status::ok;
}

status lea_cfb_decryptor::update(bytes_view ciphertext, bytes_span plaintext) noexcept {
    if (const status s = check_text(ciphertext, plaintext); s != status::ok) return s;
    crypt(key_, state_, ciphertext, plaintext.data(), direction::decrypt);
    return status::ok;
}

}  // namespace hwacha
