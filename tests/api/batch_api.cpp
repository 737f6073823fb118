// lsh_batch.hpp: many messages at once equal the same messages one by one.
#include <memory>

#include "api/batch.hpp"

namespace hwacha::test {
namespace {

template <class... What>
bool check_hashes(const lsh_info& i, const bytes& expected, std::span<const bytes_view> messages, const What&... what) {
    return check_batch(
        expected, [&](bytes_span out) { return hash_batch(i.variant, messages, out); }, messages.size(), " messages ",
        what...);
}

// ---- hash_batch: results

// Around the numbers that fill lanes, keys at once and portions; each batch a window of one list.
std::vector<std::size_t> numbers_of_messages(std::size_t small) {
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n <= small; ++n) numbers.push_back(n);
    for (const std::size_t n : {127, 128, 129, 255, 256, 257}) numbers.push_back(n);
    return numbers;
}

TEST(ApiBatch, NumbersOfMessages) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(100);
        const std::vector<bytes> messages = random_messages(random, 1000, full_scale() ? 3000 : 600);
        const std::vector<bytes_view> all = views_of(messages);
        const bytes expected = hashes(i, all);
        auto numbers = numbers_of_messages(35);
        numbers.push_back(1000);
        if (options().at == scale::emulator) numbers = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 35, 129, 257};
        for_each_batch_table(i, [&] {
            for (const std::size_t n : numbers) {
                const std::size_t first = (n * 31) % (all.size() - n + 1);
                const auto digests = bytes_view(expected).subspan(first * i.digest_size, n * i.digest_size);
                check_hashes(i, copy_of(digests), std::span(all).subspan(first, n), "from ", first);
            }
        });
    });
}

TEST(ApiBatch, LengthsAroundTheBlock) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(101);
        const std::size_t b = i.block_size;
        struct batch {
            std::vector<bytes> messages;
            bytes expected;
        };
        std::vector<batch> batches;
        const auto add = [&](const std::vector<std::size_t>& lengths) {
            std::vector<bytes> messages;
            for (const std::size_t n : lengths) messages.push_back(random.take(n));
            bytes expected = hashes(i, views_of(messages));
            batches.push_back({std::move(messages), std::move(expected)});
        };
        const std::vector<std::size_t> lengths = {0, 1, b - 1, b, b + 1, 2 * b - 1, 2 * b, 2 * b + 1};
        for (const std::size_t n : {1, 3, 8, 17, 33}) {
            for (const std::size_t length : lengths) add(std::vector<std::size_t>(n, length));
            // All of one length but one.
            for (const std::size_t length : lengths) {
                std::vector<std::size_t> some(n, b);
                some[random.below(n)] = length;
                add(some);
            }
            std::vector<std::size_t> mixed;
            for (std::size_t k = 0; k < 3 * n; ++k) mixed.push_back(lengths[random.below(lengths.size())]);
            add(mixed);
        }
        for_each_batch_table(i, [&] {
            for (const batch& some : batches) {
                const auto views = views_of(some.messages);
                check_hashes(i, some.expected, views, "of ", views.front().size(), " bytes first");
            }
        });
    });
}

TEST(ApiBatch, RandomBatches) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(102);
        for (std::size_t round = 0; round < scaled(60, 2); ++round) {
            const std::vector<bytes> messages = random_messages(random, random.between(20, 90), 3000);
            const auto views = views_of(messages);
            const bytes expected = hashes(i, views);
            for_each_batch_table(i, [&] { check_hashes(i, expected, views, "round ", round); });
        }
    });
}

TEST(ApiBatch, OneHugeAmongSmall) {
    const auto run = [](const lsh_info& i) {
        random_source random = seeded(103);
        const std::size_t huge = options().at == scale::emulator ? 1U << 16 : 1U << 21;
        std::vector<bytes> messages;
        for (std::size_t k = 0; k < 100; ++k) messages.push_back(random.take(10));
        messages.push_back(random.take(huge));
        for (const std::size_t position : {std::size_t{0}, std::size_t{50}, std::size_t{100}}) {
            if (position != 50 && !full_scale()) continue;
            auto views = views_of(messages);
            std::rotate(views.begin() + static_cast<std::ptrdiff_t>(position), views.end() - 1, views.end());
            const bytes expected = hashes(i, views);
            for_each_batch_table(i, [&] { check_hashes(i, expected, views, "huge at ", position); });
        }
    };
    if (full_scale()) {
        for_each_variant(run);
    } else {
        for_each_core(run);
    }
}

TEST(ApiBatch, AscendingAndDescending) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(104);
        std::vector<bytes> messages;
        const std::size_t n = full_scale() ? 300 : 150;
        for (std::size_t k = 0; k < n; ++k) messages.push_back(random.take(11 * k));
        const auto ascending = views_of(messages);
        const std::vector<bytes_view> descending(ascending.rbegin(), ascending.rend());
        const bytes up = hashes(i, ascending);
        const bytes down = hashes(i, descending);
        for_each_batch_table(i, [&] {
            check_hashes(i, up, ascending, "ascending");
            check_hashes(i, down, descending, "descending");
        });
    });
}

TEST(ApiBatch, MessagesBetweenGuardPages) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(105);
        std::vector<bytes> messages;
        std::vector<std::unique_ptr<guarded>> memory;
        std::vector<bytes_view> there;
        for (std::size_t k = 0; k < 60; ++k) {
            // Some of whole blocks: then the last read ends at the page.
            messages.push_back(random.take(k % 3 == 0 ? k / 3 % 5 * i.block_size : random.below(800)));
            memory.push_back(std::make_unique<guarded>(messages[k].size()));
            there.push_back(memory[k]->at(k % 2 != 0, bytes_view(messages[k])));
        }
        const bytes expected = hashes(i, views_of(messages));
        guarded digests(expected.size());
        guarded list(there.size() * sizeof(bytes_view));
        for_each_batch_table(i, [&] {
            for (const bool front : {false, true}) {
                // The list of views too.
                const bytes_span room = list.at(front, there.size() * sizeof(bytes_view));
                auto* views = reinterpret_cast<bytes_view*>(room.data());
                std::uninitialized_copy(there.begin(), there.end(), views);
                const bytes_span out = digests.at(front, expected.size());
                works(hash_batch(i.variant, std::span<const bytes_view>(views, there.size()), out));
                check_bytes(expected, out, "front ", front);
                for (std::size_t k = 0; k < there.size(); ++k) {
                    check(views[k].data() == there[k].data() && views[k].size() == there[k].size(), "view ", k);
                    check_bytes(messages[k], there[k], "message ", k, " changed");
                }
            }
        });
    });
}

TEST(ApiBatch, SameMessageRepeated) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(106);
        const bytes message = random.take(5 * i.block_size + 77);
        const std::vector<bytes_view> whole(35, message);
        std::vector<bytes_view> windows;  // overlapping each other
        for (std::size_t k = 0; k < 70; ++k) windows.push_back(bytes_view(message).subspan(k, message.size() - 3 * k));
        const bytes same = hashes(i, whole);
        const bytes different = hashes(i, windows);
        for_each_batch_table(i, [&] {
            check_hashes(i, same, whole, "the same");
            check_hashes(i, different, windows, "windows of one");
        });
    });
}

TEST(ApiBatch, EveryOffset) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(107);
        constexpr std::size_t n = 19;
        std::vector<bytes> areas;
        for (std::size_t k = 0; k < n; ++k) areas.push_back(random.take(2 * i.block_size + 90 + k));
        struct placing {
            std::size_t offset;
            std::vector<bytes_view> messages;
            bytes expected;
        };
        std::vector<placing> placings;
        for (std::size_t offset = 0; offset < 64; offset += full_scale() ? 1 : 7) {
            placing p{offset, {}, {}};
            for (std::size_t k = 0; k < n; ++k)
                p.messages.push_back(bytes_view(areas[k]).subspan((offset + 5 * k) % 64));
            p.expected = hashes(i, p.messages);
            placings.push_back(std::move(p));
        }
        for_each_batch_table(i, [&] {
            for (const placing& p : placings) {
                bytes out = repeated(p.expected.size() + 128, 0xa5);
                bytes expected = out;
                put(p.expected, expected, p.offset);
                works(hash_batch(i.variant, p.messages, bytes_span(out).subspan(p.offset)));
                check_bytes(expected, out, "offset ", p.offset);
            }
        });
    });
}

TEST(ApiBatch, EmptyMessages) {
    const bytes_view null;
    const std::byte somewhere[1] = {};
    for_each_variant([&](const lsh_info& i) {
        for (const std::size_t n : {1, 2, 8, 33}) {
            std::vector<bytes_view> messages(n, null);
            messages[n / 2] = bytes_view(somewhere, 0);
            if (n > 8) messages[8] = bytes_of("abc");
            const bytes expected = hashes(i, messages);
            for_each_batch_table(i, [&] {
                check_hashes(i, expected, messages, "empty");
                // Enough of them for every table to have worked.
                const std::vector<bytes_view> many(16, null);
                check_hashes(i, hashes(i, many), many, "null");
            });
        }
        EXPECT_EQ(hash_batch(i.variant, {}, {}), status::ok);
        bytes out = repeated(64, 0xa5);
        EXPECT_EQ(hash_batch(i.variant, {}, out), status::ok);
        EXPECT_EQ(out, repeated(64, 0xa5));
    });
}

// ---- What is refused

// `batch` wants `n` digests. It is refused without room for them, and then nothing is written.
template <class Batch>
void check_room(const lsh_info& i, std::size_t n, Batch batch) {
    const bytes untouched = repeated(n * i.digest_size, 0xa5);
    bytes out = untouched;
    for (const std::size_t size : {n * i.digest_size - 1, (n - 1) * i.digest_size, std::size_t{1}, std::size_t{0}}) {
        check(batch(i.variant, bytes_span(out).first(size)) == status::buffer_too_small, size, " bytes");
    }
    check(batch(no_variant, out) == status::unknown_algorithm, "no variant");
    check(batch(lsh_variant{}, out) == status::unknown_algorithm, "variant 0");
    check_bytes(untouched, out, "after refusals");
}

// Digests of `n` messages in the middle of memory, one input (message or key) at every interesting place in it:
// `batch(input, out)` is refused with the area untouched if they have a byte in common and works otherwise.
template <class Batch>
void check_overlap(const lsh_info& i, std::size_t n, Batch batch) {
    random_source random = seeded(110);
    const std::size_t size = n * i.digest_size;
    const bytes before = random.take(size + 2000);
    constexpr std::size_t start = 800;
    const auto place = [&](std::size_t at, std::size_t length, const char* what) {
        bytes area = before;
        const bytes_view input = bytes_view(area).subspan(at, length);
        const bytes copied = copy_of(input);
        // All that is behind the digests may be used as well.
        const status s = batch(input, bytes_span(area).subspan(start));
        const bool apart = length == 0 || at + length <= start || at >= start + size;
        check(s == (apart ? status::ok : status::overlap), what, ": ", to_string(s), ", ", n, " messages");
        bytes expected = before;
        if (apart) {
            bytes digests(size);
            check(batch(copied, digests) == status::ok, "apart");
            put(digests, expected, start);
        }
        check_bytes(expected, area, what, ", ", n, " messages");
    };
    place(start - 300, 300, "touches the front");
    place(start - 300, 301, "one byte at the front");
    place(start + size, 300, "touches the end");
    place(start + size - 1, 300, "one byte at the end");
    place(start, size, "the same memory");
    place(start, 1, "the first byte");
    place(start + size - 1, 1, "the last byte");
    place(start - 1, size + 2, "around it");
    place(start + size / 2, 5, "inside");
    place(start + size / 2, 0, "empty inside");
    place(start + size + 100, 200, "behind, in what the span has more");
}

TEST(ApiBatch, MisuseIsRefusedAndChangesNothing) {
    random_source random = seeded(111);
    const std::vector<bytes> messages = random_messages(random, 40, 500);
    const auto views = views_of(messages);
    for_each_variant([&](const lsh_info& i) {
        for (const std::size_t n : {1, 2, 40}) {
            const auto some = std::span(views).first(n);
            check_room(i, n, [&](lsh_variant v, bytes_span out) { return hash_batch(v, some, out); });
            for (std::size_t position = 0; position < n; position += n < 40 || full_scale() ? 1 : 13) {
                auto list = copy_of_views(some);
                check_overlap(i, n, [&](bytes_view input, bytes_span out) {
                    list[position] = input;
                    return hash_batch(i.variant, list, out);
                });
            }
        }
        EXPECT_EQ(hash_batch(no_variant, {}, {}), status::unknown_algorithm);
    });
}

// ---- hmac_batch

std::vector<std::size_t> key_lengths(const lsh_info& i) {
    return {0, 1, 32, i.block_size - 1, i.block_size, i.block_size + 1, 200, 3 * i.block_size + 5};
}

TEST(ApiBatchHmac, OneKey) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(120);
        const std::vector<bytes> messages = random_messages(random, 40, 700);
        const auto views = views_of(messages);
        std::vector<bytes> keys;
        std::vector<bytes> expected;
        for (const std::size_t n : key_lengths(i)) {
            keys.push_back(random.take(n));
            const bytes_view key = keys.back();
            expected.push_back(macs_of(i, {&key, 1}, views));
        }
        for_each_batch_table(i, [&] {
            for (std::size_t k = 0; k < keys.size(); ++k) {
                for (const std::size_t n : {0, 1, 2, 7, 16, 40}) {
                    const bytes first = copy_of(bytes_view(expected[k]).first(n * i.digest_size));
                    check_batch(
                        first,
                        [&](bytes_span out) { return hmac_batch(i.variant, keys[k], std::span(views).first(n), out); },
                        n, " messages, a key of ", keys[k].size());
                }
            }
        });
    });
}

TEST(ApiBatchHmac, AKeyEach) {
    for_each_variant([](const lsh_info& i) {
        random_source random = seeded(121);
        const auto lengths = key_lengths(i);
        const std::vector<bytes> messages = random_messages(random, 300, 300);
        std::vector<bytes> keys;
        for (std::size_t k = 0; k < messages.size(); ++k)
            keys.push_back(random.take(lengths[random.below(lengths.size())]));
        const auto views = views_of(messages);
        auto key_views = views_of(keys);
        key_views[17] = key_views[16];
        key_views[18] = {};
        const bytes expected = macs_of(i, key_views, views);
        std::vector<std::size_t> numbers = {0, 1, 2, 8, 16, 31, 32, 33, 64, 65, 255, 256, 257, 300};
        if (options().at == scale::emulator) numbers = {1, 8, 33, 65};
        for_each_batch_table(i, [&] {
            for (const std::size_t n : numbers) {
                const std::size_t first = (7 * n) % (views.size() - n + 1);
                check_batch(
                    copy_of(bytes_view(expected).subspan(first * i.digest_size, n * i.digest_size)),
                    [&](bytes_span out) {
                        return hmac_batch(i.variant, std::span(key_views).subspan(first, n),
                                          std::span(views).subspan(first, n), out);
                    },
                    n, " messages with a key each");
            }
        });
    });
}

TEST(ApiBatchHmac, KeysAndMessagesUnchangedBetweenGuardPages) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(122);
        std::vector<std::unique_ptr<guarded>> memory;
        const auto guard = [&](const bytes& data, bool front) {
            memory.push_back(std::make_unique<guarded>(data.size()));
            return bytes_view(memory.back()->at(front, bytes_view(data)));
        };
        std::vector<bytes> keys;
        std::vector<bytes> messages;
        std::vector<bytes_view> keys_there;
        std::vector<bytes_view> messages_there;
        const auto lengths = key_lengths(i);
        for (std::size_t k = 0; k < 40; ++k) {
            keys.push_back(random.take(lengths[k % lengths.size()]));
            messages.push_back(random.take(k % 4 * i.block_size + (k % 3 == 0 ? 0 : random.below(90))));
            keys_there.push_back(guard(keys[k], k / 8 % 2 != 0));
            messages_there.push_back(guard(messages[k], k % 2 != 0));
        }
        const bytes expected = macs_of(i, views_of(keys), views_of(messages));
        for_each_batch_table(i, [&] {
            check_batch(
                expected, [&](bytes_span out) { return hmac_batch(i.variant, keys_there, messages_there, out); },
                "guarded");
            for (std::size_t k = 0; k < keys.size(); ++k) {
                check_bytes(keys[k], keys_there[k], "key ", k, " changed");
                check_bytes(messages[k], messages_there[k], "message ", k, " changed");
            }
        });
    });
}

TEST(ApiBatchHmac, MisuseIsRefusedAndChangesNothing) {
    random_source random = seeded(123);
    const std::vector<bytes> messages = random_messages(random, 40, 500);
    const std::vector<bytes> keys = random_messages(random, 41, 300);
    const auto views = views_of(messages);
    const auto key_views = views_of(keys);
    for_each_variant([&](const lsh_info& i) {
        for (const std::size_t n : {1, 2, 40}) {
            const auto some = std::span(views).first(n);
            const auto their_keys = std::span(key_views).first(n);
            check_room(i, n, [&](lsh_variant v, bytes_span out) { return hmac_batch(v, keys[0], some, out); });
            check_room(i, n, [&](lsh_variant v, bytes_span out) { return hmac_batch(v, their_keys, some, out); });
            auto list = copy_of_views(some);
            auto key_list = copy_of_views(their_keys);
            for (const std::size_t position : {std::size_t{0}, n - 1}) {
                check_overlap(i, n, [&](bytes_view input, bytes_span out) {
                    list = copy_of_views(some);
                    list[position] = input;
                    return hmac_batch(i.variant, keys[1], list, out);
                });
                check_overlap(i, n, [&](bytes_view input, bytes_span out) {
                    list = copy_of_views(some);
                    list[position] = input;
                    return hmac_batch(i.variant, their_keys, list, out);
                });
                check_overlap(i, n, [&](bytes_view input, bytes_span out) {
                    key_list = copy_of_views(their_keys);
                    key_list[position] = input;
                    return hmac_batch(i.variant, key_list, some, out);
                });
            }
            check_overlap(i, n,
                          [&](bytes_view input, bytes_span out) { return hmac_batch(i.variant, input, some, out); });
            bytes out = repeated(n * i.digest_size, 0xa5);
            for (const std::size_t wrong : {std::size_t{0}, n - 1, n + 1}) {
                const status s = hmac_batch(i.variant, std::span(key_views).first(wrong), some, out);
                check(s == status::wrong_count, wrong, " keys for ", n, ": ", to_string(s));
            }
            check(hmac_batch(i.variant, their_keys, {}, out) == status::wrong_count, "no message");
            check_bytes(repeated(out.size(), 0xa5), out, "after refusals");
        }
        EXPECT_EQ(hmac_batch(i.variant, bytes_view(), {}, {}), status::ok);
        EXPECT_EQ(hmac_batch(i.variant, std::span<const bytes_view>(), {}, {}), status::ok);
    });
}

// ---- update_batch

// Streams of all variants that have begun, what is added to each in turns, and how they end.
class traffic {
  public:
    traffic(random_source& random, std::size_t streams, std::size_t turns) {
        for (std::size_t k = 0; k < streams; ++k) {
            const lsh_info& i = lsh_variants()[random.below(lsh_variants().size())];
            const std::size_t b = i.block_size;
            const std::size_t lengths[] = {0, 1, b - 1, b, b + 1, 2 * b - 1, 2 * b, 2 * b + 1, 5 * b, 17};
            stream s{&i, {}, {}, {}};
            s.before = random.take(random.below(3) == 0 ? 0 : random.below(2 * b + 1));
            bytes all = s.before;
            for (std::size_t turn = 0; turn < turns; ++turn) {
                const std::size_t n = random.below(2) == 0   ? lengths[random.below(std::size(lengths))]
                                      : random.below(3) == 0 ? b - all.size() % b  // just fills the buffer
                                                             : random.below(4 * b);
                s.pieces.push_back(random.take(n));
                all.insert(all.end(), s.pieces.back().begin(), s.pieces.back().end());
            }
            s.digest = hash(i, all);
            streams_.push_back(std::move(s));
        }
    }

    std::vector<lsh> begun() const {
        std::vector<lsh> objects;
        for (const stream& s : streams_) {
            objects.emplace_back(s.info->variant);
            objects.back().update(s.before);
        }
        return objects;
    }
    std::vector<bytes_view> pieces(std::size_t turn) const {
        std::vector<bytes_view> views;
        for (const stream& s : streams_) views.emplace_back(s.pieces[turn]);
        return views;
    }
    template <class... What>
    void check_ends(std::vector<lsh>& objects, const What&... what) const {
        for (std::size_t k = 0; k < objects.size(); ++k) {
            check_bytes(streams_[k].digest, finish(objects[k]), "stream ", k, ' ', streams_[k].info->name, ' ',
                        what...);
        }
    }
    bool unchanged(std::size_t turn, std::span<const bytes_view> views) const {
        for (std::size_t k = 0; k < views.size(); ++k) {
            const bytes& piece = streams_[k].pieces[turn];
            if (views[k].data() != piece.data() || views[k].size() != piece.size()) return false;
        }
        return true;
    }

  private:
    struct stream {
        const lsh_info* info;
        bytes before;
        std::vector<bytes> pieces;
        bytes digest;
    };
    std::vector<stream> streams_;
};

// On every table of both cores.
template <class Function>
void for_each_batch_table_of_both(Function f) {
    for_each_batch_table_of<lsh256_lanes_table>(f);
    for_each_batch_table_of<lsh512_lanes_table>(f);
}

TEST(ApiBatchUpdate, StreamsOfAllVariants) {
    random_source random = seeded(130);
    std::vector<std::size_t> numbers = {40, 0, 1, 2, 9, 17, 255, 257, 300};
    if (options().at == scale::emulator) numbers = {40, 1};
    if (full_scale()) numbers.insert(numbers.end(), {3, 4, 5, 6, 7, 8, 10, 16, 33, 128, 256, 1000});
    for (const std::size_t n : numbers) {
        const std::size_t turns = n < 100 ? 6 : 2;
        const traffic t(random, n, turns);
        const traffic enough(random, 150, 1);  // for every table to have worked
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(n) + " streams");
        for_each_batch_table_of_both([&] {
            const auto run = [](const traffic& some, std::size_t how_many) {
                std::vector<lsh> objects = some.begun();
                const auto pointers = pointers_to(objects);
                for (std::size_t turn = 0; turn < how_many; ++turn) {
                    const auto views = some.pieces(turn);
                    works(update_batch(pointers, views), "turn ", turn);
                    check(some.unchanged(turn, views), "views changed");
                }
                some.check_ends(objects, "of ", objects.size());
            };
            run(t, turns);
            if (n < 100) run(enough, 1);
        });
    }
}

// Pieces of the same length for streams with the same amount buffered: every pair of the two.
TEST(ApiBatchUpdate, BufferedAmountsAndLengths) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(131);
        const std::size_t b = i.block_size;
        const std::size_t amounts[] = {0, 1, b / 2, b - 1};
        const std::size_t lengths[] = {0, 1,     b / 2 - 1, b / 2, b / 2 + 1, b - 1,
                                       b, b + 1, 2 * b - 1, 2 * b, 2 * b + 1, 3 * b};
        constexpr std::size_t n = 11;
        for (const std::size_t amount : amounts) {
            for (const std::size_t length : lengths) {
                const std::vector<bytes> before(n, random.take(amount));
                std::vector<bytes> pieces;
                bytes expected;
                for (std::size_t k = 0; k < n; ++k) {
                    pieces.push_back(random.take(length));
                    bytes all = before[k];
                    all.insert(all.end(), pieces[k].begin(), pieces[k].end());
                    const bytes digest = hash(i, all);
                    expected.insert(expected.end(), digest.begin(), digest.end());
                }
                const auto run = [&] {
                    std::vector<lsh> objects;
                    for (std::size_t k = 0; k < n; ++k) objects.emplace_back(i.variant).update(before[k]);
                    works(update_batch(pointers_to(objects), views_of(pieces)));
                    bytes digests;
                    for (lsh& o : objects) {
                        const bytes digest = finish(o);
                        digests.insert(digests.end(), digest.begin(), digest.end());
                    }
                    check_bytes(expected, digests, amount, " buffered, pieces of ", length);
                };
                if (amount + length >= b) {
                    for_each_batch_table(i, run);
                } else {
                    run();
                }
            }
        }
    });
}

TEST(ApiBatchUpdate, FinishedStreamsAreLeftAlone) {
    random_source random = seeded(132);
    for (const std::size_t n : {1, 5, 40}) {
        const traffic t(random, n, 1);
        std::vector<lsh> objects = t.begun();
        std::vector<std::size_t> ended;
        bytes digest(64);
        for (std::size_t k = 0; k < n; k += 3) {
            EXPECT_EQ(objects[k].finish(digest), status::ok);
            ended.push_back(k);
        }
        EXPECT_EQ(update_batch(pointers_to(objects), t.pieces(0)), status::ok);
        std::vector<lsh> others = t.begun();
        EXPECT_EQ(update_batch(pointers_to(others), t.pieces(0)), status::ok);
        for (std::size_t k = 0; k < n; ++k) {
            bytes out = repeated(64, 0xa5);
            if (std::ranges::find(ended, k) != ended.end()) {
                EXPECT_EQ(objects[k].finish(out), status::finished) << k;
                EXPECT_EQ(out, repeated(64, 0xa5)) << k;
                // reset brings it back.
                objects[k].reset();
                objects[k].update(bytes_of("abc"));
                EXPECT_EQ(finish(objects[k]), hash(*find_lsh(objects[k].variant()), bytes_of("abc"))) << k;
            } else {
                EXPECT_EQ(finish(objects[k]), finish(others[k])) << k;
            }
        }
    }
}

TEST(ApiBatchUpdate, WrongCount) {
    random_source random = seeded(133);
    const traffic t(random, 40, 1);
    std::vector<lsh> objects = t.begun();
    const auto pointers = pointers_to(objects);
    const auto views = t.pieces(0);
    EXPECT_EQ(update_batch(pointers, std::span(views).first(39)), status::wrong_count);
    EXPECT_EQ(update_batch(std::span(pointers).first(39), views), status::wrong_count);
    EXPECT_EQ(update_batch(pointers, {}), status::wrong_count);
    EXPECT_EQ(update_batch({}, views), status::wrong_count);
    EXPECT_EQ(update_batch({}, {}), status::ok);
    // Nothing has happened so far.
    EXPECT_EQ(update_batch(pointers, views), status::ok);
    t.check_ends(objects, "after refusals");
}

TEST(ApiBatchUpdate, OnePieceForAll) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(134);
        const bytes piece = random.take(5 * i.block_size + 3);
        const std::vector<bytes_view> pieces(20, piece);
        for_each_batch_table(i, [&] {
            std::vector<lsh> objects(20, lsh(i.variant));
            for (std::size_t k = 0; k < objects.size(); ++k) objects[k].update(bytes_view(piece).first(k));
            works(update_batch(pointers_to(objects), pieces));
            for (std::size_t k = 0; k < objects.size(); ++k) {
                bytes all = copy_of(bytes_view(piece).first(k));
                all.insert(all.end(), piece.begin(), piece.end());
                check_bytes(hash(i, all), finish(objects[k]), "stream ", k);
            }
        });
    });
}

// ---- Threads and progress

// One of the three functions on a list of messages, for what they have in common.
class batch_function {
  public:
    batch_function(const lsh_info& i, random_source& random, std::size_t n, std::size_t longest)
        : info_(i), messages_(random_messages(random, n, longest)), keys_(random_messages(random, n + 1, 200)) {
        views_ = views_of(messages_);
        key_views_ = views_of(keys_);
        key_views_.resize(n);
        hashes_ = hashes(i, views_);
        const bytes_view key = keys_[0];
        one_key_ = macs_of(i, {&key, 1}, views_);
        own_keys_ = macs_of(i, key_views_, views_);
    }
    std::size_t size() const { return views_.size(); }

    // f(expected digests, run, name); run(out, options) is a status.
    template <class Function>
    void for_each(Function f) const {
        f(
            hashes_,
            [this](bytes_span out, const batch_options& o) { return hash_batch(info_.variant, views_, out, o); },
            "hash_batch");
        f(
            one_key_,
            [this](bytes_span out, const batch_options& o) {
                return hmac_batch(info_.variant, keys_[0], views_, out, o);
            },
            "hmac_batch, one key");
        f(
            own_keys_,
            [this](bytes_span out, const batch_options& o) {
                return hmac_batch(info_.variant, key_views_, views_, out, o);
            },
            "hmac_batch, a key each");
        f(
            hashes_,
            [this](bytes_span out, const batch_options& o) {
                std::vector<lsh> objects(views_.size(), lsh(info_.variant));
                const status s = update_batch(pointers_to(objects), views_, o);
                for (std::size_t k = 0; k < objects.size(); ++k) {
                    const bytes digest = finish(objects[k]);
                    std::ranges::copy(digest, out.subspan(k * info_.digest_size).begin());
                }
                return s;
            },
            "update_batch");
    }

  private:
    const lsh_info& info_;
    std::vector<bytes> messages_;
    std::vector<bytes> keys_;
    std::vector<bytes_view> views_;
    std::vector<bytes_view> key_views_;
    bytes hashes_;
    bytes one_key_;
    bytes own_keys_;
};

// A table of made-up forms, of numbers of lanes that no register has.
template <class Table, std::uint32_t lanes>
void made_up(lanes_word<Table>* const* cvs, const std::uint8_t* const* blocks, std::size_t count) {
    for (std::uint32_t i = 0; i < lanes; ++i) lanes_core<Table>::single_portable().compress(cvs[i], blocks[i], count);
}

template <class Table, std::uint32_t... lanes>
void check_made_up() {
    static constexpr Table table = lsh_planned<lanes_word<Table>>(
        {cpu::head(cpu::level::portable), sizeof...(lanes), {{lanes, 100 + 10 * lanes, made_up<Table, lanes>}...}});
    const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(table.forms[0].lanes) + " lanes and fewer");
    for_each_core([&](const lsh_info& i) {
        if (i.block_size != 32 * sizeof(lanes_word<Table>)) return;
        random_source random = seeded(135);
        for (std::size_t n = 0; n <= 50; n += options().at == scale::emulator ? 9 : 1) {
            const batch_function b(i, random, n, n % 3 == 0 ? 3 * i.block_size : 600);
            lanes_core<Table>::tables().force(&table);
            b.for_each([&](const bytes& expected, const auto& run, const char* function) {
                check_batch(expected, [&](bytes_span out) { return run(out, {}); }, function, " of ", n);
            });
            lanes_core<Table>::tables().force(nullptr);
        }
    });
}

TEST(ApiBatch, FormsOfAnyWidth) {
    check_made_up<lsh256_lanes_table, 16, 7, 3>();
    check_made_up<lsh512_lanes_table, 16, 7, 3>();
    check_made_up<lsh256_lanes_table, 13, 6>();
    check_made_up<lsh512_lanes_table, 5, 3, 2>();
    check_made_up<lsh256_lanes_table, 2>();
    check_made_up<lsh512_lanes_table, 16>();
}

void check_on(executor& e, const char* name) {
    for_each_core([&](const lsh_info& i) {
        random_source random = seeded(140);
        for (const std::size_t n : {0, 1, 15, 33, 300, 1000}) {
            if (n > 300 && options().at == scale::emulator) continue;
            const batch_function b(i, random, n, 600);
            b.for_each([&](const bytes& expected, const auto& run, const char* function) {
                check_batch(expected, [&](bytes_span out) { return run(out, on(&e)); }, function, " of ", n, ' ', name);
            });
        }
        // One long message among short ones, whichever thread gets it.
        std::vector<bytes> messages = random_messages(random, 600, 40);
        messages[random.below(600)] = random.take(scaled(3'000'000));
        const auto views = views_of(messages);
        check_batch(hashes(i, views), [&](bytes_span out) { return hash_batch(i.variant, views, out, on(&e)); }, name);
    });
}

TEST(ApiBatchThreads, ApplicationsOwnExecutor) {
    for (const std::size_t concurrency : {1, 2, 3, 64}) {
        inline_executor e(concurrency);
        check_on(e, "inline");
        EXPECT_TRUE(concurrency == 1 || e.runs > 0);
    }
    eager_executor e;
    check_on(e, "a thread each");
}

TEST(ApiBatchThreads, Pool) {
    for (const std::size_t threads : {1, 2, 3}) {
        thread_pool pool(threads);
        check_on(pool, "thread_pool");
    }
}

TEST(ApiBatchThreads, RefusalsNeedNoThreads) {
    inline_executor e(3);
    const lsh_info& i = *find_lsh(lsh_variant::lsh256_256);
    const std::vector<bytes_view> messages(100, bytes_of("abc"));
    bytes out = repeated(100 * i.digest_size, 0xa5);
    batch_options o = on(&e);
    bool called = false;
    o.progress = [&](std::size_t) { return called = true; };
    const bytes_span small = bytes_span(out).first(out.size() - 1);
    EXPECT_EQ(hash_batch(i.variant, messages, small, o), status::buffer_too_small);
    EXPECT_EQ(hash_batch(no_variant, messages, out, o), status::unknown_algorithm);
    EXPECT_EQ(hmac_batch(i.variant, bytes_of("key"), messages, small, o), status::buffer_too_small);
    EXPECT_EQ(hmac_batch(i.variant, std::span(messages).first(99), messages, out, o), status::wrong_count);
    const auto overlapping = [&] {
        auto list = messages;
        list[57] = bytes_view(out).last(1);
        return list;
    }();
    EXPECT_EQ(hash_batch(i.variant, overlapping, out, o), status::overlap);
    EXPECT_EQ(hmac_batch(i.variant, bytes_of("key"), overlapping, out, o), status::overlap);
    EXPECT_EQ(hmac_batch(i.variant, overlapping, messages, out, o), status::overlap);
    EXPECT_EQ(out, repeated(out.size(), 0xa5));
    EXPECT_EQ(e.runs, 0U);
    EXPECT_FALSE(called);
}

// Several threads of the application with one pool, and batches within tasks of that pool.
TEST(ApiBatchThreads, OnePoolForManyBatches) {
    const lsh_info& i = *find_lsh(lsh_variant::lsh512_256);
    random_source random = seeded(141);
    const std::vector<bytes> messages = random_messages(random, 200, 500);
    const auto views = views_of(messages);
    const bytes expected = hashes(i, views);
    thread_pool pool(2);
    constexpr std::size_t batches = 6;
    struct work {
        const lsh_info& info;
        const std::vector<bytes_view>& messages;
        executor& threads;
        std::vector<bytes> digests;
        std::vector<status> statuses;
        static void one(void* context, std::size_t index) {
            auto& w = *static_cast<work*>(context);
            w.statuses[index] = hash_batch(w.info.variant, w.messages, w.digests[index], on(&w.threads));
        }
    };
    const bytes empty(expected.size());
    work w{i, views, pool, std::vector<bytes>(2 * batches, empty), std::vector<status>(2 * batches, status::cancelled)};
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < batches; ++k) threads.emplace_back(work::one, &w, k);
    pool.run(batches, [](void* context, std::size_t index) { work::one(context, batches + index); }, &w);
    for (std::thread& t : threads) t.join();
    for (std::size_t k = 0; k < 2 * batches; ++k) {
        EXPECT_EQ(w.statuses[k], status::ok);
        check_bytes(expected, w.digests[k], "batch ", k);
    }
}

// f(executor or null, name)
template <class Function>
void for_each_executor(Function f) {
    f(static_cast<executor*>(nullptr), "no executor");
    inline_executor own(3);
    f(&own, "inline");
    eager_executor eager;
    f(&eager, "a thread each");
    thread_pool pool(3);
    f(&pool, "thread_pool");
}

TEST(ApiBatchProgress, CountsUpToTheEnd) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(150);
        for (const std::size_t n : {1, 20, 255, 256, 257, 1000}) {
            if (n > 257 && options().at == scale::emulator) continue;
            const batch_function b(i, random, n, 300);
            for_each_executor([&](executor* e, const char* name) {
                b.for_each([&](const bytes& expected, const auto& run, const char* function) {
                    std::vector<std::size_t> counts;
                    std::atomic<int> inside = 0;
                    bool alone = true;
                    bool written = true;
                    bytes_span digests;
                    batch_options o = on(e);
                    o.progress = [&](std::size_t done) {
                        alone = inside.fetch_add(1) == 0 && alone;
                        counts.push_back(done);
                        if (e == nullptr && std::string_view(function) != "update_batch") {  // nobody else writes now
                            std::size_t there = 0;
                            for (std::size_t k = 0; k < n; ++k) {
                                const auto one = digests.subspan(k * i.digest_size, i.digest_size);
                                there += std::ranges::equal(
                                    one, bytes_view(expected).subspan(k * i.digest_size, i.digest_size));
                            }
                            written = there >= done && written;
                        }
                        inside.fetch_sub(1);
                        return true;
                    };
                    const auto noting = [&](bytes_span out) { return run(digests = out, o); };
                    check_batch(expected, noting, function, " of ", n, ' ', name);
                    check(written, "progress counts what is not written yet, ", function, ' ', name);
                    check(alone, "two calls of progress at a time");
                    check(std::ranges::is_sorted(counts), "counts fall, ", function, ' ', name);
                    check(!counts.empty() && counts.front() > 0 && counts.back() == n, "progress ends at ",
                          counts.empty() ? 0 : counts.back(), " of ", n, ", ", function, ' ', name);
                });
            });
        }
    });
}

TEST(ApiBatchProgress, Cancelling) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(151);
        const std::size_t n = options().at == scale::emulator ? 700 : 2500;
        const batch_function b(i, random, n, 60);
        for_each_executor([&](executor* e, const char* name) {
            b.for_each([&](const bytes& expected, const auto& run, const char* function) {
                const bool streams = std::string_view(function) == "update_batch";
                const bytes unwritten = streams ? hash(i, {}) : bytes(i.digest_size);
                for (const std::size_t calls : {1, 2, 3}) {
                    std::size_t called = 0;
                    std::size_t at = 0;
                    batch_options o = on(e);
                    o.progress = [&](std::size_t done) {
                        if (++called == calls) at = done;
                        return called < calls;
                    };
                    bytes out = repeated(expected.size() + 64, 0xa5);
                    const status s = run(out, o);
                    std::size_t right = 0;
                    for (std::size_t k = 0; k < n; ++k) {
                        const bytes_view digest = bytes_view(out).subspan(k * i.digest_size, i.digest_size);
                        const bytes_view wanted = bytes_view(expected).subspan(k * i.digest_size, i.digest_size);
                        if (std::ranges::equal(digest, wanted)) {
                            ++right;
                        } else if (!check_bytes(unwritten, digest, "digest ", k, ", ", function, ' ', name)) {
                            break;
                        }
                    }
                    check_bytes(repeated(64, 0xa5), bytes_view(out).last(64), "behind the digests");
                    const char* const after = called < calls ? "never cancelled" : "cancelled";
                    check(s == (called < calls || at == n ? status::ok : status::cancelled), to_string(s), ", ", after,
                          " at ", at, ", ", function, ' ', name);
                    check(right >= at && (s != status::ok || right == n), right, " digests, ", after, " at ", at, ", ",
                          function, ' ', name);
                    // One thread alone begins nothing more. An empty message's digest is right for a stream left alone.
                    if (e == nullptr && s == status::cancelled) {
                        check(called == calls && at < n && (streams || right == at), right, " digests, ", at, " done, ",
                              function);
                    }
                }
            });
        });
    });
}

// Nothing is left to cancel when all is done.
TEST(ApiBatchProgress, FalseAtTheEnd) {
    for_each_core([](const lsh_info& i) {
        random_source random = seeded(152);
        const batch_function b(i, random, 90, 300);
        for_each_executor([&](executor* e, const char* name) {
            b.for_each([&](const bytes& expected, const auto& run, const char* function) {
                batch_options o = on(e);
                o.progress = [&](std::size_t done) { return done != 90; };
                check_batch(expected, [&](bytes_span out) { return run(out, o); }, function, ' ', name);
            });
        });
    });
}

}  // namespace
}  // namespace hwacha::test
