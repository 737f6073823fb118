// LEA-GCM over many records: under one key and under a key each. Nonces, lengths, AAD and ciphertexts are public.
#include <hwacha/lea_batch.hpp>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

constexpr std::size_t record_count = 43;
constexpr std::size_t tag_size = 16;

void gcm_batch(run& r, bool one_key) {
    std::vector<lea_gcm> made;
    for (unsigned k = 0; k < (one_key ? 1 : record_count); ++k) made.emplace_back(r.secret(key_sizes[k % 3], 600 + k));
    std::vector<const lea_gcm*> keys;
    for (std::size_t k = 0; k < record_count; ++k) keys.push_back(&made[k % made.size()]);

    std::vector<bytes> nonces, texts, sealed, opened;
    std::vector<lea_gcm_record> records;
    for (unsigned k = 0; k < record_count; ++k) {
        nonces.push_back(test::counting(k % 7 == 3 ? 20 : 12, k));
        texts.push_back(r.secret(text_sizes[k % std::size(text_sizes)], 700 + k));
        sealed.emplace_back(texts.back().size() + tag_size);
        opened.emplace_back(texts.back().size());
    }
    const bytes aad = test::pattern(21);
    for (std::size_t k = 0; k < record_count; ++k) records.push_back({nonces[k], aad, texts[k], sealed[k]});
    r.publish(one_key ? seal_batch(made[0], records) : seal_batch(keys, records));
    for (std::size_t k = 0; k < record_count; ++k) {
        r.publish(records[k].result);
        r.publish(sealed[k]);
        // Every fifth is refused: which ones is public.
        if (k % 5 == 4) sealed[k].back() ^= std::byte{1};
        records[k] = {nonces[k], aad, sealed[k], opened[k]};
    }
    r.publish(one_key ? open_batch(made[0], records) : open_batch(keys, records));
    for (std::size_t k = 0; k < record_count; ++k) {
        r.publish(records[k].result);
        if (k % 5 == 4) {
            r.publish_public(opened[k]);
        } else {
            r.publish(opened[k]);
        }
    }
}

constexpr named_case cases[] = {
    {"lea-gcm-batch-one-key", [](run& r) { gcm_batch(r, true); }},
    {"lea-gcm-batch-many-keys", [](run& r) { gcm_batch(r, false); }},
};

}  // namespace

std::span<const named_case> batch_cases() {
    return cases;
}

}  // namespace hwacha::ct
