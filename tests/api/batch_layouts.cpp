// Batches in every layout of both interfaces: pointers, offsets of 32 and of 64 bits. What executors may do to them.
#include <hwacha/hwacha.h>

#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "api/batch.hpp"

namespace hwacha::test {
namespace {

// The options of a C++ batch as a C caller would give them.
class c_options {
  public:
    explicit c_options(const batch_options& o) : given_(o) {
        if (o.threads != nullptr) {
            executor_ = {[](void* context, size_t count, hwacha_task t, void* task_context) {
                             static_cast<executor*>(context)->run(count, t, task_context);
                         },
                         o.threads, o.threads->concurrency()};
            options_.executor = &executor_;
        }
        if (o.progress) {
            options_.progress = [](void* context, size_t done) {
                return static_cast<const batch_options*>(context)->progress(done) ? 1 : 0;
            };
            options_.progress_context = const_cast<batch_options*>(&given_);
        }
    }
    const hwacha_batch_options* get() const { return &options_; }

  private:
    const batch_options& given_;
    hwacha_executor executor_{};
    hwacha_batch_options options_ = HWACHA_BATCH_OPTIONS_INIT;
};

status to_cpp(hwacha_status s) {
    return static_cast<status>(s);
}
hwacha_lsh_variant to_c(lsh_variant v) {
    return static_cast<hwacha_lsh_variant>(v);
}

// A list in each of the layouts. With offsets, there are other bytes before and behind the messages.
struct in_layouts {
    explicit in_layouts(const std::vector<bytes>& list) : views(views_of(list)), data(repeated(13, 0x5a)) {
        offsets32.push_back(13);
        for (const bytes& m : list) {
            starts.push_back(m.empty() ? nullptr : m.data());
            sizes.push_back(m.size());
            data.insert(data.end(), m.begin(), m.end());
            offsets32.push_back(static_cast<std::int32_t>(data.size()));
        }
        data.resize(data.size() + 7);
        offsets64.assign(offsets32.begin(), offsets32.end());
    }
    std::size_t count() const { return views.size(); }

    std::vector<bytes_view> views;
    std::vector<const void*> starts;
    std::vector<std::size_t> sizes;
    bytes data;
    std::vector<std::int32_t> offsets32;
    std::vector<std::int64_t> offsets64;
};

struct contexts {
    contexts(lsh_variant v, std::size_t n) : list(n) {
        for (hwacha_lsh_ctx*& c : list) EXPECT_EQ(hwacha_lsh_new(to_c(v), &c), HWACHA_OK);
    }
    ~contexts() {
        for (hwacha_lsh_ctx* c : list) hwacha_lsh_free(c);
    }
    contexts(const contexts&) = delete;
    contexts& operator=(const contexts&) = delete;
    void finish(bytes_span out, std::size_t digest_size) const {
        for (std::size_t k = 0; k < list.size(); ++k) {
            EXPECT_EQ(hwacha_lsh_finish(list[k], out.data() + k * digest_size, digest_size), HWACHA_OK);
        }
    }

    std::vector<hwacha_lsh_ctx*> list;
};

enum class function { hash, hmac, hmac_keys, update };

// One batch for all functions. Messages and keys are public: tests change them.
class all_functions {
  public:
    all_functions(const lsh_info& i, random_source& random, std::size_t n, std::size_t longest)
        : info(i),
          list(random_messages(random, n, longest)),
          key_list(random_messages(random, n, 200)),
          key(random.take(50)),
          messages(list),
          keys(key_list),
          hashes_(hashes(i, messages.views)),
          macs_(macs_of(i, std::vector<bytes_view>(1, key), messages.views)),
          key_macs_(macs_of(i, keys.views, messages.views)) {}

    const bytes& expected(function f) const {
        return f == function::hmac ? macs_ : f == function::hmac_keys ? key_macs_ : hashes_;
    }

    // f(which, name, run); run(variant, out, options) is a status. Streams write digests nowhere: `run` finishes them
    // into `out`, whatever the status.
    template <class Function>
    void for_each(Function f) const {
        for (const function which : {function::hash, function::hmac, function::hmac_keys, function::update}) {
            const auto call = [&](const char* layout, auto run) {
                constexpr const char* names[] = {"hash, ", "hmac, ", "hmac with keys, ", "update, "};
                f(which, std::string(names[static_cast<int>(which)]) + layout, run);
            };
            call("C++, 32 bits", [&](lsh_variant v, bytes_span out, const batch_options& o) {
                return cpp(which, v, messages.offsets32, keys.offsets32, out, o);
            });
            call("C++, 64 bits", [&](lsh_variant v, bytes_span out, const batch_options& o) {
                return cpp(which, v, messages.offsets64, keys.offsets64, out, o);
            });
            call("C, pointers", [&](lsh_variant v, bytes_span out, const batch_options& o) {
                return c_pointers(which, v, out, c_options(o).get());
            });
            call("C, 32 bits", [&](lsh_variant v, bytes_span out, const batch_options& o) {
                return c(which, v, messages.offsets32, keys.offsets32, out, c_options(o).get());
            });
            call("C, 64 bits", [&](lsh_variant v, bytes_span out, const batch_options& o) {
                return c(which, v, messages.offsets64, keys.offsets64, out, c_options(o).get());
            });
        }
    }

    // The same, in the layouts with offsets only: f(which, run, offsets, key offsets), which the test may change.
    template <class Function>
    void for_each_with_offsets(Function f) {
        for (const function which : {function::hash, function::hmac, function::hmac_keys, function::update}) {
            const auto both = [&](auto& offsets, auto& key_offsets) {
                f(
                    which, [&](bytes_span out) { return cpp(which, info.variant, offsets, key_offsets, out, {}); },
                    offsets, key_offsets);
                f(
                    which, [&](bytes_span out) { return c(which, info.variant, offsets, key_offsets, out, nullptr); },
                    offsets, key_offsets);
            };
            both(messages.offsets32, keys.offsets32);
            both(messages.offsets64, keys.offsets64);
        }
    }

    const lsh_info& info;
    std::vector<bytes> list;
    std::vector<bytes> key_list;
    bytes key;
    in_layouts messages;
    in_layouts keys;

  private:
    template <class Offset>
    status cpp(function which, lsh_variant v, const std::vector<Offset>& offsets,
               const std::vector<Offset>& key_offsets, bytes_span out, const batch_options& o) const {
        const std::span<const Offset> all(offsets);
        switch (which) {
            case function::hash: return hash_batch(v, messages.data, all, out, o);
            case function::hmac: return hmac_batch(v, key, messages.data, all, out, o);
            case function::hmac_keys:
                return hmac_batch(v, keys.data, std::span<const Offset>(key_offsets), messages.data, all, out, o);
            case function::update: break;
        }
        std::vector<lsh> objects(messages.count(), lsh(info.variant));
        const auto finish_all = [&] {
            for (std::size_t k = 0; k < objects.size(); ++k) put(finish(objects[k]), out, k * info.digest_size);
        };
        try {
            const status s = update_batch(pointers_to(objects), messages.data, all, o);
            finish_all();
            return s;
        } catch (...) {
            finish_all();
            throw;
        }
    }

    template <class Call>
    status streams(bytes_span out, Call call) const {
        const contexts objects(info.variant, messages.count());
        const hwacha_status s = call(objects.list.data());
        objects.finish(out, info.digest_size);
        return to_cpp(s);
    }

    status c_pointers(function which, lsh_variant v, bytes_span out, const hwacha_batch_options* o) const {
        const auto& m = messages;
        switch (which) {
            case function::hash:
                return to_cpp(
                    hwacha_lsh_batch(to_c(v), m.starts.data(), m.sizes.data(), m.count(), out.data(), out.size(), o));
            case function::hmac:
                return to_cpp(hwacha_hmac_lsh_batch(to_c(v), key.data(), key.size(), m.starts.data(), m.sizes.data(),
                                                    m.count(), out.data(), out.size(), o));
            case function::hmac_keys:
                return to_cpp(hwacha_hmac_lsh_batch_keys(to_c(v), keys.starts.data(), keys.sizes.data(),
                                                         m.starts.data(), m.sizes.data(), m.count(), out.data(),
                                                         out.size(), o));
            case function::update: break;
        }
        return streams(out, [&](hwacha_lsh_ctx* const* s) {
            return hwacha_lsh_update_batch(s, m.starts.data(), m.sizes.data(), m.count(), o);
        });
    }

    template <class Offset>
    status c(function which, lsh_variant v, const std::vector<Offset>& offsets, const std::vector<Offset>& key_offsets,
             bytes_span out, const hwacha_batch_options* o) const {
        constexpr bool small = sizeof(Offset) == 4;
        const auto pick = [](auto f32, auto f64) {
            if constexpr (small) {
                return f32;
            } else {
                return f64;
            }
        };
        const bytes& data = messages.data;
        const std::size_t n = messages.count();
        switch (which) {
            case function::hash:
                return to_cpp(pick(hwacha_lsh_batch_offsets32, hwacha_lsh_batch_offsets64)(
                    to_c(v), data.data(), data.size(), offsets.data(), n, out.data(), out.size(), o));
            case function::hmac:
                return to_cpp(pick(hwacha_hmac_lsh_batch_offsets32, hwacha_hmac_lsh_batch_offsets64)(
                    to_c(v), key.data(), key.size(), data.data(), data.size(), offsets.data(), n, out.data(),
                    out.size(), o));
            case function::hmac_keys:
                return to_cpp(pick(hwacha_hmac_lsh_batch_keys_offsets32, hwacha_hmac_lsh_batch_keys_offsets64)(
                    to_c(v), keys.data.data(), keys.data.size(), key_offsets.data(), data.data(), data.size(),
                    offsets.data(), n, out.data(), out.size(), o));
            case function::update: break;
        }
        return streams(out, [&](hwacha_lsh_ctx* const* s) {
            return pick(hwacha_lsh_update_batch_offsets32, hwacha_lsh_update_batch_offsets64)(
                s, data.data(), data.size(), offsets.data(), n, o);
        });
    }

    bytes hashes_;
    bytes macs_;
    bytes key_macs_;
};

TEST(ApiBatchLayouts, EqualOneByOne) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(160);
        for (const std::size_t n : {0, 1, 2, 31, 33, 256, 257, 1000}) {
            if (n > 33 && options().at == scale::emulator) continue;
            const all_functions b(i, random, n, 400);
            b.for_each([&](function which, const std::string& name, const auto& run) {
                check_batch(b.expected(which), [&](bytes_span out) { return run(i.variant, out, {}); }, name, ", ", n);
            });
        }
        const all_functions b(i, random, 60, 400);
        for_each_batch_table(i, [&] {
            b.for_each([&](function which, const std::string& name, const auto& run) {
                check_batch(b.expected(which), [&](bytes_span out) { return run(i.variant, out, {}); }, name);
            });
        });
    });
}

TEST(ApiBatchLayouts, OnThreads) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(161);
        const all_functions b(i, random, options().at == scale::emulator ? 100 : 900, 300);
        inline_executor own(3);
        eager_executor eager;
        thread_pool pool(2);
        for (executor* e :
             {static_cast<executor*>(&own), static_cast<executor*>(&eager), static_cast<executor*>(&pool)}) {
            b.for_each([&](function which, const std::string& name, const auto& run) {
                check_batch(b.expected(which), [&](bytes_span out) { return run(i.variant, out, on(e)); }, name);
            });
        }
        EXPECT_GT(own.tasks, own.runs);
    });
}

TEST(ApiBatchLayouts, BetweenGuardPages) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(162);
        const std::vector<bytes> list = random_messages(random, 40, 300);
        in_layouts m(list);
        const bytes expected = hashes(i, m.views);
        const bytes_view all = bytes_view(m.data).subspan(13, m.data.size() - 20);  // the messages and nothing else
        for (std::size_t k = 0; k < m.offsets32.size(); ++k) m.offsets64[k] = m.offsets32[k] -= 13;
        guarded data(all.size());
        guarded offsets(m.offsets64.size() * 8);
        const auto offsets_at = [&](bool front, const auto& list_of_offsets) {
            using offset = typename std::decay_t<decltype(list_of_offsets)>::value_type;
            const bytes_span room = offsets.at(front, std::as_bytes(std::span(list_of_offsets)));
            return std::span<const offset>(reinterpret_cast<const offset*>(room.data()), list_of_offsets.size());
        };
        for (const bool front : {false, true}) {
            const bytes_view there = data.at(front, all);
            bytes out(expected.size());
            works(hash_batch(i.variant, there, offsets_at(front, m.offsets32), out));
            check_bytes(expected, out, "32 bits, front ", front);
            out.assign(out.size(), std::byte{0});
            works(hash_batch(i.variant, there, offsets_at(front, m.offsets64), out));
            check_bytes(expected, out, "64 bits, front ", front);
        }
    });
}

// No messages in every form that says so: no offsets, one, null pointers.
TEST(ApiBatchLayouts, NoMessages) {
    const lsh_variant v = lsh_variant::lsh256_256;
    bytes out = repeated(64, 0xa5);
    const std::vector<std::int32_t> wild32 = {-7};  // not looked at
    const std::vector<std::int64_t> wild64 = {std::numeric_limits<std::int64_t>::max()};
    const std::span<const std::int32_t> none32;
    const std::span<const std::int64_t> none64;
    for (const auto offsets : {none32, std::span<const std::int32_t>(wild32)}) {
        EXPECT_EQ(hash_batch(v, {}, offsets, out), status::ok);
        EXPECT_EQ(hmac_batch(v, out, {}, offsets, bytes_span()), status::ok);
        EXPECT_EQ(hmac_batch(v, {}, offsets, {}, none32, out), status::ok);
        EXPECT_EQ(update_batch({}, {}, offsets), status::ok);
    }
    for (const auto offsets : {none64, std::span<const std::int64_t>(wild64)}) {
        EXPECT_EQ(hash_batch(v, {}, offsets, out), status::ok);
        EXPECT_EQ(hmac_batch(v, out, {}, offsets, bytes_span()), status::ok);
        EXPECT_EQ(hmac_batch(v, {}, offsets, {}, none64, out), status::ok);
        EXPECT_EQ(update_batch({}, {}, offsets), status::ok);
    }
    EXPECT_EQ(out, repeated(64, 0xa5));
    EXPECT_EQ(hash_batch(no_variant, {}, none32, out), status::unknown_algorithm);
}

TEST(ApiBatchLayouts, BadOffsets) {
    random_source random = seeded(163);
    const lsh_info& i = *find_lsh(lsh_variant::lsh256_256);
    for (const std::size_t n : {1, 5, 300}) {
        all_functions b(i, random, n, 40);
        b.list[0] = random.take(5);
        b.messages = in_layouts(b.list);
        b.for_each_with_offsets([&](function which, const auto& run, auto& offsets, auto& key_offsets) {
            const bytes untouched = repeated(n * i.digest_size, 0xa5);
            // What streams are left with: nothing.
            const bytes none = hashes(i, std::vector<bytes_view>(n));
            const auto refused = [&](auto& list, std::size_t at, auto value) {
                const auto before = list[at];
                list[at] = static_cast<std::decay_t<decltype(before)>>(value);
                bytes out = untouched;
                check(run(bytes_span(out)) == status::bad_offsets, n, " messages, offset ", at, " is ", value);
                check_bytes(which == function::update ? none : untouched, out, "after bad offsets");
                list[at] = before;
            };
            using offset = typename std::decay_t<decltype(offsets)>::value_type;
            const auto size = static_cast<offset>(b.messages.data.size());
            refused(offsets, 0, -1);
            refused(offsets, 0, std::numeric_limits<offset>::min());
            refused(offsets, 0, offsets[1] + 1);
            refused(offsets, n, offsets[n - 1] - 1);
            refused(offsets, n, size + 1);
            refused(offsets, n, std::numeric_limits<offset>::max());
            refused(offsets, n / 2 + 1, -1);
            refused(offsets, n / 2, size + 1);
            if (which == function::hmac_keys) {
                refused(key_offsets, 0, -1);
                refused(key_offsets, n, static_cast<offset>(b.keys.data.size()) + 1);
                refused(key_offsets, n / 2, std::numeric_limits<offset>::max());
            }
            // To the very end of the data is right.
            const offset last = offsets[n];
            offsets[n] = size;
            bytes out = untouched;
            works(run(bytes_span(out)));
            offsets[n] = last;
            if (which == function::hash) {
                const auto first = static_cast<std::size_t>(offsets[n - 1]);
                check_bytes(hash(i, bytes_view(b.messages.data).subspan(first)), bytes_view(out).last(i.digest_size),
                            "the last message");
            }
        });
    }
    // 2^32 is no offset of 0.
    if constexpr (sizeof(std::size_t) > 4) {
        const std::vector<std::int64_t> far = {0, std::int64_t{1} << 32};
        bytes out = repeated(i.digest_size, 0xa5);
        EXPECT_EQ(hash_batch(i.variant, bytes_of("abc"), std::span(far), out), status::bad_offsets);
        EXPECT_EQ(out, repeated(i.digest_size, 0xa5));
    }
}

TEST(ApiBatchLayouts, OtherRefusals) {
    random_source random = seeded(164);
    const lsh_info& i = *find_lsh(lsh_variant::lsh512_384);
    const std::size_t n = 40;
    const all_functions b(i, random, n, 40);
    inline_executor e(3);
    b.for_each([&](function which, const std::string& name, const auto& run) {
        if (which == function::update) return;
        const bytes untouched = repeated(n * i.digest_size, 0xa5);
        bytes out = untouched;
        for (const std::size_t size : {untouched.size() - 1, i.digest_size, std::size_t{0}}) {
            check(run(i.variant, bytes_span(out).first(size), on(&e)) == status::buffer_too_small, name, ' ', size);
        }
        check(run(no_variant, out, on(&e)) == status::unknown_algorithm, name);
        check(run(lsh_variant{}, out, on(&e)) == status::unknown_algorithm, name);
        // Over a message, over the key, over what says where the messages are. Never written to, so const is no matter.
        const auto over = [&](const auto& memory) {
            const bytes_view there = std::as_bytes(std::span(memory));
            const bytes before = copy_of(there);
            for (const std::ptrdiff_t at : {std::ptrdiff_t{13}, std::ssize(there) - 20}) {
                bytes_span digests(const_cast<std::byte*>(there.data()) + at, untouched.size());
                const status s = run(i.variant, digests, on(&e));
                check_bytes(before, there, name);
                check(s == status::overlap, name, ' ', to_string(s));
            }
        };
        const bool offsets = name.find("bits") != std::string::npos;
        if (offsets) {
            over(b.messages.data);
            if (which == function::hmac_keys) over(b.keys.data);
            if (name.find("32") != std::string::npos) {
                over(b.messages.offsets32);
                if (which == function::hmac_keys) over(b.keys.offsets32);
            } else {
                over(b.messages.offsets64);
                if (which == function::hmac_keys) over(b.keys.offsets64);
            }
        } else {
            over(b.messages.starts);
            over(b.messages.sizes);
            if (which == function::hmac_keys) {
                over(b.keys.starts);
                over(b.keys.sizes);
            }
        }
        if (which == function::hmac) over(b.key);
        check_bytes(untouched, out, name);
    });
    EXPECT_EQ(e.runs, 0U);

    // The list of views of C++ too.
    std::vector<bytes_view> views = b.messages.views;
    const bytes before = copy_of(std::as_bytes(std::span(views)));
    bytes_span room(reinterpret_cast<std::byte*>(views.data()), n * sizeof(bytes_view));
    EXPECT_EQ(hash_batch(lsh_variant::lsh256_224, std::span(views).first(10), room), status::overlap);
    EXPECT_EQ(before, copy_of(std::as_bytes(std::span(views))));
    // Data that no message is made of may be written to.
    bytes data(100 + 2 * i.digest_size);
    const std::vector<std::int32_t> offsets = {50, 70, 100};
    const bytes expected = hashes(i, std::vector<bytes_view>{bytes_view(data).first(20), bytes_view(data).first(30)});
    EXPECT_EQ(hash_batch(i.variant, data, std::span(offsets), bytes_span(data).subspan(100)), status::ok);
    check_bytes(expected, bytes_view(data).subspan(100), "where no message is");
    // Numbers that do not fit each other.
    bytes out(1000);
    const std::span<const std::int32_t> two(offsets);
    EXPECT_EQ(hmac_batch(i.variant, data, two.first(2), data, two, out), status::wrong_count);
    std::vector<lsh> objects(3, lsh(i.variant));
    EXPECT_EQ(update_batch(pointers_to(objects), data, two), status::wrong_count);
}

// ---- Executors that do not do what they are asked for

class odd_executor final : public executor {
  public:
    enum class way { nothing, first_only, last_only, twice, throws_at_once, throws_afterwards, no_memory };
    explicit odd_executor(way w) : way_(w) {}
    void run(std::size_t count, task t, void* context) override {
        switch (way_) {
            case way::nothing: return;
            case way::first_only: return t(context, 0);
            case way::last_only: return t(context, count - 1);
            case way::twice:
                for (std::size_t i = 0; i < 2 * count; ++i) t(context, i / 2);
                return;
            case way::throws_at_once: throw std::runtime_error("no threads");
            case way::no_memory: throw std::bad_alloc();
            case way::throws_afterwards: t(context, 0); throw std::runtime_error("a thread is lost");
        }
    }
    std::size_t concurrency() const noexcept override { return 4; }

  private:
    way way_;
};

TEST(ApiBatchExecutors, OddOnes) {
    using way = odd_executor::way;
    random_source random = seeded(165);
    const lsh_info& i = *find_lsh(lsh_variant::lsh256_224);
    const std::size_t n = 300;
    const all_functions b(i, random, n, 200);
    for (const way w : {way::nothing, way::first_only, way::last_only, way::twice, way::throws_at_once,
                        way::throws_afterwards, way::no_memory}) {
        odd_executor e(w);
        b.for_each([&](function which, const std::string& name, const auto& run) {
            bytes out = repeated(n * i.digest_size, 0xa5);
            status s = status::ok;
            bool thrown = false;
            try {
                s = run(i.variant, out, on(&e));
            } catch (const std::exception&) {
                thrown = true;
            }
            const bool throws = w == way::throws_at_once || w == way::throws_afterwards || w == way::no_memory;
            const bool c = name.find(" C,") != std::string::npos;
            check(thrown == (throws && !c), name);
            const status expected = w == way::nothing     ? status::executor_failed
                                    : w == way::no_memory ? status::out_of_memory
                                    : throws              ? status::executor_failed
                                                          : status::ok;
            if (!thrown) check(s == expected, name, ' ', to_string(s), ", way ", static_cast<int>(w));
            const bool done = !throws && w != way::nothing;
            if (done || w == way::throws_afterwards) {  // one task may do the work of all
                check_bytes(b.expected(which), out, name);
            } else {
                const bytes nothing =
                    which == function::update ? hashes(i, std::vector<bytes_view>(n)) : bytes(out.size());
                check_bytes(nothing, out, name);
            }
        });
    }
}

// Of any number, 0 included: it is a hint.
TEST(ApiBatchExecutors, AnyConcurrency) {
    random_source random = seeded(166);
    const lsh_info& i = *find_lsh(lsh_variant::lsh512_256);
    const std::vector<bytes> messages = random_messages(random, 500, 100);
    const auto views = views_of(messages);
    const bytes expected = hashes(i, views);
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const std::size_t concurrency : {std::size_t{0}, std::size_t{1}, most / 8 + 1, most / 2 + 1, most}) {
        inline_executor e(concurrency);
        check_batch(expected, [&](bytes_span out) { return hash_batch(i.variant, views, out, on(&e)); }, concurrency);
        EXPECT_LE(e.tasks, 500U);
        EXPECT_EQ(e.tasks > 1, concurrency > 1);
    }
}

TEST(ApiBatchExecutors, Cancelling) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(167);
        const std::size_t n = 900;
        const all_functions b(i, random, n, 60);
        inline_executor own(3);
        eager_executor eager;
        for (executor* e :
             {static_cast<executor*>(nullptr), static_cast<executor*>(&own), static_cast<executor*>(&eager)}) {
            b.for_each([&](function which, const std::string& name, const auto& run) {
                std::size_t at = 0;
                batch_options o = on(e);
                o.progress = [&](std::size_t done) {
                    at = at == 0 ? done : at;
                    return false;
                };
                bytes out = repeated(n * i.digest_size, 0xa5);
                check(run(i.variant, out, o) == status::cancelled, name);
                const bytes nothing = which == function::update ? hash(i, {}) : bytes(i.digest_size);
                std::size_t there = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    const auto one = bytes_view(out).subspan(k * i.digest_size, i.digest_size);
                    const auto right = bytes_view(b.expected(which)).subspan(k * i.digest_size, i.digest_size);
                    if (std::ranges::equal(one, right)) {
                        ++there;
                    } else if (!check_bytes(nothing, one, "digest ", k, ", ", name)) {
                        break;
                    }
                }
                check(at > 0 && there >= at, name, ": ", there, " digests, ", at, " done");
            });
        }
    });
}

}  // namespace
}  // namespace hwacha::test
