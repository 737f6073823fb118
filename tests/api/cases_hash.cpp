// Faults that others had: hashing, HMAC. The identifiers name rows of the project's list of known pitfalls.
#include <sys/mman.h>

#include <cmath>
#include <limits>

#include "support/lsh.hpp"

namespace hwacha::test {
namespace {

// Zero bytes that cost no memory.
class zeros {
  public:
    explicit zeros(std::size_t size) : size_(size) {
        void* p = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) start_ = static_cast<const std::byte*>(p);
    }
    ~zeros() {
        if (start_ != nullptr) munmap(const_cast<std::byte*>(start_), size_);
    }
    zeros(const zeros&) = delete;
    zeros& operator=(const zeros&) = delete;
    explicit operator bool() const { return start_ != nullptr; }
    bytes_view view() const { return {start_, size_}; }

  private:
    const std::byte* start_ = nullptr;
    std::size_t size_;
};

bytes hash_zeros_in_pieces(lsh_variant v, std::uint64_t size) {
    const bytes piece(1U << 20);
    lsh h(v);
    for (std::uint64_t left = size; left != 0;) {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
        h.update(bytes_view(piece).first(n));
        left -= n;
    }
    return finish(h);
}

TEST(CasesHash, B02_SecondUpdateAcrossTheBlock) {
    for_each_lsh([](const lsh_info& i) {
        for (const std::size_t n : {127, 128, 129, 255, 256, 257, 384, 513}) {
            const bytes data = pattern(n);
            const bytes expected = hash(i, data);
            const bytes_view all = data;
            const std::size_t step = options().at == scale::emulator ? 7 : 1;
            for (std::size_t a = 0; a <= n; a += step) {
                lsh two(i.variant);
                two.update(all.first(a)).update(all.subspan(a));
                check_bytes(expected, finish(two), n, " bytes split at ", a);
                for (int empty = 0; empty < 3; ++empty) {
                    lsh three(i.variant);
                    if (empty == 0) three.update({});
                    three.update(all.first(a));
                    if (empty == 1) three.update({});
                    three.update(all.subspan(a));
                    if (empty == 2) three.update({});
                    check_bytes(expected, finish(three), n, " bytes split at ", a, " and an empty piece ", empty);
                }
            }
        }
    });
}

// (a) finish again: an error. (b) update and finish: an error too. Never a digest.
TEST(CasesHash, B04_UseAfterFinish) {
    for_each_lsh([](const lsh_info& i) {
        lsh h(i.variant);
        h.update(bytes_of("abc"));
        static_cast<void>(finish(h));
        bytes out = repeated(i.digest_size, 0);
        check(h.finish(out) == status::finished, "finish again");
        h.update(bytes_of("d"));
        check(h.finish(out) == status::finished, "update and finish");
        check_bytes(repeated(i.digest_size, 0), out, "digest");
        h.reset();
        h.update(bytes_of("d"));
        check_bytes(hash(i, bytes_of("d")), finish(h), "after reset");
    });
}

// Lengths whose bit or byte count does not fit 32 bits. Reduced runs use sizes around 2^20 instead.
TEST(CasesHash, B06_LengthsBeyond32Bits) {
    std::vector<std::uint64_t> sizes;
    if (full_scale()) {
        for (const std::uint64_t base : {std::uint64_t{1} << 29, std::uint64_t{1} << 32}) {
            for (const std::uint64_t n : {base - 1, base, base + 1}) sizes.push_back(n);
        }
    } else {
        const std::uint64_t base = std::uint64_t{1} << (options().at == scale::quick ? 20 : 16);
        sizes = {base - 1, base, base + 1};
    }
    const auto run = [&](lsh_variant v) {
        for (const std::uint64_t n : sizes) {
            if (n > std::numeric_limits<std::size_t>::max() / 2) continue;
            const zeros data(static_cast<std::size_t>(n));
            if (!data) {
                note_missing("address space for B06");
                continue;
            }
            check_bytes(hash_zeros_in_pieces(v, n), hash(*find_lsh(v), data.view()), n, " bytes");
        }
    };
    for (const lsh_variant v : {lsh_variant::lsh256_256, lsh_variant::lsh512_512}) {
        // The table in use at full scale: the counting is above the tables.
        if (full_scale()) {
            run(v);
        } else {
            for_each_table_of(v, [&] { run(v); });
        }
    }
}

TEST(CasesHash, B08_HugeUpdateAfterABufferedByte) {
    if (!full_scale()) GTEST_SKIP() << "only at full scale";
    if (sizeof(std::size_t) < 8) GTEST_SKIP() << "needs an address space of 4 GiB";
    constexpr std::uint64_t total = std::uint64_t{1} << 32;
    const zeros data(static_cast<std::size_t>(total));
    ASSERT_TRUE(data);
    for (const lsh_variant v : {lsh_variant::lsh256_256, lsh_variant::lsh512_512}) {
        const bytes expected = hash_zeros_in_pieces(v, total);
        for (const std::size_t first : {1, 127}) {
            lsh h(v);
            h.update(data.view().first(first)).update(data.view().subspan(first));
            check_bytes(expected, finish(h), first, " bytes first");
        }
    }
}

struct known_answer {
    lsh_variant variant;
    bool long_pattern;  // 1,000,000 bytes i mod 251; otherwise "abc"
    const char* digest;
};

constexpr known_answer known_answers[] = {
    {lsh_variant::lsh256_224, false, "f7c53ba4034e708e74fba42e55997ca5126bb7623688f85342f73732"},
    {lsh_variant::lsh256_256, false, "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741"},
    {lsh_variant::lsh512_224, false, "d1683234513ec5698394571ead128a8cd5373e97661ba20dcf89e489"},
    {lsh_variant::lsh512_256, false, "cd892310532602332b613f1ec11a6962fca61ea09ecffcd4bcf75858d802edec"},
    {lsh_variant::lsh512_384, false,
     "5f344efaa0e43ccd2e5e194d6039794b4fb431f10fb4b65fd45e9da4ecde0f27b66e8dbdfa47252e0d0b741bfd91f9fe"},
    {lsh_variant::lsh512_512, false,
     "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208b5c57224bef21084d42083e95a4bd8eb33e869812b65031c4"
     "288"
     "19a1e7ce596d"},
    {lsh_variant::lsh256_256, true, "76462d793accfcee63daa75108d324068d8715465bb6c1047c89a928d3ee8a5f"},
    {lsh_variant::lsh512_512, true,
     "ff29dc67023d5c9ffb1f3afd6f01887205e4472be620f51cb6f1cf3051feed5316bc2809adc06f0f15beca8c99fec9d3d2891605dd53f2a72"
     "25b"
     "c71260b35e2e"},
};

// Also row B12 (byte order): the same answers are expected of the big-endian build.
TEST(CasesHash, B10_B12_KnownAnswers) {
    const bytes long_message = pattern(1'000'000);
    for (const known_answer& a : known_answers) {
        for_each_table_of(a.variant, [&] {
            const bytes_view message = a.long_pattern ? bytes_view(long_message) : bytes_of("abc");
            check_bytes(from_hex(a.digest), hash(*find_lsh(a.variant), message), find_lsh(a.variant)->name);
        });
    }
}

TEST(CasesMac, B19_KeyLengths) {
    struct row {
        std::size_t key_size;
        const char* mac;
    };
    constexpr row rows[] = {
        {0, "c971a21def4557fdc5f65e2931cf0ca126e7db22ab405be53e132e7615cf24d2"},
        {1, "c971a21def4557fdc5f65e2931cf0ca126e7db22ab405be53e132e7615cf24d2"},
        {32, "9bd54c98ca1e415fe657c52dbbc15306e992824bfd45538e6d8895d3f52d0d27"},
        {127, "f3437076c8e83128be8dbc8b889a16fba9123f91c0a2db26d406f73a147da924"},
        {128, "b33bd97e7dd296ad3f3c5175a8a6cd8e167d1e3cbf43d0c451b00bfba5760497"},
        {129, "101a5cfa302cf9f9922fdeebd75b4102e360352c270614685e5beceb39e45f3f"},
        {200, "4c72fa8ed465b79d77bf27170e0a841e66e5380195c4df4f11f68003bb33c908"},
    };
    const lsh_info& i = *find_lsh(lsh_variant::lsh256_256);
    for_each_table(lsh256_tables, [&](const auto&) {
        for (const row& r : rows)
            check_bytes(from_hex(r.mac), mac(i, pattern(r.key_size), bytes_of("abc")), r.key_size, " bytes");
        const bytes expected = from_hex(rows[0].mac);
        const std::byte somewhere[1] = {};
        check_bytes(expected, mac(i, bytes_view(static_cast<const std::byte*>(nullptr), 0), bytes_of("abc")),
                    "null key");
        check_bytes(expected, mac(i, bytes_view(somewhere, 0), bytes_of("abc")), "empty key");
        check_bytes(expected, mac(i, somewhere, bytes_of("abc")), "one zero byte");
    });
}

TEST(CasesMac, B23_NullWithSizeZero) {
    const bytes_view nothing(static_cast<const std::byte*>(nullptr), 0);
    for_each_lsh([&](const lsh_info& i) {
        const bytes empty;
        check_bytes(hash(i, empty), hash(i, nothing), "hash");
        lsh h(i.variant);
        h.update(nothing).update(bytes_of("a")).update(nothing);
        check_bytes(hash(i, bytes_of("a")), finish(h), "update");
        check_bytes(mac(i, empty, empty), mac(i, nothing, nothing), "mac");
        hmac_lsh m(i.variant, nothing);
        bytes out(i.digest_size);
        check(m.update(nothing).finish(out) == status::ok, "finish");
        check_bytes(mac(i, empty, empty), out, "pieces");
        check(lsh::hash(i.variant, nothing, bytes_span()) == status::buffer_too_small, "no room");
    });
}

TEST(CasesBuf, B61_LshAtEveryOffset) {
    for_each_lsh([](const lsh_info& i) {
        const bytes data = pattern(2 * i.block_size + 5);
        const bytes key = pattern(48);
        const bytes expected = hash(i, data);
        const bytes expected_mac = mac(i, key, data);
        bytes in(data.size() + 64);
        bytes key_area(key.size() + 64);
        bytes out(64 + 64);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            put(data, in, offset);
            put(key, key_area, offset);
            const bytes_view message = bytes_view(in).subspan(offset, data.size());
            const bytes_span digest = bytes_span(out).subspan(offset, i.digest_size);
            EXPECT_EQ(lsh::hash(i.variant, message, digest), status::ok);
            check_bytes(expected, digest, "offset ", offset);
            EXPECT_EQ(hmac_lsh::mac(i.variant, bytes_view(key_area).subspan(offset, key.size()), message, digest),
                      status::ok);
            check_bytes(expected_mac, digest, "HMAC, offset ", offset);
            hmac_lsh m(i.variant, key);
            check(m.update(message).verify(digest) == status::ok, "verify, offset ", offset);
        }
    });
}

// Vector registers across calls: sixteen accumulators live through every hash (GCC bug 82735: zeroed upper halves).
double accumulate(const std::vector<double>& values, bool hashing, const lsh_info& i) {
    double sums[16] = {};
    bytes digest(i.digest_size);
    for (std::size_t k = 0; k + 16 <= values.size(); k += 16) {
        for (std::size_t lane = 0; lane < 16; ++lane) sums[lane] = sums[lane] * 0.5 + std::sqrt(values[k + lane]);
        if (hashing) check(lsh::hash(i.variant, bytes_of("abc"), digest) == status::ok, "hash");
    }
    double total = 0;
    for (const double s : sums) total += s;
    return total;
}

TEST(CasesSimd, B70_FloatingPointAroundCalls) {
    random_source random = seeded(70);
    std::vector<double> values(16 * 50);
    for (double& v : values) v = static_cast<double>(random.below(1'000'000));
    for_each_lsh([&](const lsh_info& i) {
        const double expected = accumulate(values, false, i);
        const double actual = accumulate(values, true, i);
        check(!(expected < actual) && !(expected > actual), "sums ", expected, " and ", actual);
        check_bytes(from_hex(known_answers[static_cast<int>(i.variant) - 1].digest), hash(i, bytes_of("abc")), i.name);
    });
}

}  // namespace
}  // namespace hwacha::test
