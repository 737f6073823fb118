// OpenSSL's EVP interface (Debian: libssl-dev): the hashes and ciphers that everybody knows, as yardsticks. Algorithms
// are fetched and contexts keyed beforehand; a run sets the nonce only. OpenSSL 3.0 allocates when it begins a
// digest.
#include <array>
#include <climits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "peers/division.hpp"
#include "peers/module.hpp"

namespace hwacha::bench {
namespace {

constexpr auto counting = [] {
    std::array<unsigned char, 32> k{};
    std::iota(k.begin(), k.end(), static_cast<unsigned char>(0));
    return k;
}();

struct release {
    void operator()(EVP_MD* p) const { EVP_MD_free(p); }
    void operator()(EVP_MD_CTX* p) const { EVP_MD_CTX_free(p); }
    void operator()(EVP_CIPHER* p) const { EVP_CIPHER_free(p); }
    void operator()(EVP_CIPHER_CTX* p) const { EVP_CIPHER_CTX_free(p); }
};
template <class T>
using owned = std::unique_ptr<T, release>;

struct not_offered : std::runtime_error {
    using runtime_error::runtime_error;
};

void require(bool done, const char* algorithm) {
    if (!done) throw not_offered(algorithm);
}

struct hashing {
    owned<EVP_MD_CTX> context{EVP_MD_CTX_new()};
    long size = 0;

    explicit hashing(const char* algorithm) {
        const owned<EVP_MD> hash(EVP_MD_fetch(nullptr, algorithm, nullptr));
        require(hash && EVP_DigestInit_ex2(context.get(), hash.get(), nullptr) == 1, algorithm);
        size = EVP_MD_get_size(hash.get());
    }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        const bool done = EVP_DigestInit_ex2(context.get(), nullptr, nullptr) == 1 &&
                          EVP_DigestUpdate(context.get(), input, length) == 1 &&
                          EVP_DigestFinal_ex(context.get(), output, nullptr) == 1;
        return done ? size : -1;
    }
};

// It has no function for several messages.
struct hashing_many {
    hashing one;
    division messages;

    hashing_many(const char* algorithm, const batch_shape& shape) : one(algorithm), messages(shape.divided()) {}

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        if (!messages.divide(length)) return -1;
        bool done = true;
        messages.each([&](std::size_t, std::size_t start, std::size_t size) {
            done &= one.run(input + start, size, output) > 0;
            output += one.size;
        });
        return done ? static_cast<long>(messages.count()) * one.size : -1;
    }
};

struct encrypting {
    owned<EVP_CIPHER_CTX> context{EVP_CIPHER_CTX_new()};

    explicit encrypting(const char* algorithm) {
        const owned<EVP_CIPHER> cipher(EVP_CIPHER_fetch(nullptr, algorithm, nullptr));
        const unsigned char* key = counting.data();
        require(cipher && EVP_EncryptInit_ex2(context.get(), cipher.get(), key, nullptr, nullptr) == 1, algorithm);
    }

    // Another message under the same key.
    bool encrypt(const unsigned char* input, std::size_t length, unsigned char* output) {
        int written = 0;
        return length <= INT_MAX &&
               EVP_EncryptInit_ex2(context.get(), nullptr, nullptr, counting.data(), nullptr) == 1 &&
               EVP_EncryptUpdate(context.get(), output, &written, input, static_cast<int>(length)) == 1;
    }
};

struct counter_mode : encrypting {
    using encrypting::encrypting;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        return length % 16 == 0 && encrypt(input, length, output) ? static_cast<long>(length) : -1;
    }
};

struct sealing : encrypting {
    using encrypting::encrypting;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) {
        int rest = 0;
        OSSL_PARAM tag[] = {OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, output + length, 16), OSSL_PARAM_END};
        const bool done = encrypt(input, length, output) &&
                          EVP_EncryptFinal_ex(context.get(), output + length, &rest) == 1 &&
                          EVP_CIPHER_CTX_get_params(context.get(), tag) == 1;
        return done ? static_cast<long>(length + 16) : -1;
    }
};

// Unless this build or configuration of OpenSSL lacks it.
template <class Context, class... Arguments>
void add(operation_list& all, const std::string& name, const char* algorithm, const Arguments&... more) {
    try {
        all.add<Context>(name, "evp", algorithm, more...);
    } catch (const not_offered&) {
    }
}

}  // namespace

facts about_module() {
    return {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING), "as packaged", "as packaged"};
}

void add_operations(operation_list& all) {
    add<hashing>(all, "SHA-256", "SHA-256");
    for (const batch_shape& shape : batch_shapes) add<hashing_many>(all, shape.of("SHA-256"), "SHA-256", shape);
    add<hashing>(all, "SHA-512", "SHA-512");
    add<hashing>(all, "SHA3-256", "SHA3-256");
    add<hashing>(all, "SHA3-512", "SHA3-512");
    add<hashing>(all, "BLAKE2b-512", "BLAKE2b512");
    add<counter_mode>(all, "AES-128-CTR", "AES-128-CTR");
    add<counter_mode>(all, "AES-256-CTR", "AES-256-CTR");
    add<sealing>(all, "AES-128-GCM", "AES-128-GCM");
    add<sealing>(all, "AES-256-GCM", "AES-256-GCM");
}

}  // namespace hwacha::bench
