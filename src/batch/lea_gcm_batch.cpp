// Records with as many blocks as their neighbours go through the lanes of the key's table; one that finds no company
// goes by itself.
#include "batch/lea_gcm_batch.hpp"

#include <algorithm>
#include <atomic>

#include "batch/portions.hpp"
#include "gcm/access.hpp"
#include "gcm/limits.hpp"

namespace hwacha {
namespace {

using access = lea_gcm_access;
constexpr std::size_t block = lea_block_size;

constexpr std::size_t blocks_of(std::size_t bytes) {
    return bytes / block + (bytes % block != 0 ? 1 : 0);
}

// Longer records are as fast by themselves.
constexpr std::size_t longest_in_lanes = 512;
constexpr std::size_t most_aad = 2;  // blocks

constexpr std::size_t most_blocks = blocks_of(longest_in_lanes);

constexpr std::uint8_t ones_and_zeros[2 * block] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

// Up to a block.
void copy_some(std::byte* to, const std::byte* from, std::size_t n) {
    if (n >= 8) {
        std::uint64_t first;
        std::uint64_t last;
        std::memcpy(&first, from, 8);
        std::memcpy(&last, from + n - 8, 8);
        std::memcpy(to, &first, 8);
        std::memcpy(to + n - 8, &last, 8);
    } else if (n >= 4) {
        std::uint32_t first;
        std::uint32_t last;
        std::memcpy(&first, from, 4);
        std::memcpy(&last, from + n - 4, 4);
        std::memcpy(to, &first, 4);
        std::memcpy(to + n - 4, &last, 4);
    } else {
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
    }
}

// The first n bytes, or as many as a block has.
void copy_padded(std::byte* to, const std::byte* from, std::size_t n) {
    std::memset(to, 0, block);
    copy_some(to, from, std::min(n, block));
}

template <bool sealing, class Record>
class lanes_run {
  public:
    lanes_run(const gcm_key_list& keys, const gcm_record_list<Record>& records) : keys_(keys), records_(records) {
        messages_.first_counters = access::octets(first_counters_);
        messages_.aad = access::octets(aad_);
        messages_.lengths = access::octets(lengths_);
    }
    ~lanes_run() {
        if (!used_) return;
        wipe(last_in_, sizeof last_in_);
        wipe(last_out_, sizeof last_out_);
        wipe(tags_, sizeof tags_);
        wipe(spare_, sizeof spare_);
    }
    lanes_run(const lanes_run&) = delete;
    lanes_run& operator=(const lanes_run&) = delete;

    // False: a record was not authentic.
    bool operator()(std::size_t first, std::size_t count) {
        first_ = first;
        bool authentic = true;
        for (std::size_t i = 0; i < count; ++i) authentic &= take(i);
        for (std::size_t blocks = 0; blocks <= most_blocks; ++blocks) authentic &= turn(groups_[blocks]);
        return authentic;
    }

  private:
    struct shape {
        const lea_gcm* key;
        std::size_t text_blocks;
        std::size_t aad_blocks;

        bool operator==(const shape&) const = default;
    };
    // Records of one shape that wait for company.
    struct group {
        std::size_t count = 0;
        shape of;
        std::uint16_t records[gcm_most_lanes];  // from first_ on
    };

    bool take(std::size_t i) {
        Record& record = records_[first_ + i];
        const lea_gcm& key = keys_[first_ + i];
        const std::size_t given = text_of(record).size();
        const std::size_t tag_size = sealing ? 0 : key.tag_size();
        if (given < tag_size) {
            set_result(record, status::auth_failed);
            return false;
        }
        const std::size_t size = given - tag_size;
        const std::size_t aad = aad_of(record).size();
        const std::size_t lanes = access::kernel(key).lanes;
        if (size > longest_in_lanes || aad > most_aad * block || nonce_of(record).size() != 12 || lanes == 0) {
            return by_itself(record, key);
        }
        const shape s{&key, blocks_of(size), blocks_of(aad)};
        group& g = groups_[s.text_blocks];
        const bool authentic = g.count == 0 || g.of == s || turn(g);
        g.of = s;
        g.records[g.count++] = static_cast<std::uint16_t>(i);
        return (g.count < lanes || turn(g)) && authentic;
    }

    bool by_itself(Record& record, const lea_gcm& key) {
        const bytes_view nonce = nonce_of(record);
        const bytes_view aad = aad_of(record);
        const bytes_view given = text_of(record);
        const std::size_t tag_size = key.tag_size();
        const std::size_t size = text_size(given.size(), tag_size);
        const bytes_view text = given.first(size);
        std::byte* const out = out_of(record).data();
        std::byte tag[block];
        access::crypt_message(key, nonce, aad, text, out, tag, sealing);
        const bool authentic = give_tag(tag, given.data() + size, out, size, tag_size);
        wipe(tag, sizeof tag);
        set_result(record, authentic ? status::ok : status::auth_failed);
        return authentic;
    }

    // False: it was not the tag given, and there are zeros where the text would be.
    static bool give_tag(const std::byte* tag, const std::byte* given, std::byte* out, std::size_t size,
                         std::size_t tag_size) {
        if (!sealing) {
            if (equal_constant_time(tag, given, tag_size)) return true;
            if (size != 0) wipe(out, size);
            return false;
        }
        if (tag_size == block) {
            std::memcpy(out + size, tag, block);
        } else {
            std::memcpy(out + size, tag, tag_size);
        }
        return true;
    }

    // Half of the lanes with work cost what as many records cost by themselves.
    bool turn(group& g) {
        const std::size_t count = g.count;
        if (count == 0) return true;
        g.count = 0;
        const lea_gcm& key = *g.of.key;
        bool authentic = true;
        if (2 * count <= access::kernel(key).lanes) {
            for (std::size_t i = 0; i < count; ++i) authentic &= by_itself(records_[first_ + g.records[i]], key);
        } else {
            side_by_side(g, count);
            for (std::size_t i = 0; i < count; ++i)
                authentic &= end(i, records_[first_ + g.records[i]], key.tag_size());
        }
        return authentic;
    }

    static std::size_t text_size(std::size_t given, std::size_t tag_size) { return sealing ? given : given - tag_size; }

    void side_by_side(const group& g, std::size_t count) {
        const lea_gcm& key = *g.of.key;
        const lea_gcm_table& table = access::kernel(key);
        used_ = true;
        bool partial = false;
        for (std::size_t i = 0; i < table.lanes; ++i) {
            // Lanes to spare repeat the last record, into a buffer of theirs.
            const Record& record = records_[first_ + g.records[std::min(i, count - 1)]];
            const bytes_view aad = aad_of(record);
            const bytes_view text = text_of(record);
            const std::size_t size = text_size(text.size(), key.tag_size());
            std::byte* const first_counter = first_counters_ + block * i;
            std::memcpy(first_counter, nonce_of(record).data(), 12);
            store_be(first_counter + 12, std::uint32_t{1});
            store_be(lengths_ + block * i, std::uint64_t{8} * aad.size());
            store_be(lengths_ + block * i + 8, std::uint64_t{8} * size);
            for (std::size_t b = 0; b < g.of.aad_blocks; ++b) {
                copy_padded(aad_ + block * (table.lanes * b + i), aad.data() + block * b, aad.size() - block * b);
            }
            messages_.in[i] = access::octets(text.data());
            messages_.out[i] = access::octets(i < count ? out_of(record).data() : spare_);
            partial |= size % block != 0;
        }
        if (partial) stage_last_blocks(g, count, table.lanes);
        messages_.aad_blocks = g.of.aad_blocks;
        messages_.text_blocks = g.of.text_blocks;
        messages_.last_mask = partial ? last_mask_ : nullptr;
        const lea_gcm_keys keys = access::keys(key);
        (sealing ? table.seal_lanes : table.open_lanes)(&keys, &messages_, access::octets(tags_));
    }

    void stage_last_blocks(const group& g, std::size_t count, std::size_t lanes) {
        for (std::size_t i = 0; i < lanes; ++i) {
            const Record& record = records_[first_ + g.records[std::min(i, count - 1)]];
            const std::size_t size = text_size(text_of(record).size(), g.of.key->tag_size());
            const std::size_t before = block * (g.of.text_blocks - 1);
            const std::size_t rest = size - before;
            copy_padded(last_in_ + block * i, text_of(record).data() + before, rest);
            messages_.last_in[i] = access::octets(last_in_ + block * i);
            messages_.last_out[i] = rest == block ? messages_.out[i] + before : access::octets(last_out_ + block * i);
            std::memcpy(last_mask_ + block * i, ones_and_zeros + block - rest, block);
        }
    }

    // What is left of the record in lane i: the end of its text, and the tag. False: it was not authentic.
    bool end(std::size_t i, Record& record, std::size_t tag_size) {
        const bytes_view text = text_of(record);
        const std::size_t size = text_size(text.size(), tag_size);
        const std::size_t rest = size % block;
        std::byte* const out = out_of(record).data();
        const bool authentic = give_tag(tags_ + block * i, text.data() + size, out, size, tag_size);
        if (authentic && rest != 0) copy_some(out + size - rest, last_out_ + block * i, rest);
        set_result(record, authentic ? status::ok : status::auth_failed);
        return authentic;
    }

    const gcm_key_list& keys_;
    const gcm_record_list<Record>& records_;
    std::size_t first_ = 0;
    bool used_ = false;
    group groups_[most_blocks + 1];  // by blocks of text
    gcm_messages messages_;
    alignas(64) std::byte first_counters_[gcm_most_lanes * block];
    alignas(64) std::byte aad_[gcm_most_lanes * most_aad * block];
    alignas(64) std::byte lengths_[gcm_most_lanes * block];
    alignas(64) std::byte last_in_[gcm_most_lanes * block];
    alignas(64) std::byte last_out_[gcm_most_lanes * block];
    alignas(64) std::uint8_t last_mask_[gcm_most_lanes * block];
    alignas(64) std::byte tags_[gcm_most_lanes * block];
    std::byte spare_[longest_in_lanes];
};

template <bool sealing, class Record>
status check_record(const Record& record, bytes_view list, const lea_gcm& key) {
    if (null_pointer_in(record)) return status::null_pointer;
    const bytes_view nonce = nonce_of(record);
    const bytes_view aad = aad_of(record);
    const bytes_view text = text_of(record);
    const bytes_span out = out_of(record);
    const std::size_t tag_size = key.tag_size();
    if (nonce.empty()) return status::bad_nonce_length;
    // One question for all of them, usually.
    if (((nonce.size() | aad.size() | text.size()) >> 31) != 0 &&
        (!gcm_fits(0, nonce.size(), gcm_max_nonce) || !gcm_fits(0, aad.size(), gcm_max_aad) ||
         !gcm_fits(sealing ? 0 : tag_size, text.size(), gcm_max_text + (sealing ? 0 : tag_size)))) {
        return status::message_too_long;
    }
    if (sealing) {
        if (out.size() < tag_size || out.size() - tag_size < text.size()) return status::buffer_too_small;
    } else {
        if (text.size() < tag_size) return status::ok;  // not authentic, but not misused either
        if (out.size() < text.size() - tag_size) return status::buffer_too_small;
    }
    const std::size_t size = sealing ? text.size() : text.size() - tag_size;
    const bytes_view written = out.first(sealing ? size + tag_size : size);
    // In place, the tag is apart from the text in any case.
    const bool good = (text.data() == out.data() || disjoint(written, text)) && disjoint(written, nonce) &&
                      disjoint(written, aad) && disjoint(written, list);
    return good ? status::ok : status::overlap;
}

template <bool sealing, class Record>
status run(const gcm_key_list& keys, std::span<Record> given, const batch_options& options) {
    const gcm_record_list<Record> records(given);
    status first_bad = status::ok;
    for (std::size_t i = 0; i < records.count(); ++i) {
        const status s = check_record<sealing>(records[i], records.memory(), keys[i]);
        set_result(records[i], s == status::ok ? status::cancelled : s);
        if (first_bad == status::ok) first_bad = s;
    }
    if (first_bad != status::ok) return first_bad;
    std::atomic<bool> authentic{true};
    const status s = batch_portions(records, options).run([&](std::size_t first, std::size_t count) {
        lanes_run<sealing, Record> work(keys, records);
        if (!work(first, count)) authentic.store(false, std::memory_order_relaxed);
    });
    return s == status::ok && !authentic ? status::auth_failed : s;
}

const lea_gcm& key_at(const void* list, std::size_t i) {
    return *static_cast<const lea_gcm* const*>(list)[i];
}

}  // namespace

template <class Record>
status seal_records(const gcm_key_list& keys, std::span<Record> records, const batch_options& options) {
    return run<true>(keys, records, options);
}
template <class Record>
status open_records(const gcm_key_list& keys, std::span<Record> records, const batch_options& options) {
    return run<false>(keys, records, options);
}
template status seal_records(const gcm_key_list&, std::span<hwacha_lea_gcm_record>, const batch_options&);
template status open_records(const gcm_key_list&, std::span<hwacha_lea_gcm_record>, const batch_options&);

status seal_batch(const lea_gcm& key, std::span<lea_gcm_record> records, const batch_options& options) {
    return seal_records(gcm_key_list(key), records, options);
}
status seal_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                  const batch_options& options) {
    if (keys.size() != records.size()) return status::wrong_count;
    return seal_records(gcm_key_list(keys.data(), key_at), records, options);
}
status open_batch(const lea_gcm& key, std::span<lea_gcm_record> records, const batch_options& options) {
    return open_records(gcm_key_list(key), records, options);
}
status open_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                  const batch_options& options) {
    if (keys.size() != records.size()) return status::wrong_count;
    return open_records(gcm_key_list(keys.data(), key_at), records, options);
}

}  // namespace hwacha
