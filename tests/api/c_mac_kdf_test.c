/* hwacha.h, CMAC, GMAC, random bytes and key derivation, in C11: known answers in one call and in pieces, every status,
 * null pointers. */
#include <hwacha/hwacha.h>

#include <stdio.h>
#include <string.h>

static unsigned checks;
static unsigned failures;

static void check(int good, const char* what, int line) {
    ++checks;
    if (good) return;
    ++failures;
    printf("c_mac_kdf_test.c:%d: FAILED: %s\n", line, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define IS(status, call) check((call) == (status), #call, __LINE__)

typedef unsigned char octet;

static int nibble(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static int equals_hex(const octet* data, const char* hex) {
    for (; *hex != '\0'; hex += 2, ++data) {
        if (*data != (octet)(16 * nibble(hex[0]) + nibble(hex[1]))) return 0;
    }
    return 1;
}

static void count_up(octet* out, size_t size) {
    for (size_t i = 0; i < size; ++i) out[i] = (octet)i;
}

static int all(const octet* data, octet value, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        if (data[i] != value) return 0;
    }
    return 1;
}

#define NO_VARIANT ((hwacha_lsh_variant)99)

static void test_cmac(void) {
    static const char mac17[] = "0049a758582646baf5d00e076b73b54e";
    octet key[32], data[32], mac[17];
    count_up(key, sizeof key);
    count_up(data, sizeof data);

    memset(mac, 0xa5, sizeof mac);
    IS(HWACHA_OK, hwacha_cmac_lea(key, 16, data, 17, mac, sizeof mac));
    CHECK(equals_hex(mac, mac17) && mac[16] == 0xa5);
    IS(HWACHA_OK, hwacha_cmac_lea(key, 16, NULL, 0, mac, 16));
    CHECK(equals_hex(mac, "e7dfd6e7ee02523ee46ddda92d616d37"));
    memset(mac, 0xa5, sizeof mac);
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_cmac_lea(key, 17, data, 17, mac, 16));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_cmac_lea(key, 16, data, 17, mac, 15));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea(NULL, 16, data, 17, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea(key, 16, NULL, 17, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea(key, 16, data, 17, NULL, 16));
    CHECK(all(mac, 0xa5, sizeof mac));

    hwacha_cmac_lea_ctx* ctx = NULL;
    hwacha_cmac_lea_ctx* other = NULL;
    IS(HWACHA_OK, hwacha_cmac_lea_new(key, 16, 16, 0, &ctx));
    IS(HWACHA_OK, hwacha_cmac_lea_update(ctx, data, 16));
    IS(HWACHA_OK, hwacha_cmac_lea_copy(ctx, &other));
    IS(HWACHA_OK, hwacha_cmac_lea_update(ctx, data + 16, 1));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_cmac_lea_finish(ctx, mac, 15));
    IS(HWACHA_OK, hwacha_cmac_lea_finish(ctx, mac, 16));
    CHECK(equals_hex(mac, mac17));
    IS(HWACHA_FINISHED, hwacha_cmac_lea_finish(ctx, mac, 16));
    IS(HWACHA_FINISHED, hwacha_cmac_lea_update(ctx, data, 1));
    IS(HWACHA_OK, hwacha_cmac_lea_update(other, data + 16, 1));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_cmac_lea_verify(other, mac, 15));
    IS(HWACHA_OK, hwacha_cmac_lea_verify(other, mac, 16));
    IS(HWACHA_FINISHED, hwacha_cmac_lea_verify(other, mac, 16));
    IS(HWACHA_OK, hwacha_cmac_lea_reset(ctx));
    IS(HWACHA_OK, hwacha_cmac_lea_update(ctx, data, 18));
    IS(HWACHA_AUTH_FAILED, hwacha_cmac_lea_verify(ctx, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_update(ctx, NULL, 1));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_update(NULL, data, 1));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_finish(NULL, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_finish(ctx, NULL, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_verify(NULL, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_reset(NULL));
    hwacha_cmac_lea_free(ctx);
    hwacha_cmac_lea_free(other);
    hwacha_cmac_lea_free(NULL);

    IS(HWACHA_OK, hwacha_cmac_lea_new(key, 16, 4, HWACHA_SHORT_TAGS, &ctx));
    IS(HWACHA_OK, hwacha_cmac_lea_update(ctx, data, 17));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_cmac_lea_verify(ctx, mac, 16));
    IS(HWACHA_OK, hwacha_cmac_lea_verify(ctx, mac, 4));
    hwacha_cmac_lea_free(ctx);
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_cmac_lea_new(key, 16, 4, 0, &ctx));
    CHECK(ctx == NULL);
    IS(HWACHA_BAD_OPTION, hwacha_cmac_lea_new(key, 16, 16, 2, &ctx));
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_cmac_lea_new(key, 15, 16, 0, &ctx));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_new(NULL, 16, 16, 0, &ctx));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_new(key, 16, 16, 0, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_cmac_lea_copy(NULL, &ctx));
    CHECK(ctx == NULL);
}

static void test_gmac(void) {
    octet key[32], nonce[12], data[40], mac[16], sealed[16];
    count_up(key, sizeof key);
    count_up(nonce, sizeof nonce);
    count_up(data, sizeof data);
    hwacha_lea_gcm* gcm = NULL;
    IS(HWACHA_OK, hwacha_lea_gcm_new(key, 32, 16, 0, &gcm));
    IS(HWACHA_OK, hwacha_gmac_lea(gcm, nonce, 12, data, 40, mac, 16));
    IS(HWACHA_OK, hwacha_lea_gcm_seal(gcm, nonce, 12, data, 40, NULL, 0, sealed, 16));
    CHECK(memcmp(mac, sealed, 16) == 0);
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_gmac_lea(gcm, nonce, 12, data, 40, mac, 15));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_gmac_lea(gcm, nonce, 0, data, 40, mac, 16));
    IS(HWACHA_OVERLAP, hwacha_gmac_lea(gcm, nonce, 12, mac, 16, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea(NULL, nonce, 12, data, 40, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea(gcm, NULL, 12, data, 40, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea(gcm, nonce, 12, NULL, 40, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea(gcm, nonce, 12, data, 40, NULL, 16));

    hwacha_gmac_lea_ctx* ctx = NULL;
    IS(HWACHA_OK, hwacha_gmac_lea_new(gcm, nonce, 12, &ctx));
    IS(HWACHA_OK, hwacha_gmac_lea_update(ctx, data, 5));
    IS(HWACHA_OK, hwacha_gmac_lea_update(ctx, data + 5, 35));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_gmac_lea_finish(ctx, sealed, 15));
    memset(sealed, 0, sizeof sealed);
    IS(HWACHA_OK, hwacha_gmac_lea_finish(ctx, sealed, 16));
    CHECK(memcmp(mac, sealed, 16) == 0);
    IS(HWACHA_FINISHED, hwacha_gmac_lea_update(ctx, data, 1));
    IS(HWACHA_FINISHED, hwacha_gmac_lea_finish(ctx, sealed, 16));
    hwacha_gmac_lea_free(ctx);
    IS(HWACHA_OK, hwacha_gmac_lea_new(gcm, nonce, 12, &ctx));
    IS(HWACHA_OK, hwacha_gmac_lea_update(ctx, data, 40));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_gmac_lea_verify(ctx, mac, 12));
    IS(HWACHA_OK, hwacha_gmac_lea_verify(ctx, mac, 16));
    hwacha_gmac_lea_free(ctx);
    IS(HWACHA_OK, hwacha_gmac_lea_new(gcm, nonce, 12, &ctx));
    IS(HWACHA_AUTH_FAILED, hwacha_gmac_lea_verify(ctx, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_update(NULL, data, 1));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_update(ctx, NULL, 1));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_finish(NULL, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_finish(ctx, NULL, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_verify(NULL, mac, 16));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_verify(ctx, NULL, 16));
    hwacha_gmac_lea_free(ctx);
    hwacha_gmac_lea_free(NULL);
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_gmac_lea_new(gcm, NULL, 0, &ctx));
    CHECK(ctx == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_new(NULL, nonce, 12, &ctx));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_new(gcm, NULL, 12, &ctx));
    IS(HWACHA_NULL_POINTER, hwacha_gmac_lea_new(gcm, nonce, 12, NULL));
    hwacha_lea_gcm_free(gcm);
}

static void test_random(void) {
    octet a[32] = {0}, b[32] = {0};
    IS(HWACHA_OK, hwacha_random_bytes(a, sizeof a));
    IS(HWACHA_OK, hwacha_random_bytes(b, sizeof b));
    CHECK(memcmp(a, b, sizeof a) != 0 && !all(a, 0, sizeof a));
    IS(HWACHA_OK, hwacha_random_bytes(NULL, 0));
    IS(HWACHA_NULL_POINTER, hwacha_random_bytes(NULL, 1));

    hwacha_random_nonces* nonces = NULL;
    const uint64_t limit = (uint64_t)1 << 32;
    IS(HWACHA_OK, hwacha_random_nonces_new(limit - 1, &nonces));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_random_nonces_next(nonces, a, 11));
    IS(HWACHA_OK, hwacha_random_nonces_next(nonces, a, 12));
    CHECK(memcmp(a, b, 12) != 0);
    CHECK(hwacha_random_nonces_used(nonces) == limit);
    memset(a, 0xa5, sizeof a);
    IS(HWACHA_COUNTER_EXHAUSTED, hwacha_random_nonces_next(nonces, a, 12));
    CHECK(all(a, 0xa5, sizeof a));
    IS(HWACHA_NULL_POINTER, hwacha_random_nonces_next(NULL, a, 12));
    IS(HWACHA_NULL_POINTER, hwacha_random_nonces_next(nonces, NULL, 12));
    IS(HWACHA_NULL_POINTER, hwacha_random_nonces_new(0, NULL));
    CHECK(hwacha_random_nonces_used(NULL) == 0);
    hwacha_random_nonces_free(nonces);
    hwacha_random_nonces_free(NULL);
}

static int never(void* context, size_t done) {
    (void)context;
    (void)done;
    return 0;
}

static void test_pbkdf2(void) {
    static const char first20[] = "4d64310f9602636a5cf6b37e031ed74634a739cb";
    octet out[3 * 20 + 1];
    memset(out, 0xa5, sizeof out);
    IS(HWACHA_OK, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, "password", 8, "salt", 4, 2, out, 20));
    CHECK(equals_hex(out, first20) && all(out + 20, 0xa5, sizeof out - 20));
    memset(out, 0xa5, sizeof out);
    IS(HWACHA_UNKNOWN_ALGORITHM, hwacha_pbkdf2_hmac_lsh(NO_VARIANT, "password", 8, "salt", 4, 2, out, 20));
    IS(HWACHA_BAD_ITERATIONS, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, "password", 8, "salt", 4, 0, out, 20));
    IS(HWACHA_OVERLAP, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, out, 8, "salt", 4, 2, out, 20));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, NULL, 8, "salt", 4, 2, out, 20));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, "password", 8, NULL, 4, 2, out, 20));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh(HWACHA_LSH512_512, "password", 8, "salt", 4, 2, NULL, 20));
    CHECK(all(out, 0xa5, sizeof out));

    const void* passwords[3] = {"other", "password", NULL};
    const size_t password_sizes[3] = {5, 8, 0};
    const void* salts[3] = {"salt", "salt", "salt"};
    const size_t salt_sizes[3] = {4, 4, 4};
    hwacha_batch_options options = HWACHA_BATCH_OPTIONS_INIT;
    IS(HWACHA_OK, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, password_sizes, salts, salt_sizes, 3, 2,
                                               20, out, sizeof out, &options));
    CHECK(equals_hex(out + 20, first20) && memcmp(out, out + 20, 20) != 0 && out[60] == 0xa5);
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, password_sizes, salts,
                                                             salt_sizes, 3, 2, 20, out, 59, NULL));
    /* More than there are lanes. */
    options.progress = never;
    const void* many[40];
    size_t sizes[40];
    octet keys[40];
    for (size_t i = 0; i < 40; ++i) {
        many[i] = "x";
        sizes[i] = 1;
    }
    IS(HWACHA_CANCELLED,
       hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH256_224, many, sizes, many, sizes, 40, 2, 1, keys, 40, &options));
    CHECK(all(keys, 0, 40));
    options.struct_size = 1;
    IS(HWACHA_BAD_OPTION, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, password_sizes, salts, salt_sizes,
                                                       3, 2, 20, out, 60, &options));
    const size_t wrong_sizes[3] = {5, 8, 1};
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, wrong_sizes, salts, salt_sizes,
                                                         3, 2, 20, out, 60, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, NULL, password_sizes, salts, salt_sizes, 3,
                                                         2, 20, out, 60, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, password_sizes, NULL, salt_sizes,
                                                         3, 2, 20, out, 60, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_pbkdf2_hmac_lsh_batch(HWACHA_LSH512_512, passwords, password_sizes, salts,
                                                         salt_sizes, 3, 2, 20, NULL, 60, NULL));
}

static void test_hkdf(void) {
    octet key[22], salt[13], info[10], extracted[32], out[42], apart[42];
    memset(key, 0x0b, sizeof key);
    count_up(salt, sizeof salt);
    for (size_t i = 0; i < sizeof info; ++i) info[i] = (octet)(0xf0 + i);
    const hwacha_lsh_variant v = HWACHA_LSH256_256;
    IS(HWACHA_OK, hwacha_hkdf_hmac_lsh(v, key, 22, salt, 13, info, 10, out, 42));
    CHECK(equals_hex(out, "6447ae23adb5f516513380cb8e17413fec811f0c7af5eb20240fc5148dc161397ae92d1573e82831d3d9"));
    IS(HWACHA_OK, hwacha_hkdf_hmac_lsh_extract(v, key, 22, salt, 13, extracted, 32));
    IS(HWACHA_OK, hwacha_hkdf_hmac_lsh_expand(v, extracted, 32, info, 10, apart, 42));
    CHECK(memcmp(out, apart, 42) == 0);
    IS(HWACHA_OK, hwacha_hkdf_hmac_lsh(v, NULL, 0, NULL, 0, NULL, 0, NULL, 0));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_hkdf_hmac_lsh_extract(v, key, 22, salt, 13, extracted, 31));
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_hkdf_hmac_lsh_expand(v, extracted, 31, info, 10, apart, 42));
    IS(HWACHA_OUTPUT_TOO_LONG, hwacha_hkdf_hmac_lsh(v, key, 22, salt, 13, info, 10, out, 255 * 32 + 1));
    IS(HWACHA_UNKNOWN_ALGORITHM, hwacha_hkdf_hmac_lsh(NO_VARIANT, key, 22, salt, 13, info, 10, out, 42));
    IS(HWACHA_OVERLAP, hwacha_hkdf_hmac_lsh(v, out, 22, salt, 13, info, 10, out, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh(v, NULL, 22, salt, 13, info, 10, out, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh(v, key, 22, NULL, 13, info, 10, out, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh(v, key, 22, salt, 13, NULL, 10, out, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh(v, key, 22, salt, 13, info, 10, NULL, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_extract(v, NULL, 22, salt, 13, extracted, 32));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_extract(v, key, 22, NULL, 13, extracted, 32));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_extract(v, key, 22, salt, 13, NULL, 32));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_expand(v, NULL, 32, info, 10, apart, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_expand(v, extracted, 32, NULL, 10, apart, 42));
    IS(HWACHA_NULL_POINTER, hwacha_hkdf_hmac_lsh_expand(v, extracted, 32, info, 10, NULL, 42));
}

static void test_kbkdf(void) {
    octet key[16], out[20], fixed[20];
    static const octet input[] = {'l', 'a', 'b', 'e', 'l', 0, 'c', 'o', 'n', 't', 'e', 'x', 't', 0, 0, 0, 160};
    count_up(key, sizeof key);
    const hwacha_lsh_variant v = HWACHA_LSH512_256;
    IS(HWACHA_OK, hwacha_kbkdf_hmac_lsh(v, key, 16, "label", 5, "context", 7, out, 20));
    CHECK(equals_hex(out, "d7018efc9c04f8433e404e9c26f562b3c9f1ca41"));
    IS(HWACHA_OK, hwacha_kbkdf_hmac_lsh_fixed(v, key, 16, NULL, 0, input, sizeof input, 32, fixed, 20));
    CHECK(memcmp(out, fixed, 20) == 0);
    IS(HWACHA_OK, hwacha_kbkdf_cmac_lea(key, 16, "label", 5, "context", 7, out, 20));
    CHECK(equals_hex(out, "b31530d29e63296c62e0f520eddeea7e5a033d0f"));
    IS(HWACHA_OK, hwacha_kbkdf_cmac_lea_fixed(key, 16, NULL, 0, input, sizeof input, 32, fixed, 20));
    CHECK(memcmp(out, fixed, 20) == 0);
    IS(HWACHA_OK, hwacha_kbkdf_cmac_lea_fixed(key, 16, input, sizeof input, NULL, 0, 8, fixed, 20));
    CHECK(memcmp(out, fixed, 20) != 0);

    memset(out, 0xa5, sizeof out);
    IS(HWACHA_BAD_OPTION, hwacha_kbkdf_hmac_lsh_fixed(v, key, 16, NULL, 0, input, 4, 12, out, 20));
    IS(HWACHA_BAD_OPTION, hwacha_kbkdf_cmac_lea_fixed(key, 16, NULL, 0, input, 4, 0, out, 20));
    IS(HWACHA_OUTPUT_TOO_LONG, hwacha_kbkdf_cmac_lea_fixed(key, 16, NULL, 0, input, 4, 8, out, 255 * 16 + 1));
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_kbkdf_cmac_lea(key, 15, NULL, 0, NULL, 0, out, 20));
    IS(HWACHA_UNKNOWN_ALGORITHM, hwacha_kbkdf_hmac_lsh(NO_VARIANT, key, 16, NULL, 0, NULL, 0, out, 20));
    IS(HWACHA_OVERLAP, hwacha_kbkdf_hmac_lsh(v, key, 16, out, 1, NULL, 0, out, 20));
    for (int missing = 0; missing < 4; ++missing) {
        const octet* k = missing == 0 ? NULL : key;
        const octet* a = missing == 1 ? NULL : input;
        const octet* b = missing == 2 ? NULL : input;
        octet* o = missing == 3 ? NULL : out;
        IS(HWACHA_NULL_POINTER, hwacha_kbkdf_hmac_lsh(v, k, 16, a, 1, b, 1, o, 20));
        IS(HWACHA_NULL_POINTER, hwacha_kbkdf_cmac_lea(k, 16, a, 1, b, 1, o, 20));
        IS(HWACHA_NULL_POINTER, hwacha_kbkdf_hmac_lsh_fixed(v, k, 16, a, 1, b, 1, 32, o, 20));
        IS(HWACHA_NULL_POINTER, hwacha_kbkdf_cmac_lea_fixed(k, 16, a, 1, b, 1, 32, o, 20));
    }
    CHECK(all(out, 0xa5, sizeof out));
}

int main(void) {
    test_cmac();
    test_gmac();
    test_random();
    test_pbkdf2();
    test_hkdf();
    test_kbkdf();
    printf("%u checks, %u failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
