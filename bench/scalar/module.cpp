// The scalar sources as a module. This file is compiled for the baseline even where the others are not: it decides
// whether they can run.
#include <cstring>
#include <string>

#include "lsh/definition.hpp"
#include "peers/module.hpp"
#include "scalar/scalar.hpp"

namespace hwacha::bench {
namespace {

constexpr unsigned char counting[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

#define HWACHA_LSH(id, name, core, digest_bits, aliases) \
    constexpr lsh_chaining<core> iv_##id = lsh_initial_value<core>(digest_bits);
#include "lsh/variants.def"
#undef HWACHA_LSH

template <class Core>
struct hashing {
    const lsh_chaining<Core>& initial_value;
    std::size_t digest_size;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        scalar::lsh_hash(initial_value.word, digest_size, input, length, output);
        return static_cast<long>(digest_size);
    }
};

struct keyed {
    scalar::gcm_key key;

    explicit keyed(std::size_t key_size) { scalar::gcm_expand_key(key, counting, key_size); }
};

template <auto Encrypt>
struct blocks : keyed {
    using keyed::keyed;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % 16 != 0) return -1;
        Encrypt(key.cipher, input, output, length / 16);
        return static_cast<long>(length);
    }
};

template <auto Encrypt>
struct counter_mode : keyed {
    using keyed::keyed;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % 16 != 0) return -1;
        Encrypt(key.cipher, counting, input, output, length);
        return static_cast<long>(length);
    }
};

struct sealing : keyed {
    using keyed::keyed;

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        scalar::gcm_seal(key, counting, input, output, length);
        return static_cast<long>(length + 16);
    }
};

struct universal_hashing {
    scalar::ghash_key key;

    universal_hashing() { scalar::ghash_expand_key(key, counting); }

    long run(const unsigned char* input, std::size_t length, unsigned char* output) const {
        if (length % 16 != 0) return -1;
        std::memset(output, 0, 16);
        scalar::ghash_absorb(key, output, input, length);
        return 16;
    }
};

bool runs_here() {
#ifdef HWACHA_SCALAR_ISA
    __builtin_cpu_init();
    return __builtin_cpu_supports(HWACHA_SCALAR_ISA);
#else
    return true;
#endif
}

}  // namespace

facts about_module() {
    return {"scalar", HWACHA_VERSION, HWACHA_COMPILER, HWACHA_SCALAR_FLAGS};
}

void add_operations(operation_list& all) {
    if (!runs_here()) return;
#define HWACHA_LSH(id, name, core, digest_bits, aliases) \
    all.add<hashing<core>>(name, "scalar", iv_##id, (digest_bits) / 8U);
#include "lsh/variants.def"
#undef HWACHA_LSH
    for (const std::size_t key_size : {16, 24, 32}) {
        const std::string cipher = "LEA-" + std::to_string(8 * key_size);
        all.add<blocks<scalar::lea_ecb>>(cipher + "-ECB", "scalar", key_size);
        all.add<blocks<scalar::lea_ecb_side_by_side>>(cipher + "-ECB", "side-by-side", key_size);
        all.add<counter_mode<scalar::lea_ctr>>(cipher + "-CTR", "scalar", key_size);
        all.add<counter_mode<scalar::lea_ctr_side_by_side>>(cipher + "-CTR", "side-by-side", key_size);
        all.add<sealing>(cipher + "-GCM", "scalar", key_size);
    }
    all.add<universal_hashing>("GHASH", "scalar");
}

}  // namespace hwacha::bench
