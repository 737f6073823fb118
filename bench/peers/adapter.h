/*
 * What the harness measures: a shared library with these four functions. Hwacha's own tables, Crypto++ and OpenSSL come
 * as such libraries; HWACHA_PEER_<NAME>=path/to/library.so adds any other one at run time, so that anybody can compare
 * with code that is not shipped here.
 *
 * Operations are named as the field names them: "LSH-256-256", "HMAC-LSH-512-512", "LEA-128-CTR", "LEA-128-GCM",
 * "SHA-256", ... A library may offer an operation in several variants ("avx2", "portable"). Variants of one operation
 * are compared with each other, in one library or across libraries, and must write equal outputs:
 *
 *   hash      output = digest of the input
 *   HMAC      key 00 01 ... 1f; output = the whole MAC
 *   ECB       key 00 01 ... of its size; input a multiple of 16 bytes; output = ciphertext
 *   CTR       the same key, first counter block 00 01 ... 0f; input a multiple of 16 bytes; output = ciphertext
 *   CBC decrypt
 *             the same key, IV 00 01 ... 0f; input a multiple of 16 bytes; output = plaintext with its padding
 *   XTS       keys 00 01 ... of twice that size, tweak 00 01 ... 0f; one data unit of 16 bytes or more; output =
 *             ciphertext
 *   GCM, CCM  the same key, nonce 00 01 ... 0b, no additional data; output = ciphertext, then 16 bytes of tag
 *   GCM open  input = ciphertext, whose tag is found before the measurement; output = plaintext
 *   GCM key setup
 *             input = key of 16 bytes; output = a byte, the number of bytes of the key
 *   GHASH     hash key 00 01 ... 0f; input a multiple of 16 bytes; output = 16 bytes, without a block of lengths
 *   NAME xN   N messages, the equal parts of the input (a multiple of N bytes); output = theirs, one after the other
 *   NAME xN uniform, NAME xN records
 *             N messages of unequal lengths: lengths.h
 *             GCM: message i has the nonce 00 01 ... 07, then i as four bytes, the most significant first
 *
 * Key schedules and tables are set up beforehand, when the library is loaded or listed; everything else belongs to a
 * run.
 */
#ifndef HWACHA_BENCH_ADAPTER_H
#define HWACHA_BENCH_ADAPTER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HWACHA_PEER_ABI 1
#define HWACHA_PEER_ROOM 1048576
#define HWACHA_PEER_EXPORT __attribute__((visibility("default")))

/* The version of this interface that the library was written for: HWACHA_PEER_ABI. */
HWACHA_PEER_EXPORT int hwacha_peer_abi(void);

/* Calls `found` once for each operation and variant that runs on this machine. `operation` is a number of the library's
   choice, for run; the texts live as long as the library. */
typedef void (*hwacha_peer_found)(void* user, int operation, const char* name, const char* variant);
HWACHA_PEER_EXPORT void hwacha_peer_list(hwacha_peer_found found, void* user);

/* One run over `length` bytes at any alignment. `output` has room for length + HWACHA_PEER_ROOM bytes, and does not
   overlap the input. Returns the number of bytes written, or a negative number if the operation does not take this
   length. One thread at a time. */
HWACHA_PEER_EXPORT long hwacha_peer_run(int operation, const unsigned char* input, size_t length,
                                        unsigned char* output);

/* "name", "version", "compiler", "flags": a text; null for a key that is not known. */
HWACHA_PEER_EXPORT const char* hwacha_peer_info(const char* key);

#ifdef __cplusplus
}
#endif

#endif
