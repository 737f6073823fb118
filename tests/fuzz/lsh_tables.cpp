// LSH and HMAC-LSH: all tables agree, however the message is cut.
//
// First byte: variant, and the bits of a last partial byte (0: whole bytes). Second: number of pieces. Then the lengths
// of the pieces, a byte each; the rest is the message.
#include <hwacha/hmac_lsh.hpp>

#include "fuzz/input.hpp"
#include "lsh/tables.hpp"

using namespace hwacha;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input in(data, size);
    const std::uint8_t head = in.byte();
    const lsh_info& i = lsh_variants()[head % lsh_variants().size()];
    const unsigned bits = head / 32 % 8;
    std::vector<std::size_t> cuts(in.byte() % 16);
    for (std::size_t& c : cuts) c = in.byte();
    std::vector<std::byte> message = in.rest();
    const std::byte last = message.empty() ? std::byte{0} : message.back();

    std::vector<std::byte> expected;
    const auto agree = [&](const std::vector<std::byte>& actual) {
        if (expected.empty()) expected = actual;
        fuzz::require(actual == expected);
    };
    const auto run = [&] {
        lsh h(i.variant);
        hmac_lsh m(i.variant, bytes_view(message).first(std::min<std::size_t>(message.size(), 300)));
        lsh whole(i.variant);
        whole.update(message);
        bytes_view left = message;
        for (const std::size_t c : cuts) {
            const std::size_t n = std::min(c, left.size());
            const std::vector<std::byte> piece(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(n));
            h.update(piece);
            m.update(piece);
            left = left.subspan(n);
        }
        h.update(left);
        m.update(left);
        std::vector<std::byte> result(3 * i.digest_size);
        const bytes_span r = result;
        const bytes_span pieces = r.first(i.digest_size);
        const bytes_span one = r.subspan(i.digest_size, i.digest_size);
        if (bits == 0) {
            fuzz::require(h.finish(pieces) == status::ok && whole.finish(one) == status::ok);
        } else {
            fuzz::require(h.finish_bits(last, bits, pieces) == status::ok &&
                          whole.finish_bits(last, bits, one) == status::ok);
        }
        fuzz::require(std::equal(pieces.begin(), pieces.end(), one.begin()));
        fuzz::require(m.finish(r.last(i.digest_size)) == status::ok);
        agree(result);
    };
    if (i.block_size == 128) {
        fuzz::for_each_table(lsh256_tables, run);
    } else {
        fuzz::for_each_table(lsh512_tables, run);
    }
    return 0;
}
