// Waves of records: counters of all of them, encrypted in bulk; then text and keystream, record by record, into the
// output and into what GHASH takes; then GHASH of several at once.
#include "batch/lea_gcm_batch.hpp"

#include <algorithm>
#include <atomic>

#include "batch/order.hpp"
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

// Records of longer texts are as fast by themselves.
constexpr std::size_t longest_in_wave = 64;
constexpr std::size_t most_records = 64;
constexpr std::size_t most_keystream = 256;  // blocks of a wave, of texts and first counters
constexpr std::size_t most_aad = 4;          // blocks; what is longer is hashed by itself
constexpr std::size_t most_hashed = most_keystream + most_records * most_aad;
static_assert(blocks_of(longest_in_wave) + 1 <= most_keystream);

void xor_block(std::byte* out, const std::byte* a, const std::byte* b) {
    std::uint64_t x[2];
    std::uint64_t y[2];
    std::memcpy(x, a, block);
    std::memcpy(y, b, block);
    x[0] ^= y[0];
    x[1] ^= y[1];
    std::memcpy(out, x, block);
}

// The first n bytes, n below 16, the others zero.
void copy_padded(std::byte* to, const std::byte* from, std::size_t n) {
    std::memset(to, 0, block);
    if (n >= 8) {
        std::memcpy(to + n - 8, from + n - 8, 8);
        std::memcpy(to, from, 8);
    } else if (n >= 4) {
        std::memcpy(to + n - 4, from + n - 4, 4);
        std::memcpy(to, from, 4);
    } else {
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
    }
}

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

// GHASH over data padded to whole blocks.
void absorb_padded(const lea_gcm& key, std::byte* state, bytes_view data) {
    if (const std::size_t whole = data.size() / block; whole != 0) access::absorb(key, state, data.data(), whole);
    if (const std::size_t rest = data.size() % block; rest != 0) {
        std::byte last[block];
        copy_padded(last, data.data() + data.size() - rest, rest);
        access::absorb(key, state, last, 1);
    }
}

void store_lengths(std::byte* to, std::uint64_t first, std::uint64_t second) {
    store_be(to, 8 * first);
    store_be(to + 8, 8 * second);
}

// SP 800-38D section 7.1 step 2.
void first_counter(const lea_gcm& key, bytes_view nonce, std::byte* j0) {
    if (nonce.size() == 12) {
        std::memcpy(j0, nonce.data(), 12);
        store_be(j0 + 12, std::uint32_t{1});
    } else {
        std::byte lengths[block];
        store_lengths(lengths, 0, nonce.size());
        std::memset(j0, 0, block);
        absorb_padded(key, j0, nonce);
        access::absorb(key, j0, lengths, 1);
    }
}

template <bool sealing>
class wave_run {
  public:
    wave_run(const gcm_key_list& keys, const gcm_record_list& records) : keys_(keys), records_(records) {}
    ~wave_run() {
        wipe(keystream_, block * used_keystream_);
        wipe(hashed_, block * used_hashed_);
        wipe(hashes_, block * used_records_);
    }
    wave_run(const wave_run&) = delete;
    wave_run& operator=(const wave_run&) = delete;

    // False: a record was not authentic.
    bool operator()(std::size_t first, std::size_t count) {
        const longest_first order(count, [&](std::size_t i) { return blocks_of(records_.text(first + i).size()); });
        bool authentic = true;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t record = first + order[i];
            const lea_gcm& key = keys_[record];
            const std::size_t tag_size = key.tag_size();
            const std::size_t given = records_.text(record).size();
            if (!sealing && given < tag_size) {
                records_.set_result(record, status::auth_failed);
                authentic = false;
                continue;
            }
            const std::size_t size = sealing ? given : given - tag_size;
            if (size > longest_in_wave) {
                authentic &= by_itself(record, key);
                continue;
            }
            const std::size_t blocks = blocks_of(size) + 1;
            if (count_ == most_records || keystream_size_ + blocks > most_keystream || (count_ != 0 && key_ != &key)) {
                authentic &= turn();
            }
            key_ = &key;
            add(record, size, blocks);
        }
        return turn() && authentic;
    }

  private:
    struct part {
        std::size_t record;
        std::size_t size;      // of the text, without tag
        std::byte* keystream;  // of the text, then E(K, J0)
        std::byte* text;       // the first block of text in what is hashed
    };

    bool by_itself(std::size_t record, const lea_gcm& key) {
        const bytes_view nonce = records_.nonce(record);
        const bytes_view aad = records_.aad(record);
        const bytes_view text = records_.text(record);
        const bytes_span out = records_.out(record);
        const status s = sealing ? key.seal(nonce, aad, text, out) : key.open(nonce, aad, text, out);
        records_.set_result(record, s);
        return s == status::ok;
    }

    void add(std::size_t record, std::size_t size, std::size_t blocks) {
        std::byte* at = keystream_ + block * keystream_size_;
        parts_[count_++] = {record, size, at, nullptr};
        keystream_size_ += blocks;
        std::byte* const last = at + block * (blocks - 1);
        first_counter(*key_, records_.nonce(record), last);
        std::uint32_t counter = load_be<std::uint32_t>(last + 12);
        for (; at != last; at += block) {
            std::memcpy(at, last, block);
            store_be(at + 12, ++counter);
        }
    }

    bool turn() {
        if (count_ == 0) return true;
        if (count_ == 1) {
            count_ = keystream_size_ = 0;
            return by_itself(parts_[0].record, *key_);
        }
        used_keystream_ = std::max(used_keystream_, keystream_size_);
        used_records_ = std::max(used_records_, count_);
        lea_access::encrypt(access::cipher(*key_), keystream_, keystream_, keystream_size_);
        std::byte* at = hashed_;
        for (std::size_t i = 0; i < count_; ++i) at = gather(parts_[i], messages_[i], at);
        used_hashed_ = std::max(used_hashed_, static_cast<std::size_t>(at - hashed_) / block);
        access::hash_messages(*key_, access::octets(hashes_), messages_, count_);
        bool authentic = true;
        for (std::size_t i = 0; i < count_; ++i) {
            const bool good = end(parts_[i], hashes_ + block * i);
            records_.set_result(parts_[i].record, good ? status::ok : status::auth_failed);
            authentic &= good;
        }
        count_ = 0;
        keystream_size_ = 0;
        return authentic;
    }

    // What GHASH takes of a record, from `at` on; where it ends. When sealing, the ciphertext is made on the way.
    std::byte* gather(part& p, ghash_message& m, std::byte* at) {
        const bytes_view aad = records_.aad(p.record);
        const std::byte* in = records_.text(p.record).data();
        std::byte* out = records_.out(p.record).data();
        std::byte* const start = at;
        std::byte state[block];
        const bool long_aad = aad.size() > most_aad * block;
        if (long_aad) {
            std::memset(state, 0, block);
            absorb_padded(*key_, state, aad);
        } else {
            std::size_t left = aad.size();
            const std::byte* from = aad.data();
            for (; left >= block; left -= block, from += block, at += block) std::memcpy(at, from, block);
            if (left != 0) {
                copy_padded(at, from, left);
                at += block;
            }
        }
        p.text = at;
        const std::byte* k = p.keystream;
        std::size_t left = p.size;
        for (; left >= block; left -= block, in += block, k += block, at += block) {
            if constexpr (sealing) {
                xor_block(at, in, k);
                std::memcpy(out, at, block);
                out += block;
            } else {
                std::memcpy(at, in, block);
            }
        }
        if (left != 0) {
            copy_padded(at, in, left);
            if constexpr (sealing) {
                std::byte crypted[block];
                xor_block(crypted, at, k);
                copy_padded(at, crypted, left);
                copy_some(out, at, left);
            }
            at += block;
        }
        store_lengths(at, aad.size(), p.size);
        if (long_aad) {
            xor_block(start, start, state);
            wipe(state, block);
        }
        at += block;
        m = {access::keys(*key_).powers, access::octets(start), static_cast<std::size_t>(at - start) / block};
        return at;
    }

    // The tag; false if it is not the record's.
    bool end(const part& p, std::byte* hash) {
        const std::size_t tag_size = key_->tag_size();
        xor_block(hash, hash, p.keystream + block * blocks_of(p.size));
        std::byte* out = records_.out(p.record).data();
        if constexpr (sealing) {
            if (tag_size == block) {
                std::memcpy(out + p.size, hash, block);
            } else {
                copy_some(out + p.size, hash, tag_size);
            }
            return true;
        } else {
            const std::byte* in = records_.text(p.record).data();
            if (!equal_constant_time(hash, in + p.size, tag_size)) {
                if (p.size != 0) std::memset(out, 0, p.size);
                return false;
            }
            const std::byte* k = p.keystream;
            std::size_t left = p.size;
            for (; left >= block; left -= block, in += block, k += block, out += block) xor_block(out, in, k);
            if (left != 0) {
                std::byte last[block];
                copy_padded(last, in, left);
                xor_block(last, last, k);
                copy_some(out, last, left);
                wipe(last, block);
            }
            return true;
        }
    }

    const gcm_key_list& keys_;
    const gcm_record_list& records_;
    const lea_gcm* key_ = nullptr;
    std::size_t count_ = 0;           // records of the wave
    std::size_t keystream_size_ = 0;  // blocks
    std::size_t used_keystream_ = 0;  // at most, by any wave
    std::size_t used_hashed_ = 0;
    std::size_t used_records_ = 0;
    part parts_[most_records];
    ghash_message messages_[most_records];
    alignas(64) std::byte keystream_[most_keystream * block];
    alignas(64) std::byte hashed_[most_hashed * block];
    alignas(64) std::byte hashes_[most_records * block];
};

status check_record(const gcm_record_list& records, std::size_t i, const lea_gcm& key, bool sealing) {
    if (records.null(i)) return status::null_pointer;
    const bytes_view nonce = records.nonce(i);
    const bytes_view aad = records.aad(i);
    const bytes_view text = records.text(i);
    const bytes_span out = records.out(i);
    const std::size_t tag_size = key.tag_size();
    if (nonce.empty()) return status::bad_nonce_length;
    if (!gcm_fits(0, nonce.size(), gcm_max_nonce) || !gcm_fits(0, aad.size(), gcm_max_aad) ||
        !gcm_fits(sealing ? 0 : tag_size, text.size(), gcm_max_text + (sealing ? 0 : tag_size))) {
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
    const bool good = aliasing_allowed(text.first(size), out.first(size)) && disjoint(written, nonce) &&
                      disjoint(written, aad) && disjoint(written, records.memory()) &&
                      (sealing ? disjoint(out.subspan(size, tag_size), text) : disjoint(written, text.subspan(size)));
    return good ? status::ok : status::overlap;
}

template <bool sealing>
status run(const gcm_key_list& keys, const gcm_record_list& records, const batch_options& options) {
    status first_bad = status::ok;
    for (std::size_t i = 0; i < records.count(); ++i) {
        const status s = check_record(records, i, keys[i], sealing);
        records.set_result(i, s == status::ok ? status::cancelled : s);
        if (first_bad == status::ok) first_bad = s;
    }
    if (first_bad != status::ok) return first_bad;
    std::atomic<bool> authentic{true};
    const status s = batch_portions(records, options).run([&](std::size_t first, std::size_t count) {
        wave_run<sealing> work(keys, records);
        if (!work(first, count)) authentic.store(false, std::memory_order_relaxed);
    });
    return s == status::ok && !authentic ? status::auth_failed : s;
}

const lea_gcm& key_at(const void* list, std::size_t i) {
    return *static_cast<const lea_gcm* const*>(list)[i];
}

}  // namespace

status seal_records(const gcm_key_list& keys, const gcm_record_list& records, const batch_options& options) {
    return run<true>(keys, records, options);
}
status open_records(const gcm_key_list& keys, const gcm_record_list& records, const batch_options& options) {
    return run<false>(keys, records, options);
}

status seal_batch(const lea_gcm& key, std::span<lea_gcm_record> records, const batch_options& options) {
    return seal_records(gcm_key_list(key), gcm_record_list(records), options);
}
status seal_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                  const batch_options& options) {
    if (keys.size() != records.size()) return status::wrong_count;
    return seal_records({keys.data(), key_at}, gcm_record_list(records), options);
}
status open_batch(const lea_gcm& key, std::span<lea_gcm_record> records, const batch_options& options) {
    return open_records(gcm_key_list(key), gcm_record_list(records), options);
}
status open_batch(std::span<const lea_gcm* const> keys, std::span<lea_gcm_record> records,
                  const batch_options& options) {
    if (keys.size() != records.size()) return status::wrong_count;
    return open_records({keys.data(), key_at}, gcm_record_list(records), options);
}

}  // namespace hwacha
