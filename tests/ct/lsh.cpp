// LSH and HMAC-LSH, one message and batches.
#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lsh_batch.hpp>

#include "ct/ct.hpp"

namespace hwacha::ct {

namespace {

void hash_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t n : text_sizes) {
            bytes digest(i.digest_size);
            r.publish(lsh::hash(i.variant, r.secret(n, 1), digest));
            if (n == 0) {
                r.publish_public(digest);
            } else {
                r.publish(digest);
            }
        }
        lsh h(i.variant);
        h.update(r.secret(100, 2)).update(r.secret(200, 3));
        bytes digest(i.digest_size);
        r.publish(h.finish_bits(r.secret(1, 4)[0], 3, digest));
        r.publish(digest);
    }
}

void hmac_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        for (const std::size_t key_size : {0, 32, 300}) {
            hmac_lsh m(i.variant, r.secret(key_size, 5));
            m.update(r.secret(77, 6)).update(r.secret(300, 7));
            bytes mac(i.digest_size);
            r.publish(m.finish(mac));
            r.publish(mac);
        }
    }
}

void hmac_verify_case(run& r, bool good) {
    for (const lsh_info& i : lsh_variants()) {
        bytes mac(i.digest_size);
        static_cast<void>(hmac_lsh::mac(i.variant, r.secret(32, 8), r.secret(77, 9), mac));
        reveal(mac);
        if (!good) mac[i.digest_size / 2] ^= std::byte{1};
        hmac_lsh m(i.variant, r.secret(32, 8));
        r.publish(m.update(r.secret(77, 9)).verify(mac));
    }
}

// Messages of several lengths, which are public: enough of them for every form of lanes and for what is left over.
std::vector<bytes> batch_texts(const run& r, unsigned salt) {
    std::vector<bytes> texts;
    for (unsigned k = 0; k < 43; ++k) texts.push_back(r.secret(text_sizes[k % std::size(text_sizes)], salt + k));
    return texts;
}

// The digest of an empty message is no secret.
void publish_digests(run& r, const std::vector<bytes>& texts, bytes_view digests, std::size_t digest_size) {
    for (std::size_t k = 0; k < texts.size(); ++k) {
        const bytes_view digest = digests.subspan(k * digest_size, digest_size);
        if (texts[k].empty()) {
            r.publish_public(digest);
        } else {
            r.publish(digest);
        }
    }
}

void hash_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 200);
        bytes digests(texts.size() * i.digest_size);
        r.publish(hash_batch(i.variant, std::vector<bytes_view>(texts.begin(), texts.end()), digests));
        publish_digests(r, texts, digests, i.digest_size);
    }
}

void hmac_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 300);
        const std::vector<bytes_view> messages(texts.begin(), texts.end());
        const std::vector<bytes> keys = batch_texts(r, 400);
        bytes macs(texts.size() * i.digest_size);
        r.publish(hmac_batch(i.variant, r.secret(32, 30), messages, macs));
        r.publish(macs);
        bytes macs_of_keys(texts.size() * i.digest_size);
        r.publish(hmac_batch(i.variant, std::vector<bytes_view>(keys.begin(), keys.end()), messages, macs_of_keys));
        publish_digests(r, texts, macs_of_keys, i.digest_size);  // keys[k] is empty where texts[k] is
    }
}

void update_batch_case(run& r) {
    for (const lsh_info& i : lsh_variants()) {
        const std::vector<bytes> texts = batch_texts(r, 500);
        std::vector<lsh> streams(texts.size(), lsh(i.variant));
        std::vector<lsh*> pointers;
        for (lsh& s : streams) pointers.push_back(&s);
        for (int round = 0; round < 2; ++round) {
            r.publish(update_batch(pointers, std::vector<bytes_view>(texts.begin(), texts.end())));
        }
        bytes digests(texts.size() * i.digest_size);
        for (std::size_t k = 0; k < streams.size(); ++k) {
            r.publish(streams[k].finish(bytes_span(digests).subspan(k * i.digest_size, i.digest_size)));
        }
        publish_digests(r, texts, digests, i.digest_size);
    }
}

constexpr named_case cases[] = {
    {"lsh", hash_case},
    {"hmac-lsh", hmac_case},
    {"hmac-lsh-verify-good", [](run& r) { hmac_verify_case(r, true); }},
    {"hmac-lsh-verify-bad", [](run& r) { hmac_verify_case(r, false); }},
    {"lsh-batch", hash_batch_case},
    {"hmac-lsh-batch", hmac_batch_case},
    {"lsh-update-batch", update_batch_case},
};

}  // namespace

std::span<const named_case> lsh_cases() {
    return cases;
}

}  // namespace hwacha::ct
