// Known answers of key derivation, computed by vectors/derive.py from the standards' text, each on every table.
#include "simd/lanes.hpp"
#include "support/mac.hpp"
#include "support/own_header.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

record_file own_file_of(const std::string& algorithm, std::size_t records) {
    record_file file = own_records(algorithm + ".kat");
    check_header(file.header, algorithm, file.records.size());
    EXPECT_EQ(file.records.size(), records);
    return file;
}

const lsh_info& take_hash(record& r) {
    const lsh_info* i = find_lsh(r.take("hash"));
    if (i == nullptr) throw std::runtime_error(r.where() + ": unknown hash");
    return *i;
}

TEST(KatPbkdf2, OwnFile) {
    struct answer {
        std::string where;
        bytes password, salt;
        std::size_t iterations;
        bytes output;
    };
    std::map<lsh_variant, std::vector<answer>> answers;
    record_file file = own_file_of("PBKDF2-HMAC-LSH", 55);
    for (record& r : file.records) {
        const lsh_info& i = take_hash(r);
        answers[i.variant].push_back(
            {r.where(), r.take_hex("password"), r.take_hex("salt"), r.take_number("iterations"), r.take_hex("output")});
        r.done();
    }
    for (const auto& [variant, list] : answers) {
        for_each_batch_table(*find_lsh(variant), [&, v = variant] {
            for (const answer& a : list) {
                bytes out(a.output.size());
                works(pbkdf2_hmac_lsh(v, a.password, a.salt, a.iterations, out), a.where);
                check_bytes(a.output, out, a.where);
            }
        });
    }
}

TEST(KatHkdf, OwnFile) {
    record_file file = own_file_of("HKDF-HMAC-LSH", 32);
    for (record& r : file.records) {
        const lsh_info& i = take_hash(r);
        const bytes key = r.take_hex("key");
        const bytes salt = r.take_hex("salt");
        const bytes info = r.take_hex("info");
        const bytes extracted = r.take_hex("pseudorandom_key");
        const bytes output = r.take_hex("output");
        r.done();
        for_each_table_of(i.variant, [&] {
            bytes out(output.size());
            works(hkdf_hmac_lsh(i.variant, key, salt, info, out), r.where());
            check_bytes(output, out, r.where());
            bytes apart(i.digest_size);
            works(hkdf_hmac_lsh_extract(i.variant, key, salt, apart), r.where(), " extract");
            check_bytes(extracted, apart, r.where(), " extract");
            works(hkdf_hmac_lsh_expand(i.variant, extracted, info, out), r.where(), " expand");
            check_bytes(output, out, r.where(), " expand");
        });
    }
}

// derive(label and context, or fixed input, and where to)
template <class Labelled, class Fixed>
void check_kbkdf(record& r, Labelled labelled, Fixed fixed) {
    const bytes output = r.take_hex("output");
    bytes out(output.size());
    if (r.has("label")) {
        const bytes label = r.take_hex("label");
        const bytes context = r.take_hex("context");
        works(labelled(label, context, out), r.where());
    } else {
        const bytes before = r.take_hex("before");
        const bytes after = r.take_hex("after");
        const auto bits = static_cast<unsigned>(r.take_number("counter_bits"));
        works(fixed(kbkdf_fixed_input{before, after, bits}, out), r.where());
    }
    r.done();
    check_bytes(output, out, r.where());
}

TEST(KatKbkdf, OwnFileOfHmac) {
    record_file file = own_file_of("KBKDF-HMAC-LSH", 144);
    for (record& r : file.records) {
        const lsh_variant v = take_hash(r).variant;
        const bytes key = r.take_hex("key");
        for_each_table_of(v, [&] {
            check_kbkdf(
                r, [&](bytes_view l, bytes_view c, bytes_span out) { return kbkdf_hmac_lsh(v, key, l, c, out); },
                [&](const kbkdf_fixed_input& in, bytes_span out) { return kbkdf_hmac_lsh(v, key, in, out); });
        });
    }
}

TEST(KatKbkdf, OwnFileOfCmac) {
    record_file file = own_file_of("KBKDF-CMAC-LEA", 24);
    for (record& r : file.records) {
        const bytes key = r.take_hex("key");
        check_kbkdf(
            r, [&](bytes_view l, bytes_view c, bytes_span out) { return kbkdf_cmac_lea(key, l, c, out); },
            [&](const kbkdf_fixed_input& in, bytes_span out) { return kbkdf_cmac_lea(key, in, out); });
    }
}

}  // namespace
}  // namespace hwacha::test
