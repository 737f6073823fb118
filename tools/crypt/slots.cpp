#include "crypt/slots.hpp"

#include <string>

#include <hwacha/kdf.hpp>
#include <hwacha/lea_gcm.hpp>

#include "crypt/container.hpp"
#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t salt_size = 32;
constexpr std::size_t check_size = 16;
constexpr std::size_t wrapped_size = 48;
constexpr std::size_t passphrase_body = 8 + salt_size + check_size + wrapped_size;
constexpr std::size_t key_body = salt_size + check_size + wrapped_size;
constexpr std::array<std::byte, 12> zero_nonce{};

[[noreturn]] void malformed(const std::string& text) {
    throw file_fault(fault::malformed, "has a malformed header: " + text);
}

void must(status s) {
    if (s != status::ok) throw error(s, std::string(to_string(s)));
}

void derive(const slot& s, bytes_view secret, bytes_span derived) {
    const bytes_view body = s.body();
    if (s.is(slot_type::passphrase)) {
        must(pbkdf2_hmac_lsh(lsh_variant::lsh512_512, secret, body.subspan(8, salt_size), s.iterations(), derived));
    } else {
        must(hkdf_hmac_lsh(lsh_variant::lsh512_512, secret, body.first(salt_size), bytes_of("hwacha/1 key slot"),
                           derived));
    }
}

std::vector<std::byte> slot_head(slot_type type, std::size_t body) {
    std::vector<std::byte> out;
    append_number(out, static_cast<std::uint64_t>(type), 2);
    append_number(out, 0, 2);
    append_number(out, body, 4);
    return out;
}

// Behind everything up to the salt.
std::vector<std::byte> wrap(std::vector<std::byte> out, slot_type type, bytes_view holder, const file_key& key) {
    crypt::secret<48> derived;
    derive({static_cast<std::uint16_t>(type), out}, holder, derived);
    append(out, bytes_view(derived).subspan(32));
    std::array<std::byte, wrapped_size> wrapped;
    must(lea_gcm(bytes_view(derived).first(32)).seal(zero_nonce, out, key, wrapped));
    append(out, wrapped);
    return out;
}

void check_form(const slot& s, std::uint64_t flags) {
    const bytes_view body = s.body();
    if (s.is(slot_type::passphrase)) {
        if (flags != 0 || body.size() != passphrase_body) malformed("flags or size of a passphrase slot");
        const auto function = load_number(body.first(1));
        if (function != 1) {
            throw file_fault(fault::unsupported, "has a passphrase slot with key derivation function " +
                                                     std::to_string(function) +
                                                     ", which this version of the program does not know");
        }
        if (load_number(body.subspan(1, 3)) != 0) malformed("reserved bytes of a passphrase slot");
        if (s.iterations() < least_iterations) {
            malformed(std::to_string(s.iterations()) + " iterations, at least 1000 are needed");
        }
    } else if (s.is(slot_type::key)) {
        if (flags != 0 || body.size() != key_body) malformed("flags or size of a key slot");
    } else if (flags != 0) {
        throw file_fault(fault::unsupported, "needs a newer version of this program: it has a critical slot of type " +
                                                 std::to_string(s.type) + ", which is not known here");
    }
}

}  // namespace

std::uint32_t slot::iterations() const noexcept {
    return static_cast<std::uint32_t>(load_number(body().subspan(4, 4)));
}

std::vector<slot> read_slots(bytes_view bytes, std::size_t count) {
    std::vector<slot> slots;
    std::vector<std::uint64_t> flags;
    while (!bytes.empty()) {
        if (bytes.size() < slot_head_size) malformed("the slots do not fill their bytes");
        const auto type = static_cast<std::uint16_t>(load_number(bytes.first(2)));
        flags.push_back(load_number(bytes.subspan(2, 1)));
        if (flags.back() > 1 || load_number(bytes.subspan(3, 1)) != 0) malformed("reserved bits of a slot");
        const auto size = load_number(bytes.subspan(4, 4));
        if (size > bytes.size() - slot_head_size) malformed("a slot goes beyond the slots");
        const std::size_t whole = slot_head_size + static_cast<std::size_t>(size);
        slots.push_back({type, bytes.first(whole)});
        bytes = bytes.subspan(whole);
    }
    if (slots.size() != count) {
        malformed(std::to_string(slots.size()) + " slots, " + std::to_string(count) + " announced");
    }
    for (std::size_t i = 0; i < slots.size(); ++i) check_form(slots[i], flags[i]);
    return slots;
}

std::vector<std::byte> write_passphrase_slot(const file_key& key, bytes_view passphrase, std::uint32_t iterations,
                                             bytes_view salt) {
    std::vector<std::byte> out = slot_head(slot_type::passphrase, passphrase_body);
    append_number(out, 1, 4);  // the key derivation function and three reserved bytes
    append_number(out, iterations, 4);
    append(out, salt.first(salt_size));
    return wrap(std::move(out), slot_type::passphrase, passphrase, key);
}

std::vector<std::byte> write_key_slot(const file_key& key, bytes_view holder_key, bytes_view salt) {
    std::vector<std::byte> out = slot_head(slot_type::key, key_body);
    append(out, salt.first(salt_size));
    return wrap(std::move(out), slot_type::key, holder_key, key);
}

bool open_slot(const slot& s, bytes_view holder, file_key& key) {
    crypt::secret<48> derived;
    derive(s, holder, derived);
    const std::size_t wrapped = s.bytes.size() - wrapped_size;
    if (!equal_constant_time(bytes_view(derived).subspan(32), s.bytes.subspan(wrapped - check_size, check_size))) {
        return false;
    }
    const status opened =
        lea_gcm(bytes_view(derived).first(32)).open(zero_nonce, s.bytes.first(wrapped), s.bytes.subspan(wrapped), key);
    if (opened != status::ok) {
        throw file_fault(fault::slot_damaged,
                         "is damaged or was altered: a slot fits what was given, but its wrapped key does not open");
    }
    return true;
}

}  // namespace hwacha::crypt
