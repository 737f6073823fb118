// GHASH's functions, each table against plain arithmetic and against the portable table.
#include <memory>

#include "support/plain.hpp"
#include "support/run.hpp"
#include "support/tables.hpp"

namespace hwacha::test {
namespace {

constexpr std::size_t powers_size = 16 * ghash_powers;

const std::uint8_t* octets(bytes_view b) {
    return reinterpret_cast<const std::uint8_t*>(b.data());
}
std::uint8_t* octets(bytes_span b) {
    return reinterpret_cast<std::uint8_t*>(b.data());
}

struct hash_key {
    alignas(64) std::byte powers[powers_size];
    hash_key(const ghash_table& t, bytes_view h) { t.expand_key(octets(h), octets(bytes_span(powers))); }
};

bytes absorbed(const ghash_table& t, bytes_view h, bytes_view state, bytes_view blocks) {
    const hash_key k(t, h);
    bytes s = copy_of(state);
    t.absorb(octets(bytes_span(s)), octets(k.powers), octets(blocks), blocks.size() / 16);
    return s;
}

bytes plainly_absorbed(bytes_view h, bytes_view state, bytes_view blocks) {
    if (blocks.empty()) return copy_of(state);
    bytes first = copy_of(blocks);
    for (std::size_t i = 0; i < 16; ++i) first[i] ^= state[i];
    return copy_of(plain::ghash(plain::block_of(h), first));
}

TEST(KernelsGhash, AgreesWithPlainArithmetic) {
    random_source random = seeded(50);
    struct row {
        bytes h, state, blocks, expected;
    };
    std::vector<row> rows;
    for (const std::size_t n :
         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40}) {
        row r{random.take(16), random.take(16), random.take(16 * n), {}};
        r.expected = plainly_absorbed(r.h, r.state, r.blocks);
        rows.push_back(std::move(r));
    }
    for_each_table(ghash_tables, [&](const ghash_table& t) {
        for (const row& r : rows)
            check_bytes(r.expected, absorbed(t, r.h, r.state, r.blocks), r.blocks.size() / 16, " blocks");
    });
}

// Single bits of H and of the block: every partial product, every path of the reduction.
TEST(KernelsGhash, SingleBits) {
    const auto bit = [](std::size_t i) {
        bytes b(16);
        b[i / 8] = static_cast<std::byte>(0x80U >> (i % 8));
        return b;
    };
    const std::size_t step = full_scale() ? 1 : options().at == scale::quick ? 5 : 21;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < 128; i += step) {
        for (std::size_t j = 0; j < 128; ++j) pairs.emplace_back(i, j);
    }
    for (std::size_t i = 0; i < 128; ++i) pairs.emplace_back(i, 127 - i);
    for_each_table(ghash_tables, [&](const ghash_table& t) {
        for (const auto& [i, j] : pairs) {
            check_bytes(absorbed(ghash_portable, bit(i), bytes(16), bit(j)), absorbed(t, bit(i), bytes(16), bit(j)), i,
                        ' ', j);
        }
    });
    for (std::size_t i = 0; i < 128; i += 3) {
        const std::size_t j = (7 * i) % 128;
        check_bytes(plainly_absorbed(bit(i), bytes(16), bit(j)), absorbed(ghash_portable, bit(i), bytes(16), bit(j)), i,
                    ' ', j);
    }
}

TEST(KernelsGhash, ExtremeValues) {
    for_each_table(ghash_tables, [](const ghash_table& t) {
        for (const unsigned h : {0x00U, 0x01U, 0x80U, 0xffU}) {
            for (const unsigned b : {0x00U, 0x01U, 0x80U, 0xffU}) {
                for (const std::size_t n : {1, 7, 8, 9, 33}) {
                    const bytes blocks = repeated(16 * n, b);
                    check_bytes(plainly_absorbed(repeated(16, h), repeated(16, b), blocks),
                                absorbed(t, repeated(16, h), repeated(16, b), blocks), h, ' ', b, ' ', n);
                }
            }
        }
    });
}

TEST(KernelsGhash, CountsBetweenGuardPages) {
    for_each_table(ghash_tables, [](const ghash_table& t) {
        random_source random = seeded(51);
        guarded h_there(16);
        guarded powers_there(powers_size);
        guarded state_there(16);
        guarded blocks_there(16 * 257);
        for (std::size_t n = 0; n <= 257; n += n < 70 || n >= 250 ? 1 : 9) {
            const bytes h = random.take(16);
            const bytes state = random.take(16);
            const bytes blocks = random.take(16 * n);
            const bytes expected = absorbed(ghash_portable, h, state, blocks);
            for (const bool front : {false, true}) {
                const bytes_span powers = powers_there.at(front, powers_size);
                t.expand_key(octets(h_there.at(front, bytes_view(h))), octets(powers));
                const bytes kept = copy_of(powers);
                const bytes_span s = state_there.at(front, bytes_view(state));
                const bytes_span b = blocks_there.at(front, bytes_view(blocks));
                t.absorb(octets(s), octets(powers), octets(b), n);
                check_bytes(expected, s, n, " blocks");
                check_bytes(blocks, b, "blocks changed");
                check_bytes(kept, powers, "powers changed");
            }
        }
    });
}

TEST(KernelsGhash, EveryOffset) {
    for_each_table(ghash_tables, [](const ghash_table& t) {
        random_source random = seeded(52);
        const bytes h = random.take(16);
        const hash_key key(t, h);
        bytes area(16 * 40 + 64);
        bytes states(16 + 64);
        bytes keys(16 + 64);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            random.fill(area);
            random.fill(states);
            const bytes_view blocks = bytes_view(area).subspan(offset, 16 * (1 + offset % 40));
            const bytes_span state = bytes_span(states).subspan(63 - offset, 16);
            bytes expected_area = states;
            const bytes expected = absorbed(ghash_portable, h, state, blocks);
            put(expected, expected_area, 63 - offset);
            t.absorb(octets(state), octets(key.powers), octets(blocks), blocks.size() / 16);
            check_bytes(expected_area, states, "state at ", 63 - offset, ", blocks at ", offset);
            put(h, keys, offset);
            const hash_key same(t, bytes_view(keys).subspan(offset, 16));
            check_bytes(key.powers, same.powers, "H at ", offset);
        }
    });
}

TEST(KernelsGhash, AnySplitting) {
    for_each_table(ghash_tables, [](const ghash_table& t) {
        random_source random = seeded(53);
        for (std::size_t round = 0; round < scaled(10'000); ++round) {
            const bytes h = random.take(16);
            const bytes blocks = random.take(16 * random.below(80));
            const hash_key key(t, h);
            bytes state(16);
            for (std::size_t at = 0; at < blocks.size();) {
                const std::size_t n = std::min(blocks.size() - at, 16 * random.below(20));
                t.absorb(octets(bytes_span(state)), octets(key.powers), octets(bytes_view(blocks).subspan(at)), n / 16);
                at += n;
            }
            if (!check_bytes(absorbed(ghash_portable, h, bytes(16), blocks), state, "round ", round)) break;
        }
    });
}

}  // namespace
}  // namespace hwacha::test
