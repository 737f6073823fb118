// The known answers of LSH and HMAC-LSH in batches: all of a variant at once, and all of all variants as streams.
#include <hwacha/lsh_batch.hpp>

#include "simd/lanes.hpp"
#include "support/records.hpp"

namespace hwacha::test {
namespace {

struct answer {
    std::string where;
    const lsh_info* info;
    bytes key;  // of HMAC
    bytes message;
    std::size_t bits;
    bytes output;
};

struct answers {
    std::vector<answer> hashes;
    std::vector<answer> macs;
};

// The variant that a file's name begins with, after HMAC: LSH256-224_ShortMsg.txt, HMAC-LSH-512-512.rsp,
// LSH-256-224.kat.
const lsh_info* variant_of(std::string_view name, bool& hmac) {
    hmac = name.starts_with("HMAC-");
    if (hmac) name.remove_prefix(5);
    return find_lsh(name.substr(0, name.find_first_of("_.")));
}

void read_official(const std::string& folder, answers& all) {
    for (const std::string& name : official_names(folder)) {
        bool hmac = false;
        const lsh_info* const info = variant_of(name, hmac);
        ASSERT_NE(info, nullptr) << name;
        const bool cavp = folder == "lsh-cavp";
        auto file = official_file(folder, name, cavp ? first_record::header : first_record::data);
        ASSERT_TRUE(file.has_value()) << name;
        ASSERT_FALSE(file->records.empty()) << name;
        for (record& r : file->records) {
            answer a{r.where(), info, {}, r.take_hex("Msg"), 0, r.take_hex(hmac ? "Mac" : "MD")};
            if (hmac) {
                a.key = r.take_hex("Key");
                a.bits = 8 * a.message.size();
            } else {
                a.bits = r.take_number("Len");
                if (a.bits == 0) a.message.clear();
            }
            ASSERT_EQ(a.message.size(), (a.bits + 7) / 8) << a.where;
            (hmac ? all.macs : all.hashes).push_back(std::move(a));
        }
    }
}

void read_own(answers& all) {
    for (const own_file& f : own_files) {
        bool hmac = false;
        const lsh_info* const info = variant_of(f.name, hmac);
        if (info == nullptr) continue;
        record_file file = own_records(f.name);
        ASSERT_FALSE(file.records.empty()) << f.name;
        for (record& r : file.records) {
            answer a{r.where(), info, {}, {}, 0, r.take_hex(hmac ? "mac" : "digest")};
            if (hmac) a.key = r.take_hex("key");
            if (!hmac) a.bits = r.take_number("bits");
            if (r.has("message")) {
                a.message = r.take_hex("message");
            } else {
                const std::string rule = r.take("pattern");
                ASSERT_TRUE(rule == "counting" || rule == "mod251") << a.where;
                a.message = rule == "counting" ? counting((a.bits + 7) / 8) : pattern((a.bits + 7) / 8);
            }
            if (hmac) a.bits = 8 * a.message.size();
            ASSERT_EQ(a.message.size(), (a.bits + 7) / 8) << a.where;
            (hmac ? all.macs : all.hashes).push_back(std::move(a));
        }
    }
}

// Every answer that is at hand, shuffled: short ones, long ones and those of all files side by side.
const answers& all_answers() {
    static const answers all = [] {
        answers read;
        read_own(read);
        read_official("lsh-cavp", read);
        read_official("lsh-kisa", read);
        random_source random = seeded(160);
        for (auto* list : {&read.hashes, &read.macs}) {
            for (std::size_t k = list->size(); k > 1; --k) std::swap((*list)[k - 1], (*list)[random.below(k)]);
        }
        return read;
    }();
    return all;
}

template <class Fits>
std::vector<const answer*> those(const std::vector<answer>& list, Fits fits) {
    std::vector<const answer*> found;
    for (const answer& a : list) {
        if (fits(a)) found.push_back(&a);
    }
    return found;
}

void check_outputs(const std::vector<const answer*>& list, bytes_view outputs) {
    for (const answer* a : list) {
        check_bytes(a->output, outputs.first(a->output.size()), a->where);
        outputs = outputs.subspan(a->output.size());
    }
}

TEST(KatBatch, HashesOfAVariantAtOnce) {
    for (const lsh_info& i : lsh_variants()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        const auto list = those(all_answers().hashes, [&](const answer& a) { return a.info == &i && a.bits % 8 == 0; });
        EXPECT_GE(list.size(), 25U);
        std::vector<bytes_view> messages;
        for (const answer* a : list) messages.emplace_back(a->message);
        bytes digests(list.size() * i.digest_size);
        for_each_batch_table(i, [&] {
            std::ranges::fill(digests, std::byte{0});
            works(hash_batch(i.variant, messages, digests));
            check_outputs(list, digests);
        });
    }
}

TEST(KatBatch, MacsOfAVariantAtOnce) {
    for (const lsh_info& i : lsh_variants()) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        auto list = those(all_answers().macs, [&](const answer& a) { return a.info == &i; });
        if (i.variant == lsh_variant::lsh256_256 || i.variant == lsh_variant::lsh512_512) {
            EXPECT_GE(list.size(), 2U);  // as many as the repository carries
        }
        if (list.empty()) continue;
        while (list.size() < 40) list.push_back(list[list.size() / 2]);  // enough for every table to work
        std::vector<bytes_view> keys;
        std::vector<bytes_view> messages;
        for (const answer* a : list) {
            keys.emplace_back(a->key);
            messages.emplace_back(a->message);
        }
        bytes macs(list.size() * i.digest_size);
        for_each_batch_table(i, [&] {
            std::ranges::fill(macs, std::byte{0});
            works(hmac_batch(i.variant, keys, messages, macs));
            check_outputs(list, macs);
        });
    }
}

// Also those whose length is no number of bytes.
TEST(KatBatch, StreamsOfAllVariantsAtOnce) {
    const std::vector<answer>& list = all_answers().hashes;
    const auto run = [&] {
        std::vector<lsh> objects;
        std::vector<lsh*> streams;
        objects.reserve(list.size());
        for (const answer& a : list) streams.push_back(&objects.emplace_back(a.info->variant));
        for (const bool second : {false, true}) {
            std::vector<bytes_view> pieces;
            for (const answer& a : list) {
                const bytes_view whole = bytes_view(a.message).first(a.bits / 8);
                const std::size_t half = whole.size() / 2;
                pieces.push_back(second ? whole.subspan(half) : whole.first(half));
            }
            works(update_batch(streams, pieces));
        }
        for (std::size_t k = 0; k < list.size(); ++k) {
            const answer& a = list[k];
            const auto rest = static_cast<unsigned>(a.bits % 8);
            check_bytes(a.output, rest == 0 ? finish(objects[k]) : finish_bits(objects[k], a.message.back(), rest),
                        a.where);
        }
    };
    for_each_batch_table_of<lsh256_lanes_table>(run);
    for_each_batch_table_of<lsh512_lanes_table>(run);
}

}  // namespace
}  // namespace hwacha::test
