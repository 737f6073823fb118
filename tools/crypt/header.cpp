#include "crypt/header.hpp"

#include <algorithm>

#include <hwacha/hmac_lsh.hpp>
#include <hwacha/kdf.hpp>

#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t fixed_size = 40;  // from the suite to the salt
constexpr std::size_t salt_size = 32;
constexpr std::size_t sum_size = 16;
constexpr std::size_t mac_size = 32;

secret<mac_size> header_mac(bytes_view covered, bytes_view salt, const file_key& key) {
    secret<32> mac_key;
    status s = hkdf_hmac_lsh(lsh_variant::lsh512_512, key, salt, bytes_of("hwacha/1 header"), mac_key);
    secret<mac_size> mac;
    if (s == status::ok) s = hmac_lsh::mac(lsh_variant::lsh256_256, mac_key, covered, mac);
    if (s != status::ok) throw error(s, std::string(to_string(s)));
    return mac;
}

[[noreturn]] void malformed(const std::string& text) {
    throw file_fault(fault::malformed, "has a malformed header: " + text);
}

}  // namespace

bytes_view header::salt() const noexcept {
    return bytes_view(bytes).subspan(12 + comment.size() + fixed_size - salt_size, salt_size);
}

bool header::is_authentic(const file_key& key) const {
    const bytes_view covered = bytes_view(bytes).first(bytes.size() - mac_size);
    return equal_constant_time(header_mac(covered, salt(), key), bytes_view(bytes).last(mac_size));
}

header read_header(source& from) {
    kept_bytes kept(from);
    container_head head = read_head(kept);
    return read_header(kept, std::move(head));
}

header read_header(kept_bytes& kept, container_head head) {
    if (head.type != file_type::encrypted) {
        throw file_fault(fault::not_ours, "is a secret key, not an encrypted file");
    }
    header h;
    h.comment = std::move(head.comment);
    const bytes_view fields = kept.take(fixed_size, "header");
    const auto suite = load_number(fields.first(1));
    const auto log2 = load_number(fields.subspan(1, 1));
    const auto count = static_cast<std::size_t>(load_number(fields.subspan(2, 2)));
    const auto slots_size = load_number(fields.subspan(4, 4));
    if (slots_size > largest_slots)
        malformed(std::to_string(slots_size) + " bytes of slots, at most 65536 are allowed");
    const std::size_t slots_at = kept.all().size();
    kept.take(static_cast<std::size_t>(slots_size), "header");
    const auto sum = check_sum(kept.all());
    const bytes_view kept_sum = kept.take(sum_size, "header");
    if (!std::ranges::equal(sum, kept_sum)) {
        throw file_fault(fault::header_damaged,
                         "has a damaged header: its check sum does not fit; get the file again from where it is whole");
    }
    kept.take(mac_size, "header");
    demand_comment(h.comment);
    if (suite != 1) {
        throw file_fault(fault::unsupported,
                         "uses suite " + std::to_string(suite) + " of algorithms, which this program does not know");
    }
    if (log2 < least_chunk_log2 || log2 > most_chunk_log2) malformed("chunks of 2^" + std::to_string(log2) + " bytes");
    if (count < 1 || count > most_slots) malformed(std::to_string(count) + " slots, 1 to 64 are allowed");
    h.chunk_log2 = static_cast<unsigned>(log2);
    h.bytes = kept.copy();
    h.slots = read_slots(bytes_view(h.bytes).subspan(slots_at, static_cast<std::size_t>(slots_size)), count);
    return h;
}

header write_header(std::string_view comment, unsigned chunk_log2, bytes_view salt,
                    std::span<const std::vector<std::byte>> slots, const file_key& key) {
    header h;
    h.comment = comment;
    h.chunk_log2 = chunk_log2;
    std::vector<std::byte>& out = h.bytes;
    out = write_head(file_type::encrypted, comment);
    std::size_t slots_size = 0;
    for (const auto& s : slots) slots_size += s.size();
    append_number(out, 1, 1);
    append_number(out, chunk_log2, 1);
    append_number(out, slots.size(), 2);
    append_number(out, slots_size, 4);
    append(out, salt.first(salt_size));
    const std::size_t slots_at = out.size();
    for (const auto& s : slots) append(out, s);
    append(out, check_sum(out));
    append(out, header_mac(out, salt, key));
    h.slots = read_slots(bytes_view(out).subspan(slots_at, slots_size), slots.size());
    return h;
}

file_key find_file_key(const header& h, const holders& given, std::uint64_t most_iterations) {
    file_key key;
    const auto verified = [&] {
        if (!h.is_authentic(key)) {
            throw file_fault(fault::header_altered,
                             "has a header that was altered: its MAC does not fit the file's key; do not trust it");
        }
        return key;
    };
    std::size_t key_slots = 0;
    std::size_t passphrase_slots = 0;
    std::uint64_t iterations = 0;
    for (const slot& s : h.slots) {
        if (s.is(slot_type::key)) {
            ++key_slots;
            for (const secret<32>& k : given.keys) {
                if (open_slot(s, k, key)) return verified();
            }
        } else if (s.is(slot_type::passphrase)) {
            ++passphrase_slots;
            iterations += s.iterations() * std::uint64_t{given.passphrases.size()};
        }
    }
    if (iterations > most_iterations) {
        throw file_fault(fault::too_many_iterations,
                         "asks for " + std::to_string(iterations) +
                             " iterations to try the passphrase, and the limit is " + std::to_string(most_iterations) +
                             "; if you trust the file: --max-iterations " + std::to_string(iterations));
    }
    for (const slot& s : h.slots) {
        if (!s.is(slot_type::passphrase)) continue;
        for (const secret_buffer& p : given.passphrases) {
            if (open_slot(s, p.bytes(), key)) return verified();
        }
    }
    const bool keys_tried = key_slots != 0 && !given.keys.empty();
    const bool passphrases_tried = passphrase_slots != 0 && !given.passphrases.empty();
    if (keys_tried && passphrases_tried) throw file_fault(fault::wrong_key, "opens with another passphrase or key");
    if (keys_tried) {
        throw file_fault(fault::wrong_key, passphrase_slots == 0
                                               ? "opens with another key (wrong key)"
                                               : "opens with another key, or a passphrase (wrong key)");
    }
    if (passphrases_tried) {
        throw file_fault(fault::wrong_key, key_slots == 0
                                               ? "opens with another passphrase (wrong passphrase)"
                                               : "opens with another passphrase, or a key (wrong passphrase)");
    }
    if (passphrase_slots != 0) throw file_fault(fault::wrong_key, "opens with a passphrase, not a key: give -p");
    if (key_slots != 0) throw file_fault(fault::wrong_key, "opens with a key, not a passphrase: give -k KEYFILE");
    throw file_fault(fault::wrong_key, "has no slot for passphrases or keys that this program knows");
}

}  // namespace hwacha::crypt
