// Crypto++ (Debian: libcrypto++-dev). Its objects are keyed beforehand and used again and again.
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <cryptopp/ccm.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hmac.h>
#include <cryptopp/lea.h>
#include <cryptopp/lsh.h>
#include <cryptopp/modes.h>
#include <cryptopp/xts.h>

#include "peers/division.hpp"
#include "peers/module.hpp"
#include "peers/records.hpp"

namespace hwacha::bench {
namespace {

constexpr auto counting = [] {
    std::array<CryptoPP::byte, 64> k{};
    std::iota(k.begin(), k.end(), CryptoPP::byte{0});
    return k;
}();

// Crypto++ has the arithmetic of LSH-512-224, but no class for it: the base class by the number of the algorithm.
struct LSH512_224 : CryptoPP::LSH512_Base {
    LSH512_224() : LSH512_Base(0x1001c, 28) { Restart(); }
    std::string AlgorithmName() const override { return "LSH-512-224"; }
};

template <class Hash>
struct hashing {
    Hash h;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        h.CalculateDigest(output, input, length);
        return h.DigestSize();
    }
};

// It has no function for several messages.
template <class Hash>
struct hashing_many {
    Hash h;
    division messages;

    explicit hashing_many(const batch_shape& shape) : messages(shape.divided()) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!messages.divide(length)) return -1;
        messages.each([&](std::size_t i, std::size_t start, std::size_t size) {
            h.CalculateDigest(output + i * h.DigestSize(), input + start, size);
        });
        return static_cast<long>(messages.count() * h.DigestSize());
    }
};

template <class Hash>
void add_hash(operation_list& all, const std::string& name, const char* variant) {
    all.add<hashing<Hash>>(name, variant);
    for (const batch_shape& shape : batch_shapes) all.add<hashing_many<Hash>>(shape.of(name), variant, shape);
}

// Crypto++ hashes the padded key again for every message.
template <class Hash>
struct authenticating {
    CryptoPP::HMAC<Hash> mac{counting.data(), 32};

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        mac.CalculateDigest(output, input, length);
        return mac.DigestSize();
    }
};

struct blocks {
    CryptoPP::ECB_Mode<CryptoPP::LEA>::Encryption cipher;

    explicit blocks(std::size_t key_size) : cipher(counting.data(), key_size) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (length % 16 != 0) return -1;
        if (length != 0) cipher.ProcessData(output, input, length);
        return static_cast<long>(length);
    }
};

struct counter_mode {
    CryptoPP::CTR_Mode<CryptoPP::LEA>::Encryption cipher;

    explicit counter_mode(std::size_t key_size) : cipher(counting.data(), key_size, counting.data()) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (length % 16 != 0) return -1;
        cipher.Resynchronize(counting.data(), 16);
        cipher.ProcessData(output, input, length);
        return static_cast<long>(length);
    }
};

struct cbc_decryption {
    CryptoPP::CBC_Mode<CryptoPP::LEA>::Decryption cipher;

    explicit cbc_decryption(std::size_t key_size) : cipher(counting.data(), key_size, counting.data()) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (length % 16 != 0) return -1;
        cipher.Resynchronize(counting.data(), 16);
        if (length != 0) cipher.ProcessData(output, input, length);
        return static_cast<long>(length);
    }
};

struct data_units {
    CryptoPP::XTS_Mode<CryptoPP::LEA>::Encryption cipher;

    explicit data_units(std::size_t key_size) : cipher(counting.data(), 2 * key_size, counting.data()) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (length == 0 || length % 16 != 0) return -1;
        cipher.Resynchronize(counting.data(), 16);
        cipher.ProcessData(output, input, length);
        return static_cast<long>(length);
    }
};

struct ccm_sealing {
    CryptoPP::CCM<CryptoPP::LEA, 16>::Encryption cipher;

    explicit ccm_sealing(std::size_t key_size) { cipher.SetKeyWithIV(counting.data(), key_size, counting.data(), 12); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        cipher.EncryptAndAuthenticate(output, output + length, 16, counting.data(), 12, nullptr, 0, input, length);
        return static_cast<long>(length + 16);
    }
};

struct sealing {
    CryptoPP::GCM<CryptoPP::LEA>::Encryption cipher;

    explicit sealing(std::size_t key_size) { cipher.SetKeyWithIV(counting.data(), key_size, counting.data(), 12); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        cipher.EncryptAndAuthenticate(output, output + length, 16, counting.data(), 12, nullptr, 0, input, length);
        return static_cast<long>(length + 16);
    }
};

// As in self.cpp: the input is taken as ciphertext, its tag is found in the warm-up.
struct opening {
    CryptoPP::GCM<CryptoPP::LEA>::Encryption forward;
    CryptoPP::GCM<CryptoPP::LEA>::Decryption cipher;
    std::array<CryptoPP::byte, 16> tag{};
    std::vector<CryptoPP::byte> scratch;

    explicit opening(std::size_t key_size) {
        forward.SetKeyWithIV(counting.data(), key_size, counting.data(), 12);
        cipher.SetKeyWithIV(counting.data(), key_size, counting.data(), 12);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (open(input, length, output)) return static_cast<long>(length);
        scratch.resize(length);
        seal(scratch.data(), input, length);
        seal(scratch.data(), scratch.data(), length);
        return open(input, length, output) ? static_cast<long>(length) : -1;
    }

    void seal(CryptoPP::byte* to, const CryptoPP::byte* from, std::size_t length) {
        forward.EncryptAndAuthenticate(to, tag.data(), 16, counting.data(), 12, nullptr, 0, from, length);
    }
    bool open(const unsigned char* input, std::size_t length, unsigned char* output) {
        return cipher.DecryptAndVerify(output, tag.data(), 16, counting.data(), 12, nullptr, 0, input, length);
    }
};

// Nor has it one for several records.
struct sealing_many {
    CryptoPP::GCM<CryptoPP::LEA>::Encryption cipher;
    gcm_records records;

    sealing_many(std::size_t key_size, const batch_shape& shape) : records(shape) {
        cipher.SetKeyWithIV(counting.data(), key_size, counting.data(), 12);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!records.divide(length)) return -1;
        records.each([&](std::size_t i, std::size_t start, std::size_t size) {
            unsigned char* const out = output + gcm_records::sealed(i, start);
            cipher.EncryptAndAuthenticate(out, out + size, gcm_records::tag_size, records.nonce_of(i).data(), 12,
                                          nullptr, 0, input + start, size);
        });
        return static_cast<long>(gcm_records::sealed(records.count(), length));
    }
};

struct opening_many {
    CryptoPP::GCM<CryptoPP::LEA>::Encryption forward;
    CryptoPP::GCM<CryptoPP::LEA>::Decryption cipher;
    sealed_records sealed;

    opening_many(std::size_t key_size, const batch_shape& shape) : sealed(shape) {
        forward.SetKeyWithIV(counting.data(), key_size, counting.data(), 12);
        cipher.SetKeyWithIV(counting.data(), key_size, counting.data(), 12);
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        const auto seal = [&](const unsigned char* nonce, unsigned char* record, std::size_t size) {
            forward.EncryptAndAuthenticate(record, record + size, gcm_records::tag_size, nonce, 12, nullptr, 0, record,
                                           size);
            return true;
        };
        if (!sealed.take(input, length, seal)) return -1;
        bool done = true;
        sealed.records().each([&](std::size_t i, std::size_t start, std::size_t size) {
            const unsigned char* const record = sealed.at(i, start);
            done &= cipher.DecryptAndVerify(output + start, record + size, gcm_records::tag_size,
                                            sealed.records().nonce_of(i).data(), 12, nullptr, 0, record, size);
        });
        return done ? static_cast<long>(length) : -1;
    }
};

struct key_setup {
    CryptoPP::GCM<CryptoPP::LEA>::Encryption cipher;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (length != 16) return -1;
        cipher.SetKeyWithIV(input, length, counting.data(), 12);
        output[0] = static_cast<unsigned char>(length);
        return 1;
    }
};

}  // namespace

facts about_module() {
    static const std::string version = [] {
        const int v = CryptoPP::LibraryVersion();
        return std::to_string(v / 100) + '.' + std::to_string(v / 10 % 10) + '.' + std::to_string(v % 10);
    }();
    return {"Crypto++", version.c_str(), "as packaged", "as packaged"};
}

void add_operations(operation_list& all) {
    constexpr const char* variant = "package";
    add_hash<CryptoPP::LSH224>(all, "LSH-256-224", variant);
    add_hash<CryptoPP::LSH256>(all, "LSH-256-256", variant);
    add_hash<LSH512_224>(all, "LSH-512-224", variant);
    add_hash<CryptoPP::LSH512_256>(all, "LSH-512-256", variant);
    add_hash<CryptoPP::LSH384>(all, "LSH-512-384", variant);
    add_hash<CryptoPP::LSH512>(all, "LSH-512-512", variant);
    all.add<authenticating<CryptoPP::LSH256>>("HMAC-LSH-256-256", variant);
    all.add<authenticating<CryptoPP::LSH512>>("HMAC-LSH-512-512", variant);
    for (const std::size_t key_size : {16, 24, 32}) {
        const std::string cipher = "LEA-" + std::to_string(8 * key_size);
        all.add<blocks>(cipher + "-ECB", variant, key_size);
        all.add<counter_mode>(cipher + "-CTR", variant, key_size);
        all.add<sealing>(cipher + "-GCM", variant, key_size);
        all.add<opening>(cipher + "-GCM open", variant, key_size);
    }
    all.add<key_setup>("LEA-128-GCM key setup", variant);
    all.add<cbc_decryption>("LEA-128-CBC decrypt", variant, 16);
    all.add<data_units>("LEA-128-XTS", variant, 16);
    all.add<ccm_sealing>("LEA-128-CCM", variant, 16);
    all.add<sealing_many>(gcm_shape.of("LEA-128-GCM"), variant, 16, gcm_shape);
    all.add<opening_many>(gcm_shape.of("LEA-128-GCM open"), variant, 16, gcm_shape);
}

}  // namespace hwacha::bench
