// Key derivation against the standards' text in plain arithmetic; limits, misuse, batches on threads.
#include <memory>
#include <numeric>
#include <stdexcept>

#include "api/batch.hpp"
#include "support/mac.hpp"

namespace hwacha::test {
namespace {

constexpr lsh_variant v512 = lsh_variant::lsh512_512;

// Calls `derive` (a status, given where to) with an area of `size` bytes; it must be refused and leave all as it was.
template <class Derive>
void refused(status why, std::size_t size, Derive derive, const char* what) {
    bytes area = repeated(size, 0xa5);
    EXPECT_EQ(derive(bytes_span(area)), why) << what;
    EXPECT_EQ(area, repeated(size, 0xa5)) << what;
}

// A span of a size that no memory has: what is refused for its size is never looked at.
bytes_span vast(std::size_t size) {
    static std::byte one[1];
    return {one, size};
}

// ---- PBKDF2

TEST(ApiPbkdf2, Shapes) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(330);
        struct shape {
            bytes password, salt;
            std::uint64_t iterations;
            bytes expected;
        };
        std::vector<shape> shapes;
        const std::size_t d = i.digest_size;
        for (const std::size_t size : {std::size_t{1}, d - 1, d, d + 1, 2 * d, 5 * d - 3, 17 * d + 1, 35 * d}) {
            shape s{
                random.take(random.below(i.block_size + 20)), random.take(random.below(300)), random.between(1, 4), {}};
            s.expected = plain_pbkdf2(i, s.password, s.salt, s.iterations, size);
            shapes.push_back(std::move(s));
        }
        for_each_batch_table(i, [&] {
            for (const shape& s : shapes) {
                check_batch(
                    s.expected,
                    [&](bytes_span out) {
                        return pbkdf2_hmac_lsh(i.variant, s.password, s.salt, s.iterations,
                                               out.first(s.expected.size()));
                    },
                    s.expected.size(), " bytes");
            }
        });
    });
}

// A whole chain of iterations: no other reaches the sums of many.
TEST(ApiPbkdf2, ManyIterations) {
    for_each_core([](const lsh_info& i) {
        const std::uint64_t iterations = scaled(20000, 300);
        const bytes expected = plain_pbkdf2(i, bytes_of("password"), bytes_of("salt"), iterations, 8 * i.digest_size);
        for_each_batch_table(i, [&] {
            bytes out(expected.size());
            works(pbkdf2_hmac_lsh(i.variant, bytes_of("password"), bytes_of("salt"), iterations, out));
            check_bytes(expected, out, iterations, " iterations");
        });
    });
}

TEST(ApiPbkdf2, Misuse) {
    const bytes password = counting(10);
    const bytes salt = counting(16);
    for (const std::uint64_t iterations : {std::uint64_t{0}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
        refused(
            status::bad_iterations, 64,
            [&](bytes_span out) { return pbkdf2_hmac_lsh(v512, password, salt, iterations, out); }, "iterations");
    }
    refused(
        status::unknown_algorithm, 64,
        [&](bytes_span out) { return pbkdf2_hmac_lsh(no_variant, password, salt, 1, out); }, "variant");
    refused(
        status::overlap, 64, [&](bytes_span out) { return pbkdf2_hmac_lsh(v512, out.last(1), salt, 1, out); },
        "over the password");
    refused(
        status::overlap, 64, [&](bytes_span out) { return pbkdf2_hmac_lsh(v512, password, out.first(1), 1, out); },
        "over the salt");
    if constexpr (sizeof(std::size_t) == 8) {
        for (const lsh_info& i : lsh_variants()) {
            const std::size_t most = 0xffffffff * i.digest_size;
            EXPECT_EQ(pbkdf2_hmac_lsh(i.variant, password, salt, 1, vast(most + 1)), status::output_too_long);
            EXPECT_EQ(pbkdf2_hmac_lsh(i.variant, vast(1), salt, 1, vast(most)), status::overlap) << "refused too early";
        }
    }
    EXPECT_EQ(pbkdf2_hmac_lsh(v512, {}, {}, 1, {}), status::ok);
}

TEST(ApiPbkdf2, BetweenGuardPages) {
    guarded passwords(300), salts(300), outputs(300);
    for_each_core([&](const lsh_info& i) {
        for (const bool front : {false, true}) {
            for (const std::size_t n : {1, 63, 64, 65, 256, 257}) {
                const bytes expected = plain_pbkdf2(i, pattern(n), counting(n), 2, n);
                const bytes_span out = outputs.at(front, n);
                EXPECT_EQ(pbkdf2_hmac_lsh(i.variant, passwords.at(front, bytes_view(pattern(n))),
                                          salts.at(front, bytes_view(counting(n))), 2, out),
                          status::ok);
                EXPECT_EQ(copy_of(out), expected);
            }
        }
    });
}

struct credentials {
    std::vector<bytes> passwords, salts;
    std::vector<bytes_view> password_views, salt_views;

    credentials(random_source& random, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            passwords.push_back(random.take(random.below(40)));
            salts.push_back(random.take(random.between(8, 32)));
        }
        password_views = views_of(passwords);
        salt_views = views_of(salts);
    }
    bytes expected(const lsh_info& i, std::uint64_t iterations, std::size_t key_size) const {
        bytes all;
        for (std::size_t k = 0; k < passwords.size(); ++k) {
            const bytes one = plain_pbkdf2(i, passwords[k], salts[k], iterations, key_size);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }
};

TEST(ApiPbkdf2Batch, AsOneByOne) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(331);
        const std::size_t d = i.digest_size;
        for (const std::size_t n : {1, 2, 3, 7, 9, 16, 18, 33}) {
            const credentials c(random, n);
            const std::size_t sizes[] = {d, d / 2, 2 * d + 1};
            const std::size_t key_size = sizes[n % 3];
            const bytes expected = c.expected(i, 3, key_size);
            for_each_batch_table(i, [&] {
                check_batch(
                    expected,
                    [&](bytes_span out) {
                        return pbkdf2_hmac_lsh_batch(i.variant, c.password_views, c.salt_views, 3, key_size, out);
                    },
                    n, " passwords, ", key_size, " bytes");
                // Enough for every table to have something to do.
                const bytes long_key = plain_pbkdf2(i, c.passwords[0], c.salts[0], 1, 8 * d);
                bytes out(long_key.size());
                works(pbkdf2_hmac_lsh(i.variant, c.passwords[0], c.salts[0], 1, out));
                check_bytes(long_key, out, "8 blocks");
            });
        }
    });
}

TEST(ApiPbkdf2Batch, ThreadsChangeNothing) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(332);
        thread_pool pool(3);
        inline_executor alone(4);
        eager_executor eager;
        for (const std::size_t n : {1, 2, 5, 40}) {
            const credentials c(random, n);
            for (const std::size_t key_size : {std::size_t{20}, 3 * i.digest_size}) {
                const bytes expected = c.expected(i, 2, key_size);
                for (executor* e :
                     {static_cast<executor*>(&pool), static_cast<executor*>(&alone), static_cast<executor*>(&eager)}) {
                    bytes out(expected.size());
                    std::vector<std::size_t> reports;
                    batch_options options = on(e);
                    options.progress = [&](std::size_t done) {
                        reports.push_back(done);
                        return true;
                    };
                    EXPECT_EQ(
                        pbkdf2_hmac_lsh_batch(i.variant, c.password_views, c.salt_views, 2, key_size, out, options),
                        status::ok);
                    EXPECT_EQ(out, expected);
                    ASSERT_FALSE(reports.empty());
                    EXPECT_TRUE(std::ranges::is_sorted(reports));
                    EXPECT_EQ(reports.back(), n);
                }
            }
        }
        EXPECT_GT(alone.tasks, alone.runs) << "no batch was dealt out";
    });
}

class idle_executor final : public executor {
  public:
    void run(std::size_t, task, void*) override {}
    std::size_t concurrency() const noexcept override { return 2; }
};
class throwing_executor final : public executor {
  public:
    void run(std::size_t, task t, void* context) override {
        t(context, 0);
        throw std::runtime_error("no more threads");
    }
    std::size_t concurrency() const noexcept override { return 2; }
};

TEST(ApiPbkdf2Batch, WhatIsNotWholeIsZeros) {
    random_source random = seeded(333);
    const credentials c(random, 50);
    const auto derive = [&](bytes_span out, const batch_options& options) {
        return pbkdf2_hmac_lsh_batch(v512, c.password_views, c.salt_views, 2, 100, out, options);
    };
    bytes out = repeated(50 * 100 + 1, 0xa5);
    bytes zeros(out.size());
    zeros.back() = std::byte{0xa5};
    batch_options options;
    std::size_t reports = 0;
    options.progress = [&](std::size_t) { return ++reports < 2; };
    EXPECT_EQ(derive(out, options), status::cancelled);
    EXPECT_EQ(reports, 2U);
    EXPECT_EQ(out, zeros);

    idle_executor idle;
    out = repeated(out.size(), 0xa5);
    EXPECT_EQ(derive(out, on(&idle)), status::executor_failed);
    EXPECT_EQ(out, zeros);

    throwing_executor throwing;
    out = repeated(out.size(), 0xa5);
    EXPECT_THROW(static_cast<void>(derive(out, on(&throwing))), std::runtime_error);
    EXPECT_EQ(out, zeros);

    // After the last password it is too late.
    reports = 0;
    options.progress = [&](std::size_t done) { return done != 50; };
    EXPECT_EQ(derive(out, options), status::ok);
}

TEST(ApiPbkdf2Batch, Misuse) {
    random_source random = seeded(334);
    const credentials c(random, 3);
    const std::span<const bytes_view> passwords = c.password_views;
    const std::span<const bytes_view> salts = c.salt_views;
    const auto batch = [](auto p, auto s, std::uint64_t iterations, std::size_t key_size) {
        return [=](bytes_span out) { return pbkdf2_hmac_lsh_batch(v512, p, s, iterations, key_size, out); };
    };
    refused(status::wrong_count, 96, batch(passwords, salts.first(2), 1, 32), "a salt is missing");
    refused(status::wrong_count, 96, batch(passwords.first(2), salts, 1, 32), "a password is missing");
    refused(status::buffer_too_small, 95, batch(passwords, salts, 1, 32), "room for less");
    refused(status::buffer_too_small, 96, batch(passwords, salts, 1, 0xffffffff), "room for much less");
    refused(status::bad_iterations, 96, batch(passwords, salts, 0, 32), "iterations");
    refused(
        status::unknown_algorithm, 96,
        [&](bytes_span out) { return pbkdf2_hmac_lsh_batch(no_variant, passwords, salts, 1, 32, out); }, "variant");
    refused(
        status::overlap, 96,
        [&](bytes_span out) {
            const std::vector<bytes_view> some = {passwords[0], out.last(1), passwords[2]};
            return pbkdf2_hmac_lsh_batch(v512, some, salts, 1, 32, out);
        },
        "over a password");
    refused(
        status::overlap, 96,
        [&](bytes_span out) {
            const std::vector<bytes_view> some = {salts[0], salts[1], out.first(1)};
            return pbkdf2_hmac_lsh_batch(v512, passwords, some, 1, 32, out);
        },
        "over a salt");
    std::vector<bytes_view> list = c.password_views;
    const bytes_span over_list(reinterpret_cast<std::byte*>(list.data()), sizeof(bytes_view));
    EXPECT_EQ(pbkdf2_hmac_lsh_batch(v512, list, salts, 1, 1, over_list), status::overlap);
    if constexpr (sizeof(std::size_t) == 8) {
        const std::size_t most = std::size_t{0xffffffff} * 64;
        EXPECT_EQ(pbkdf2_hmac_lsh_batch(v512, passwords, salts, 1, most + 1, {}), status::output_too_long);
        EXPECT_EQ(pbkdf2_hmac_lsh_batch(v512, passwords, salts, 1, most, {}), status::buffer_too_small);
    }
    EXPECT_EQ(pbkdf2_hmac_lsh_batch(v512, {}, {}, 1, 32, {}), status::ok);
    EXPECT_EQ(pbkdf2_hmac_lsh_batch(v512, passwords, salts, 1, 0, {}), status::ok);
}

// ---- HKDF

TEST(ApiHkdf, Shapes) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(340);
        const std::size_t d = i.digest_size;
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, d - 1, d, d + 1, 5 * d, 255 * d - 1, 255 * d}) {
            const bytes key = random.take(random.below(200));
            const bytes salt = random.take(random.below(3) == 0 ? 0 : random.below(300));
            const bytes info = random.take(random.below(150));
            const bytes extracted = mac(i, salt.empty() ? bytes(d) : salt, key);
            const bytes expected = plain_hkdf_expand(i, extracted, info, size);
            for_each_table_of(i.variant, [&] {
                check_batch(
                    expected,
                    [&](bytes_span out) { return hkdf_hmac_lsh(i.variant, key, salt, info, out.first(size)); }, size,
                    " bytes");
                check_batch(
                    extracted, [&](bytes_span out) { return hkdf_hmac_lsh_extract(i.variant, key, salt, out); },
                    "extract");
                check_batch(
                    expected,
                    [&](bytes_span out) { return hkdf_hmac_lsh_expand(i.variant, extracted, info, out.first(size)); },
                    size, " bytes, expand");
            });
        }
    });
}

TEST(ApiHkdf, Misuse) {
    const bytes key = counting(64);
    const bytes info = counting(10);
    for_each_variant([&](const lsh_info& i) {
        const std::size_t d = i.digest_size;
        refused(
            status::output_too_long, 255 * d + 1,
            [&](bytes_span out) { return hkdf_hmac_lsh(i.variant, key, {}, info, out); }, "256 blocks");
        refused(
            status::output_too_long, 255 * d + 1,
            [&](bytes_span out) { return hkdf_hmac_lsh_expand(i.variant, key, info, out); }, "256 blocks");
        refused(
            status::buffer_too_small, d - 1,
            [&](bytes_span out) { return hkdf_hmac_lsh_extract(i.variant, key, {}, out); }, "no room");
        refused(
            status::bad_key_length, 10,
            [&](bytes_span out) { return hkdf_hmac_lsh_expand(i.variant, bytes_view(key).first(d - 1), info, out); },
            "short key");
    });
    const auto all_three = [&](status why, lsh_variant v, std::size_t size, auto where, const char* what) {
        for (int argument = 0; argument < 3; ++argument) {
            const auto in = [&](int n, bytes_span out) { return n == argument ? where(out) : bytes_view(key); };
            refused(
                why, size, [&](bytes_span out) { return hkdf_hmac_lsh(v, in(0, out), in(1, out), in(2, out), out); },
                what);
            if (argument == 2) continue;
            refused(
                why, size, [&](bytes_span out) { return hkdf_hmac_lsh_extract(v, in(0, out), in(1, out), out); }, what);
            refused(
                why, size, [&](bytes_span out) { return hkdf_hmac_lsh_expand(v, in(0, out), in(1, out), out); }, what);
        }
    };
    all_three(status::overlap, v512, 64, [](bytes_span out) { return bytes_view(out); }, "over an input");
    all_three(status::unknown_algorithm, no_variant, 64, [&](bytes_span) { return bytes_view(key); }, "variant");
}

// ---- KBKDF

TEST(ApiKbkdf, ShapesWithHmac) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(350);
        const std::size_t d = i.digest_size;
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, d, d + 1, 5 * d}) {
            const bytes key = random.take(random.below(300));
            const bytes label = random.take(random.below(20));
            const bytes context = random.take(random.below(200));
            const auto prf = [&](bytes_view data) { return mac(i, key, data); };
            const bytes zero(1);
            const bytes input = joined({label, zero, context, big_endian(8 * size, 4)});
            const bytes expected = plain_kbkdf(prf, {}, input, 32, size);
            for_each_table_of(i.variant, [&] {
                check_batch(
                    expected,
                    [&](bytes_span out) { return kbkdf_hmac_lsh(i.variant, key, label, context, out.first(size)); },
                    size, " bytes");
                bytes out(size);
                works(kbkdf_hmac_lsh(i.variant, key, {.before = {}, .after = input}, out), size, " bytes, laid out");
                check_bytes(expected, out, size, " bytes, laid out");
                // The size may be 0: something for the table to do.
                check_bytes(mac(i, key, label), prf(label), "HMAC");
            });
        }
    });
}

TEST(ApiKbkdf, ShapesWithCmac) {
    random_source random = seeded(351);
    for (const std::size_t key_size : {16, 24, 32}) {
        const bytes key = random.take(key_size);
        const auto prf = [&](bytes_view data) { return plain_cmac(key, data); };
        for (const std::size_t size : {0, 1, 15, 16, 17, 80}) {
            const bytes label = random.take(random.below(20));
            const bytes context = random.take(random.below(60));
            const bytes zero(1);
            const bytes expected =
                plain_kbkdf(prf, {}, joined({label, zero, context, big_endian(8 * size, 4)}), 32, size);
            check_batch(
                expected, [&](bytes_span out) { return kbkdf_cmac_lea(key, label, context, out.first(size)); }, size,
                " bytes");
            for (const unsigned bits : {8U, 16U, 24U, 32U}) {
                const bytes in_front = plain_kbkdf(prf, label, context, bits, size);
                bytes out(size);
                works(kbkdf_cmac_lea(key, {label, context, bits}, out), bits, " bits");
                check_bytes(in_front, out, bits, " bits");
            }
        }
    }
}

TEST(ApiKbkdf, TheLastBlockOfACounter) {
    const bytes key = counting(16);
    const bytes after = counting(5);
    struct row {
        unsigned bits;
        std::size_t blocks;
    };
    for (const row& r : {row{8, 255}, row{16, 65535}}) {
        if (r.bits == 16 && options().at == scale::emulator) continue;
        bytes out(16 * r.blocks);
        EXPECT_EQ(kbkdf_cmac_lea(key, {{}, after, r.bits}, out), status::ok);
        EXPECT_EQ(copy_of(bytes_view(out).last(16)), cmac(key, joined({big_endian(r.blocks, r.bits / 8), after})));
        refused(
            status::output_too_long, 16 * r.blocks + 1,
            [&](bytes_span more) { return kbkdf_cmac_lea(key, {{}, after, r.bits}, more); }, "one block more");
    }
    refused(
        status::output_too_long, 255 * 64 + 1,
        [&](bytes_span more) { return kbkdf_hmac_lsh(v512, key, {{}, after, 8}, more); }, "one block more");
    if constexpr (sizeof(std::size_t) == 8) {
        const std::size_t most = (std::size_t{1} << 24) - 1;
        EXPECT_EQ(kbkdf_cmac_lea(key, {{}, after, 24}, vast(16 * most + 1)), status::output_too_long);
        EXPECT_EQ(kbkdf_cmac_lea(key, {{}, vast(1), 24}, vast(16 * most)), status::overlap) << "refused too early";
        EXPECT_EQ(kbkdf_cmac_lea(key, {{}, after, 32}, vast(16 * std::size_t{0xffffffff} + 1)),
                  status::output_too_long);
    }
    // L is a number of bits below 2^32.
    const std::size_t most = 0xffffffff / 8;
    EXPECT_EQ(kbkdf_cmac_lea(key, after, {}, vast(most + 1)), status::output_too_long);
    EXPECT_EQ(kbkdf_cmac_lea(key, after, vast(1), vast(most)), status::overlap) << "refused too early";
    EXPECT_EQ(kbkdf_hmac_lsh(v512, key, after, {}, vast(most + 1)), status::output_too_long);
    EXPECT_EQ(kbkdf_hmac_lsh(v512, key, after, vast(1), vast(most)), status::overlap) << "refused too early";
}

TEST(ApiKbkdf, Misuse) {
    const bytes key = counting(16);
    for (unsigned bits = 0; bits <= 70; ++bits) {
        if (bits == 8 || bits == 16 || bits == 24 || bits == 32) continue;
        refused(
            status::bad_option, 10, [&](bytes_span out) { return kbkdf_cmac_lea(key, {{}, {}, bits}, out); }, "bits");
        refused(
            status::bad_option, 10, [&](bytes_span out) { return kbkdf_hmac_lsh(v512, key, {{}, {}, bits}, out); },
            "bits");
    }
    for (std::size_t n = 0; n < 40; ++n) {
        if (n == 16 || n == 24 || n == 32) continue;
        refused(
            status::bad_key_length, 10, [&](bytes_span out) { return kbkdf_cmac_lea(bytes(n), {}, {}, out); }, "key");
        refused(
            status::bad_key_length, 10,
            [&](bytes_span out) { return kbkdf_cmac_lea(bytes(n), kbkdf_fixed_input{}, out); }, "key");
    }
    refused(
        status::unknown_algorithm, 10, [&](bytes_span out) { return kbkdf_hmac_lsh(no_variant, key, {}, {}, out); },
        "variant");
    refused(
        status::unknown_algorithm, 10,
        [&](bytes_span out) { return kbkdf_hmac_lsh(no_variant, key, kbkdf_fixed_input{}, out); }, "variant");
    for (int argument = 0; argument < 3; ++argument) {
        const auto in = [&](int n, bytes_span out) {
            return n == argument ? bytes_view(out).last(16) : bytes_view(key);
        };
        refused(
            status::overlap, 40,
            [&](bytes_span out) { return kbkdf_hmac_lsh(v512, in(0, out), in(1, out), in(2, out), out); }, "HMAC");
        refused(
            status::overlap, 40,
            [&](bytes_span out) { return kbkdf_hmac_lsh(v512, in(0, out), {in(1, out), in(2, out)}, out); }, "HMAC");
        refused(
            status::overlap, 40,
            [&](bytes_span out) { return kbkdf_cmac_lea(in(0, out), in(1, out), in(2, out), out); }, "CMAC");
        refused(
            status::overlap, 40,
            [&](bytes_span out) { return kbkdf_cmac_lea(in(0, out), {in(1, out), in(2, out)}, out); }, "CMAC");
    }
}

}  // namespace
}  // namespace hwacha::test
