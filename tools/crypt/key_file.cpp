#include "crypt/key_file.hpp"

#include <algorithm>

#include "crypt/fault.hpp"

namespace hwacha::crypt {
namespace {

constexpr std::size_t key_at = 4;  // behind kind and reserved bytes
constexpr std::size_t key_size = 32;

}  // namespace

secret_buffer write_secret_key(const secret_key& key) {
    std::vector<std::byte> head = write_head(file_type::secret_key, key.comment);
    append_number(head, 1, 4);
    const std::size_t covered = head.size() + key_size;
    secret_buffer out(covered + 16);
    std::ranges::copy(head, out.bytes().begin());
    std::ranges::copy(key.key, out.bytes().subspan(head.size()).begin());
    std::ranges::copy(check_sum(out.bytes().first(covered)), out.bytes().subspan(covered).begin());
    return out;
}

secret_key read_secret_key(kept_bytes& from, container_head head, source& rest) {
    from.take(key_at + key_size, "key");
    const auto sum = check_sum(from.all());
    if (!equal_constant_time(sum, from.take(sum.size(), "check sum"))) {
        throw file_fault(fault::header_damaged, "is a damaged key: its check sum does not fit");
    }
    std::byte more[1];
    if (rest.read(more) != 0) throw file_fault(fault::trailing, "is a key with bytes after its end");
    demand_comment(head.comment);
    const bytes_view fields = from.all().subspan(12 + head.comment.size());
    const auto kind = load_number(fields.first(1));
    if (kind != 1) {
        throw file_fault(fault::unsupported, "is a key of kind " + std::to_string(kind) +
                                                 ", which this version of the program does not know");
    }
    if (load_number(fields.subspan(1, 3)) != 0) {
        throw file_fault(fault::malformed, "is a malformed key: its reserved bytes are not zero");
    }
    secret_key key;
    key.comment = std::move(head.comment);
    key.key = secret<32>(fields.subspan(key_at, key_size));
    return key;
}

}  // namespace hwacha::crypt
