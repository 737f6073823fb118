/* hwacha.h, LEA in blocks and in its modes, in C11: known answers in one call and in pieces, every status, null
 * pointers. */
#include <hwacha/hwacha.h>

#include <stdio.h>
#include <string.h>

static unsigned checks;
static unsigned failures;

static void check(int good, const char* what, int line) {
    ++checks;
    if (good) return;
    ++failures;
    printf("c_modes_test.c:%d: FAILED: %s\n", line, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define IS(status, call) check((call) == (status), #call, __LINE__)

typedef unsigned char octet;

static int nibble(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Returns the number of bytes. */
static size_t unhex(octet* out, const char* hex) {
    size_t n = 0;
    for (; hex[2 * n] != '\0'; ++n) out[n] = (octet)(16 * nibble(hex[2 * n]) + nibble(hex[2 * n + 1]));
    return n;
}

static void count_up(octet* out, size_t size, unsigned first) {
    for (size_t i = 0; i < size; ++i) out[i] = (octet)(first + i);
}

static int all(const octet* data, octet value, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        if (data[i] != value) return 0;
    }
    return 1;
}

/* From KISA's and the validation files: 64 bytes of text. */
struct answer {
    octet key[16], iv[16], text[64], sealed[64];
    hwacha_lea* lea;
};

static void make(struct answer* a, const char* key, const char* iv, const char* text, const char* sealed) {
    unhex(a->key, key);
    unhex(a->iv, iv);
    unhex(a->text, text);
    unhex(a->sealed, sealed);
    IS(HWACHA_OK, hwacha_lea_new(a->key, 16, &a->lea));
}

static void test_blocks(void) {
    octet key[16], text[16], sealed[16], out[32];
    unhex(key, "0f1e2d3c4b5a69788796a5b4c3d2e1f0");
    count_up(text, 16, 0x10);
    unhex(sealed, "9fc84e3528c6c6185532c7a704648bfd");
    hwacha_lea* lea = NULL;
    IS(HWACHA_OK, hwacha_lea_new(key, 16, &lea));
    IS(HWACHA_OK, hwacha_lea_encrypt_blocks(lea, text, 16, out, 16));
    CHECK(memcmp(out, sealed, 16) == 0);
    IS(HWACHA_OK, hwacha_lea_decrypt_blocks(lea, out, 16, out, 16));
    CHECK(memcmp(out, text, 16) == 0);
    IS(HWACHA_BAD_BLOCK_LENGTH, hwacha_lea_encrypt_blocks(lea, text, 15, out, 32));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_decrypt_blocks(lea, text, 16, out, 15));
    IS(HWACHA_OVERLAP, hwacha_lea_encrypt_blocks(lea, out, 16, out + 1, 16));
    IS(HWACHA_NULL_POINTER, hwacha_lea_encrypt_blocks(NULL, text, 16, out, 16));
    IS(HWACHA_NULL_POINTER, hwacha_lea_encrypt_blocks(lea, NULL, 16, out, 16));
    IS(HWACHA_NULL_POINTER, hwacha_lea_decrypt_blocks(lea, text, 16, NULL, 16));
    IS(HWACHA_OK, hwacha_lea_encrypt_blocks(lea, NULL, 0, NULL, 0));
    hwacha_lea_free(lea);
    hwacha_lea_free(NULL);
    lea = (hwacha_lea*)key;
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_lea_new(key, 15, &lea));
    CHECK(lea == NULL);
    lea = (hwacha_lea*)key;
    IS(HWACHA_NULL_POINTER, hwacha_lea_new(NULL, 16, &lea));
    CHECK(lea == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_lea_new(key, 16, NULL));
}

static void test_ctr(void) {
    struct answer a;
    octet out[64];
    make(&a, "6bdd642af7a126fe728e81c7cbadec70", "4ee440bfbdc16d36a3736b37e519746c",
         "9a4071661ca6b2845f44e117828c39c3a4f0f329f9a301c21da3ff0ea8f767ef0235044f7948a909907022079a8a6ba88892206400663"
         "5b2af"
         "cde729dfb7f2e6",
         "4d42f00744dd0c5fbe762cc22db9fee2d6489c443d177a5d8c7df06cb83a1a1a5a073c3567f8e913f5fbf283fa058b246adee5a286b24"
         "de03c"
         "cdb1e91fcc4b40");
    hwacha_lea_ctr* ctr = NULL;
    IS(HWACHA_OK, hwacha_lea_ctr_new(a.lea, a.iv, 16, &ctr));
    IS(HWACHA_OK, hwacha_lea_ctr_update(ctr, a.text, 23, out, 64));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_ctr_update(ctr, a.text, 23, out + 23, 22));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ctr_update(ctr, NULL, 23, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ctr_update(NULL, a.text, 23, out, 64));
    IS(HWACHA_OK, hwacha_lea_ctr_update(ctr, a.text + 23, 41, out + 23, 41));
    CHECK(memcmp(out, a.sealed, 64) == 0);
    hwacha_lea_ctr_free(ctr);
    hwacha_lea_ctr_free(NULL);
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_ctr_new(a.lea, a.iv, 12, &ctr));
    CHECK(ctr == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_lea_ctr_new(NULL, a.iv, 16, &ctr));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ctr_new(a.lea, NULL, 16, &ctr));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ctr_new(a.lea, a.iv, 16, NULL));
    hwacha_lea_free(a.lea);
}

static void test_cbc(void) {
    struct answer a;
    octet out[96], back[96];
    size_t n = 99, total = 0;
    make(&a, "d4496f5ab2d1af5ab8eb1b256cd58e7b", "99fe48eda10de4fa13258b7980676837",
         "8bb95be040c6f223a7469511988000c6d00df74c45de34bcb781a5a6889fd4b3cdcaa789a57549efca4468326587a1c72701383195ed0"
         "d26a3"
         "43cbed8537630a",
         "e880c1a3a9f2e225691e44a73bf28db48aa8d96b7f3d132c3135538ce102f7f2f6b4460834323c506df7fa9689386e9a5f6689b051072"
         "b7b8a"
         "a4f3e2e54ad4b3");
    IS(HWACHA_OK, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, a.text, 64, out, 64, &n));
    CHECK(n == 64 && memcmp(out, a.sealed, 64) == 0);
    IS(HWACHA_OK, hwacha_lea_cbc_decrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, out, 64, out, 64, &n));
    CHECK(n == 64 && memcmp(out, a.text, 64) == 0);
    CHECK(hwacha_lea_cbc_ciphertext_size(64, HWACHA_PADDING_PKCS7) == 80);
    CHECK(hwacha_lea_cbc_ciphertext_size(64, HWACHA_PADDING_NONE) == 64);
    IS(HWACHA_OK, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, a.text, 64, out, 80, &n));
    CHECK(n == 80 && memcmp(out, a.sealed, 64) == 0);
    IS(HWACHA_OK, hwacha_lea_cbc_decrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, out, 80, back, 80, &n));
    CHECK(n == 64 && memcmp(back, a.text, 64) == 0);

    hwacha_lea_cbc_encryptor* e = NULL;
    IS(HWACHA_OK, hwacha_lea_cbc_encryptor_new(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, &e));
    IS(HWACHA_OK, hwacha_lea_cbc_encryptor_update(e, a.text, 23, back, 96, &n));
    CHECK(n == 16);
    total = n;
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_cbc_encryptor_update(e, a.text + 23, 41, back + total, 47, &n));
    CHECK(n == 0);
    IS(HWACHA_OK, hwacha_lea_cbc_encryptor_update(e, a.text + 23, 41, back + total, 48, &n));
    total += n;
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encryptor_finish(e, back + total, 32, NULL));
    IS(HWACHA_OK, hwacha_lea_cbc_encryptor_finish(e, back + total, 32, &n));
    CHECK(n == 16 && total == 64 && memcmp(back, out, 80) == 0);
    IS(HWACHA_FINISHED, hwacha_lea_cbc_encryptor_finish(e, back + total, 32, &n));
    hwacha_lea_cbc_encryptor_free(e);
    hwacha_lea_cbc_encryptor_free(NULL);

    hwacha_lea_cbc_decryptor* d = NULL;
    IS(HWACHA_OK, hwacha_lea_cbc_decryptor_new(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, &d));
    IS(HWACHA_OK, hwacha_lea_cbc_decryptor_update(d, out, 80, back, 96, &n));
    CHECK(n == 64);
    IS(HWACHA_OK, hwacha_lea_cbc_decryptor_finish(d, back + 64, 16, &n));
    CHECK(n == 0 && memcmp(back, a.text, 64) == 0);
    hwacha_lea_cbc_decryptor_free(d);
    hwacha_lea_cbc_decryptor_free(NULL);

    memset(back, 0xa5, sizeof back);
    out[79] ^= 1;
    IS(HWACHA_BAD_PADDING, hwacha_lea_cbc_decrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, out, 80, back, 80, &n));
    CHECK(n == 0 && all(back, 0, 80) && all(back + 80, 0xa5, 16));
    IS(HWACHA_BAD_BLOCK_LENGTH, hwacha_lea_cbc_decrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, out, 0, back, 80, &n));
    IS(HWACHA_BAD_BLOCK_LENGTH, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, out, 15, back, 80, &n));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_cbc_encrypt(a.lea, a.iv, 15, HWACHA_PADDING_NONE, out, 16, back, 80, &n));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, out, 16, back, 31, &n));
    IS(HWACHA_OVERLAP, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_PKCS7, out, 16, out + 1, 40, &n));
    for (int p = 0; p < 260; ++p) {
        const hwacha_padding padding = (hwacha_padding)p;
        const hwacha_status expected = p == 0 || p == 1 ? HWACHA_OK : HWACHA_BAD_OPTION;
        IS(expected, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, padding, a.text, 16, back, 96, &n));
        IS(expected, hwacha_lea_cbc_encryptor_new(a.lea, a.iv, 16, padding, &e));
        CHECK((e == NULL) == (expected != HWACHA_OK));
        hwacha_lea_cbc_encryptor_free(e);
    }
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encrypt(NULL, a.iv, 16, HWACHA_PADDING_NONE, out, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encrypt(a.lea, NULL, 16, HWACHA_PADDING_NONE, out, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, NULL, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, out, 16, NULL, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, out, 16, back, 80, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_decrypt(a.lea, NULL, 16, HWACHA_PADDING_NONE, out, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_decrypt(a.lea, a.iv, 16, HWACHA_PADDING_NONE, out, 16, back, 80, NULL));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_encryptor_update(NULL, out, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_decryptor_update(NULL, out, 16, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_decryptor_finish(NULL, back, 80, &n));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cbc_decryptor_new(NULL, a.iv, 16, HWACHA_PADDING_NONE, &d));
    CHECK(d == NULL);
    hwacha_lea_free(a.lea);
}

static void test_cfb(void) {
    struct answer a;
    octet out[64], back[64];
    make(&a, "3fa1ae9a8dc3636d80e25acfc9005cf3", "1a0f6280d2075843dc372220d4d8dd4f",
         "6ce867c50f3621efc4b9f3a654259160afc0fda38c724ec0501cafbd312baa939b6da79ad223af41da5776029470999529032464abec5"
         "740fa"
         "9eaa52e5b70e54",
         "e4ee90a3c345936e36f95e9e1762d5210f0148fc035361af9f327b86d313ba3acdfb5dd3e0147320506d5de7f660958e7eb7ecc6ee680"
         "705f7"
         "0d05d8dde0efb0");
    IS(HWACHA_OK, hwacha_lea_cfb_encrypt(a.lea, a.iv, 16, 128, a.text, 64, out, 64));
    CHECK(memcmp(out, a.sealed, 64) == 0);
    for (unsigned bits = 0; bits <= 600; ++bits) {
        const hwacha_status expected = bits == 8 || bits == 64 || bits == 128 ? HWACHA_OK : HWACHA_BAD_OPTION;
        IS(expected, hwacha_lea_cfb_encrypt(a.lea, a.iv, 16, bits, a.text, 64, out, 64));
        IS(expected, hwacha_lea_cfb_decrypt(a.lea, a.iv, 16, bits, a.sealed, 64, back, 64));
        hwacha_lea_cfb_encryptor* e = NULL;
        hwacha_lea_cfb_decryptor* d = NULL;
        IS(expected, hwacha_lea_cfb_encryptor_new(a.lea, a.iv, 16, bits, &e));
        IS(expected, hwacha_lea_cfb_decryptor_new(a.lea, a.iv, 16, bits, &d));
        if (expected == HWACHA_OK) {
            CHECK((memcmp(out, a.sealed, 64) == 0) == (bits == 128));
            CHECK((memcmp(back, a.text, 64) == 0) == (bits == 128));
            IS(HWACHA_OK, hwacha_lea_cfb_encryptor_update(e, a.text, 23, back, 23));
            IS(HWACHA_OK, hwacha_lea_cfb_encryptor_update(e, a.text + 23, 41, back + 23, 41));
            CHECK(memcmp(out, back, 64) == 0);
            IS(HWACHA_OK, hwacha_lea_cfb_decryptor_update(d, back, 9, back, 9));
            IS(HWACHA_OK, hwacha_lea_cfb_decryptor_update(d, back + 9, 55, back + 9, 55));
            CHECK(memcmp(back, a.text, 64) == 0);
            IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_cfb_encryptor_update(e, a.text, 23, back, 22));
            IS(HWACHA_NULL_POINTER, hwacha_lea_cfb_decryptor_update(d, NULL, 23, back, 23));
        }
        hwacha_lea_cfb_encryptor_free(e);
        hwacha_lea_cfb_decryptor_free(d);
    }
    IS(HWACHA_NULL_POINTER, hwacha_lea_cfb_encrypt(a.lea, NULL, 16, 8, a.text, 64, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_cfb_decrypt(NULL, a.iv, 16, 8, a.text, 64, out, 64));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_cfb_decrypt(a.lea, a.iv, 15, 8, a.text, 64, out, 64));
    IS(HWACHA_OVERLAP, hwacha_lea_cfb_decrypt(a.lea, a.iv, 16, 8, out, 40, out + 1, 63));
    hwacha_lea_free(a.lea);
}

static void test_ofb(void) {
    struct answer a;
    octet out[64];
    make(&a, "9ad24e1fd17bad324656b0b078f56fde", "eddb3372d18e3848e1eeb15687c40de2",
         "469e79f259dba6059702cc009a58ef6b20b161ddb18688b58348e10b9af445e733e86bb063f5afe7fcb51115b01e810179585a2738cc2"
         "c669c"
         "7ebef9459c53a8",
         "152b9e7507567f48680de08df75f1869a988fd401263e64f9b2fa92308c31f716c5d945a779b5e12b3840dea281ad223d40c8336d4abb"
         "ea8a8"
         "f3363bccf285cd");
    IS(HWACHA_OK, hwacha_lea_ofb_crypt(a.lea, a.iv, 16, a.text, 64, out, 64));
    CHECK(memcmp(out, a.sealed, 64) == 0);
    hwacha_lea_ofb* ofb = NULL;
    IS(HWACHA_OK, hwacha_lea_ofb_new(a.lea, a.iv, 16, &ofb));
    IS(HWACHA_OK, hwacha_lea_ofb_update(ofb, out, 23, out, 23));
    IS(HWACHA_OK, hwacha_lea_ofb_update(ofb, out + 23, 41, out + 23, 41));
    CHECK(memcmp(out, a.text, 64) == 0);
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_ofb_update(ofb, out, 23, out, 22));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ofb_update(NULL, out, 23, out, 23));
    hwacha_lea_ofb_free(ofb);
    hwacha_lea_ofb_free(NULL);
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_ofb_new(a.lea, a.iv, 17, &ofb));
    CHECK(ofb == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_lea_ofb_crypt(a.lea, NULL, 16, a.text, 64, out, 64));
    hwacha_lea_free(a.lea);
}

static void test_ccm(void) {
    octet key[16], nonce[13], aad[8], text[23], sealed[31], out[64];
    count_up(key, 16, 0);
    count_up(nonce, 13, 0);
    count_up(aad, 8, 0);
    count_up(text, 23, 0);
    unhex(sealed, "1487af6640e92cb9ad9b7a154a6e42a5befce31b27b6d239a2893b0995a985");
    hwacha_lea_ccm* ccm = NULL;
    IS(HWACHA_OK, hwacha_lea_ccm_new(key, 16, 8, &ccm));
    IS(HWACHA_OK, hwacha_lea_ccm_seal(ccm, nonce, 13, aad, 8, text, 23, out, 31));
    CHECK(memcmp(out, sealed, 31) == 0);
    IS(HWACHA_OK, hwacha_lea_ccm_open(ccm, nonce, 13, aad, 8, out, 31, out, 64));
    CHECK(memcmp(out, text, 23) == 0);
    memset(out, 0xa5, sizeof out);
    IS(HWACHA_AUTH_FAILED, hwacha_lea_ccm_open(ccm, nonce, 12, aad, 8, sealed, 31, out, 64));
    IS(HWACHA_AUTH_FAILED, hwacha_lea_ccm_open(ccm, nonce, 13, aad, 7, sealed, 31, out, 64));
    IS(HWACHA_AUTH_FAILED, hwacha_lea_ccm_open(ccm, nonce, 13, aad, 8, sealed, 7, out, 64));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_ccm_open(ccm, nonce, 6, aad, 8, sealed, 31, out, 64));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_ccm_seal(ccm, nonce, 13, aad, 8, text, 23, out, 30));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_lea_ccm_seal_detached(ccm, nonce, 13, aad, 8, text, 23, out, 23, out + 32, 9));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_lea_ccm_open_detached(ccm, nonce, 13, aad, 8, text, 23, sealed, 7, out, 23));
    CHECK(all(out, 0xa5, sizeof out));
    IS(HWACHA_OK, hwacha_lea_ccm_seal_detached(ccm, nonce, 13, aad, 8, text, 23, out, 23, out + 32, 8));
    CHECK(memcmp(out, sealed, 23) == 0 && memcmp(out + 32, sealed + 23, 8) == 0);
    IS(HWACHA_OK, hwacha_lea_ccm_open_detached(ccm, nonce, 13, aad, 8, out, 23, out + 32, 8, out, 23));
    CHECK(memcmp(out, text, 23) == 0);

    hwacha_lea_ccm_sealer* s = NULL;
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_new(ccm, nonce, 13, 8, 23, &s));
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_aad(s, aad, 3));
    IS(HWACHA_WRONG_ORDER, hwacha_lea_ccm_sealer_update(s, text, 5, out, 64));
    IS(HWACHA_MESSAGE_TOO_LONG, hwacha_lea_ccm_sealer_aad(s, aad, 6));
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_aad(s, aad + 3, 5));
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_update(s, text, 5, out, 64));
    IS(HWACHA_MESSAGE_TOO_LONG, hwacha_lea_ccm_sealer_update(s, text, 19, out, 64));
    IS(HWACHA_WRONG_ORDER, hwacha_lea_ccm_sealer_finish(s, out + 23, 8));
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_update(s, text + 5, 18, out + 5, 18));
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_lea_ccm_sealer_finish(s, out + 23, 7));
    IS(HWACHA_OK, hwacha_lea_ccm_sealer_finish(s, out + 23, 8));
    CHECK(memcmp(out, sealed, 31) == 0);
    IS(HWACHA_FINISHED, hwacha_lea_ccm_sealer_finish(s, out + 23, 8));
    hwacha_lea_ccm_sealer_free(s);
    hwacha_lea_ccm_sealer_free(NULL);

    for (int wrong = 0; wrong < 2; ++wrong) {
        hwacha_lea_ccm_opener* o = NULL;
        IS(HWACHA_OK, hwacha_lea_ccm_opener_new(ccm, nonce, 13, 8, 23, &o));
        IS(HWACHA_OK, hwacha_lea_ccm_opener_aad(o, aad, 8));
        IS(HWACHA_OK, hwacha_lea_ccm_opener_update_unverified(o, sealed, 23, out, 64));
        CHECK(memcmp(out, text, 23) == 0);
        sealed[30] ^= (octet)wrong;
        IS(wrong ? HWACHA_AUTH_FAILED : HWACHA_OK, hwacha_lea_ccm_opener_finish(o, sealed + 23, 8));
        IS(HWACHA_FINISHED, hwacha_lea_ccm_opener_finish(o, sealed + 23, 8));
        hwacha_lea_ccm_opener_free(o);
        hwacha_lea_ccm_opener_free(NULL);
    }

    IS(HWACHA_MESSAGE_TOO_LONG, hwacha_lea_ccm_sealer_new(ccm, nonce, 13, 0, 65536, &s));
    CHECK(s == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_sealer_new(NULL, nonce, 13, 0, 0, &s));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_sealer_new(ccm, NULL, 13, 0, 0, &s));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_sealer_aad(NULL, aad, 8));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_sealer_update(NULL, text, 1, out, 1));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_sealer_finish(NULL, out, 8));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_opener_finish(NULL, out, 8));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal(NULL, nonce, 13, aad, 8, text, 23, out, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal(ccm, NULL, 13, aad, 8, text, 23, out, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal(ccm, nonce, 13, NULL, 8, text, 23, out, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal(ccm, nonce, 13, aad, 8, NULL, 23, out, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal(ccm, nonce, 13, aad, 8, text, 23, NULL, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_open(ccm, nonce, 13, aad, 8, NULL, 31, out, 31));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_seal_detached(ccm, nonce, 13, aad, 8, text, 23, out, 31, NULL, 8));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_open_detached(ccm, nonce, 13, aad, 8, text, 23, NULL, 8, out, 31));
    hwacha_lea_ccm_free(ccm);
    hwacha_lea_ccm_free(NULL);
    IS(HWACHA_BAD_TAG_LENGTH, hwacha_lea_ccm_new(key, 16, 5, &ccm));
    CHECK(ccm == NULL);
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_lea_ccm_new(key, 10, 16, &ccm));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_new(NULL, 16, 16, &ccm));
    IS(HWACHA_NULL_POINTER, hwacha_lea_ccm_new(key, 16, 16, NULL));
}

/* The expected value is from a model in another language. */
static void test_xts(void) {
    octet keys[64], tweak[16] = {0x9a, 0x78, 0x56, 0x34, 0x12}, text[46], sealed[23], out[64];
    count_up(keys, 64, 0);
    count_up(text, 23, 0x20);
    count_up(text + 23, 23, 0x20);
    unhex(sealed, "aca13825962f73dda037b37a0f796953a7c78b3a087162");
    hwacha_lea_xts* xts = NULL;
    IS(HWACHA_OK, hwacha_lea_xts_new(keys, 32, &xts));
    IS(HWACHA_OK, hwacha_lea_xts_encrypt(xts, tweak, 16, text, 23, out, 64));
    CHECK(memcmp(out, sealed, 23) == 0);
    IS(HWACHA_OK, hwacha_lea_xts_decrypt(xts, tweak, 16, out, 23, out, 23));
    CHECK(memcmp(out, text, 23) == 0);
    IS(HWACHA_OK, hwacha_lea_xts_encrypt_sectors(xts, 0x1234567899, 23, text, 46, out, 46));
    CHECK(memcmp(out + 23, sealed, 23) == 0 && memcmp(out, sealed, 23) != 0);
    IS(HWACHA_OK, hwacha_lea_xts_decrypt_sectors(xts, 0x1234567899, 23, out, 46, out, 46));
    CHECK(memcmp(out, text, 46) == 0);
    memset(out, 0xa5, sizeof out);
    IS(HWACHA_BAD_BLOCK_LENGTH, hwacha_lea_xts_encrypt(xts, tweak, 16, text, 15, out, 64));
    IS(HWACHA_BAD_NONCE_LENGTH, hwacha_lea_xts_encrypt(xts, tweak, 8, text, 16, out, 64));
    IS(HWACHA_BUFFER_TOO_SMALL, hwacha_lea_xts_decrypt(xts, tweak, 16, text, 16, out, 15));
    IS(HWACHA_BAD_BLOCK_LENGTH, hwacha_lea_xts_encrypt_sectors(xts, 0, 23, text, 45, out, 64));
    IS(HWACHA_COUNTER_EXHAUSTED, hwacha_lea_xts_encrypt_sectors(xts, UINT64_MAX, 23, text, 46, out, 64));
    IS(HWACHA_MESSAGE_TOO_LONG, hwacha_lea_xts_decrypt_sectors(xts, 0, (size_t)1 << 25, text, 0, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_encrypt(NULL, tweak, 16, text, 16, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_encrypt(xts, NULL, 16, text, 16, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_decrypt(xts, tweak, 16, NULL, 16, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_decrypt(xts, NULL, 16, text, 16, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_encrypt_sectors(NULL, 0, 16, text, 16, out, 64));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_decrypt_sectors(xts, 0, 16, text, 16, NULL, 64));
    CHECK(all(out, 0xa5, sizeof out));
    hwacha_lea_xts_free(xts);
    hwacha_lea_xts_free(NULL);
    IS(HWACHA_BAD_KEY_LENGTH, hwacha_lea_xts_new(keys, 16, &xts));
    CHECK(xts == NULL);
    memcpy(keys + 32, keys, 32);
    IS(HWACHA_WEAK_KEY, hwacha_lea_xts_new(keys, 64, &xts));
    CHECK(xts == NULL);
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_new(NULL, 64, &xts));
    IS(HWACHA_NULL_POINTER, hwacha_lea_xts_new(keys, 64, NULL));
}

int main(void) {
    test_blocks();
    test_ctr();
    test_cbc();
    test_cfb();
    test_ofb();
    test_ccm();
    test_xts();
    printf("%u checks, %u failed\n", checks, failures);
    return failures != 0;
}
