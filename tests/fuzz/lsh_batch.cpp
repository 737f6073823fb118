// Batches of LSH and HMAC-LSH: on all tables, each message's digest and MAC are what it has alone.
//
// First byte: variant. Second: number of messages. Then a byte for each: its length, in units that the first byte
// chooses too; messages lie one after the other in the rest, and begin anew at its end.
#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lsh_batch.hpp>

#include "fuzz/input.hpp"
#include "lsh/tables.hpp"

using namespace hwacha;

namespace {

void check(const lsh_info& i, const std::vector<std::vector<std::byte>>& messages) {
    const std::vector<bytes_view> views(messages.begin(), messages.end());
    const bytes_view key = views.empty() ? bytes_view() : views.front();
    const std::size_t size = views.size() * i.digest_size;
    std::vector<std::byte> digests(size);
    std::vector<std::byte> macs(size);
    std::vector<std::byte> own(size);
    fuzz::require(hash_batch(i.variant, views, digests) == status::ok);
    fuzz::require(hmac_batch(i.variant, key, views, macs) == status::ok);
    fuzz::require(hmac_batch(i.variant, views, views, own) == status::ok);
    for (std::size_t k = 0; k < views.size(); ++k) {
        std::byte alone[64];
        const bytes_span one = bytes_span(alone).first(i.digest_size);
        const auto same = [&](const std::vector<std::byte>& all) {
            return std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(k * i.digest_size));
        };
        fuzz::require(lsh::hash(i.variant, views[k], one) == status::ok && same(digests));
        fuzz::require(hmac_lsh::mac(i.variant, key, views[k], one) == status::ok && same(macs));
        fuzz::require(hmac_lsh::mac(i.variant, views[k], views[k], one) == status::ok && same(own));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input in(data, size);
    const std::uint8_t head = in.byte();
    const lsh_info& i = lsh_variants()[head % lsh_variants().size()];
    const std::size_t units[] = {1, 8, i.block_size / 2, i.block_size};
    const std::size_t unit = units[head / 64];
    std::vector<std::size_t> lengths(in.byte());
    for (std::size_t& n : lengths) n = in.byte() % 64 * unit;
    const std::vector<std::byte> text = in.rest();

    // Each a copy of its own, so that the sanitizer sees every access beyond it.
    std::vector<std::vector<std::byte>> messages;
    std::size_t at = 0;
    for (const std::size_t n : lengths) {
        std::vector<std::byte>& m = messages.emplace_back(n);
        for (std::byte& b : m) b = text.empty() ? std::byte{0} : text[at++ % text.size()];
    }
    if (i.block_size == 128) {
        fuzz::for_each_table(lsh256_lanes_tables, [&] { check(i, messages); });
    } else {
        fuzz::for_each_table(lsh512_lanes_tables, [&] { check(i, messages); });
    }
    return 0;
}
