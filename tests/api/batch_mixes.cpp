// Batches of all mixes of lengths equal the same messages one by one: on every table, with every form of lanes alone,
// with and without threads. A million messages at full scale.
#include <algorithm>

#include <hwacha/lsh_batch.hpp>

#include "simd/lanes.hpp"

namespace hwacha::test {
namespace {

// The lengths of a batch, up to 20 blocks.
struct mix {
    const char* name;
    std::size_t (*length)(random_source& random, std::size_t block, std::size_t position);
};

constexpr mix mixes[] = {
    {"any length", [](random_source& r, std::size_t block, std::size_t) { return r.below(20 * block + 1); }},
    {"whole blocks", [](random_source& r, std::size_t block, std::size_t) { return r.below(21) * block; }},
    {"around whole blocks",
     [](random_source& r, std::size_t block, std::size_t) { return r.between(1, 19) * block + r.below(3) - 1; }},
    {"records", [](random_source& r, std::size_t, std::size_t) { return r.below(65); }},
    {"one block and its neighbours",
     [](random_source& r, std::size_t block, std::size_t) { return block - 2 + r.below(5); }},
    {"mostly empty",
     [](random_source& r, std::size_t block, std::size_t) { return r.below(16) == 0 ? r.below(20 * block + 1) : 0; }},
    {"alike", [](random_source&, std::size_t block, std::size_t) { return 3 * block + 17; }},
    {"longer and longer",
     [](random_source&, std::size_t block, std::size_t position) { return 37 * position % (20 * block + 1); }},
    {"shorter and shorter", [](random_source&, std::size_t block,
                               std::size_t position) { return 20 * block - 37 * position % (20 * block + 1); }},
};

// f() on every table of the core of `i`, which take part in batches that are large enough; then with each form of lanes
// as the only one.
template <class Table, class Function>
void on_every_table_and_form_of(const lsh_info& i, std::size_t messages, Function f) {
    if (messages >= 16) for_each_batch_table(i, f);
    for (const Table* t : tables_taking_part(lanes_core<Table>::tables())) {
        for (std::uint32_t k = 0; t->count > 1 && k < t->count; ++k) {
            Table alone = *t;
            alone.count = 1;
            alone.forms[0] = t->forms[k];
            const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(alone.forms[0].lanes) + " lanes alone");
            lanes_core<Table>::tables().force(&alone);
            f();
            lanes_core<Table>::tables().force(nullptr);
        }
    }
}

template <class Function>
void on_every_table_and_form(const lsh_info& i, std::size_t messages, Function f) {
    if (i.block_size == 128) {
        on_every_table_and_form_of<lsh256_lanes_table>(i, messages, f);
    } else {
        on_every_table_and_form_of<lsh512_lanes_table>(i, messages, f);
    }
}

struct batch {
    std::vector<bytes_view> messages;
    bytes digests;

    batch(const lsh_info& i, std::vector<bytes_view> of) : messages(std::move(of)) {
        for (const bytes_view m : messages) {
            const bytes digest = hash(i, m);
            digests.insert(digests.end(), digest.begin(), digest.end());
        }
    }
    void check_on(const lsh_info& i, const batch_options& options, const char* what) const {
        bytes out(digests.size());
        const status s = hash_batch(i.variant, messages, out, options);
        if (works(s, what)) check_bytes(digests, out, messages.size(), " messages, ", what);
    }
};

TEST(ApiBatchMixes, EqualOneByOne) {
    thread_pool pool(2);
    const std::size_t total = full_scale() ? 1'000'000 : scaled(100'000);
    random_source random = seeded(170);
    const bytes area = random.take(1 << 18);
    std::size_t done = 0;
    for (std::size_t round = 0; done < total; ++round) {
        const lsh_info& i = lsh_variants()[round % lsh_variants().size()];
        const mix& m = mixes[round / lsh_variants().size() % std::size(mixes)];
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        // Around the numbers of lanes, or enough for several portions.
        const std::size_t n = random.below(4) == 0 ? random.between(1, 40) : random.between(41, 700);
        std::vector<bytes_view> messages;
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t length = m.length(random, i.block_size, k);
            messages.push_back(bytes_view(area).subspan(random.below(area.size() - length), length));
        }
        const batch some(i, std::move(messages));
        on_every_table_and_form(i, n, [&] { some.check_on(i, {}, m.name); });
        some.check_on(i, {.threads = &pool}, m.name);
        done += n;
    }
}

TEST(ApiBatchMixes, OneOf64MiBAmongThousandsOfEmptyOnes) {
    thread_pool pool(2);
    random_source random = seeded(171);
    const bytes big = random.take(full_scale() ? std::size_t{64} << 20 : scaled(5 << 20));
    const std::size_t n = options().at == scale::emulator ? 300 : 5000;
    for (const lsh_info& i : lsh_variants()) {
        if (!full_scale() && i.variant != lsh_variant::lsh256_256 && i.variant != lsh_variant::lsh512_512) continue;
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        std::vector<bytes_view> messages(n);
        messages[random.below(n)] = big;
        const batch some(i, std::move(messages));
        for_each_batch_table(i, [&] { some.check_on(i, {}, "one thread"); });
        some.check_on(i, {.threads = &pool}, "two threads");
    }
}

}  // namespace
}  // namespace hwacha::test
