// LEA-GCM's functions that have LEA and GHASH in one loop, each table against LEA's and GHASH's portable tables in
// turn.
#include "gcm/access.hpp"
#include "support/gcm.hpp"

namespace hwacha::test {
namespace {

const std::uint8_t* octets(bytes_view b) {
    return reinterpret_cast<const std::uint8_t*>(b.data());
}
std::uint8_t* octets(bytes_span b) {
    return reinterpret_cast<std::uint8_t*>(b.data());
}

using text_function = decltype(lea_gcm_table::seal_text);
using blocks_function = decltype(lea_gcm_table::seal_blocks);

// A LEA key and its hash key for one table. H is free: kernels take the powers of any.
struct kernel_key {
    lea cipher;
    alignas(64) std::byte powers[16 * ghash_powers];

    kernel_key(bytes_view key, bytes_view h, const ghash_table& hash) : cipher(key) {
        lea_access::use(cipher, lea_portable);
        hash.expand_key(octets(h), octets(bytes_span(powers)));
    }
    lea_gcm_keys keys() const {
        return {lea_access::round_keys(cipher), lea_access::rounds(cipher), octets(bytes_view(powers))};
    }
};

struct text_result {
    bytes text, tag;
};

// What the functions of a table are to do, from the portable tables.
struct judge_key : kernel_key {
    judge_key(bytes_view key, bytes_view h) : kernel_key(key, h, ghash_portable) {}

    void absorb(bytes& state, bytes blocks) const {
        blocks.resize((blocks.size() + 15) / 16 * 16);
        ghash_portable.absorb(octets(bytes_span(state)), octets(bytes_view(powers)), octets(bytes_view(blocks)),
                              blocks.size() / 16);
    }
    bytes crypted(bytes counter, bytes_view text) const {
        bytes padded = copy_of(text);
        padded.resize((text.size() + 15) / 16 * 16);
        lea_access::ctr32(cipher, counter.data(), padded.data(), padded.data(), padded.size() / 16);
        padded.resize(text.size());
        return padded;
    }
    text_result sealed(bytes state, const bytes& first_counter, std::uint64_t aad_size, bytes_view plaintext) const {
        bytes counter = first_counter;
        store_be(&counter[12], load_be<std::uint32_t>(&counter[12]) + 1);
        text_result r{crypted(counter, plaintext), crypted(first_counter, bytes(16))};
        absorb(state, r.text);
        bytes lengths(16);
        store_be(&lengths[0], 8 * aad_size);
        store_be(&lengths[8], std::uint64_t{8} * plaintext.size());
        absorb(state, lengths);
        for (std::size_t i = 0; i < 16; ++i) r.tag[i] ^= state[i];
        return r;
    }
};

template <class Function>
void for_each_fused(Function f) {
    for (const lea_gcm_table* t : fused_taking_part()) {
        const forced<lea_gcm_table> now(lea_gcm_tables, t);
        f(now.table());
    }
}

// One call of seal_text or open_text, its result, and that nothing else changed.
void check_text(text_function f, const kernel_key& key, const bytes& state, const bytes& counter,
                std::uint64_t aad_size, bytes_view in, bytes_span out, const text_result& expected,
                std::string_view what) {
    bytes tag = state;
    const lea_gcm_keys keys = key.keys();
    f(&keys, octets(bytes_span(tag)), octets(counter), aad_size, octets(in), octets(out), in.size());
    check_bytes(expected.text, out.first(in.size()), in.size(), " bytes, ", what);
    check_bytes(expected.tag, tag, in.size(), " bytes, tag, ", what);
}

// Every length with every tail, apart and in place, all key sizes; the longest ones take several turns and every number
// of powers.
TEST(KernelsGcm, B55_B57_EveryLength) {
    random_source random = seeded(70);
    const std::size_t step = options().at == scale::emulator ? 3 : 1;
    struct row {
        bytes key, h, state, counter, text;
        std::uint64_t aad_size;
        text_result sealed;
    };
    std::vector<row> rows;
    for (std::size_t n = 0; n <= 1100; n += step) {
        row r{random.take(16 + 8 * (n % 3)),
              random.take(16),
              random.take(16),
              random.take(16),
              random.take(n),
              random.below(1000),
              {}};
        r.sealed = judge_key(r.key, r.h).sealed(r.state, r.counter, r.aad_size, r.text);
        rows.push_back(std::move(r));
    }
    for_each_fused([&](const lea_gcm_table& t) {
        for (const row& r : rows) {
            const kernel_key key(r.key, r.h, t.hash);
            const text_result opened{r.text, r.sealed.tag};
            bytes out = repeated(r.text.size() + 1, 0x5a);
            check_text(t.seal_text, key, r.state, r.counter, r.aad_size, r.text, out, r.sealed, "sealed");
            check(out.back() == std::byte{0x5a}, r.text.size(), " bytes, and one more");
            out = repeated(r.text.size() + 1, 0x5a);
            check_text(t.open_text, key, r.state, r.counter, r.aad_size, r.sealed.text, out, opened, "opened");
            check(out.back() == std::byte{0x5a}, r.text.size(), " bytes, and one more");
            bytes area = r.text;
            check_text(t.seal_text, key, r.state, r.counter, r.aad_size, area, area, r.sealed, "sealed in place");
            check_text(t.open_text, key, r.state, r.counter, r.aad_size, area, area, opened, "opened in place");
        }
    });
}

// The counter wraps at each place of each group: J0's last word is 2^32 - k, 64 blocks.
TEST(KernelsGcm, B36_CounterWrapsAtEveryPlace) {
    random_source random = seeded(71);
    for (std::uint32_t k = 1; k <= 40; ++k) {
        bytes counter = random.take(16);
        store_be(&counter[12], std::uint32_t{0} - k);
        const bytes key_bytes = random.take(16 + 8 * (k % 3));
        const bytes h = random.take(16);
        const bytes text = random.take(16 * 64);
        const judge_key judge(key_bytes, h);
        for (const std::size_t n :
             {std::size_t{16} * 64, std::size_t{16} * 40, std::size_t{16} * k, std::size_t{16} * k + 7}) {
            const bytes_view part = bytes_view(text).first(n);
            const text_result sealed = judge.sealed(bytes(16), counter, 0, part);
            for_each_fused([&](const lea_gcm_table& t) {
                const kernel_key key(key_bytes, h, t.hash);
                bytes out(n);
                check_text(t.seal_text, key, bytes(16), counter, 0, part, out, sealed, "sealed");
                check_text(t.open_text, key, bytes(16), counter, 0, sealed.text, out, {copy_of(part), sealed.tag},
                           "opened");
            });
        }
        // In the middle of a message, where `counter` itself is the first block's.
        bytes after = random.take(16);
        const bytes ciphertext = judge.crypted(counter, text);
        bytes state = after;
        judge.absorb(state, ciphertext);
        for_each_fused([&](const lea_gcm_table& t) {
            const kernel_key key(key_bytes, h, t.hash);
            const lea_gcm_keys keys = key.keys();
            for (const bool sealing : {true, false}) {
                bytes s = after;
                bytes c = counter;
                bytes out(text.size());
                const bytes& in = sealing ? text : ciphertext;
                (sealing ? t.seal_blocks : t.open_blocks)(&keys, octets(bytes_span(s)), octets(bytes_span(c)),
                                                          octets(in), octets(bytes_span(out)), 64);
                check_bytes(sealing ? ciphertext : text, out, "blocks, k ", k);
                check_bytes(state, s, "state, k ", k);
                check_bytes(bytes_view(counter).first(12), bytes_view(c).first(12), "counter, k ", k);
                check(load_be<std::uint32_t>(&c[12]) == 64 - k, "counter, k ", k);
            }
        });
    }
}

// Whole turns: one, a few, many; in place too.
TEST(KernelsGcm, Turns) {
    for_each_fused([](const lea_gcm_table& t) {
        random_source random = seeded(72);
        for (std::size_t turns = 0; turns <= 9; ++turns) {
            for (const std::size_t key_size : {16, 24, 32}) {
                const bytes key_bytes = random.take(key_size);
                const bytes h = random.take(16);
                const bytes counter = random.take(16);
                const bytes before = random.take(16);
                const std::size_t count = turns * t.turn;
                const bytes text = random.take(16 * count);
                const judge_key judge(key_bytes, h);
                const bytes ciphertext = judge.crypted(counter, text);
                bytes state = before;
                judge.absorb(state, ciphertext);
                const kernel_key key(key_bytes, h, t.hash);
                const lea_gcm_keys keys = key.keys();
                const auto run = [&](blocks_function f, bytes_view in, bytes_span out, const bytes& expected) {
                    bytes s = before;
                    bytes c = counter;
                    f(&keys, octets(bytes_span(s)), octets(bytes_span(c)), octets(in), octets(out), count);
                    check_bytes(expected, out, turns, " turns");
                    check_bytes(state, s, turns, " turns, state");
                    check(load_be<std::uint32_t>(&c[12]) ==
                              static_cast<std::uint32_t>(load_be<std::uint32_t>(&counter[12]) + count),
                          turns, " turns, counter");
                };
                bytes out(text.size());
                run(t.seal_blocks, text, out, ciphertext);
                run(t.open_blocks, ciphertext, out, text);
                out = text;
                run(t.seal_blocks, out, out, ciphertext);
                run(t.open_blocks, out, out, text);
            }
        }
    });
}

// Input and output at every offset from a cache line; --scale=full: all pairs of them.
TEST(KernelsGcm, B61_EveryOffset) {
    constexpr std::size_t sizes[] = {1,   8,   15,  16,  17,  31,  33,  63,  64,  65,
                                     100, 112, 113, 128, 255, 256, 257, 520, 1100};
    random_source random = seeded(73);
    const bytes key_bytes = random.take(16);
    const bytes h = random.take(16);
    const bytes state = random.take(16);
    const bytes counter = random.take(16);
    const bytes text = random.take(1100);
    std::vector<text_result> sealed;
    for (const std::size_t n : sizes) {
        sealed.push_back(judge_key(key_bytes, h).sealed(state, counter, 5, bytes_view(text).first(n)));
    }
    for_each_fused([&](const lea_gcm_table& t) {
        const kernel_key key(key_bytes, h, t.hash);
        struct alignas(64) {
            std::byte at[1100 + 64];
        } from, to;
        for (std::size_t in_at = 0; in_at < 64; ++in_at) {
            const std::size_t step = full_scale() ? 1 : options().at == scale::quick ? 13 : 64;
            for (std::size_t shift = 0; shift < 64; shift += step) {
                const std::size_t out_at = (5 * in_at + 3 + shift) % 64;
                for (std::size_t i = 0; i < std::size(sizes); ++i) {
                    const std::size_t n = sizes[i];
                    const bytes_span in = bytes_span(from.at).subspan(in_at, n);
                    const bytes_span out = bytes_span(to.at).subspan(out_at, n);
                    std::copy_n(text.begin(), n, in.begin());
                    check_text(t.seal_text, key, state, counter, 5, in, out, sealed[i], "sealed at an offset");
                    check_text(t.open_text, key, state, counter, 5, out, in,
                               {copy_of(bytes_view(text).first(n)), sealed[i].tag}, "opened at an offset");
                }
            }
        }
    });
}

// Nothing beyond what the functions are given is read or written.
TEST(KernelsGcm, BetweenGuardPages) {
    for_each_fused([](const lea_gcm_table& t) {
        random_source random = seeded(74);
        guarded powers_there(16 * ghash_powers), state_there(16), counter_there(16), in_there(1100), out_there(1100);
        const std::size_t step = options().at == scale::emulator ? 17 : 1;
        for (std::size_t n = 0; n <= 1100; n += n < 300 ? 1 : step) {
            const bytes key_bytes = random.take(16 + 8 * (n % 3));
            const bytes h = random.take(16);
            const bytes state = random.take(16);
            const bytes counter = random.take(16);
            const bytes text = random.take(n);
            const text_result sealed = judge_key(key_bytes, h).sealed(state, counter, 1, text);
            const kernel_key key(key_bytes, h, t.hash);
            for (const bool front : {false, true}) {
                lea_gcm_keys keys = key.keys();
                keys.powers = octets(powers_there.at(front, bytes_view(key.powers)));
                for (const bool sealing : {true, false}) {
                    const bytes_span s = state_there.at(front, bytes_view(state));
                    const bytes_span in = in_there.at(front, bytes_view(sealing ? text : sealed.text));
                    const bytes_span out = out_there.at(front, n);
                    (sealing ? t.seal_text : t.open_text)(&keys, octets(s),
                                                          octets(counter_there.at(front, bytes_view(counter))), 1,
                                                          octets(in), octets(out), n);
                    check_bytes(sealing ? sealed.text : text, out, n, " bytes");
                    check_bytes(sealed.tag, s, n, " bytes, tag");
                    check_bytes(sealing ? text : sealed.text, in, n, " bytes, input changed");
                }
            }
        }
    });
}

// The GHASH that each table brings along.
TEST(KernelsGcm, Hash) {
    for_each_fused([](const lea_gcm_table& t) {
        random_source random = seeded(75);
        for (std::size_t n = 0; n <= 70; ++n) {
            const bytes h = random.take(16);
            const bytes blocks = random.take(16 * n);
            const bytes before = random.take(16);
            bytes expected = before;
            const kernel_key key(bytes(16), h, t.hash);
            judge_key(bytes(16), h).absorb(expected, blocks);
            bytes state = before;
            t.hash.absorb(octets(bytes_span(state)), octets(bytes_view(key.powers)), octets(blocks), n);
            check_bytes(expected, state, n, " blocks");
        }
    });
}

}  // namespace
}  // namespace hwacha::test
