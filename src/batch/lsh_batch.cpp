#include "batch/lsh_batch.hpp"

#include <algorithm>

#include "batch/lanes.hpp"
#include "batch/order.hpp"
#include "batch/portions.hpp"
#include "lsh/access.hpp"
#include "lsh/chaining.hpp"

namespace hwacha {
namespace {

const std::uint8_t* octets(const std::byte* p) {
    return reinterpret_cast<const std::uint8_t*>(p);
}

// Every message of a portion from the chaining value start(i) on to its end, as a digest.
template <class Word, class Start>
class digesting {
  public:
    digesting(Start start, std::span<const bytes_view> messages, std::byte* digests, std::size_t digest_size)
        : start_(start),
          messages_(messages),
          digests_(digests),
          digest_size_(digest_size),
          order_(messages.size(), [&](std::size_t i) { return messages[i].size() / lsh_job<Word>::block_size; }) {}

    std::size_t count() const { return order_.count(); }
    lsh_job<Word> job(std::size_t i) const {
        const bytes_view m = messages_[order_[i]];
        return {start_(order_[i]), octets(m.data()), m.size(), true};
    }
    void done(std::size_t i, const Word (&cv)[16]) const {
        write_digest(cv, digests_ + digest_size_ * order_[i], digest_size_);
    }

  private:
    Start start_;
    std::span<const bytes_view> messages_;
    std::byte* digests_;
    std::size_t digest_size_;
    longest_first order_;
};

template <class Word, class Start>
void digest_all(Start start, std::span<const bytes_view> messages, std::byte* digests, std::size_t digest_size) {
    digesting<Word, Start> work(start, messages, digests, digest_size);
    lsh_batch_run<Word, digesting<Word, Start>> run(work);
    run();
}

// `jobs[i]` into `results[i]`, without padding.
template <class Word>
class advancing {
  public:
    advancing(const lsh_job<Word>* jobs, Word* const* results, std::size_t count)
        : jobs_(jobs), results_(results), order_(count, [&](std::size_t i) { return jobs[i].blocks(); }) {}

    std::size_t count() const { return order_.count(); }
    lsh_job<Word> job(std::size_t i) const { return jobs_[order_[i]]; }
    void done(std::size_t i, const Word (&cv)[16]) const { std::memcpy(results_[order_[i]], cv, sizeof cv); }

  private:
    const lsh_job<Word>* jobs_;
    Word* const* results_;
    longest_first order_;
};

template <class Word>
void advance_all(const lsh_job<Word>* jobs, Word* const* results, std::size_t count) {
    advancing<Word> work(jobs, results, count);
    lsh_batch_run<Word, advancing<Word>> run(work);
    run();
}

// ---- HMAC (RFC 2104 section 2)

template <class Word>
struct hmac_state {
    Word inner[16], outer[16];

    hmac_state() = default;
    ~hmac_state() { wipe(this, sizeof *this); }
    hmac_state(const hmac_state&) = delete;
    hmac_state& operator=(const hmac_state&) = delete;
};

constexpr std::size_t hmac_keys_at_once = 32;

// The chaining values after the blocks key ^ ipad and key ^ opad, of some keys.
template <class Word>
void set_up_hmac(const lsh_info& v, std::span<const bytes_view> keys, hmac_state<Word>* states) {
    constexpr std::size_t block_size = lsh_job<Word>::block_size;
    const auto* start = static_cast<const Word*>(lsh_initial_value_of(v));
    std::byte pads[2 * hmac_keys_at_once][block_size];
    lsh_job<Word> jobs[2 * hmac_keys_at_once];
    Word* results[2 * hmac_keys_at_once];
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::byte key[block_size] = {};
        if (keys[i].size() > block_size) {
            static_cast<void>(lsh::hash(v.variant, keys[i], key));
        } else {
            copy_bytes(key, keys[i].data(), keys[i].size());
        }
        for (std::size_t b = 0; b < block_size; ++b) {
            pads[2 * i][b] = key[b] ^ std::byte{0x36};
            pads[2 * i + 1][b] = key[b] ^ std::byte{0x5c};
        }
        wipe(key, sizeof key);
        for (std::size_t k = 0; k < 2; ++k) jobs[2 * i + k] = {start, octets(pads[2 * i + k]), block_size, false};
        results[2 * i] = states[i].inner;
        results[2 * i + 1] = states[i].outer;
    }
    advance_all(jobs, results, 2 * keys.size());
    wipe(pads, sizeof pads);
}

// At most `most` messages: the stack pays for what there may be.
template <class Word, std::size_t most, class State>
void mac_all(State state, std::span<const bytes_view> messages, std::byte* macs, std::size_t mac_size) {
    std::byte digests[most * 8 * sizeof(Word)];
    bytes_view inner[most];
    for (std::size_t i = 0; i < messages.size(); ++i) inner[i] = bytes_view(digests + mac_size * i, mac_size);
    digest_all<Word>([&](std::size_t i) { return state(i).inner; }, messages, digests, mac_size);
    digest_all<Word>([&](std::size_t i) { return state(i).outer; }, std::span<const bytes_view>(inner, messages.size()),
                     macs, mac_size);
    wipe(digests, sizeof digests);
}

// ---- For both cores

template <class Function>
auto with_core(const lsh_info& v, Function f) {
    return is_lsh256(v) ? f(std::uint32_t{}) : f(std::uint64_t{});
}

// What can be wrong with a batch; `out` becomes the part of it that is written.
status check_batch(lsh_variant v, const message_list& messages, bytes_span& out) {
    const lsh_info* info = find_lsh(v);
    if (info == nullptr) return status::unknown_algorithm;
    if (out.size() / info->digest_size < messages.count()) return status::buffer_too_small;
    out = out.first(messages.count() * info->digest_size);
    if (const status s = messages.check(); s != status::ok) return s;
    return messages.apart_from(out) ? status::ok : status::overlap;
}

// work(first, messages, where their digests go). Digests never begun become zeros, also when an executor throws.
template <class Work>
status run_portions(const lsh_info& v, const message_list& messages, bytes_span out, const batch_options& options,
                    Work work) {
    batch_portions portions(messages, options);
    struct clearing {
        ~clearing() { std::ranges::fill(out.subspan(portions.begun() * digest_size), std::byte{0}); }
        const batch_portions<message_list>& portions;
        bytes_span out;
        std::size_t digest_size;
    };
    const clearing at_the_end{portions, out, v.digest_size};
    return portions.run([&](std::size_t first, std::span<const bytes_view> some) {
        work(first, some, out.data() + first * v.digest_size);
    });
}

}  // namespace

status hash_messages(lsh_variant v, const message_list& messages, bytes_span digests, const batch_options& options) {
    if (const status s = check_batch(v, messages, digests); s != status::ok) return s;
    const lsh_info& info = *find_lsh(v);
    return with_core(info, [&]<class Word>(Word) {
        const auto* start = static_cast<const Word*>(lsh_initial_value_of(info));
        return run_portions(info, messages, digests, options,
                            [&](std::size_t, std::span<const bytes_view> some, std::byte* out) {
                                digest_all<Word>([start](std::size_t) { return start; }, some, out, info.digest_size);
                            });
    });
}

status hmac_messages(lsh_variant v, bytes_view key, const message_list& messages, bytes_span macs,
                     const batch_options& options) {
    if (const status s = check_batch(v, messages, macs); s != status::ok) return s;
    if (!disjoint(key, macs)) return status::overlap;
    const lsh_info& info = *find_lsh(v);
    return with_core(info, [&]<class Word>(Word) {
        hmac_state<Word> state;
        set_up_hmac<Word>(info, {&key, 1}, &state);
        return run_portions(
            info, messages, macs, options, [&](std::size_t, std::span<const bytes_view> some, std::byte* out) {
                mac_all<Word, batch_portion>([&](std::size_t) -> const hmac_state<Word>& { return state; }, some, out,
                                             info.digest_size);
            });
    });
}

status hmac_messages(lsh_variant v, const message_list& keys, const message_list& messages, bytes_span macs,
                     const batch_options& options) {
    if (const status s = check_batch(v, messages, macs); s != status::ok) return s;
    if (keys.count() != messages.count()) return status::wrong_count;
    if (const status s = keys.check(); s != status::ok) return s;
    if (!keys.apart_from(macs)) return status::overlap;
    const lsh_info& info = *find_lsh(v);
    return with_core(info, [&]<class Word>(Word) {
        return run_portions(info, messages, macs, options,
                            [&](std::size_t first, std::span<const bytes_view> some, std::byte* out) {
                                hmac_state<Word> states[hmac_keys_at_once];
                                bytes_view room[hmac_keys_at_once];
                                while (!some.empty()) {
                                    const std::size_t count = std::min(hmac_keys_at_once, some.size());
                                    set_up_hmac<Word>(info, keys.part(first, count, room), states);
                                    mac_all<Word, hmac_keys_at_once>(
                                        [&](std::size_t i) -> const hmac_state<Word>& { return states[i]; },
                                        some.first(count), out, info.digest_size);
                                    some = some.subspan(count);
                                    first += count;
                                    out += count * info.digest_size;
                                }
                            });
    });
}

// ---- Streams that go on

namespace {

// Some streams of one core: first those whose buffers become whole blocks, then the whole blocks of the pieces.
template <class Word>
void update_some(lsh* const* streams, bytes_view* pieces, std::size_t count) {
    constexpr std::size_t block_size = lsh_job<Word>::block_size;
    lsh_job<Word> jobs[batch_portion];
    Word* results[batch_portion];
    const auto advance = [&](auto job_of) {
        std::size_t n = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Word* cv = lsh_access::chaining<Word>(*streams[i]);
            const bytes_view blocks = job_of(i);
            if (blocks.empty()) continue;
            jobs[n] = {cv, octets(blocks.data()), blocks.size(), false};
            results[n++] = cv;
        }
        advance_all(jobs, results, n);
    };
    advance([&](std::size_t i) { return lsh_access::fill_buffer(*streams[i], pieces[i]); });
    advance([&](std::size_t i) {
        if (lsh_access::buffered(*streams[i])) return bytes_view();
        const bytes_view whole = pieces[i].first(pieces[i].size() / block_size * block_size);
        pieces[i] = pieces[i].subspan(whole.size());
        return whole;
    });
    for (std::size_t i = 0; i < count; ++i) streams[i]->update(pieces[i]);
}

}  // namespace

status update_streams(stream_list streams, const message_list& pieces, const batch_options& options) {
    if (const status s = pieces.check(); s != status::ok) return s;
    return batch_portions(pieces, options).run([&](std::size_t first, std::span<const bytes_view> portion) {
        for (const bool core256 : {true, false}) {
            lsh* some[batch_portion];
            bytes_view parts[batch_portion];
            std::size_t n = 0;
            for (std::size_t i = 0; i < portion.size(); ++i) {
                lsh& stream = *streams.at(streams.list, first + i);
                if ((stream.block_size() == lsh_job<std::uint32_t>::block_size) != core256) continue;
                if (lsh_access::finished(stream)) continue;
                some[n] = &stream;
                parts[n++] = portion[i];
            }
            if (core256) {
                update_some<std::uint32_t>(some, parts, n);
            } else {
                update_some<std::uint64_t>(some, parts, n);
            }
        }
    });
}

// ---- The layouts that C++ callers have

status hash_batch(lsh_variant v, std::span<const bytes_view> messages, bytes_span digests,
                  const batch_options& options) {
    return hash_messages(v, message_list(messages), digests, options);
}
status hash_batch(lsh_variant v, bytes_view data, std::span<const std::int32_t> offsets, bytes_span digests,
                  const batch_options& options) {
    return hash_messages(v, {data, offsets}, digests, options);
}
status hash_batch(lsh_variant v, bytes_view data, std::span<const std::int64_t> offsets, bytes_span digests,
                  const batch_options& options) {
    return hash_messages(v, {data, offsets}, digests, options);
}

status hmac_batch(lsh_variant v, bytes_view key, std::span<const bytes_view> messages, bytes_span macs,
                  const batch_options& options) {
    return hmac_messages(v, key, message_list(messages), macs, options);
}
status hmac_batch(lsh_variant v, bytes_view key, bytes_view data, std::span<const std::int32_t> offsets,
                  bytes_span macs, const batch_options& options) {
    return hmac_messages(v, key, {data, offsets}, macs, options);
}
status hmac_batch(lsh_variant v, bytes_view key, bytes_view data, std::span<const std::int64_t> offsets,
                  bytes_span macs, const batch_options& options) {
    return hmac_messages(v, key, {data, offsets}, macs, options);
}

status hmac_batch(lsh_variant v, std::span<const bytes_view> keys, std::span<const bytes_view> messages,
                  bytes_span macs, const batch_options& options) {
    return hmac_messages(v, message_list(keys), message_list(messages), macs, options);
}
status hmac_batch(lsh_variant v, bytes_view key_data, std::span<const std::int32_t> key_offsets, bytes_view data,
                  std::span<const std::int32_t> offsets, bytes_span macs, const batch_options& options) {
    return hmac_messages(v, message_list(key_data, key_offsets), {data, offsets}, macs, options);
}
status hmac_batch(lsh_variant v, bytes_view key_data, std::span<const std::int64_t> key_offsets, bytes_view data,
                  std::span<const std::int64_t> offsets, bytes_span macs, const batch_options& options) {
    return hmac_messages(v, message_list(key_data, key_offsets), {data, offsets}, macs, options);
}

namespace {

stream_list in_order_of(std::span<lsh* const> streams) {
    return {streams.data(), [](const void* list, std::size_t i) { return static_cast<lsh* const*>(list)[i]; }};
}

}  // namespace

status update_batch(std::span<lsh* const> streams, std::span<const bytes_view> pieces, const batch_options& options) {
    if (streams.size() != pieces.size()) return status::wrong_count;
    return update_streams(in_order_of(streams), message_list(pieces), options);
}
status update_batch(std::span<lsh* const> streams, bytes_view data, std::span<const std::int32_t> offsets,
                    const batch_options& options) {
    const message_list pieces(data, offsets);
    return streams.size() != pieces.count() ? status::wrong_count
                                            : update_streams(in_order_of(streams), pieces, options);
}
status update_batch(std::span<lsh* const> streams, bytes_view data, std::span<const std::int64_t> offsets,
                    const batch_options& options) {
    const message_list pieces(data, offsets);
    return streams.size() != pieces.count() ? status::wrong_count
                                            : update_streams(in_order_of(streams), pieces, options);
}

}  // namespace hwacha
