#include "support/modes.hpp"

#include <algorithm>
#include <optional>

namespace hwacha::test {
namespace {

constexpr std::size_t ccm_nonce = 11;
constexpr std::size_t ccm_tag = 16;

// Modes whose update writes as much as it reads.
template <class Object>
struct equal_stream : stream {
    template <class... Arguments>
    explicit equal_stream(const Arguments&... arguments) : object(arguments...) {}
    std::size_t update(bytes_view in, bytes_span out) override {
        EXPECT_EQ(object.update(in, out), status::ok);
        return in.size();
    }
    Object object;
};

template <class Object>
struct cbc_stream : stream {
    cbc_stream(const lea& key, bytes_view iv, cbc_padding padding) : object(key, iv, padding) {}
    std::size_t update(bytes_view in, bytes_span out) override {
        const std::size_t announced = object.update_size(in.size());
        std::size_t written = 99;
        EXPECT_EQ(object.update(in, out, written), status::ok);
        EXPECT_EQ(written, announced);
        return written;
    }
    std::size_t finish(bytes_span out) override {
        std::size_t written = 99;
        EXPECT_EQ(object.finish(out, written), status::ok);
        return written;
    }
    Object object;
};

struct ccm_sealing : stream {
    ccm_sealing(bytes_view key, bytes_view iv, std::size_t size)
        : object(lea_ccm(key, ccm_tag), iv.first(ccm_nonce), 16, size) {
        EXPECT_EQ(object.aad(iv), status::ok);
    }
    std::size_t update(bytes_view in, bytes_span out) override {
        EXPECT_EQ(object.update(in, out), status::ok);
        return in.size();
    }
    std::size_t finish(bytes_span out) override {
        EXPECT_EQ(object.finish(out.first(ccm_tag)), status::ok);
        return ccm_tag;
    }
    lea_ccm_sealer object;
};

struct ccm_opening : stream {
    ccm_opening(bytes_view key, bytes_view iv, std::size_t size, bytes_view expected)
        : object(lea_ccm(key, ccm_tag), iv.first(ccm_nonce), 16, size), tag(copy_of(expected)) {
        EXPECT_EQ(object.aad(iv), status::ok);
    }
    std::size_t update(bytes_view in, bytes_span out) override {
        EXPECT_EQ(object.update_unverified(in, out), status::ok);
        return in.size();
    }
    std::size_t finish(bytes_span) override {
        EXPECT_EQ(object.finish(tag), status::ok);
        return 0;
    }
    lea_ccm_opener object;
    bytes tag;
};

template <cbc_padding Padding>
mode cbc(const char* name) {
    constexpr bool padded = Padding == cbc_padding::pkcs7;
    return {
        name,
        padded ? 1 : 16,
        padded ? 16 : 0,
        [](bytes_view key, bytes_view iv, bytes_view text) {
            return plain::cbc_encrypt(key, plain::block_of(iv), padded ? plain::pkcs7_padded(text) : copy_of(text));
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            return lea_cbc_encrypt(lea(key), iv, Padding, in, out, written);
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            return lea_cbc_decrypt(lea(key), iv, Padding, in, out, written);
        },
        [](bytes_view key, bytes_view iv, std::size_t) -> std::unique_ptr<stream> {
            return std::make_unique<cbc_stream<lea_cbc_encryptor>>(lea(key), iv, Padding);
        },
        [](bytes_view key, bytes_view iv, bytes_view sealed, std::size_t& taken) -> std::unique_ptr<stream> {
            taken = sealed.size();
            return std::make_unique<cbc_stream<lea_cbc_decryptor>>(lea(key), iv, Padding);
        },
    };
}

template <cfb_segment Segment>
mode cfb(const char* name) {
    return {
        name,
        1,
        0,
        [](bytes_view key, bytes_view iv, bytes_view text) {
            return plain::cfb_encrypt(key, plain::block_of(iv), static_cast<std::size_t>(Segment) / 8, text);
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            written = in.size();
            return lea_cfb_encrypt(lea(key), iv, Segment, in, out);
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            written = in.size();
            return lea_cfb_decrypt(lea(key), iv, Segment, in, out);
        },
        [](bytes_view key, bytes_view iv, std::size_t) -> std::unique_ptr<stream> {
            return std::make_unique<equal_stream<lea_cfb_encryptor>>(lea(key), iv, Segment);
        },
        [](bytes_view key, bytes_view iv, bytes_view sealed, std::size_t& taken) -> std::unique_ptr<stream> {
            taken = sealed.size();
            return std::make_unique<equal_stream<lea_cfb_decryptor>>(lea(key), iv, Segment);
        },
    };
}

// Modes whose decryption is their encryption.
template <class Stream>
std::unique_ptr<stream> symmetric(bytes_view key, bytes_view iv, std::size_t) {
    return std::make_unique<equal_stream<Stream>>(lea(key), iv);
}
template <class Stream>
std::unique_ptr<stream> symmetric_back(bytes_view key, bytes_view iv, bytes_view sealed, std::size_t& taken) {
    taken = sealed.size();
    return symmetric<Stream>(key, iv, 0);
}

status ctr_once(bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
    written = in.size();
    return lea_ctr(lea(key), iv).update(in, out);
}

status ofb_once(bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
    written = in.size();
    return lea_ofb_crypt(lea(key), iv, in, out);
}

mode ccm() {
    return {
        "CCM",
        1,
        ccm_tag,
        [](bytes_view key, bytes_view iv, bytes_view text) {
            return plain::ccm_seal(key, iv.first(ccm_nonce), iv, text, ccm_tag);
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            written = in.size() + ccm_tag;
            return lea_ccm(key, ccm_tag).seal(iv.first(ccm_nonce), iv, in, out);
        },
        [](bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written) {
            written = in.size() - ccm_tag;
            return lea_ccm(key, ccm_tag).open(iv.first(ccm_nonce), iv, in, out);
        },
        [](bytes_view key, bytes_view iv, std::size_t size) -> std::unique_ptr<stream> {
            return std::make_unique<ccm_sealing>(key, iv, size);
        },
        [](bytes_view key, bytes_view iv, bytes_view sealed, std::size_t& taken) -> std::unique_ptr<stream> {
            taken = sealed.size() - ccm_tag;
            return std::make_unique<ccm_opening>(key, iv, taken, sealed.last(ccm_tag));
        },
    };
}

}  // namespace

const std::vector<mode>& modes() {
    static const std::vector<mode> all = {
        {"CTR", 1, 0,
         [](bytes_view key, bytes_view iv, bytes_view text) { return plain::lea_ctr(key, plain::block_of(iv), text); },
         &ctr_once, &ctr_once, &symmetric<lea_ctr>, &symmetric_back<lea_ctr>},
        cbc<cbc_padding::none>("CBC"),
        cbc<cbc_padding::pkcs7>("CBC with padding"),
        cfb<cfb_segment::bits8>("CFB8"),
        cfb<cfb_segment::bits64>("CFB64"),
        cfb<cfb_segment::bits128>("CFB128"),
        {"OFB", 1, 0,
         [](bytes_view key, bytes_view iv, bytes_view text) { return plain::ofb(key, plain::block_of(iv), text); },
         &ofb_once, &ofb_once, &symmetric<lea_ofb>, &symmetric_back<lea_ofb>},
        ccm(),
    };
    return all;
}

bytes encrypted(const mode& m, bytes_view key, bytes_view iv, bytes_view text) {
    bytes out(text.size() + m.growth);
    std::size_t written = 0;
    EXPECT_EQ(m.encrypt(key, iv, text, out, written), status::ok) << m.name;
    out.resize(written);
    return out;
}

bytes decrypted(const mode& m, bytes_view key, bytes_view iv, bytes_view sealed) {
    bytes out(sealed.size());
    std::size_t written = 0;
    EXPECT_EQ(m.decrypt(key, iv, sealed, out, written), status::ok) << m.name;
    out.resize(written);
    return out;
}

std::size_t in_pieces(stream& s, bytes_view text, bytes_span out, const std::function<std::size_t()>& next_size) {
    std::size_t written = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = std::min(text.size() - at, next_size());
        written += s.update(text.subspan(at, n), out.subspan(written));
        at += n;
    }
    return written + s.finish(out.subspan(written));
}

bytes cbc_encrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view text) {
    bytes out(cbc_ciphertext_size(text.size(), padding));
    std::size_t written = 0;
    EXPECT_EQ(lea_cbc_encrypt(key, iv, padding, text, out, written), status::ok);
    EXPECT_EQ(written, out.size());
    return out;
}

bytes cbc_decrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view text) {
    bytes out(text.size());
    std::size_t written = 0;
    EXPECT_EQ(lea_cbc_decrypt(key, iv, padding, text, out, written), status::ok);
    out.resize(written);
    return out;
}

bytes ccm_seal(const lea_ccm& key, bytes_view nonce, bytes_view aad, bytes_view text) {
    bytes out(text.size() + key.tag_size());
    EXPECT_EQ(key.seal(nonce, aad, text, out), status::ok);
    return out;
}

}  // namespace hwacha::test
