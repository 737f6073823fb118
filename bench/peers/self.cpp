// Hwacha: each operation once for every table that runs here, whatever HWACHA_CPU says.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <hwacha/hwacha.hpp>

#include "gcm/access.hpp"
#include "lsh/access.hpp"
#include "peers/division.hpp"
#include "peers/module.hpp"
#include "peers/records.hpp"

namespace hwacha::bench {
namespace {

constexpr auto counting = [] {
    std::array<std::byte, 64> k{};
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = static_cast<std::byte>(i);
    return k;
}();

constexpr bytes_view first(std::size_t n) {
    return bytes_view(counting).first(n);
}

bytes_view text(const unsigned char* input, std::size_t length) {
    return {reinterpret_cast<const std::byte*>(input), length};
}

bytes_span room(unsigned char* output, std::size_t length) {
    return {reinterpret_cast<std::byte*>(output), length + HWACHA_PEER_ROOM};
}

const std::uint8_t* octets(const std::byte* p) {
    return reinterpret_cast<const std::uint8_t*>(p);
}

// The object is used again and again, as the peers' are.
struct hashing {
    lsh h;

    template <class Table>
    hashing(lsh_variant v, const Table& table) : h(v) {
        lsh_access::use(h, table);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (h.update(text(input, length)).finish(room(output, length)) != status::ok) return -1;
        h.reset();
        return static_cast<long>(h.digest_size());
    }
};

// Messages one after the other.
struct hashing_many {
    lsh h;
    division messages;

    template <class Table>
    hashing_many(lsh_variant v, const Table& table, const batch_shape& shape) : h(v), messages(shape.divided()) {
        lsh_access::use(h, table);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!messages.divide(length)) return -1;
        bool done = true;
        messages.each([&](std::size_t, std::size_t start, std::size_t size) {
            done &= h.update(text(input + start, size)).finish(room(output, 0)) == status::ok;
            h.reset();
            output += h.digest_size();
        });
        return done ? static_cast<long>(messages.count() * h.digest_size()) : -1;
    }
};

// A pool for each number of threads, whatever it works on.
thread_pool& pool_of(std::size_t threads) {
    static std::map<std::size_t, thread_pool> pools;
    return pools.try_emplace(threads, threads).first->second;
}

// Messages at once, in the lanes of a table of our own or of the library's; without a pool, or in one.
template <class Lanes>
struct hashing_at_once {
    lsh_variant variant;
    cpu::registry<Lanes>& algorithm;
    Lanes table;
    division messages;
    std::vector<bytes_view> views;
    batch_options options;

    hashing_at_once(lsh_variant v, cpu::registry<Lanes>& a, const Lanes& t, const batch_shape& shape, thread_pool* pool)
        : variant(v), algorithm(a), table(t), messages(shape.divided()), views(shape.count), options{pool, {}} {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!messages.divide(length)) return -1;
        messages.each(
            [&](std::size_t i, std::size_t start, std::size_t size) { views[i] = text(input + start, size); });
        algorithm.force(&table);
        const status s = hash_batch(variant, views, room(output, 0), options);
        algorithm.force(nullptr);
        return s == status::ok ? static_cast<long>(views.size() * find_lsh(variant)->digest_size) : -1;
    }
};

struct authenticating {
    hmac_lsh mac;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (mac.update(text(input, length)).finish(room(output, length)) != status::ok) return -1;
        mac.reset();
        return static_cast<long>(mac.mac_size());
    }
};

struct blocks {
    lea key;

    blocks(std::size_t key_size, const lea_table& table) : key(first(key_size)) { lea_access::use(key, table); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        const status s = key.encrypt_blocks(text(input, length), room(output, length));
        return s == status::ok ? static_cast<long>(length) : -1;
    }
};

// lea_ctr takes its counter at construction, with the key; the schedule belongs to the set-up, so this is the table's
// function.
struct counter_mode {
    lea key;

    counter_mode(std::size_t key_size, const lea_table& table) : key(first(key_size)) { lea_access::use(key, table); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % lea_block_size != 0) return -1;
        lea_access::ctr32(key, counting.data(), text(input, length).data(), room(output, length).data(),
                          length / lea_block_size);
        return static_cast<long>(length);
    }
};

// A key of a mode that is made of the cipher's functions, over this table.
template <class Key>
Key over(const lea_table& t, bytes_view key) {
    lea_tables.force(&t);
    Key made(key);
    lea_tables.force(nullptr);
    return made;
}

struct cbc_decryption {
    lea key;

    cbc_decryption(std::size_t key_size, const lea_table& table) : key(first(key_size)) { lea_access::use(key, table); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        std::size_t written = 0;
        const status s =
            lea_cbc_decrypt(key, first(16), cbc_padding::none, text(input, length), room(output, length), written);
        return s == status::ok ? static_cast<long>(written) : -1;
    }
};

struct data_units {
    lea_xts key;

    data_units(std::size_t key_size, const lea_table& table) : key(over<lea_xts>(table, first(2 * key_size))) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        const status s = key.encrypt(first(16), text(input, length), room(output, length));
        return s == status::ok ? static_cast<long>(length) : -1;
    }
};

struct ccm_sealing {
    lea_ccm key;

    ccm_sealing(std::size_t key_size, const lea_table& table) : key(over<lea_ccm>(table, first(key_size))) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        const status s = key.seal(first(12), {}, text(input, length), room(output, length));
        return s == status::ok ? static_cast<long>(length + key.tag_size()) : -1;
    }
};

struct sealing {
    lea_gcm key;

    sealing(std::size_t key_size, const lea_table& cipher, const ghash_table& hash) : key(first(key_size)) {
        lea_gcm_access::use(key, cipher, hash);
    }
    sealing(std::size_t key_size, const lea_gcm_table& fused) : key(first(key_size)) {
        lea_gcm_access::use(key, fused);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        const status s = key.seal(first(12), {}, text(input, length), room(output, length));
        return s == status::ok ? static_cast<long>(length + key.tag_size()) : -1;
    }
};

// The input is taken as ciphertext. Its tag is found when it does not verify: once, in the warm-up.
struct opening {
    lea_gcm key;
    std::array<std::byte, 16> tag{};
    std::vector<std::byte> scratch;

    opening(std::size_t key_size, const lea_table& cipher, const ghash_table& hash) : key(first(key_size)) {
        lea_gcm_access::use(key, cipher, hash);
    }
    opening(std::size_t key_size, const lea_gcm_table& fused) : key(first(key_size)) {
        lea_gcm_access::use(key, fused);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        const bytes_view ciphertext = text(input, length);
        if (open(ciphertext, output) == status::ok) return static_cast<long>(length);
        scratch.resize(length);
        // Counter mode is its own inverse: sealed ciphertext is the plaintext, and that sealed gives the tag.
        if (key.seal_detached(first(12), {}, ciphertext, scratch, tag) != status::ok) return -1;
        if (key.seal_detached(first(12), {}, scratch, scratch, tag) != status::ok) return -1;
        return open(ciphertext, output) == status::ok ? static_cast<long>(length) : -1;
    }

    status open(bytes_view ciphertext, unsigned char* output) const {
        return key.open_detached(first(12), {}, ciphertext, tag, room(output, ciphertext.size()));
    }
};

// The best table of LEA up to the level of one with both in one loop, and that one.
lea_gcm gcm_key_at(const lea_gcm_table& t) {
    const bool fused = t.seal_text != nullptr;
    lea_gcm key(first(16));
    lea_gcm_access::use(key, *cpu::choose(lea_tables.tables(), cpu::detected(), t.head.at),
                        fused ? t.hash : ghash_portable);
    if (fused) lea_gcm_access::use(key, t);
    return key;
}

bytes_view nonce_of(const gcm_records& records, std::size_t i) {
    return text(records.nonce_of(i).data(), records.nonce_of(i).size());
}

// Records one after the other.
struct sealing_many {
    lea_gcm key;
    gcm_records records;

    sealing_many(lea_gcm k, const batch_shape& shape) : key(std::move(k)), records(shape) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!records.divide(length)) return -1;
        bool done = true;
        records.each([&](std::size_t i, std::size_t start, std::size_t size) {
            unsigned char* const out = output + gcm_records::sealed(i, start);
            done &= key.seal(nonce_of(records, i), {}, text(input + start, size), room(out, size)) == status::ok;
        });
        return done ? static_cast<long>(gcm_records::sealed(records.count(), length)) : -1;
    }
};

struct opening_many {
    lea_gcm key;
    sealed_records sealed;

    opening_many(lea_gcm k, const batch_shape& shape) : key(std::move(k)), sealed(shape) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!take(key, sealed, input, length)) return -1;
        bool done = true;
        sealed.records().each([&](std::size_t i, std::size_t start, std::size_t size) {
            const bytes_view record = text(sealed.at(i, start), size + gcm_records::tag_size);
            done &= key.open(nonce_of(sealed.records(), i), {}, record, room(output + start, size)) == status::ok;
        });
        return done ? static_cast<long>(length) : -1;
    }

    static bool take(const lea_gcm& key, sealed_records& sealed, const unsigned char* input, std::size_t length) {
        return sealed.take(input, length, [&](const unsigned char* nonce, unsigned char* record, std::size_t size) {
            const bytes_span out(reinterpret_cast<std::byte*>(record), size + gcm_records::tag_size);
            return key.seal(text(nonce, 12), {}, out.first(size), out) == status::ok;
        });
    }
};

// The list of records is there, but for their texts and outputs, which differ from call to call.
std::vector<lea_gcm_record> list_of(const gcm_records& records) {
    std::vector<lea_gcm_record> list(records.count());
    for (std::size_t i = 0; i < list.size(); ++i) list[i].nonce = nonce_of(records, i);
    return list;
}

struct sealing_at_once {
    lea_gcm key;
    gcm_records records;
    std::vector<lea_gcm_record> list;

    sealing_at_once(lea_gcm k, const batch_shape& shape) : key(std::move(k)), records(shape), list(list_of(records)) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!records.divide(length)) return -1;
        records.each([&](std::size_t i, std::size_t start, std::size_t size) {
            list[i].text = text(input + start, size);
            list[i].out = room(output + gcm_records::sealed(i, start), size).first(size + gcm_records::tag_size);
        });
        if (seal_batch(key, list) != status::ok) return -1;
        return static_cast<long>(gcm_records::sealed(records.count(), length));
    }
};

struct opening_at_once {
    lea_gcm key;
    sealed_records sealed;
    std::vector<lea_gcm_record> list;

    opening_at_once(lea_gcm k, const batch_shape& shape)
        : key(std::move(k)), sealed(shape), list(list_of(sealed.records())) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!opening_many::take(key, sealed, input, length)) return -1;
        sealed.records().each([&](std::size_t i, std::size_t start, std::size_t size) {
            list[i].text = text(sealed.at(i, start), size + gcm_records::tag_size);
            list[i].out = room(output + start, size).first(size);
        });
        return open_batch(key, list) == status::ok ? static_cast<long>(length) : -1;
    }
};

// The key is the input; what it was expanded to stays inside, so the output is its size.
struct key_setup {
    const lea_gcm_table& table;

    explicit key_setup(const lea_gcm_table& t) : table(t) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length != 16) return -1;
        lea_gcm_tables.force(&table);
        const lea_gcm key(text(input, length));
        lea_gcm_tables.force(nullptr);
        output[0] = static_cast<unsigned char>(key.key_size());
        return 1;
    }
};

struct universal_hashing {
    alignas(16) std::uint8_t powers[16 * ghash_powers];
    const ghash_table& table;

    explicit universal_hashing(const ghash_table& t) : table(t) { table.expand_key(octets(counting.data()), powers); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % 16 != 0) return -1;
        std::memset(output, 0, 16);
        table.absorb(output, powers, input, length / 16);
        return 16;
    }
};

template <class Table, class Use>
void for_each_usable(const cpu::registry<Table>& algorithm, Use use) {
    for (const Table* t : algorithm.tables()) {
        if (judge(t->head, cpu::detected(), {}) == cpu::verdict::usable) use(*t);
    }
}

template <class Table>
void add_lsh(operation_list& all, cpu::registry<Table>& algorithm, std::size_t block_size, lsh_variant of_hmac) {
    for_each_usable(algorithm, [&](const Table& t) {
        for (const lsh_info& v : lsh_variants()) {
            if (v.block_size == block_size) all.add<hashing>(std::string(v.name), t.head.name(), v.variant, t);
        }
        algorithm.force(&t);
        all.add<authenticating>("HMAC-" + std::string(find_lsh(of_hmac)->name), t.head.name(),
                                hmac_lsh(of_hmac, first(32)));
        algorithm.force(nullptr);
    });
}

// The table without its forms of more lanes than `most`.
template <class Lanes>
Lanes with_at_most(const Lanes& t, std::size_t most) {
    Lanes narrower{t.head, 0, {}};
    for (std::size_t i = 0; i < t.count; ++i) {
        if (t.forms[i].lanes <= most) narrower.forms[narrower.count++] = t.forms[i];
    }
    return narrower;
}

// How many messages a table takes at a time when there are so many.
template <class Lanes>
std::size_t lanes_used(const Lanes& t, std::size_t count) {
    const Lanes fitting = with_at_most(t, count);
    if (fitting.count != 0) return fitting.forms[0].lanes;
    const auto& narrowest = t.forms[t.count - 1];
    return narrowest.cost < count * lsh_single_cost ? narrowest.lanes : 1;
}

// Numbers of threads whose batches are measured: powers of two up to the processors and to eight, which is more than
// there are on small machines, and the number of processors.
std::vector<std::size_t> thread_counts() {
    std::set<std::size_t> counts{usable_processors()};
    for (std::size_t n = 1; n <= std::max<std::size_t>(8, usable_processors()); n *= 2) counts.insert(n);
    return {counts.begin(), counts.end()};
}

// Batches: every lane table, and what it does without its widest forms; in pools the best table; then the loops that
// all this replaces.
template <class Table, class Lanes>
void add_batches(operation_list& all, lsh_variant v, cpu::registry<Table>& singles, cpu::registry<Lanes>& lanes,
                 const batch_shape& shape) {
    const std::string name = shape.of(std::string(find_lsh(v)->name));
    const bool in_pools = shape.count >= 256;
    bool best = true;
    for_each_usable(lanes, [&](const Lanes& t) {
        if (t.count == 0) return;
        const std::string level = t.head.name();
        const auto add = [&](const Lanes& table, const std::string& label, thread_pool* pool) {
            all.add<hashing_at_once<Lanes>>(name, level + label, v, lanes, table, shape, pool);
        };
        const std::size_t widest = lanes_used(t, shape.count);
        add(t, ", lanes " + std::to_string(widest), nullptr);
        for (std::size_t i = 0; i < t.count && !in_pools; ++i) {
            const std::size_t n = t.forms[i].lanes;
            if (n < widest) add(with_at_most(t, n), ", lanes " + std::to_string(n), nullptr);
        }
        if (in_pools && best) {
            for (const std::size_t n : thread_counts()) add(t, ", threads " + std::to_string(n), &pool_of(n));
        }
        best = false;
    });
    for_each_usable(singles, [&](const Table& t) { all.add<hashing_many>(name, t.head.name(), v, t, shape); });
}

// The tables with LEA and GHASH in one loop, and the portable ones in turn.
void add_gcm(operation_list& all, const std::string& cipher, std::size_t key_size) {
    for_each_usable(lea_gcm_tables, [&](const lea_gcm_table& t) {
        const std::string level = t.head.name();
        if (t.seal_text != nullptr) {
            all.add<sealing>(cipher + "-GCM", level, key_size, t);
            all.add<opening>(cipher + "-GCM open", level, key_size, t);
            if (key_size == 16) all.add<key_setup>(cipher + "-GCM key setup", level, t);
        } else {
            all.add<sealing>(cipher + "-GCM", level, key_size, lea_portable, ghash_portable);
            all.add<opening>(cipher + "-GCM open", level, key_size, lea_portable, ghash_portable);
        }
    });
}

// Records: at once, and the loops that this replaces.
void add_gcm_batches(operation_list& all) {
    const std::string seal = gcm_shape.of("LEA-128-GCM");
    const std::string open = gcm_shape.of("LEA-128-GCM open");
    std::vector<std::pair<const char*, lea_gcm>> keys;
    for_each_usable(lea_gcm_tables, [&](const lea_gcm_table& t) { keys.emplace_back(t.head.name(), gcm_key_at(t)); });
    for (const auto& [level, key] : keys) {
        all.add<sealing_at_once>(seal, std::string(level) + ", batch", key, gcm_shape);
        all.add<opening_at_once>(open, std::string(level) + ", batch", key, gcm_shape);
    }
    for (const auto& [level, key] : keys) {
        all.add<sealing_many>(seal, level, key, gcm_shape);
        all.add<opening_many>(open, level, key, gcm_shape);
    }
}

}  // namespace

facts about_module() {
    return {"hwacha", hwacha_version(), HWACHA_COMPILER, HWACHA_FLAGS};
}

void add_operations(operation_list& all) {
    add_lsh(all, lsh256_tables, 128, lsh_variant::lsh256_256);
    add_lsh(all, lsh512_tables, 256, lsh_variant::lsh512_512);
    for (const std::size_t key_size : {16, 24, 32}) {
        const std::string cipher = "LEA-" + std::to_string(8 * key_size);
        for_each_usable(lea_tables, [&](const lea_table& t) {
            all.add<blocks>(cipher + "-ECB", t.head.name(), key_size, t);
            all.add<counter_mode>(cipher + "-CTR", t.head.name(), key_size, t);
            if (key_size != 16) return;
            all.add<cbc_decryption>(cipher + "-CBC decrypt", t.head.name(), key_size, t);
            all.add<data_units>(cipher + "-XTS", t.head.name(), key_size, t);
            all.add<ccm_sealing>(cipher + "-CCM", t.head.name(), key_size, t);
        });
        add_gcm(all, cipher, key_size);
    }
    add_gcm_batches(all);
    for (const lsh_info& v : lsh_variants()) {
        for (const batch_shape& shape : batch_shapes) {
            if (v.block_size == 128) {
                add_batches(all, v.variant, lsh256_tables, lsh256_lanes_tables, shape);
            } else {
                add_batches(all, v.variant, lsh512_tables, lsh512_lanes_tables, shape);
            }
        }
    }
    for_each_usable(ghash_tables, [&](const ghash_table& t) { all.add<universal_hashing>("GHASH", t.head.name(), t); });
}

}  // namespace hwacha::bench
