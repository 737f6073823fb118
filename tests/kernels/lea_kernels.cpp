// LEA's block functions, each table against the portable one.
#include "lea/one_block.hpp"
#include "support/lea.hpp"

namespace hwacha::test {
namespace {

const std::uint8_t* octets(bytes_view b) {
    return reinterpret_cast<const std::uint8_t*>(b.data());
}
std::uint8_t* octets(bytes_span b) {
    return reinterpret_cast<std::uint8_t*>(b.data());
}

struct round_keys {
    std::vector<std::uint32_t> words;
    std::uint32_t rounds;
    explicit round_keys(bytes_view key)
        : words(plain::lea_round_keys(key)), rounds(static_cast<std::uint32_t>(words.size() / 6)) {}
};

enum class operation { encrypt, decrypt, ctr32 };
constexpr operation operations[] = {operation::encrypt, operation::decrypt, operation::ctr32};
constexpr const char* operation_names[] = {"encrypt", "decrypt", "ctr32"};
const char* name_of(operation o) {
    return operation_names[static_cast<int>(o)];
}

void run(const lea_table& t, operation o, const round_keys& k, bytes_view counter, bytes_view in, bytes_span out) {
    const std::size_t count = in.size() / 16;
    switch (o) {
        case operation::encrypt: t.encrypt_blocks(k.words.data(), k.rounds, octets(in), octets(out), count); break;
        case operation::decrypt: t.decrypt_blocks(k.words.data(), k.rounds, octets(in), octets(out), count); break;
        case operation::ctr32:
            t.ctr32(k.words.data(), k.rounds, octets(counter), octets(in), octets(out), count);
            break;
    }
}

bytes portable(operation o, const round_keys& k, bytes_view counter, bytes_view in) {
    bytes out(in.size());
    run(lea_portable, o, k, counter, in, out);
    return out;
}

// Around every number of blocks that some kernel takes at once.
std::vector<std::size_t> counts() {
    std::vector<std::size_t> n;
    for (std::size_t i = 0; i <= 70; ++i) n.push_back(i);
    for (const std::size_t i : {95, 96, 97, 127, 128, 129, 130, 144, 160, 191, 192, 193, 254, 255, 256, 257})
        n.push_back(i);
    return n;
}

TEST(KernelsLea, PortableAgreesWithPlainArithmetic) {
    random_source random = seeded(30);
    for (const std::size_t key_size : lea_key_sizes) {
        for (std::size_t i = 0; i < scaled(1'000, 10); ++i) {
            const bytes key = random.take(key_size);
            const bytes in = random.take(16);
            const round_keys k(key);
            check_bytes(plain::lea_encrypt(key, plain::block_of(in)), portable(operation::encrypt, k, in, in),
                        "encrypt");
            check_bytes(plain::lea_decrypt(key, plain::block_of(in)), portable(operation::decrypt, k, in, in),
                        "decrypt");
            bytes one(in);
            lea_encrypt_one(k.words.data(), k.rounds, one.data(), one.data());
            check_bytes(plain::lea_encrypt(key, plain::block_of(in)), one, "encrypt one");
            lea_decrypt_one(k.words.data(), k.rounds, one.data(), one.data());
            check_bytes(in, one, "decrypt one");
        }
    }
}

TEST(KernelsLea, CountsBetweenGuardPages) {
    for_each_table(lea_tables, [](const lea_table& t) {
        random_source random = seeded(31);
        guarded from(16 * 257);
        guarded to(16 * 257);
        guarded counter_there(16);
        guarded keys_there(4 * 32 * 6);
        for (const std::size_t key_size : lea_key_sizes) {
            const round_keys k(random.take(key_size));
            for (const std::size_t n : counts()) {
                const bytes in = random.take(16 * n);
                const bytes counter = random.take(16);
                for (const operation o : operations) {
                    const bytes expected = portable(o, k, counter, in);
                    for (const bool front : {false, true}) {
                        const bytes_view in_there = from.at(front, bytes_view(in));
                        const bytes_span out_there = to.at(front, 16 * n);
                        run(t, o, k, counter_there.at(front, bytes_view(counter)), in_there, out_there);
                        check_bytes(expected, out_there, name_of(o), ' ', 8 * key_size, ' ', n, " blocks");
                        check_bytes(in, in_there, "input changed");
                        const bytes_span both = to.at(front, bytes_view(in));
                        run(t, o, k, counter, both, both);
                        check_bytes(expected, both, name_of(o), " in place ", 8 * key_size, ' ', n, " blocks");
                    }
                }
            }
            // The round keys too: as many words as the key has rounds, and no more are read.
            const bytes_span words = keys_there.before_fence(bytes_of(k.words));
            const bytes in = random.take(16 * 33);
            bytes out(in.size());
            t.encrypt_blocks(reinterpret_cast<const std::uint32_t*>(words.data()), k.rounds, octets(in),
                             octets(bytes_span(out)), 33);
            check_bytes(portable(operation::encrypt, k, in, in), out, "round keys before a guard page");
        }
    });
}

TEST(KernelsLea, EveryOffset) {
    for_each_table(lea_tables, [](const lea_table& t) {
        random_source random = seeded(32);
        const round_keys k(random.take(16));
        bytes in(16 * 65 + 64);
        bytes out(16 * 65 + 64);
        bytes counter(16 + 64);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            for (const std::size_t n : {1, 5, 20, 65}) {
                random.fill(in);
                random.fill(counter);
                const bytes_view from = bytes_view(in).subspan(offset, 16 * n);
                const bytes_view first = bytes_view(counter).subspan(63 - offset, 16);
                for (const operation o : operations) {
                    random.fill(out);
                    bytes expected = out;
                    const bytes result = portable(o, k, first, from);
                    const std::size_t at = (offset * 7 + 3) % 64;
                    put(result, expected, at);
                    run(t, o, k, first, from, bytes_span(out).subspan(at, 16 * n));
                    check_bytes(expected, out, name_of(o), ' ', n, " blocks at ", offset, " to ", at);
                }
            }
        }
    });
}

// The low word of the counter wraps within a call, at every block of a long one; the other twelve bytes stay.
TEST(KernelsLea, CounterWrapsAt32Bits) {
    for_each_table(lea_tables, [](const lea_table& t) {
        random_source random = seeded(33);
        const bytes key = random.take(16);
        const round_keys k(key);
        const bytes in = random.take(16 * 70);
        const plain::block one_by_one = plain::block_of(random.take(16));
        for (std::uint32_t before = 0; before <= 70; ++before) {
            plain::block counter = one_by_one;
            const std::uint32_t low = 0U - before;
            for (std::size_t i = 0; i < 4; ++i) counter[12 + i] = static_cast<std::byte>(low >> (24 - 8 * i));
            bytes out(in.size());
            run(t, operation::ctr32, k, counter, in, out);
            check_bytes(portable(operation::ctr32, k, counter, in), out, before, " blocks before the wrap");
            // And each block is what its own counter gives.
            plain::block at_wrap = counter;
            std::fill(at_wrap.begin() + 12, at_wrap.end(), std::byte{0});
            if (before >= 70) continue;
            bytes expected = copy_of(plain::lea_encrypt(key, at_wrap));
            for (std::size_t i = 0; i < 16; ++i) expected[i] ^= in[16 * before + i];
            check_bytes(expected, bytes_view(out).subspan(std::size_t{16} * before, 16), "the block of counter 0");
        }
    });
}

TEST(KernelsLea, RandomKeysAndBlocks) {
    for_each_table(lea_tables, [](const lea_table& t) {
        random_source random = seeded(34);
        for (std::size_t i = 0; i < scaled(20'000); ++i) {
            const round_keys k(random.take(lea_key_sizes[random.below(3)]));
            const bytes in = random.take(16 * random.below(100));
            const bytes counter = random.take(16);
            bytes out(in.size());
            for (const operation o : operations) {
                run(t, o, k, counter, in, out);
                if (!check_bytes(portable(o, k, counter, in), out, name_of(o), " round ", i)) return;
            }
        }
    });
}

}  // namespace
}  // namespace hwacha::test
