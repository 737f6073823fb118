// lea_batch.hpp, LEA-GCM: many records at once equal the same records one by one.
#include <memory>
#include <utility>

#include <hwacha/lea_batch.hpp>

#include "api/batch.hpp"
#include "support/gcm.hpp"

namespace hwacha::test {
namespace {

struct gcm_records {
    std::vector<std::unique_ptr<lea_gcm>> keys;  // one, or one for each record
    std::vector<gcm_message> messages;
    std::vector<bytes> sealed;  // what is expected

    std::size_t count() const { return messages.size(); }
    const lea_gcm& key(std::size_t i) const { return *keys[keys.size() == 1 ? 0 : i]; }

    // To be called when all tables but the library's choice are out of force.
    void expect() {
        sealed.clear();
        for (std::size_t i = 0; i < count(); ++i) {
            const gcm_message& m = messages[i];
            sealed.push_back(seal(key(i), m.nonce, m.aad, m.plaintext));
        }
    }
};

enum class keys_are { one, each, few };
constexpr keys_are all_kinds[] = {keys_are::one, keys_are::each, keys_are::few};

void add_keys(gcm_records& r, random_source& random, keys_are kind) {
    for (std::size_t i = 0; i < (kind == keys_are::one ? 1 : r.count()); ++i) {
        // `few`: some records in a row under one key.
        if (kind == keys_are::few && i != 0 && random.below(4) != 0) {
            r.messages[i].key = r.messages[i - 1].key;
            r.keys.push_back(std::make_unique<lea_gcm>(*r.keys.back()));
            continue;
        }
        static constexpr std::size_t key_sizes[] = {16, 24, 32};
        r.messages[i].key = random.take(key_sizes[random.below(3)]);
        const std::size_t tag_size = random.below(3) != 0 ? 16 : random.between(12, 16);
        r.keys.push_back(std::make_unique<lea_gcm>(r.messages[i].key, lea_gcm_options{.tag_size = tag_size}));
    }
}

// The keys anew, for the tables in force; those that are equal in a row are one object.
class keys_in_force {
  public:
    explicit keys_in_force(const gcm_records& r) {
        for (std::size_t i = 0; i < r.count(); ++i) {
            const std::size_t k = r.keys.size() == 1 ? 0 : i;
            if (i == 0 || r.messages[k].key != r.messages[i == 0 ? 0 : (r.keys.size() == 1 ? 0 : i - 1)].key) {
                own_.push_back(
                    std::make_unique<lea_gcm>(r.messages[k].key, lea_gcm_options{.tag_size = r.keys[k]->tag_size()}));
            }
            list_.push_back(own_.back().get());
        }
    }
    const std::vector<const lea_gcm*>& list() const { return list_; }

  private:
    std::vector<std::unique_ptr<lea_gcm>> own_;
    std::vector<const lea_gcm*> list_;
};

gcm_records random_records(random_source& random, const std::vector<std::size_t>& sizes, keys_are kind) {
    gcm_records r;
    for (const std::size_t n : sizes) r.messages.push_back(random_message(random, n));
    add_keys(r, random, kind);
    for (gcm_message& m : r.messages) {
        if (random.below(16) == 0) m.aad = random.take(random.between(60, 300));
    }
    r.expect();
    return r;
}

status seal_or_open(bool sealing, const gcm_records& r, const keys_in_force& keys, std::span<lea_gcm_record> records,
                    const batch_options& options = {}) {
    if (r.keys.size() == 1 && r.count() > 0) {
        return sealing ? seal_batch(*keys.list()[0], records, options) : open_batch(*keys.list()[0], records, options);
    }
    return sealing ? seal_batch(keys.list(), records, options) : open_batch(keys.list(), records, options);
}

// Seals or opens all of them, into memory that has bytes before and behind every output.
void check_records(const gcm_records& r, bool sealing, bool in_place, const batch_options& options = {}) {
    constexpr std::size_t margin = 19;
    const keys_in_force keys(r);
    std::vector<bytes> areas;
    std::vector<lea_gcm_record> records;
    for (std::size_t i = 0; i < r.count(); ++i) {
        const gcm_message& m = r.messages[i];
        const bytes& from = sealing ? m.plaintext : r.sealed[i];
        const std::size_t size = std::max(m.plaintext.size(), r.sealed[i].size());
        areas.push_back(repeated(size + 2 * margin, 0xa5));
        const bytes_span area = bytes_span(areas.back()).subspan(margin, size);
        if (in_place) put(from, area, 0);
        const std::size_t room = sealing || in_place ? size : m.plaintext.size();
        records.push_back({m.nonce, m.aad, in_place ? bytes_view(area).first(from.size()) : bytes_view(from),
                           area.first(room), status::cancelled});
    }
    check(seal_or_open(sealing, r, keys, records, options) == status::ok, "status");
    for (std::size_t i = 0; i < r.count(); ++i) {
        const bytes& to = sealing ? r.sealed[i] : r.messages[i].plaintext;
        const char* what = sealing ? "sealed, record " : "opened, record ";
        check(records[i].result == status::ok, what, i);
        bytes expected = repeated(areas[i].size(), 0xa5);
        if (in_place && !sealing) put(r.sealed[i], expected, margin);  // the tag stays
        put(to, expected, margin);
        check_bytes(expected, areas[i], what, i, " of ", r.messages[i].plaintext.size(), in_place ? " in place" : "");
    }
}

void check_both_ways(const gcm_records& r, const batch_options& options = {}) {
    for (const bool in_place : {false, true}) {
        check_records(r, true, in_place, options);
        check_records(r, false, in_place, options);
    }
}

std::vector<std::size_t> random_sizes(random_source& random, std::size_t count, std::size_t longest) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(random.below(longest + 1));
    return sizes;
}

// ---- Results

TEST(ApiGcmBatch, RandomMixes) {
    random_source random = seeded(200);
    for (std::size_t round = 0; round < scaled(30, 1); ++round) {
        for (const keys_are kind : all_kinds) {
            auto sizes = random_sizes(random, random.between(20, 90), 1100);
            for (std::size_t i = 0; i < sizes.size(); i += 2) sizes[i] %= 100;
            sizes[random.below(sizes.size())] = random.between(3000, 6000);
            const gcm_records r = random_records(random, sizes, kind);
            for_each_gcm([&] { check_both_ways(r); });
        }
    }
}

TEST(ApiGcmBatch, EveryLength) {
    random_source random = seeded(201);
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        std::vector<std::size_t> sizes;
        const std::size_t step = full_scale() ? 1 : options().at == scale::quick ? 3 : 41;
        for (std::size_t n = random.below(step); n <= 1100; n += step) sizes.push_back(n);
        const gcm_records r = random_records(random, sizes, kind);
        for_each_gcm([&] { check_both_ways(r); });
    }
}

// The same length in every record, so that all of them share their turns; every tail.
TEST(ApiGcmBatch, EqualLengths) {
    random_source random = seeded(202);
    for (const std::size_t n : {0, 1, 15, 16, 17, 31, 33, 64, 100, 111, 112, 127, 128, 255, 256, 320, 321, 576}) {
        if (options().at == scale::emulator && n % 16 == 0) continue;
        for (const keys_are kind : {keys_are::one, keys_are::each}) {
            const gcm_records r = random_records(random, std::vector<std::size_t>(37, n), kind);
            for_each_gcm([&] { check_both_ways(r); });
        }
    }
}

TEST(ApiGcmBatch, NumbersOfRecords) {
    random_source random = seeded(203);
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n <= 35; n += options().at == scale::emulator ? 5 : 1) numbers.push_back(n);
    for (const std::size_t n : {63, 64, 65, 66, 255, 256, 257, 520}) {
        if (options().at != scale::emulator) numbers.push_back(n);
    }
    for (const std::size_t n : numbers) {
        for (const keys_are kind : {keys_are::one, keys_are::each}) {
            if (n == 0) {
                EXPECT_EQ(seal_batch(lea_gcm(pattern(16)), {}), status::ok);
                EXPECT_EQ(open_batch(std::span<const lea_gcm* const>(), {}), status::ok);
                continue;
            }
            const gcm_records r = random_records(random, random_sizes(random, n, 90), kind);
            for_each_gcm([&] { check_both_ways(r); });
        }
    }
}

TEST(ApiGcmBatch, EverySizeOfAadAndNonce) {
    random_source random = seeded(204);
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        gcm_records r;
        for (std::size_t n = 0; n <= 140; ++n) {
            r.messages.push_back({{}, random.take(n % 3 == 0 ? 12 : n + 1), random.take(n), random.take(n % 50)});
        }
        add_keys(r, random, kind);
        r.expect();
        for_each_gcm([&] { check_both_ways(r); });
    }
}

TEST(ApiGcmBatch, AgreesWithPlainArithmetic) {
    random_source random = seeded(205);
    gcm_records r = random_records(random, {0, 1, 16, 17, 64, 100, 255, 320, 400}, keys_are::each);
    for (std::size_t i = 0; i < r.count(); ++i) r.sealed[i] = plain_seal(r.messages[i], r.keys[i]->tag_size());
    for_each_gcm(pairing::every_pair, [&] { check_both_ways(r); });
}

// The low word of J0 is 2^32 - k: the counter wraps at every block of the text, and every k is in another place.
TEST(CasesGcm, B36_BatchWrapsAtEveryBlock) {
    random_source random = seeded(236);
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        gcm_records r;
        for (std::uint32_t k = 0; k <= 24; ++k) r.messages.push_back({{}, {}, random.take(k), random.take(16 * 20)});
        add_keys(r, random, kind);
        for (std::uint32_t k = 0; k <= 24; ++k) {
            plain::block j0 = plain::block_of(random.take(16));
            for (std::size_t i = 0; i < 4; ++i) j0[12 + i] = static_cast<std::byte>((0U - k) >> (24 - 8 * i));
            const bytes& key = r.messages[kind == keys_are::one ? 0 : k].key;
            r.messages[k].nonce = copy_of(plain::nonce_for_j0(key, j0));
            gcm_message m = r.messages[k];
            m.key = key;
            r.sealed.push_back(plain_seal(m, r.key(k).tag_size()));
        }
        for_each_gcm([&] { check_both_ways(r); });
    }
}

TEST(CasesGcm, B46_B48_BatchOfTagLengths) {
    random_source random = seeded(246);
    gcm_records r;
    for (const std::size_t tag_size : {16, 15, 14, 13, 12, 16, 12}) {
        for (int i = 0; i < 3; ++i) {
            r.messages.push_back({random.take(16), random.take(12), random.take(9), random.take(33)});
            r.keys.push_back(std::make_unique<lea_gcm>(r.messages.back().key, lea_gcm_options{.tag_size = tag_size}));
            const bytes full = plain_seal(r.messages.back());
            r.sealed.push_back(copy_of(bytes_view(full).first(33 + tag_size)));
        }
    }
    for_each_gcm([&] { check_both_ways(r); });
}

// ---- What is not authentic

// One bit of the sealed text, the additional data, the nonce or the key of one record: that record is refused and its
// output zeroed, the others open.
TEST(CasesGcm, B50_BatchRefusesExactlyTheBadRecord) {
    random_source random = seeded(250);
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        gcm_records r;
        for (const std::size_t n : {33, 0, 64, 5, 16, 33, 100, 33, 330, 33, 1, 64, 64, 64, 64, 64, 64, 64}) {
            r.messages.push_back({{}, random.take(12), random.take(20), random.take(n)});
        }
        add_keys(r, random, kind);
        r.expect();
        for_each_gcm([&] {
            const keys_in_force keys(r);
            const auto attempt = [&](std::size_t bad, bool in_place, auto change) {
                std::vector<gcm_message> inputs = r.messages;
                std::vector<bytes> sealed = r.sealed;
                std::vector<bytes> outs;
                std::vector<lea_gcm_record> records;
                change(inputs[bad], sealed[bad]);
                for (std::size_t i = 0; i < r.count(); ++i) {
                    const std::size_t tag_size = keys.list()[i]->tag_size();
                    const std::size_t size = sealed[i].size() < tag_size ? 0 : sealed[i].size() - tag_size;
                    outs.push_back(in_place ? sealed[i] : repeated(size, 0xa5));
                    records.push_back({inputs[i].nonce, inputs[i].aad, in_place ? outs[i] : sealed[i], {}, {}});
                    records.back().out = bytes_span(outs[i]).first(size);
                }
                check(seal_or_open(false, r, keys, records) == status::auth_failed, "record ", bad);
                for (std::size_t i = 0; i < r.count(); ++i) {
                    const bytes zeros(records[i].out.size());
                    check(records[i].result == (i == bad ? status::auth_failed : status::ok), "result ", i, " for ",
                          bad);
                    check_bytes(i == bad ? bytes_view(zeros) : bytes_view(r.messages[i].plaintext), records[i].out,
                                "record ", i, ", changed ", bad);
                }
            };
            const auto flip = [](bytes& b, std::size_t bit) { b[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8)); };
            const std::size_t step = full_scale() ? 1 : 17;
            for (std::size_t bad = 0; bad < r.count(); ++bad) {
                const bool in_place = bad % 2 != 0;
                const std::size_t every = bad == 0 ? step : 8 * r.sealed[bad].size() / 3 + 1;
                for (std::size_t bit = bad; bit < 8 * r.sealed[bad].size(); bit += every) {
                    attempt(bad, in_place, [&](gcm_message&, bytes& sealed) { flip(sealed, bit); });
                }
                attempt(bad, in_place, [&](gcm_message& m, bytes&) { flip(m.aad, (7 * bad) % 160); });
                attempt(bad, in_place, [&](gcm_message& m, bytes&) { flip(m.nonce, (11 * bad) % 96); });
                attempt(bad, in_place, [](gcm_message& m, bytes&) { m.aad.pop_back(); });
                attempt(bad, in_place, [](gcm_message&, bytes& sealed) { sealed.pop_back(); });
                attempt(bad, in_place, [](gcm_message&, bytes& sealed) { sealed.resize(3); });
            }
        });
    }
}

TEST(ApiGcmBatch, AllBadAndOthersKeys) {
    random_source random = seeded(206);
    const gcm_records r = random_records(random, random_sizes(random, 50, 400), keys_are::each);
    for_each_gcm([&] {
        const keys_in_force keys(r);
        std::vector<const lea_gcm*> others = keys.list();
        std::ranges::rotate(others, others.begin() + 1);
        std::vector<bytes> outs;
        std::vector<lea_gcm_record> records;
        for (std::size_t i = 0; i < r.count(); ++i) {
            outs.push_back(repeated(r.sealed[i].size(), 0xa5));
            records.push_back({r.messages[i].nonce, r.messages[i].aad, r.sealed[i], outs[i], {}});
        }
        check(open_batch(others, records) == status::auth_failed, "status");
        for (std::size_t i = 0; i < r.count(); ++i) {
            check(records[i].result == status::auth_failed, "record ", i);
            const std::size_t tag_size = others[i]->tag_size();
            const std::size_t size = r.sealed[i].size() < tag_size ? 0 : r.sealed[i].size() - tag_size;
            bytes expected = repeated(outs[i].size(), 0xa5);
            std::fill_n(expected.begin(), size, std::byte{0});
            check_bytes(expected, outs[i], "record ", i);
        }
    });
}

// ---- What is refused

// The batch is refused with this status because of record `bad`; nothing is written, and results say why.
void expect_refused(status expected, const lea_gcm& key, std::vector<lea_gcm_record> records, std::size_t bad,
                    bool sealing, bytes_view all_outputs) {
    const bytes before = copy_of(all_outputs);
    std::vector<const lea_gcm*> keys(records.size(), &key);
    for (const bool each : {false, true}) {
        for (lea_gcm_record& r : records) r.result = status::ok;
        const status s = each ? (sealing ? seal_batch(keys, records) : open_batch(keys, records))
                              : (sealing ? seal_batch(key, records) : open_batch(key, records));
        EXPECT_EQ(s, expected) << (sealing ? "seal" : "open");
        for (std::size_t i = 0; i < records.size(); ++i) {
            EXPECT_EQ(records[i].result, i == bad ? expected : status::cancelled) << i;
        }
        EXPECT_EQ(before, copy_of(all_outputs)) << "written";
    }
}

TEST(ApiGcmBatch, MisuseIsRefusedAndChangesNothing) {
    const lea_gcm key(pattern(16));
    const bytes nonces = random_source(1).take(12 * 20);
    const bytes texts = pattern(40 * 20);
    bytes outs = repeated(60 * 20, 0xa5);
    for (const bool sealing : {false, true}) {
        std::vector<lea_gcm_record> good;
        for (std::size_t i = 0; i < 20; ++i) {
            good.push_back({bytes_view(nonces).subspan(12 * i, 12),
                            bytes_view(texts).first(5),
                            bytes_view(texts).subspan(40 * i, 40),
                            bytes_span(outs).subspan(60 * i, 56),
                            {}});
        }
        for (const std::size_t bad : {0, 7, 19}) {
            const auto attempt = [&](status expected, auto change) {
                auto records = good;
                change(records[bad]);
                expect_refused(expected, key, records, bad, sealing, outs);
            };
            const auto area = bytes_span(outs).subspan(60 * bad, 60);
            const std::size_t written = sealing ? 56 : 24;
            attempt(status::bad_nonce_length, [](lea_gcm_record& r) { r.nonce = {}; });
            attempt(status::buffer_too_small, [&](lea_gcm_record& r) { r.out = r.out.first(written - 1); });
            attempt(status::buffer_too_small, [](lea_gcm_record& r) { r.out = {}; });
            attempt(status::overlap, [&](lea_gcm_record& r) { r.nonce = area.subspan(written - 1, 4); });
            attempt(status::overlap, [&](lea_gcm_record& r) { r.aad = area.first(1); });
            attempt(status::overlap, [&](lea_gcm_record& r) { r.aad = area.subspan(written - 1, 1); });
            attempt(status::overlap, [&](lea_gcm_record& r) { r.text = bytes_view(area).subspan(1, 40); });
            attempt(status::overlap, [&](lea_gcm_record& r) {
                r.text = bytes_view(area).first(40);
                r.out = area.subspan(1, written);
            });
            if (sizeof(std::size_t) == 8) {
                attempt(status::message_too_long,
                        [](lea_gcm_record& r) { r.text = bytes_view(r.text.data(), (std::size_t{1} << 36) - 15); });
                attempt(status::message_too_long,
                        [](lea_gcm_record& r) { r.aad = bytes_view(r.aad.data(), std::size_t{1} << 61); });
                attempt(status::message_too_long,
                        [](lea_gcm_record& r) { r.nonce = bytes_view(r.nonce.data(), std::size_t{1} << 61); });
            }
        }
        // The list of records is an input too.
        std::vector<lea_gcm_record> list = good;
        list[3].out = std::as_writable_bytes(std::span(list)).first(56);
        EXPECT_EQ(sealing ? seal_batch(key, list) : open_batch(key, list), status::overlap);
        // Several are bad: the status is that of the first.
        auto records = good;
        records[5].nonce = {};
        records[11].out = {};
        EXPECT_EQ(sealing ? seal_batch(key, records) : open_batch(key, records), status::bad_nonce_length);
        EXPECT_EQ(records[5].result, status::bad_nonce_length);
        EXPECT_EQ(records[11].result, status::buffer_too_small);
        EXPECT_EQ(records[6].result, status::cancelled);
    }
    std::vector<const lea_gcm*> keys(3, &key);
    std::vector<lea_gcm_record> four(4);
    EXPECT_EQ(seal_batch(keys, four), status::wrong_count);
    EXPECT_EQ(open_batch(keys, four), status::wrong_count);
    EXPECT_EQ(outs, repeated(outs.size(), 0xa5));
}

// ---- Buffers

TEST(CasesBuf, B23_BatchOfNullWithSizeZero) {
    const bytes_view nothing(static_cast<const std::byte*>(nullptr), 0);
    for_each_gcm([&] {
        const lea_gcm key(pattern(16));
        const bytes nonces = counting(12 * 9);
        bytes tags(16 * 9);
        std::vector<lea_gcm_record> records;
        for (std::size_t i = 0; i < 9; ++i) {
            records.push_back(
                {bytes_view(nonces).subspan(12 * i, 12), nothing, nothing, bytes_span(tags).subspan(16 * i, 16), {}});
        }
        check(seal_batch(key, records) == status::ok, "seal");
        for (std::size_t i = 0; i < 9; ++i) {
            check_bytes(plain_seal({pattern(16), copy_of(records[i].nonce), {}, {}}), records[i].out, "tag");
            records[i].text = records[i].out;
            records[i].out = bytes_span(static_cast<std::byte*>(nullptr), 0);
        }
        check(open_batch(key, records) == status::ok, "open");
        tags[16 * 4] ^= std::byte{1};
        check(open_batch(key, records) == status::auth_failed, "open, changed");
        check(records[4].result == status::auth_failed && records[3].result == status::ok, "results");
    });
}

TEST(CasesBuf, B55_B57_GcmBatchInPlace) {
    random_source random = seeded(255);
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        std::vector<std::size_t> sizes;
        for (std::size_t n = 0; n <= 340; n += options().at == scale::emulator ? 11 : 1) sizes.push_back(n);
        for (std::size_t i = sizes.size(); i-- > 1;) std::swap(sizes[i], sizes[random.below(i + 1)]);
        const gcm_records r = random_records(random, sizes, kind);
        for_each_gcm([&] {
            check_records(r, true, true);
            check_records(r, false, true);
        });
    }
}

// Every input and output ends or starts at an inaccessible page; B61: and lies at every offset.
TEST(CasesBuf, B61_GcmBatchBetweenGuardPages) {
    random_source random = seeded(261);
    constexpr std::size_t n = 24;
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        auto sizes = random_sizes(random, n, 200);
        sizes[0] = 700;
        gcm_records r = random_records(random, sizes, kind);
        std::vector<std::unique_ptr<guarded>> memory;
        for (std::size_t i = 0; i < 4 * n; ++i) memory.push_back(std::make_unique<guarded>(1024));
        guarded list(n * sizeof(lea_gcm_record));
        for_each_gcm([&] {
            const keys_in_force keys(r);
            for (const bool front : {false, true}) {
                for (const bool sealing : {true, false}) {
                    auto* records =
                        reinterpret_cast<lea_gcm_record*>(list.at(front, n * sizeof(lea_gcm_record)).data());
                    for (std::size_t i = 0; i < n; ++i) {
                        const gcm_message& m = r.messages[i];
                        const auto at = [&](std::size_t k, auto what) { return memory[4 * i + k]->at(front, what); };
                        const bytes& to = sealing ? r.sealed[i] : m.plaintext;
                        new (&records[i]) lea_gcm_record{at(0, bytes_view(m.nonce)),
                                                         at(1, bytes_view(m.aad)),
                                                         at(2, bytes_view(sealing ? m.plaintext : r.sealed[i])),
                                                         at(3, to.size()),
                                                         {}};
                    }
                    check(seal_or_open(sealing, r, keys, std::span(records, n)) == status::ok, "front ", front);
                    for (std::size_t i = 0; i < n; ++i) {
                        check_bytes(sealing ? r.sealed[i] : r.messages[i].plaintext, records[i].out, "record ", i);
                        check_bytes(sealing ? r.messages[i].plaintext : r.sealed[i], records[i].text, "text ", i);
                    }
                }
            }
        });
        // Offsets.
        for_each_gcm([&] {
            const keys_in_force keys(r);
            for (std::size_t offset = 0; offset < 64; offset += options().at == scale::full ? 1 : 9) {
                std::vector<bytes> ins;
                std::vector<bytes> outs;
                std::vector<lea_gcm_record> records;
                for (std::size_t i = 0; i < n; ++i) {
                    ins.emplace_back(1024);
                    outs.emplace_back(1024);
                    const gcm_message& m = r.messages[i];
                    put(m.plaintext, ins[i], offset);
                    records.push_back({m.nonce,
                                       m.aad,
                                       bytes_view(ins[i]).subspan(offset, m.plaintext.size()),
                                       bytes_span(outs[i]).subspan((5 * offset + i) % 64),
                                       {}});
                }
                check(seal_or_open(true, r, keys, records) == status::ok, "offset ", offset);
                for (std::size_t i = 0; i < n; ++i) {
                    check_bytes(r.sealed[i], bytes_view(records[i].out).first(r.sealed[i].size()), "offset ", offset);
                }
            }
        });
    }
}

// ---- Threads

TEST(ApiGcmBatch, ThreadsChangeNothing) {
    random_source random = seeded(207);
    const std::size_t n = options().at == scale::emulator ? 60 : 700;
    thread_pool two(2);
    thread_pool three(3);
    inline_executor backwards(4);
    eager_executor eager;
    for (const keys_are kind : {keys_are::one, keys_are::each}) {
        const gcm_records r = random_records(random, random_sizes(random, n, 300), kind);
        for_each_gcm([&] {
            for (executor* e : {static_cast<executor*>(&two), static_cast<executor*>(&three),
                                static_cast<executor*>(&backwards), static_cast<executor*>(&eager)}) {
                check_records(r, true, false, on(e));
                check_records(r, false, true, on(e));
            }
        });
    }
}

class lazy_executor final : public executor {
  public:
    void run(std::size_t, task, void*) override {}
    std::size_t concurrency() const noexcept override { return 2; }
};
class throwing_executor final : public executor {
  public:
    void run(std::size_t, task, void*) override { throw std::bad_alloc(); }
    std::size_t concurrency() const noexcept override { return 2; }
};

TEST(ApiGcmBatch, ProgressAndCancelling) {
    const lea_gcm key(pattern(16));
    constexpr std::size_t n = 2000;
    const bytes text = pattern(50);
    for (const bool threads : {false, true}) {
        thread_pool pool(2);
        for (const bool in_order : {true, false}) {  // false: cancelled at once
            bytes nonces(12 * n);
            bytes outs = repeated(66 * n, 0xa5);
            std::vector<lea_gcm_record> records;
            for (std::size_t i = 0; i < n; ++i) {
                nonces[12 * i] = static_cast<std::byte>(i);
                nonces[12 * i + 1] = static_cast<std::byte>(i >> 8);
                records.push_back(
                    {bytes_view(nonces).subspan(12 * i, 12), {}, text, bytes_span(outs).subspan(66 * i, 66), {}});
            }
            std::size_t last = 0;
            batch_options o;
            o.threads = threads ? &pool : nullptr;
            o.progress = [&](std::size_t done) {
                EXPECT_GT(done, last);
                last = done;
                return in_order;
            };
            EXPECT_EQ(seal_batch(key, records, o), in_order ? status::ok : status::cancelled);
            std::size_t begun = 0;
            for (const lea_gcm_record& r : records) {
                if (r.result == status::ok) {
                    ++begun;
                    bytes back(50);
                    EXPECT_EQ(key.open(r.nonce, {}, r.out, back), status::ok);
                    EXPECT_EQ(back, text);
                } else {
                    EXPECT_EQ(r.result, status::cancelled);
                    EXPECT_EQ(copy_of(r.out), repeated(66, 0xa5));
                }
            }
            EXPECT_EQ(begun, last);
            EXPECT_TRUE(in_order ? begun == n : begun < n) << begun;
        }
    }
}

TEST(ApiGcmBatch, ExecutorsThatFail) {
    const lea_gcm key(pattern(16));
    const bytes nonces = random_source(2).take(12 * 40);
    bytes outs = repeated(20 * 40, 0xa5);
    std::vector<lea_gcm_record> records;
    for (std::size_t i = 0; i < 40; ++i) {
        records.push_back({bytes_view(nonces).subspan(12 * i, 12),
                           {},
                           bytes_view(nonces).first(4),
                           bytes_span(outs).subspan(20 * i, 20),
                           {}});
    }
    lazy_executor lazy;
    EXPECT_EQ(seal_batch(key, records, on(&lazy)), status::executor_failed);
    throwing_executor throwing;
    EXPECT_THROW(static_cast<void>(seal_batch(key, records, on(&throwing))), std::bad_alloc);
    EXPECT_EQ(outs, repeated(outs.size(), 0xa5));
    for (const lea_gcm_record& r : records) EXPECT_EQ(r.result, status::cancelled);
}

}  // namespace
}  // namespace hwacha::test
