// selftest.hpp: known answers for every table that runs here, whichever is in use.
#include <hwacha/selftest.hpp>

#include <array>
#include <cstring>

#include "gcm/access.hpp"
#include "lsh/access.hpp"
#include "lsh/chaining.hpp"

namespace hwacha {
namespace {

// The message of the longer answers: 1000 bytes i mod 251.
constexpr auto pattern = [] {
    std::array<std::byte, 1000> p{};
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = static_cast<std::byte>(i % 251);
    return p;
}();

// Bytes of a hexadecimal literal, at compile time.
struct hex {
    std::array<std::byte, 64> bytes{};
    std::size_t size = 0;

    consteval hex(const char* digits) {  // NOLINT: meant to convert
        for (; digits[2 * size] != '\0'; ++size) {
            bytes[size] = static_cast<std::byte>(16 * value(digits[2 * size]) + value(digits[2 * size + 1]));
        }
    }
    static consteval int value(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }
    constexpr bytes_view view() const { return {bytes.data(), size}; }
};

// KS X 3262, examples for "abc"; the digests of the pattern come from an independent implementation of the definition.
constexpr struct {
    lsh_variant variant;
    hex of_abc, of_pattern;
} lsh_answers[] = {
    {lsh_variant::lsh256_224, "f7c53ba4034e708e74fba42e55997ca5126bb7623688f85342f73732",
     "28739041ed4df566534f058ad19765a533718db75083d679674e6c13"},
    {lsh_variant::lsh256_256, "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741",
     "1a057197975c690cb91560cf79c9db26d9a95f7f33343eb126cd9743ba28bcf5"},
    {lsh_variant::lsh512_224, "d1683234513ec5698394571ead128a8cd5373e97661ba20dcf89e489",
     "3fffe2f8b88a4c47d9ed8e3d61153ec011994007794812cfbfd600d2"},
    {lsh_variant::lsh512_256, "cd892310532602332b613f1ec11a6962fca61ea09ecffcd4bcf75858d802edec",
     "8075d4258d23db09e82af2244979c63707472e49cbaf7b36a5c029d67f5645d0"},
    {lsh_variant::lsh512_384,
     "5f344efaa0e43ccd2e5e194d6039794b4fb431f10fb4b65fd45e9da4ecde0f27b66e8dbdfa47252e0d0b741bfd91f9fe",
     "fab2114b8a3af8a8ac70d77b5f2fb789e24d23b88da9b05fd3e4937121361e5f95a314a078b36074bbec0e4963938072"},
    {lsh_variant::lsh512_512,
     "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208b5c57224bef21084d42083e95a4bd8eb33e869812b65031c4"
     "288"
     "19a1e7ce596d",
     "05565d48714b69cc519656cc1ac2e9779f2bc64dcbc85a7f89bcbd195016d0beea947140ab3b90f9abf7bb49d19d2786aabb37ec267d2e2c2"
     "f1c"
     "ab9ae56e3a40"},
};

// KS X 3246, the example of each key size.
constexpr struct {
    hex key, plaintext, ciphertext;
} lea_answers[] = {
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0", "101112131415161718191a1b1c1d1e1f", "9fc84e3528c6c6185532c7a704648bfd"},
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a59687", "202122232425262728292a2b2c2d2e2f",
     "6fb95e325aad1b878cdcf5357674c6f2"},
    {"0f1e2d3c4b5a69788796a5b4c3d2e1f0f0e1d2c3b4a5968778695a4b3c2d1e0f", "303132333435363738393a3b3c3d3e3f",
     "d651aff647b189c13a8900ca27f9e197"},
};

// LEA-GCM of the pattern: key 00 01 ..., nonce 00 ... 0b, AAD the pattern's first 20 bytes; independent implementation.
constexpr struct {
    std::size_t key_size;
    hex first_block, tag;
} gcm_answers[] = {
    {16, "de20cf9ac6efb832a1e3213af98c3ef4", "6981e47f99ba67eb23bc79d51a92a758"},
    {24, "f6b21746e9c137eec4e607a025dc8393", "f268cb0f15b8e6079d240bd7d0151296"},
    {32, "4a540e96c2847900c20891d9aec35f6d", "6cd14511c4bcd085725a552f7b8092dd"},
};

class checker {
  public:
    void expect(bool good) {
        ++checks_;
        if (!good) ++failures_;
    }
    void expect(bytes_view computed, const hex& answer) {
        expect(computed.size() >= answer.size && std::memcmp(computed.data(), answer.bytes.data(), answer.size) == 0);
    }
    unsigned checks() const { return checks_; }
    selftest_result result(std::string_view algorithm, std::string_view table) const {
        return {algorithm, table, checks_, failures_};
    }

  private:
    unsigned checks_ = 0;
    unsigned failures_ = 0;
};

template <class Table>
void check_lsh(checker& c, const Table& table, std::size_t block_size) {
    for (const auto& a : lsh_answers) {
        if (find_lsh(a.variant)->block_size != block_size) continue;
        const auto digest_of = [&](bytes_view data, const hex& answer) {
            lsh h(a.variant);
            lsh_access::use(h, table);
            std::byte digest[64];
            c.expect(h.update(data).finish(digest) == status::ok);
            c.expect(digest, answer);
        };
        digest_of(bytes_of("abc"), a.of_abc);
        digest_of(pattern, a.of_pattern);
    }
}

void check(checker& c, const lsh256_table& table) {
    check_lsh(c, table, 128);
}
void check(checker& c, const lsh512_table& table) {
    check_lsh(c, table, 256);
}

// The same short message in every lane of every form.
template <class Word, class Table>
void check_lanes(checker& c, const Table& table, std::size_t block_size) {
    constexpr std::uint8_t padded[256] = {'a', 'b', 'c', 0x80};
    for (const auto& a : lsh_answers) {
        const lsh_info& v = *find_lsh(a.variant);
        if (v.block_size != block_size) continue;
        const auto* start = static_cast<const Word*>(lsh_initial_value_of(v));
        for (std::uint32_t f = 0; f < table.count; ++f) {
            const auto& form = table.forms[f];
            Word cvs[lsh_most_lanes][16];
            Word* at[lsh_most_lanes];
            const std::uint8_t* blocks[lsh_most_lanes];
            for (std::uint32_t i = 0; i < form.lanes; ++i) {
                std::memcpy(cvs[i], start, sizeof cvs[i]);
                at[i] = cvs[i];
                blocks[i] = padded;
            }
            form.compress(at, blocks, 1);
            for (std::uint32_t i = 0; i < form.lanes; ++i) {
                std::byte digest[64];
                write_digest(cvs[i], digest, v.digest_size);
                c.expect(digest, a.of_abc);
            }
        }
    }
}

void check(checker& c, const lsh256_lanes_table& table) {
    check_lanes<std::uint32_t>(c, table, 128);
}
void check(checker& c, const lsh512_lanes_table& table) {
    check_lanes<std::uint64_t>(c, table, 256);
}

// With the tables that `use` makes a key take.
template <class Use>
void check_gcm(checker& c, Use use) {
    for (const auto& a : gcm_answers) {
        lea_gcm key(bytes_view(pattern).first(a.key_size));
        use(key);
        const bytes_view nonce = bytes_view(pattern).first(12);
        const bytes_view aad = bytes_view(pattern).first(20);
        std::array<std::byte, pattern.size() + 16> sealed;
        std::array<std::byte, pattern.size()> opened;
        c.expect(key.seal(nonce, aad, pattern, sealed) == status::ok);
        c.expect(sealed, a.first_block);
        c.expect(bytes_view(sealed).last(16), a.tag);
        c.expect(key.open(nonce, aad, sealed, opened) == status::ok && opened == pattern);
        sealed[pattern.size() / 2] ^= std::byte{1};
        c.expect(key.open(nonce, aad, sealed, opened) == status::auth_failed);
    }
}

void check(checker& c, const lea_table& table) {
    // As many copies of the block as reach every path of a kernel.
    constexpr std::size_t most = 70;
    for (const auto& a : lea_answers) {
        lea key(a.key.view());
        lea_access::use(key, table);
        for (const std::size_t count : std::array<std::size_t, 3>{1, 5, most}) {
            std::array<std::byte, lea_block_size * most> blocks;
            const auto text = bytes_span(blocks).first(lea_block_size * count);
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(&blocks[lea_block_size * i], a.plaintext.bytes.data(), 16);
            c.expect(key.encrypt_blocks(text, text) == status::ok);
            for (std::size_t i = 0; i < count; ++i) c.expect(text.subspan(lea_block_size * i, 16), a.ciphertext);
            c.expect(key.decrypt_blocks(text, text) == status::ok);
            for (std::size_t i = 0; i < count; ++i) c.expect(text.subspan(lea_block_size * i, 16), a.plaintext);
        }
    }
    check_gcm(c, [&](lea_gcm& key) { lea_gcm_access::use(key, table, ghash_portable); });
}

void check(checker& c, const ghash_table& table) {
    check_gcm(c, [&](lea_gcm& key) { lea_gcm_access::use(key, lea_portable, table); });
}

void check(checker& c, const lea_gcm_table& table) {
    check_gcm(c, [&](lea_gcm& key) { lea_gcm_access::use(key, table); });
}

template <class Table>
void check_all(cpu::registry<Table>& algorithm, std::vector<selftest_result>& results) {
    for (const Table* t : algorithm.tables()) {
        if (judge(t->head, cpu::detected(), cpu::process_cap().highest) != cpu::verdict::usable) continue;
        checker c;
        check(c, *t);
        if (c.checks() == 0) continue;  // lanes without a form
        results.push_back(c.result(algorithm.algorithm(), t->head.name()));
    }
}

}  // namespace

std::vector<selftest_result> selftest() {
    std::vector<selftest_result> results;
    check_all(lsh256_tables, results);
    check_all(lsh512_tables, results);
    check_all(lsh256_lanes_tables, results);
    check_all(lsh512_lanes_tables, results);
    check_all(lea_tables, results);
    check_all(ghash_tables, results);
    check_all(lea_gcm_tables, results);
    return results;
}

}  // namespace hwacha
