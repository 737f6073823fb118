// LEA: key schedule, blocks, CTR, GCM and its parts.
#include <hwacha/lea.hpp>
#include <hwacha/lea_gcm.hpp>

#include "ct/ct.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"

namespace hwacha::ct {

namespace {

const bytes nonce12 = test::pattern(12);
const bytes nonce20 = test::pattern(20);

void lea_key_case(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea key(r.secret(n, 10));
        bytes out(16);
        r.publish(key.encrypt_blocks(test::pattern(16), out));
        r.publish(out);
    }
}

void lea_blocks_case(run& r, bool encrypt) {
    for (const std::size_t n : key_sizes) {
        const lea key(r.secret(n, 11));
        for (const std::size_t blocks : {1, 2, 3, 5, 8, 17, 70}) {
            const bytes in = r.secret(16 * blocks, 12);
            bytes out(in.size());
            r.publish(encrypt ? key.encrypt_blocks(in, out) : key.decrypt_blocks(in, out));
            r.publish(out);
        }
    }
}

void ctr_case(run& r) {
    for (const std::size_t n : key_sizes) {
        lea_ctr c(r.secret(n, 13), test::repeated(16, 0xff));
        for (const std::size_t size : text_sizes) {
            bytes text = r.secret(size, 14);
            r.publish(c.update(text, text));
            r.publish(text);
        }
    }
}

bytes sealed(const lea_gcm& key, bytes_view nonce, bytes_view plaintext, run& r) {
    bytes out(plaintext.size() + key.tag_size());
    r.publish(key.seal(nonce, test::pattern(21), plaintext, out));
    return out;
}

void gcm_seal_case(run& r) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 15));
        for (const std::size_t size : text_sizes) {
            for (const bytes& nonce : {nonce12, nonce20}) r.publish(sealed(key, nonce, r.secret(size, 16), r));
        }
    }
}

void gcm_open_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 17), {.tag_size = 12});
        for (const std::size_t size : text_sizes) {
            bytes message = sealed(key, nonce12, r.secret(size, 18), r);
            reveal(message);
            if (!good) message.back() ^= std::byte{0x80};
            bytes out(size);
            r.publish(key.open(nonce12, test::pattern(21), message, out));
            if (good) {
                r.publish(out);
            } else {
                r.publish_public(out);
            }
        }
    }
}

void sealer_case(run& r) {
    for (const std::size_t n : key_sizes) {
        lea_gcm_sealer s(lea_gcm(r.secret(n, 19)), nonce20);
        r.publish(s.aad(r.secret(37, 20)));
        for (const std::size_t size : text_sizes) {
            bytes text = r.secret(size, 21);
            r.publish(s.update(text, text));
            r.publish(text);
        }
        bytes tag(16);
        r.publish(s.finish(tag));
        r.publish(tag);
    }
}

void opener_case(run& r, bool good) {
    for (const std::size_t n : key_sizes) {
        const lea_gcm key(r.secret(n, 22));
        bytes message = sealed(key, nonce12, r.secret(333, 23), r);
        reveal(message);
        if (!good) message.back() ^= std::byte{1};
        lea_gcm_opener o(key, nonce12);
        r.publish(o.aad(test::pattern(21)));
        bytes out(333);
        r.publish(o.update_unverified(bytes_view(message).first(100), bytes_span(out).first(100)));
        r.publish(o.update_unverified(bytes_view(message).subspan(100, 233), bytes_span(out).subspan(100)));
        r.publish(o.finish(bytes_view(message).last(16)));
        r.publish(out);
    }
}

// LEA's and GHASH's own tables in turn, also where a table has both in one loop.
void gcm_in_turn_case(run& r) {
    const lea_gcm_table* fused = &lea_gcm_tables.active();
    lea_gcm_tables.force(lea_gcm_tables.tables().back());
    gcm_seal_case(r);
    gcm_open_case(r, true);
    gcm_open_case(r, false);
    sealer_case(r);
    opener_case(r, true);
    lea_gcm_tables.force(fused);
}

// Every tail behind every number of blocks of the short and the long path.
void gcm_lengths_case(run& r) {
    const lea_gcm key(r.secret(32, 34));
    for (std::size_t size = 0; size <= 1100; size += size < 70 ? 1 : 37) {
        const bytes text = r.secret(size, 35);
        bytes message = sealed(key, nonce12, text, r);
        r.publish(message);
        bytes out(size);
        r.publish(key.open(nonce12, test::pattern(21), message, out));
        r.publish(out);
    }
}

void ghash_case(run& r) {
    const ghash_table& t = ghash_tables.active();
    const bytes h = r.secret(16, 24);
    alignas(64) std::byte powers[16 * ghash_powers];
    const auto octets = [](auto* p) { return reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(p)); };
    t.expand_key(octets(h.data()), octets(powers));
    for (const std::size_t blocks : {0, 1, 2, 3, 7, 8, 9, 40}) {
        bytes state = r.secret(16, 25);
        const bytes text = r.secret(16 * blocks, 26);
        t.absorb(octets(state.data()), octets(powers), octets(text.data()), blocks);
        r.publish(state);
    }
}

constexpr named_case cases[] = {
    {"lea-key-schedule", lea_key_case},
    {"lea-encrypt", [](run& r) { lea_blocks_case(r, true); }},
    {"lea-decrypt", [](run& r) { lea_blocks_case(r, false); }},
    {"lea-ctr", ctr_case},
    {"lea-gcm-seal", gcm_seal_case},
    {"lea-gcm-open-good", [](run& r) { gcm_open_case(r, true); }},
    {"lea-gcm-open-bad", [](run& r) { gcm_open_case(r, false); }},
    {"lea-gcm-sealer", sealer_case},
    {"lea-gcm-opener-good", [](run& r) { opener_case(r, true); }},
    {"lea-gcm-opener-bad", [](run& r) { opener_case(r, false); }},
    {"lea-gcm-lengths", gcm_lengths_case},
    {"lea-gcm-in-turn", gcm_in_turn_case},
    {"ghash", ghash_case},
};

}  // namespace

std::span<const named_case> lea_cases() {
    return cases;
}

}  // namespace hwacha::ct
