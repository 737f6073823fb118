// Runs one secret-handling path with its secrets marked as undefined, for valgrind (memcheck): a branch or an address
// that depends on them is then an error. Results that are public are marked as defined again and compared with a run on
// the same secrets unmarked. Cases whose names begin with leaky- are there to be flagged. scripts/ct runs all of them.
//
//   hwacha_ct --list                 names of the cases
//   hwacha_ct --table LEVEL CASE     one case, on the best tables up to that level; 2 if it does not run here
#include <valgrind/memcheck.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lea_gcm.hpp>
#include <hwacha/lsh_batch.hpp>

#include "cpu/features.hpp"
#include "ghash/tables.hpp"
#include "lea/tables.hpp"
#include "lsh/tables.hpp"
#include "support/bytes.hpp"

namespace {

using namespace hwacha;
using test::bytes;

void hide(bytes_view secret) {
    static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(secret.data(), secret.size()));
}
void reveal(bytes_view result) {
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(result.data(), result.size()));
}
template <class T>
void reveal_value(T& value) {
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(&value, sizeof value));
}

// What a case is given: secrets, hidden or not; and where it leaves what is public in the end.
struct run {
    bool hidden;
    bytes result;

    bytes secret(std::size_t size, unsigned salt) const {
        bytes b = test::random_source(salt).take(size);
        if (hidden) hide(b);
        return b;
    }
    void publish(bytes_view data) {
        reveal(data);
        result.insert(result.end(), data.begin(), data.end());
    }
    void publish(status s) {
        reveal_value(s);
        result.push_back(static_cast<std::byte>(s));
    }
};

const bytes nonce12 = test::pattern(12);
const bytes nonce20 = test::pattern(20);
constexpr std::size_t key_sizes[] = {16, 24, 32};
constexpr std::size_t text_sizes[] = {0, 1, 16, 40, 300, 1200};

void hash_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t n : text_sizes) {
            bytes digest(i.digest_size);
            r.publish(lsh::hash(i.variant, r.secret(n, 1), digest));
            r.publish(digest);
        }
        lsh h(i.variant);
        h.update(r.secret(100, 2)).update(r.secret(200, 3));
        bytes digest(i.digest_size);
        r.publish(h.finish_bits(r.secret(1, 4)[0], 3, digest));
        r.publish(digest);
    }
}

void hmac_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t key_size : {0, 32, 300}) {
            hmac_lsh m(i.variant, r.secret(key_size, 5));
            m.update(r.secret(77, 6)).update(r.secret(300, 7));
            bytes mac(i.digest_size);
            r.publish(m.finish(mac));
            r.publish(mac);
        }
    }
}

void hmac_verify_case(run& r, bool good) {
    for (const lsh_info& i : lsh_variants()) {
        bytes mac(i.digest_size);
        static_cast<void>(hmac_lsh::mac(i.variant, r.secret(32, 8), r.secret(77, 9), mac));
        reveal(mac);
        if (!good) mac[i.digest_size / 2] ^= std::byte{1};
        hmac_lsh m(i.variant, r.secret(32, 8));
        r.publish(m.update(r.secret(77, 9)).verify(mac));
    }
}

// Messages of several lengths, which are public: enough of them for every form of lanes and for what is left over.
std::vector<bytes> batch_texts(const run& r, unsigned salt) {
    std::vector<bytes> texts;
    for (unsigned k = 0; k < 43; ++k) texts.push_back(r.secret(text_sizes[k % std::size(text_sizes)], salt + k));
    return texts;
}

void hash_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 200);
        bytes digests(texts.size() * i.digest_size);
        r.publish(hash_batch(i.variant, std::vector<bytes_view>(texts.begin(), texts.end()), digests));
        r.publish(digests);
    }
}

void hmac_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 300);
        const std::vector<bytes_view> messages(texts.begin(), texts.end());
        const std::vector<bytes> keys = batch_texts(r, 400);
        bytes macs(texts.size() * i.digest_size);
        r.publish(hmac_batch(i.variant, r.secret(32, 30), messages, macs));
        r.publish(macs);
        r.publish(hmac_batch(i.variant, std::vector<bytes_view>(keys.begin(), keys.end()), messages, macs));
        r.publish(macs);
    }
}

void update_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 500);
        std::vector<lsh> streams(texts.size(), lsh(i.variant));
        std::vector<lsh*> pointers;
        for (lsh& s : streams) pointers.push_back(&s);
        for (int round = 0; round < 2; ++round) {
            r.publish(update_batch(pointers, std::vector<bytes_view>(texts.begin(), texts.end())));
        }
        for (lsh& s : streams) {
            bytes digest(i.digest_size);
            r.publish(s.finish(digest));
            r.publish(digest);
        }
    }
}

void lea_key_case(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea key(r.secret(n, 10));
        bytes out(16);
        r.publish(key.encrypt_blocks(test::pattern(16), out));
        r.publish(out);
    }
}

void lea_blocks_case(run& r, bool encrypt) {
    for (const std::size_t n : key_sizes) {
        const lea key(r.secret(n, 11));
        for (const std::size_t blocks : {1, 2, 3, 5, 8, 17, 70}) {
            const bytes in = r.secret(16 * blocks, 12);
            bytes out(in.size());
            r.publish(encrypt ? key.encrypt_blocks(in, out) : key.decrypt_blocks(in, out));
            r.publish(out);
        }
    }
}

void ctr_case(run& r) {
    for (const std::size_t n : key_sizes) {
        lea_ctr c(r.secret(n, 13), test::repeated(16, 0xff));
        for (const std::size_t size : text_sizes) {
            bytes text = r.secret(size, 14);
            r.publish(c.update(text, text));
            r.publish(text);
        }
    }
}

bytes sealed(const lea_gcm& key, bytes_view nonce, bytes_view plaintext, run& r) {
    bytes out(plaintext.size() + key.tag_size());
    r.publish(key.seal(nonce, test::pattern(21), plaintext, out));
    reveal(out);
    return out;
}

void gcm_seal_case(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 15));
        for (const std::size_t size : text_sizes) {
            for (const bytes& nonce : {nonce12, nonce20}) r.publish(sealed(key, nonce, r.secret(size, 16), r));
        }
    }
}

void gcm_open_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 17), {.tag_size = 12});
        for (const std::size_t size : text_sizes) {
            bytes message = sealed(key, nonce12, r.secret(size, 18), r);
            if (!good) message.back() ^= std::byte{0x80};
            bytes out(size);
            r.publish(key.open(nonce12, test::pattern(21), message, out));
            r.publish(out);
        }
    }
}

void sealer_case(run& r) {
    for (const std::size_t n : key_sizes) {
        lea_gcm_sealer s(lea_gcm(r.secret(n, 19)), nonce20);
        r.publish(s.aad(r.secret(37, 20)));
        for (const std::size_t size : text_sizes) {
            bytes text = r.secret(size, 21);
            r.publish(s.update(text, text));
            r.publish(text);
        }
        bytes tag(16);
        r.publish(s.finish(tag));
        r.publish(tag);
    }
}

void opener_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 22));
        bytes message = sealed(key, nonce12, r.secret(333, 23), r);
        if (!good) message.back() ^= std::byte{1};
        lea_gcm_opener o(key, nonce12);
        r.publish(o.aad(test::pattern(21)));
        bytes out(333);
        r.publish(o.update_unverified(bytes_view(message).first(100), bytes_span(out).first(100)));
        r.publish(o.update_unverified(bytes_view(message).subspan(100, 233), bytes_span(out).subspan(100)));
        r.publish(o.finish(bytes_view(message).last(16)));
        r.publish(out);
    }
}

void ghash_case(run& r) {
    const ghash_table& t = ghash_tables.active();
    const bytes h = r.secret(16, 24);
    alignas(64) std::byte powers[16 * ghash_powers];
    const auto octets = [](auto* p) { return reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(p)); };
    t.expand_key(octets(h.data()), octets(powers));
    for (const std::size_t blocks : {0, 1, 2, 3, 7, 8, 9, 40}) {
        bytes state = r.secret(16, 25);
        const bytes text = r.secret(16 * blocks, 26);
        t.absorb(octets(state.data()), octets(powers), octets(text.data()), blocks);
        r.publish(state);
    }
}

// Controls: a run that does not flag these proves nothing.
void leaky_branch(run& r) {
    const bytes secret = r.secret(1, 27);
    std::byte seen{0};
    if ((secret[0] & std::byte{1}) != std::byte{0}) {
        __asm__ volatile("" : : : "memory");
        seen = std::byte{1};
    }
    r.publish(bytes_view(&seen, 1));
}

void leaky_index(run& r) {
    static const bytes table = test::pattern(256);
    const bytes secret = r.secret(1, 28);
    std::byte found = table[std::to_integer<std::size_t>(secret[0])];
    r.publish(bytes_view(&found, 1));
}

void leaky_compare(run& r) {
    const bytes secret = r.secret(16, 29);
    bool same = std::memcmp(secret.data(), test::pattern(16).data(), 16) == 0;
    if (same) __asm__ volatile("" : : : "memory");
    reveal_value(same);
    r.result.push_back(static_cast<std::byte>(same));
}

struct named_case {
    std::string_view name;
    void (*body)(run&);
};

constexpr named_case cases[] = {
    {"lsh", hash_case},
    {"hmac-lsh", hmac_case},
    {"hmac-lsh-verify-good", [](run& r) { hmac_verify_case(r, true); }},
    {"hmac-lsh-verify-bad", [](run& r) { hmac_verify_case(r, false); }},
    {"lsh-batch", hash_batch_case},
    {"hmac-lsh-batch", hmac_batch_case},
    {"lsh-update-batch", update_batch_case},
    {"lea-key-schedule", lea_key_case},
    {"lea-encrypt", [](run& r) { lea_blocks_case(r, true); }},
    {"lea-decrypt", [](run& r) { lea_blocks_case(r, false); }},
    {"lea-ctr", ctr_case},
    {"lea-gcm-seal", gcm_seal_case},
    {"lea-gcm-open-good", [](run& r) { gcm_open_case(r, true); }},
    {"lea-gcm-open-bad", [](run& r) { gcm_open_case(r, false); }},
    {"lea-gcm-sealer", sealer_case},
    {"lea-gcm-opener-good", [](run& r) { opener_case(r, true); }},
    {"lea-gcm-opener-bad", [](run& r) { opener_case(r, false); }},
    {"ghash", ghash_case},
    {"leaky-branch", leaky_branch},
    {"leaky-index", leaky_index},
    {"leaky-compare", leaky_compare},
};

// False if no table of this level runs here.
template <class Table>
bool force_up_to(cpu::registry<Table>& algorithm, cpu::level highest) {
    const Table* t = cpu::choose(algorithm.tables(), cpu::detected(), highest);
    algorithm.force(t);
    std::printf("%s: %s\n", algorithm.algorithm(), t->head.name());
    return t->head.at == highest;
}

int run_case(const named_case& c, const cpu::level_info& level) {
    const bool forced[] = {force_up_to(lsh256_tables, level.id),       force_up_to(lsh512_tables, level.id),
                           force_up_to(lsh256_lanes_tables, level.id), force_up_to(lsh512_lanes_tables, level.id),
                           force_up_to(lea_tables, level.id),          force_up_to(ghash_tables, level.id)};
    if (std::ranges::none_of(forced, [](bool f) { return f; })) {
        std::fprintf(stderr, "hwacha_ct: no table of level %s runs here\n", level.name);
        return 2;
    }
    run open{false, {}};
    c.body(open);
    run secret{true, {}};
    c.body(secret);
    reveal(secret.result);
    if (open.result.empty() || open.result != secret.result) {
        std::fprintf(stderr, "hwacha_ct: the results of the two runs differ\n");
        return 1;
    }
    std::printf("%zu bytes of results agree%s\n", open.result.size(),
                RUNNING_ON_VALGRIND != 0 ? "" : " (not under valgrind)");
    return 0;
}

int usage() {
    std::fprintf(stderr, "usage: hwacha_ct --list | --table LEVEL CASE\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--list") {
        for (const named_case& c : cases) std::printf("%.*s\n", static_cast<int>(c.name.size()), c.name.data());
        return 0;
    }
    if (argc != 4 || std::string_view(argv[1]) != "--table") return usage();
    for (const cpu::level_info& l : cpu::levels) {
        if (std::string_view(argv[2]) != l.name) continue;
        for (const named_case& c : cases) {
            if (c.name == argv[3]) return run_case(c, l);
        }
    }
    return usage();
}
