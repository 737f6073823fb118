/*
 * Hwacha, C interface: LSH (KS X 3262), HMAC-LSH (RFC 2104), LEA (KS X 3246) in GCM and the other modes of NIST SP
 * 800-38.
 *
 * Conventions, for every function:
 *   - Sizes are in bytes. A pointer may be null where its size is 0.
 *   - A failing call leaves its outputs untouched or zeroed, and says why through its status.
 *   - Nothing prints, aborts or throws. Contexts are opaque; `*_free` wipes what they held and accepts null.
 *   - A context serves one thread at a time. Keys (`hwacha_lea`, `hwacha_lea_gcm`, `..._ccm`, `..._xts`) do not
 *     change after creation and may be used by any number of threads at once.
 *   - Ciphers: input and output may be the same buffer (same start) where the function says "in place"; any other
 * overlap is refused with HWACHA_OVERLAP. A digest or MAC may be written over its input, except in batches.
 *   - Inputs must not change during a call.
 *   - The numbers of enumerators are frozen.
 */
#ifndef HWACHA_HWACHA_H
#define HWACHA_HWACHA_H

#include <stddef.h>
#include <stdint.h>

#include <hwacha/export.h>

#ifdef __cplusplus
extern "C" {
#define HWACHA_NOEXCEPT noexcept
#else
#define HWACHA_NOEXCEPT
#endif

typedef enum hwacha_status {
    HWACHA_OK = 0,
    HWACHA_BAD_KEY_LENGTH = 1,    /* LEA: 16, 24 or 32 bytes; XTS: two such keys */
    HWACHA_BAD_NONCE_LENGTH = 2,  /* GCM: 1 byte or more; CCM: 7 to 13; IVs, XTS tweaks: 16 */
    HWACHA_BAD_TAG_LENGTH = 3,    /* GCM: 12 to 16 bytes, 4, 8 with HWACHA_SHORT_TAGS; CCM: 4, 6, ..., 16 */
    HWACHA_MESSAGE_TOO_LONG = 4,  /* a mode's limit of text, additional data or nonce; CCM: more than announced */
    HWACHA_AUTH_FAILED = 5,       /* the tag does not fit: nothing may be used */
    HWACHA_COUNTER_EXHAUSTED = 6, /* no unused counter or nonce is left under this key */
    HWACHA_BUFFER_TOO_SMALL = 7,  /* the output does not hold the result */
    HWACHA_OVERLAP = 8,           /* input and output overlap in a way that the function does not allow */
    HWACHA_UNKNOWN_ALGORITHM = 9, /* no such algorithm */
    HWACHA_FINISHED = 10,         /* finished already: reset it, or make a new one */
    HWACHA_WRONG_ORDER = 11,      /* additional data after text; CCM: what was announced is missing */
    HWACHA_NULL_POINTER = 12,     /* null with a size above 0, or a missing result pointer */
    HWACHA_BAD_BIT_COUNT = 13,    /* finish_bits: 1 to 7 bits */
    HWACHA_BAD_BLOCK_LENGTH = 14, /* ECB, CBC: a multiple of 16 bytes; XTS: 16 or more, whole sectors */
    HWACHA_RNG_FAILED = 15,       /* the operating system gave no random bytes */
    HWACHA_OUT_OF_MEMORY = 16,
    HWACHA_BAD_OPTION = 17,        /* an option that does not exist, or options that do not go together */
    HWACHA_WRONG_COUNT = 18,       /* two lists that belong together are not of one length */
    HWACHA_CANCELLED = 19,         /* the progress function said so */
    HWACHA_BAD_OFFSETS = 20,       /* an offset is negative, less than that before it, or beyond the data */
    HWACHA_EXECUTOR_FAILED = 21,   /* the executor did not run the tasks that it was given */
    HWACHA_BAD_PADDING = 22,       /* PKCS#7 padding is not what it should be: nothing may be used */
    HWACHA_WEAK_KEY = 23,          /* XTS: the two halves of the key are equal */
    HWACHA_BAD_ITERATIONS = 24,    /* PBKDF2: 1 to 2^32-1 iterations */
    HWACHA_OUTPUT_TOO_LONG = 25,   /* a key derivation function's limit for what it derives is exceeded */
    HWACHA_STATUS_MAX = 0x7fffffff /* no status: lets every number be passed without undefined behaviour */
} hwacha_status;

/* "unknown algorithm", in English; never null, valid for ever. */
HWACHA_API const char* hwacha_strerror(hwacha_status status) HWACHA_NOEXCEPT;

/* "0.1.0" */
HWACHA_API const char* hwacha_version(void) HWACHA_NOEXCEPT;

/* ---- Hashes: LSH, KS X 3262 ------------------------------------------------------------------------------------- */

typedef enum hwacha_lsh_variant {
    HWACHA_LSH256_224 = 1,
    HWACHA_LSH256_256 = 2,
    HWACHA_LSH512_224 = 3,
    HWACHA_LSH512_256 = 4,
    HWACHA_LSH512_384 = 5,
    HWACHA_LSH512_512 = 6,
    HWACHA_LSH_MAX = 0x7fffffff /* no variant; see HWACHA_STATUS_MAX */
} hwacha_lsh_variant;

/* The variant of a canonical name ("LSH-256-256") or an alias, in any case. HWACHA_UNKNOWN_ALGORITHM otherwise. */
HWACHA_API hwacha_status hwacha_lsh_by_name(const char* name, hwacha_lsh_variant* variant) HWACHA_NOEXCEPT;
/* Canonical name; null for an unknown variant. */
HWACHA_API const char* hwacha_lsh_name(hwacha_lsh_variant variant) HWACHA_NOEXCEPT;
/* Bytes of a digest (28 to 64) and of a block (128 or 256); 0 for an unknown variant. */
HWACHA_API size_t hwacha_lsh_digest_size(hwacha_lsh_variant variant) HWACHA_NOEXCEPT;
HWACHA_API size_t hwacha_lsh_block_size(hwacha_lsh_variant variant) HWACHA_NOEXCEPT;

/* One call, no allocation. `digest` has room for `digest_size` bytes, at least the variant's digest size. */
HWACHA_API hwacha_status hwacha_lsh(hwacha_lsh_variant variant, const void* data, size_t size, void* digest,
                                    size_t digest_size) HWACHA_NOEXCEPT;

typedef struct hwacha_lsh_ctx hwacha_lsh_ctx;
HWACHA_API hwacha_status hwacha_lsh_new(hwacha_lsh_variant variant, hwacha_lsh_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_copy(const hwacha_lsh_ctx* from, hwacha_lsh_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lsh_free(hwacha_lsh_ctx* ctx) HWACHA_NOEXCEPT;
/* HWACHA_FINISHED after a finish, until reset. */
HWACHA_API hwacha_status hwacha_lsh_update(hwacha_lsh_ctx* ctx, const void* data, size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_finish(hwacha_lsh_ctx* ctx, void* digest, size_t digest_size) HWACHA_NOEXCEPT;
/* Ends a message of 8*n + `bits` bits, whose last `bits` (1 to 7) are the most significant ones of `last`. */
HWACHA_API hwacha_status hwacha_lsh_finish_bits(hwacha_lsh_ctx* ctx, uint8_t last, unsigned bits, void* digest,
                                                size_t digest_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_reset(hwacha_lsh_ctx* ctx) HWACHA_NOEXCEPT;

/* ---- HMAC-LSH, RFC 2104 over KS X 3262 -------------------------------------------------------------------------- */

/* One call; a key of any length, 0 included. `mac` receives the variant's digest size. */
HWACHA_API hwacha_status hwacha_hmac_lsh(hwacha_lsh_variant variant, const void* key, size_t key_size, const void* data,
                                         size_t size, void* mac, size_t mac_size) HWACHA_NOEXCEPT;

typedef struct hwacha_hmac_lsh_ctx hwacha_hmac_lsh_ctx;
HWACHA_API hwacha_status hwacha_hmac_lsh_new(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                             hwacha_hmac_lsh_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_copy(const hwacha_hmac_lsh_ctx* from,
                                              hwacha_hmac_lsh_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_hmac_lsh_free(hwacha_hmac_lsh_ctx* ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_update(hwacha_hmac_lsh_ctx* ctx, const void* data,
                                                size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_finish(hwacha_hmac_lsh_ctx* ctx, void* mac, size_t mac_size) HWACHA_NOEXCEPT;
/* Instead of finish: HWACHA_OK or HWACHA_AUTH_FAILED, in constant time. `mac` is the whole MAC: shorter or longer is
   HWACHA_BAD_TAG_LENGTH, and the message goes on. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_hmac_lsh_verify(hwacha_hmac_lsh_ctx* ctx, const void* mac,
                                                               size_t mac_size) HWACHA_NOEXCEPT;
/* Back to the state after creation: same key, no message. */
HWACHA_API hwacha_status hwacha_hmac_lsh_reset(hwacha_hmac_lsh_ctx* ctx) HWACHA_NOEXCEPT;

/* ---- Many messages at once ---------------------------------------------------------------------------------------
 *
 * One message in each lane of the vector registers, and on as many threads as are lent: a batch is faster than a loop
 * on one thread already, where the processor's vectors are used (SSSE3 and up, NEON). The messages of a batch (its
 * keys, the pieces for its streams) lie in one of two layouts:
 *
 *   pointers    message i is sizes[i] bytes at messages[i]; two arrays of `count` entries.
 *   offsets     message i is the bytes offsets[i] to offsets[i + 1] of one buffer of `data_size` bytes; `count` + 1
 *               offsets. These are the binary and string arrays of Apache Arrow (offsets32), and the large ones
 *               (offsets64). Offsets need not start at 0 or end at `data_size`. HWACHA_BAD_OFFSETS: one is
 *               negative or less than that before it, or the last is above `data_size`. An array's bitmap of
 *               nulls is for the caller to look at: what is null has a length as well, as a rule 0.
 *
 * Messages have any lengths, and there may be any number of them; where `count` is 0, no array is read. Digests and
 * MACs come one after the other and in order: number i at byte i * digest size. They are what the functions for one
 * message give.
 *
 * Refused, before anything is written: HWACHA_NULL_POINTER, also for a null message whose size is above 0;
 * HWACHA_BAD_OPTION; HWACHA_UNKNOWN_ALGORITHM; HWACHA_BUFFER_TOO_SMALL for less room than `count` digests; and
 * HWACHA_OVERLAP if the digests would lie over a message, a key, or an array that says where these are.
 *
 * What may come of a batch that was not refused:
 *   HWACHA_CANCELLED         by `progress`. What had begun is there; digests of other messages are zeros, other streams
 *                            unchanged.
 *   HWACHA_EXECUTOR_FAILED   the executor returned without having called its tasks; what is missing is as above.
 *   HWACHA_OUT_OF_MEMORY     an executor in C++ threw std::bad_alloc. Nothing else allocates.
 *
 * 64 KiB of stack are enough, in each thread. */

/* Threads that wait for work. One pool may serve any number of batches at once, from several threads. The caller of a
   batch works too, so one of `threads` 1 starts none; 0: as many as this process may use (affinity, control groups).
   Fewer threads than asked for are no error: hwacha_pool_concurrency tells. In a child of fork the pool works in the
   calling thread alone. More about it, signals included: hwacha/executor.hpp. */
typedef struct hwacha_pool hwacha_pool;
HWACHA_API hwacha_status hwacha_pool_new(size_t threads, hwacha_pool** pool) HWACHA_NOEXCEPT;
/* Waits for batches of other threads that have begun. Not to be called by a task or a progress function. */
HWACHA_API void hwacha_pool_free(hwacha_pool* pool) HWACHA_NOEXCEPT;
/* Threads, the caller included; 0 for null. */
HWACHA_API size_t hwacha_pool_concurrency(const hwacha_pool* pool) HWACHA_NOEXCEPT;

/* Threads of the application's: oneTBB, a run-time of its own, ... These members are all there will ever be. */
typedef void (*hwacha_task)(void* task_context, size_t index);
typedef struct hwacha_executor {
    /* Calls task(task_context, i) once for every i below `count`, in any order, on any threads, and returns when all
       calls have returned; what they have written is then visible to the caller. May be called by several threads at
       once, as batches are. It does not leave by an exception or a long jump. */
    void (*run)(void* context, size_t count, hwacha_task task, void* task_context);
    void* context;
    size_t concurrency; /* how many tasks may run at a time, at least 1 */
} hwacha_executor;

/* Options of a batch; a null pointer stands for none. A struct of the caller's, since it needs no memory that could
   fail to be there and may be a constant; it can grow, since its first member says how far the caller knew it: later
   versions append members whose zeros mean what was before them. HWACHA_BAD_OPTION: a `struct_size` less than that of
   the first version, or above 4096; one of a later version with members not zero that this library does not know;
   `pool` and `executor` both; an executor's concurrency of 0. HWACHA_NULL_POINTER: an executor without `run`. */
typedef struct hwacha_batch_options {
    size_t struct_size;              /* sizeof(hwacha_batch_options), as HWACHA_BATCH_OPTIONS_INIT sets it */
    hwacha_pool* pool;               /* lends its threads; */
    const hwacha_executor* executor; /* or this does; both null: the calling thread alone */
    /* If not null: called now and then with the number of messages done so far, by any of the threads but by one at a
       time. 0 cancels what has not begun; after the last message it changes nothing. */
    int (*progress)(void* progress_context, size_t done);
    void* progress_context;
} hwacha_batch_options;
#define HWACHA_BATCH_OPTIONS_INIT {sizeof(hwacha_batch_options), NULL, NULL, NULL, NULL}

/* LSH. `digests` has room for `digests_size` bytes, `count` times the variant's digest size or more. */
HWACHA_API hwacha_status hwacha_lsh_batch(hwacha_lsh_variant variant, const void* const* messages, const size_t* sizes,
                                          size_t count, void* digests, size_t digests_size,
                                          const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_batch_offsets32(hwacha_lsh_variant variant, const void* data, size_t data_size,
                                                    const int32_t* offsets, size_t count, void* digests,
                                                    size_t digests_size,
                                                    const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_batch_offsets64(hwacha_lsh_variant variant, const void* data, size_t data_size,
                                                    const int64_t* offsets, size_t count, void* digests,
                                                    size_t digests_size,
                                                    const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* HMAC-LSH, all messages under one key of any length. */
HWACHA_API hwacha_status hwacha_hmac_lsh_batch(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                               const void* const* messages, const size_t* sizes, size_t count,
                                               void* macs, size_t macs_size,
                                               const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_batch_offsets32(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                                         const void* data, size_t data_size, const int32_t* offsets,
                                                         size_t count, void* macs, size_t macs_size,
                                                         const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_batch_offsets64(hwacha_lsh_variant variant, const void* key, size_t key_size,
                                                         const void* data, size_t data_size, const int64_t* offsets,
                                                         size_t count, void* macs, size_t macs_size,
                                                         const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* HMAC-LSH, message i under key i; as many keys as messages, in the same layout. */
HWACHA_API hwacha_status hwacha_hmac_lsh_batch_keys(hwacha_lsh_variant variant, const void* const* keys,
                                                    const size_t* key_sizes, const void* const* messages,
                                                    const size_t* sizes, size_t count, void* macs, size_t macs_size,
                                                    const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_batch_keys_offsets32(hwacha_lsh_variant variant, const void* key_data,
                                                              size_t key_data_size, const int32_t* key_offsets,
                                                              const void* data, size_t data_size,
                                                              const int32_t* offsets, size_t count, void* macs,
                                                              size_t macs_size,
                                                              const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_hmac_lsh_batch_keys_offsets64(hwacha_lsh_variant variant, const void* key_data,
                                                              size_t key_data_size, const int64_t* key_offsets,
                                                              const void* data, size_t data_size,
                                                              const int64_t* offsets, size_t count, void* macs,
                                                              size_t macs_size,
                                                              const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* Appends piece i to streams[i], as hwacha_lsh_update in a loop. `count` different contexts of any variants, none of
   them null (HWACHA_NULL_POINTER) or finished (HWACHA_FINISHED): then nothing happened to any. */
HWACHA_API hwacha_status hwacha_lsh_update_batch(hwacha_lsh_ctx* const* streams, const void* const* pieces,
                                                 const size_t* sizes, size_t count,
                                                 const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_update_batch_offsets32(hwacha_lsh_ctx* const* streams, const void* data,
                                                           size_t data_size, const int32_t* offsets, size_t count,
                                                           const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lsh_update_batch_offsets64(hwacha_lsh_ctx* const* streams, const void* data,
                                                           size_t data_size, const int64_t* offsets, size_t count,
                                                           const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* ---- LEA-GCM: KS X 3246, NIST SP 800-38D ------------------------------------------------------------------------- */

/* Option of hwacha_lea_gcm_new: also tags of 4 and 8 bytes; read SP 800-38D appendix C before. Other bits are refused
   with HWACHA_BAD_OPTION. */
#define HWACHA_SHORT_TAGS 1U

/* A key with its tag length; does not change after creation. */
typedef struct hwacha_lea_gcm hwacha_lea_gcm;
/* `key_size` 16, 24 or 32; `tag_size` 12 to 16 (4 and 8 with HWACHA_SHORT_TAGS). */
HWACHA_API hwacha_status hwacha_lea_gcm_new(const void* key, size_t key_size, size_t tag_size, unsigned options,
                                            hwacha_lea_gcm** gcm) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_gcm_free(hwacha_lea_gcm* gcm) HWACHA_NOEXCEPT;

/* Writes ciphertext and then the tag: `size` + tag size bytes to `out`, which has room for `out_size`. In place
   allowed. Never use a nonce twice under one key. A 12-byte nonce is the fast and recommended one. */
HWACHA_API hwacha_status hwacha_lea_gcm_seal(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size,
                                             const void* aad, size_t aad_size, const void* plaintext, size_t size,
                                             void* out, size_t out_size) HWACHA_NOEXCEPT;
/* `sealed` is ciphertext and tag, as seal wrote it. Writes `size` - tag size bytes. If the tag does not verify they are
   zero and the status is HWACHA_AUTH_FAILED; while the call runs they may hold unverified plaintext. In place allowed;
   the ciphertext is then lost in either case. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_gcm_open(const hwacha_lea_gcm* gcm, const void* nonce,
                                                            size_t nonce_size, const void* aad, size_t aad_size,
                                                            const void* sealed, size_t size, void* out,
                                                            size_t out_size) HWACHA_NOEXCEPT;

/* Many messages at once, with blocks of several side by side: short ones gain most. A record's output may start exactly
   where its text starts (in place); any other overlap with an input of the same record, or with the list of records, is
   refused (HWACHA_OVERLAP). The output of one record must not lie over any input or output of another: this is not
   checked. */
typedef struct hwacha_lea_gcm_record {
    const void* nonce;
    size_t nonce_size;
    const void* aad;
    size_t aad_size;
    const void* text; /* seal: the plaintext; open: ciphertext and tag */
    size_t text_size;
    void* out; /* seal: room for text and tag; open: for the text without its tag */
    size_t out_size;
    hwacha_status result; /* written */
} hwacha_lea_gcm_record;

/* Seals or opens `count` records, all under one key, or record i under keys[i]. If something is wrong with a record
   (HWACHA_NULL_POINTER for a null key too), no output is touched: the status is that of the first bad record, the bad
   ones have it as their `result` and the others HWACHA_CANCELLED. Otherwise `result` says what became of each:
   HWACHA_OK, HWACHA_AUTH_FAILED with zeros where the plaintext would be, or HWACHA_CANCELLED with the output untouched.
   The status is HWACHA_AUTH_FAILED if some record has that and nothing else was wrong. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_gcm_seal_batch(const hwacha_lea_gcm* gcm,
                                                                  hwacha_lea_gcm_record* records, size_t count,
                                                                  const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_gcm_open_batch(const hwacha_lea_gcm* gcm,
                                                                  hwacha_lea_gcm_record* records, size_t count,
                                                                  const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status
hwacha_lea_gcm_seal_batch_keys(const hwacha_lea_gcm* const* keys, hwacha_lea_gcm_record* records, size_t count,
                               const hwacha_batch_options* options) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status
hwacha_lea_gcm_open_batch_keys(const hwacha_lea_gcm* const* keys, hwacha_lea_gcm_record* records, size_t count,
                               const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* A message in pieces: any number of aad calls, then any number of update calls, then finish. The first update, of 0
   bytes too, ends the additional data: aad after it is HWACHA_WRONG_ORDER, and the sealer is then of no more use. All
   three give HWACHA_FINISHED after finish, and HWACHA_MESSAGE_TOO_LONG, having done nothing, beyond the limits. */
typedef struct hwacha_lea_gcm_sealer hwacha_lea_gcm_sealer;
HWACHA_API hwacha_status hwacha_lea_gcm_sealer_new(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size,
                                                   hwacha_lea_gcm_sealer** sealer) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_gcm_sealer_free(hwacha_lea_gcm_sealer* sealer) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_gcm_sealer_aad(hwacha_lea_gcm_sealer* sealer, const void* aad,
                                                   size_t size) HWACHA_NOEXCEPT;
/* Writes `size` bytes of ciphertext. In place allowed. */
HWACHA_API hwacha_status hwacha_lea_gcm_sealer_update(hwacha_lea_gcm_sealer* sealer, const void* plaintext, size_t size,
                                                      void* ciphertext, size_t ciphertext_size) HWACHA_NOEXCEPT;
/* Writes the tag. `tag_size` is exactly the key's tag size; otherwise HWACHA_BAD_TAG_LENGTH, and finish may be called
 * again. */
HWACHA_API hwacha_status hwacha_lea_gcm_sealer_finish(hwacha_lea_gcm_sealer* sealer, void* tag,
                                                      size_t tag_size) HWACHA_NOEXCEPT;

/* The same backwards. WHAT UPDATE WRITES IS NOT VERIFIED until finish has returned HWACHA_OK: keep it to yourself until
   then, and throw it away after HWACHA_AUTH_FAILED. Statuses as for the sealer. Prefer hwacha_lea_gcm_open. */
typedef struct hwacha_lea_gcm_opener hwacha_lea_gcm_opener;
HWACHA_API hwacha_status hwacha_lea_gcm_opener_new(const hwacha_lea_gcm* gcm, const void* nonce, size_t nonce_size,
                                                   hwacha_lea_gcm_opener** opener) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_gcm_opener_free(hwacha_lea_gcm_opener* opener) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_gcm_opener_aad(hwacha_lea_gcm_opener* opener, const void* aad,
                                                   size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_gcm_opener_update_unverified(hwacha_lea_gcm_opener* opener, const void* ciphertext,
                                                                 size_t size, void* plaintext,
                                                                 size_t plaintext_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_gcm_opener_finish(hwacha_lea_gcm_opener* opener, const void* tag,
                                                                     size_t tag_size) HWACHA_NOEXCEPT;

/* ---- LEA, KS X 3246, in blocks and in the modes of NIST SP 800-38A, 38C and 38E -----------------------------------
 *
 * Only CCM (and GCM, above) notices a changed ciphertext; take the others where a protocol prescribes them.
 *
 *   - IVs have 16 bytes (HWACHA_BAD_NONCE_LENGTH) and are copied. Under one key none may be used twice; those of CBC
 * and CFB cannot be predicted, moreover: take random ones.
 *   - Streams copy the key: it may be freed before them. Any splitting of a text into pieces gives the same result.
 *   - `out_size` and its like are the room there is. In place allowed. Functions without a stream allocate nothing.
 */

/* An expanded key of 16, 24 or 32 bytes. Does not change after creation; any number of threads may use it. */
typedef struct hwacha_lea hwacha_lea;
HWACHA_API hwacha_status hwacha_lea_new(const void* key, size_t key_size, hwacha_lea** lea) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_free(hwacha_lea* lea) HWACHA_NOEXCEPT;

/* Every block by itself (ECB): the building block of modes, not a way to encrypt messages. `size` is a multiple of 16
   (HWACHA_BAD_BLOCK_LENGTH). */
HWACHA_API hwacha_status hwacha_lea_encrypt_blocks(const hwacha_lea* key, const void* in, size_t size, void* out,
                                                   size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_decrypt_blocks(const hwacha_lea* key, const void* in, size_t size, void* out,
                                                   size_t out_size) HWACHA_NOEXCEPT;

/* CTR: the 16-byte big-endian counter block starts at `iv` and wraps at 2^128. Encryption and decryption are the same;
   update writes `size` bytes. */
typedef struct hwacha_lea_ctr hwacha_lea_ctr;
HWACHA_API hwacha_status hwacha_lea_ctr_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                            hwacha_lea_ctr** ctr) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_ctr_free(hwacha_lea_ctr* ctr) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ctr_update(hwacha_lea_ctr* ctr, const void* in, size_t size, void* out,
                                               size_t out_size) HWACHA_NOEXCEPT;

/* CBC. Without padding the text is a multiple of 16 bytes (HWACHA_BAD_BLOCK_LENGTH). With PKCS#7's (RFC 5652 section
   6.3) 1 to 16 bytes are added and, after decryption, checked and removed. Whoever sends ciphertexts and learns which
   of them have good padding can decrypt (Vaudenay 2002): decrypt only what a MAC has authenticated. */
typedef enum hwacha_padding {
    HWACHA_PADDING_NONE = 0,
    HWACHA_PADDING_PKCS7 = 1,
    HWACHA_PADDING_MAX = 0x7fffffff /* no padding; see HWACHA_STATUS_MAX */
} hwacha_padding;

HWACHA_API size_t hwacha_lea_cbc_ciphertext_size(size_t plaintext_size, hwacha_padding padding) HWACHA_NOEXCEPT;
/* `*written` is the number of bytes written, 0 unless HWACHA_OK. */
HWACHA_API hwacha_status hwacha_lea_cbc_encrypt(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                hwacha_padding padding, const void* plaintext, size_t size,
                                                void* ciphertext, size_t ciphertext_size,
                                                size_t* written) HWACHA_NOEXCEPT;
/* `plaintext` has room for `size` bytes, whatever padding leaves of them. HWACHA_BAD_PADDING: `size` bytes of it are
   zeros. HWACHA_BAD_BLOCK_LENGTH also for 0 bytes where there must be padding. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_cbc_decrypt(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                               hwacha_padding padding, const void* ciphertext,
                                                               size_t size, void* plaintext, size_t plaintext_size,
                                                               size_t* written) HWACHA_NOEXCEPT;

/* In pieces: any number of updates, then finish. An update writes whole blocks and holds back the rest, with padding
   also the last block of a ciphertext: at most `size` + 15 bytes. In place means that the output starts where the piece
   starts, or where the held bytes of the pieces before it started. finish writes 16 bytes of a padded ciphertext; of
   its plaintext 0 to 15, into room for 16; nothing without padding. HWACHA_BAD_PADDING ends the text. */
typedef struct hwacha_lea_cbc_encryptor hwacha_lea_cbc_encryptor;
HWACHA_API hwacha_status hwacha_lea_cbc_encryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                      hwacha_padding padding,
                                                      hwacha_lea_cbc_encryptor** encryptor) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_cbc_encryptor_free(hwacha_lea_cbc_encryptor* encryptor) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cbc_encryptor_update(hwacha_lea_cbc_encryptor* encryptor, const void* plaintext,
                                                         size_t size, void* ciphertext, size_t ciphertext_size,
                                                         size_t* written) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cbc_encryptor_finish(hwacha_lea_cbc_encryptor* encryptor, void* ciphertext,
                                                         size_t ciphertext_size, size_t* written) HWACHA_NOEXCEPT;
typedef struct hwacha_lea_cbc_decryptor hwacha_lea_cbc_decryptor;
HWACHA_API hwacha_status hwacha_lea_cbc_decryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                      hwacha_padding padding,
                                                      hwacha_lea_cbc_decryptor** decryptor) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_cbc_decryptor_free(hwacha_lea_cbc_decryptor* decryptor) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cbc_decryptor_update(hwacha_lea_cbc_decryptor* decryptor, const void* ciphertext,
                                                         size_t size, void* plaintext, size_t plaintext_size,
                                                         size_t* written) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_cbc_decryptor_finish(hwacha_lea_cbc_decryptor* decryptor,
                                                                        void* plaintext, size_t plaintext_size,
                                                                        size_t* written) HWACHA_NOEXCEPT;

/* CFB with segments of 8, 64 or 128 bits (HWACHA_BAD_OPTION). A text may end within a segment. Writes `size` bytes. */
HWACHA_API hwacha_status hwacha_lea_cfb_encrypt(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                unsigned segment_bits, const void* plaintext, size_t size,
                                                void* ciphertext, size_t ciphertext_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cfb_decrypt(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                unsigned segment_bits, const void* ciphertext, size_t size,
                                                void* plaintext, size_t plaintext_size) HWACHA_NOEXCEPT;
typedef struct hwacha_lea_cfb_encryptor hwacha_lea_cfb_encryptor;
HWACHA_API hwacha_status hwacha_lea_cfb_encryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                      unsigned segment_bits,
                                                      hwacha_lea_cfb_encryptor** encryptor) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_cfb_encryptor_free(hwacha_lea_cfb_encryptor* encryptor) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cfb_encryptor_update(hwacha_lea_cfb_encryptor* encryptor, const void* plaintext,
                                                         size_t size, void* ciphertext,
                                                         size_t ciphertext_size) HWACHA_NOEXCEPT;
typedef struct hwacha_lea_cfb_decryptor hwacha_lea_cfb_decryptor;
HWACHA_API hwacha_status hwacha_lea_cfb_decryptor_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                                      unsigned segment_bits,
                                                      hwacha_lea_cfb_decryptor** decryptor) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_cfb_decryptor_free(hwacha_lea_cfb_decryptor* decryptor) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_cfb_decryptor_update(hwacha_lea_cfb_decryptor* decryptor, const void* ciphertext,
                                                         size_t size, void* plaintext,
                                                         size_t plaintext_size) HWACHA_NOEXCEPT;

/* OFB: encryption and decryption are the same. Writes `size` bytes. */
HWACHA_API hwacha_status hwacha_lea_ofb_crypt(const hwacha_lea* key, const void* iv, size_t iv_size, const void* in,
                                              size_t size, void* out, size_t out_size) HWACHA_NOEXCEPT;
typedef struct hwacha_lea_ofb hwacha_lea_ofb;
HWACHA_API hwacha_status hwacha_lea_ofb_new(const hwacha_lea* key, const void* iv, size_t iv_size,
                                            hwacha_lea_ofb** ofb) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_ofb_free(hwacha_lea_ofb* ofb) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ofb_update(hwacha_lea_ofb* ofb, const void* in, size_t size, void* out,
                                               size_t out_size) HWACHA_NOEXCEPT;

/* CCM (NIST SP 800-38C, RFC 3610), for protocols that prescribe it: GCM is several times faster. Tags have 4, 6, ...,
   16 bytes; nonces n = 7 to 13 bytes, and a text is then less than 2^(8*(15-n)) bytes long (HWACHA_MESSAGE_TOO_LONG).
   Never use a nonce twice under one key. The key does not change after creation; any number of threads may use it. */
typedef struct hwacha_lea_ccm hwacha_lea_ccm;
HWACHA_API hwacha_status hwacha_lea_ccm_new(const void* key, size_t key_size, size_t tag_size,
                                            hwacha_lea_ccm** ccm) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_ccm_free(hwacha_lea_ccm* ccm) HWACHA_NOEXCEPT;
/* Writes ciphertext and then the tag: `size` + tag size bytes. */
HWACHA_API hwacha_status hwacha_lea_ccm_seal(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                             const void* aad, size_t aad_size, const void* plaintext, size_t size,
                                             void* out, size_t out_size) HWACHA_NOEXCEPT;
/* `sealed` is ciphertext and tag, as seal wrote it. Writes `size` - tag size bytes only if the tag verifies; otherwise
   HWACHA_AUTH_FAILED, and `out` is untouched. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_ccm_open(const hwacha_lea_ccm* ccm, const void* nonce,
                                                            size_t nonce_size, const void* aad, size_t aad_size,
                                                            const void* sealed, size_t size, void* out,
                                                            size_t out_size) HWACHA_NOEXCEPT;
/* The same with the tag apart: `tag_size` is exactly the key's (HWACHA_BAD_TAG_LENGTH). */
HWACHA_API hwacha_status hwacha_lea_ccm_seal_detached(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                                      const void* aad, size_t aad_size, const void* plaintext,
                                                      size_t size, void* ciphertext, size_t ciphertext_size, void* tag,
                                                      size_t tag_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_ccm_open_detached(const hwacha_lea_ccm* ccm, const void* nonce,
                                                                     size_t nonce_size, const void* aad,
                                                                     size_t aad_size, const void* ciphertext,
                                                                     size_t size, const void* tag, size_t tag_size,
                                                                     void* plaintext,
                                                                     size_t plaintext_size) HWACHA_NOEXCEPT;

/* A message in pieces, whose sizes are announced: aad any number of times, update any number of times, finish.
   HWACHA_MESSAGE_TOO_LONG: more than was announced. HWACHA_WRONG_ORDER: AAD after text, text before all AAD, or finish
   before everything that was announced. Nothing happened then. */
typedef struct hwacha_lea_ccm_sealer hwacha_lea_ccm_sealer;
HWACHA_API hwacha_status hwacha_lea_ccm_sealer_new(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                                   uint64_t aad_size, uint64_t text_size,
                                                   hwacha_lea_ccm_sealer** sealer) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_ccm_sealer_free(hwacha_lea_ccm_sealer* sealer) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ccm_sealer_aad(hwacha_lea_ccm_sealer* sealer, const void* aad,
                                                   size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ccm_sealer_update(hwacha_lea_ccm_sealer* sealer, const void* plaintext, size_t size,
                                                      void* ciphertext, size_t ciphertext_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ccm_sealer_finish(hwacha_lea_ccm_sealer* sealer, void* tag,
                                                      size_t tag_size) HWACHA_NOEXCEPT;
/* WHAT UPDATE WRITES IS NOT VERIFIED until finish has returned HWACHA_OK. Prefer hwacha_lea_ccm_open. */
typedef struct hwacha_lea_ccm_opener hwacha_lea_ccm_opener;
HWACHA_API hwacha_status hwacha_lea_ccm_opener_new(const hwacha_lea_ccm* ccm, const void* nonce, size_t nonce_size,
                                                   uint64_t aad_size, uint64_t text_size,
                                                   hwacha_lea_ccm_opener** opener) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_ccm_opener_free(hwacha_lea_ccm_opener* opener) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ccm_opener_aad(hwacha_lea_ccm_opener* opener, const void* aad,
                                                   size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_ccm_opener_update_unverified(hwacha_lea_ccm_opener* opener, const void* ciphertext,
                                                                 size_t size, void* plaintext,
                                                                 size_t plaintext_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_lea_ccm_opener_finish(hwacha_lea_ccm_opener* opener, const void* tag,
                                                                     size_t tag_size) HWACHA_NOEXCEPT;

/* XTS (IEEE 1619-2018, NIST SP 800-38E), for sectors of storage. `keys` are the data key and then the tweak key,
   together 32, 48 or 64 bytes; HWACHA_WEAK_KEY if they are equal. The key does not change after creation. */
typedef struct hwacha_lea_xts hwacha_lea_xts;
HWACHA_API hwacha_status hwacha_lea_xts_new(const void* keys, size_t keys_size, hwacha_lea_xts** xts) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_lea_xts_free(hwacha_lea_xts* xts) HWACHA_NOEXCEPT;
/* One data unit of 16 (HWACHA_BAD_BLOCK_LENGTH) to 2^24 bytes (HWACHA_MESSAGE_TOO_LONG) under a tweak of 16 bytes
   (HWACHA_BAD_NONCE_LENGTH). */
HWACHA_API hwacha_status hwacha_lea_xts_encrypt(const hwacha_lea_xts* xts, const void* tweak, size_t tweak_size,
                                                const void* in, size_t size, void* out,
                                                size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_xts_decrypt(const hwacha_lea_xts* xts, const void* tweak, size_t tweak_size,
                                                const void* in, size_t size, void* out,
                                                size_t out_size) HWACHA_NOEXCEPT;
/* Data units of `sector_size` bytes each, numbered from `first` on: a number is the tweak, as 16 little-endian bytes.
   HWACHA_BAD_BLOCK_LENGTH: not a multiple of `sector_size`; HWACHA_COUNTER_EXHAUSTED: a number above 2^64-1. */
HWACHA_API hwacha_status hwacha_lea_xts_encrypt_sectors(const hwacha_lea_xts* xts, uint64_t first, size_t sector_size,
                                                        const void* in, size_t size, void* out,
                                                        size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_lea_xts_decrypt_sectors(const hwacha_lea_xts* xts, uint64_t first, size_t sector_size,
                                                        const void* in, size_t size, void* out,
                                                        size_t out_size) HWACHA_NOEXCEPT;

/* ---- CMAC-LEA, NIST SP 800-38B (RFC 4493), and GMAC-LEA, NIST SP 800-38D ----------------------------------------- */

/* One call; a key of 16, 24 or 32 bytes. `mac` receives 16 bytes. */
HWACHA_API hwacha_status hwacha_cmac_lea(const void* key, size_t key_size, const void* data, size_t size, void* mac,
                                         size_t mac_size) HWACHA_NOEXCEPT;

/* A message in pieces. `mac_size` 8 to 16, the first bytes of 16; 4 to 7 with HWACHA_SHORT_TAGS, read SP 800-38B
   appendix A before (HWACHA_BAD_TAG_LENGTH). Other options are HWACHA_BAD_OPTION. */
typedef struct hwacha_cmac_lea_ctx hwacha_cmac_lea_ctx;
HWACHA_API hwacha_status hwacha_cmac_lea_new(const void* key, size_t key_size, size_t mac_size, unsigned options,
                                             hwacha_cmac_lea_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_cmac_lea_copy(const hwacha_cmac_lea_ctx* from,
                                              hwacha_cmac_lea_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_cmac_lea_free(hwacha_cmac_lea_ctx* ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_cmac_lea_update(hwacha_cmac_lea_ctx* ctx, const void* data,
                                                size_t size) HWACHA_NOEXCEPT;
/* `mac` has room for `mac_size` bytes; the context's size of MAC is written. */
HWACHA_API hwacha_status hwacha_cmac_lea_finish(hwacha_cmac_lea_ctx* ctx, void* mac, size_t mac_size) HWACHA_NOEXCEPT;
/* Instead of finish: HWACHA_OK or HWACHA_AUTH_FAILED, in constant time. `mac_size` is exactly the context's size of
   MAC: otherwise HWACHA_BAD_TAG_LENGTH, and the message goes on. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_cmac_lea_verify(hwacha_cmac_lea_ctx* ctx, const void* mac,
                                                               size_t mac_size) HWACHA_NOEXCEPT;
/* Back to the state after creation: same key, no message. */
HWACHA_API hwacha_status hwacha_cmac_lea_reset(hwacha_cmac_lea_ctx* ctx) HWACHA_NOEXCEPT;

/* GMAC under a key of LEA-GCM, whose tag size is the size of the MAC (HWACHA_BAD_TAG_LENGTH for any other). Nonces are
   those of that key: one that has been used, for a MAC or for a text, must never be used again. One call: */
HWACHA_API hwacha_status hwacha_gmac_lea(const hwacha_lea_gcm* key, const void* nonce, size_t nonce_size,
                                         const void* data, size_t size, void* mac, size_t mac_size) HWACHA_NOEXCEPT;
/* A message in pieces: the key is copied, it may be freed before. */
typedef struct hwacha_gmac_lea_ctx hwacha_gmac_lea_ctx;
HWACHA_API hwacha_status hwacha_gmac_lea_new(const hwacha_lea_gcm* key, const void* nonce, size_t nonce_size,
                                             hwacha_gmac_lea_ctx** ctx) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_gmac_lea_free(hwacha_gmac_lea_ctx* ctx) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_gmac_lea_update(hwacha_gmac_lea_ctx* ctx, const void* data,
                                                size_t size) HWACHA_NOEXCEPT;
HWACHA_API hwacha_status hwacha_gmac_lea_finish(hwacha_gmac_lea_ctx* ctx, void* mac, size_t mac_size) HWACHA_NOEXCEPT;
/* Instead of finish: HWACHA_OK or HWACHA_AUTH_FAILED, in constant time. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_gmac_lea_verify(hwacha_gmac_lea_ctx* ctx, const void* mac,
                                                               size_t mac_size) HWACHA_NOEXCEPT;

/* ---- Random bytes ------------------------------------------------------------------------------------------------ */

/* From the operating system's generator (getrandom(2)); waits, early in a system's start, until that has been seeded.
   HWACHA_RNG_FAILED: `out` is zeros. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_random_bytes(void* out, size_t size) HWACHA_NOEXCEPT;

/* Random nonces for one key, of GCM above all, counted: no more of them than NIST SP 800-38D section 8.3 allows, 2^32.
   `used` is how many the key has had before. Any number of threads may use it at once. */
typedef struct hwacha_random_nonces hwacha_random_nonces;
HWACHA_API hwacha_status hwacha_random_nonces_new(uint64_t used, hwacha_random_nonces** nonces) HWACHA_NOEXCEPT;
HWACHA_API void hwacha_random_nonces_free(hwacha_random_nonces* nonces) HWACHA_NOEXCEPT;
/* Fills `nonce`, 12 bytes or more (HWACHA_BAD_NONCE_LENGTH). HWACHA_COUNTER_EXHAUSTED: change the key; `nonce` is
   untouched. HWACHA_RNG_FAILED: `nonce` is zeros, and counts as used. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_random_nonces_next(hwacha_random_nonces* nonces, void* nonce,
                                                                  size_t size) HWACHA_NOEXCEPT;
/* How many the key has had, those of before included; 0 for null. */
HWACHA_API uint64_t hwacha_random_nonces_used(const hwacha_random_nonces* nonces) HWACHA_NOEXCEPT;

/* ---- Key derivation -----------------------------------------------------------------------------------------------
 *
 * Each fills all `out_size` bytes of `out`, of any size within the function's limit (HWACHA_OUTPUT_TOO_LONG), and
 * allocates nothing. `out` overlaps no input (HWACHA_OVERLAP). After any status but HWACHA_OK it is untouched. */

/* PBKDF2 (RFC 8018) with HMAC-LSH: 1 to 2^32-1 iterations (HWACHA_BAD_ITERATIONS), up to 2^32-1 digest sizes. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_pbkdf2_hmac_lsh(hwacha_lsh_variant variant, const void* password,
                                                               size_t password_size, const void* salt, size_t salt_size,
                                                               uint64_t iterations, void* out,
                                                               size_t out_size) HWACHA_NOEXCEPT;
/* Password i with salt i, all at once: `key_size` bytes each to the start of `keys`, which has room for `keys_size`
   (HWACHA_BUFFER_TOO_SMALL), one after the other. Otherwise as the batches above: in lanes and on threads, statuses and
   options as there; but after HWACHA_CANCELLED and HWACHA_EXECUTOR_FAILED all keys are zeros. The speed of this one is
   that of whoever guesses passwords. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_pbkdf2_hmac_lsh_batch(
    hwacha_lsh_variant variant, const void* const* passwords, const size_t* password_sizes, const void* const* salts,
    const size_t* salt_sizes, size_t count, uint64_t iterations, size_t key_size, void* keys, size_t keys_size,
    const hwacha_batch_options* options) HWACHA_NOEXCEPT;

/* HKDF (RFC 5869) with HMAC-LSH: extract and expand in one call, or apart. An empty salt stands for zeros of the digest
   size. Up to 255 digest sizes. The pseudorandom key has exactly the digest size: HWACHA_BUFFER_TOO_SMALL for less
   room, HWACHA_BAD_KEY_LENGTH for an expansion with less. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_hkdf_hmac_lsh(hwacha_lsh_variant variant, const void* key,
                                                             size_t key_size, const void* salt, size_t salt_size,
                                                             const void* info, size_t info_size, void* out,
                                                             size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_hkdf_hmac_lsh_extract(hwacha_lsh_variant variant, const void* key,
                                                                     size_t key_size, const void* salt,
                                                                     size_t salt_size, void* pseudorandom_key,
                                                                     size_t pseudorandom_key_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_hkdf_hmac_lsh_expand(hwacha_lsh_variant variant,
                                                                    const void* pseudorandom_key,
                                                                    size_t pseudorandom_key_size, const void* info,
                                                                    size_t info_size, void* out,
                                                                    size_t out_size) HWACHA_NOEXCEPT;

/* KBKDF in counter mode (NIST SP 800-108r1 section 4.1): block i is PRF(key, [i] || label || 0x00 || context || [L]),
   counter and number of bits as 32-bit big-endian numbers; up to 2^32-1 bits. For CMAC the key has 16, 24 or 32 bytes.
 */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_kbkdf_hmac_lsh(hwacha_lsh_variant variant, const void* key,
                                                              size_t key_size, const void* label, size_t label_size,
                                                              const void* context, size_t context_size, void* out,
                                                              size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_kbkdf_cmac_lea(const void* key, size_t key_size, const void* label,
                                                              size_t label_size, const void* context,
                                                              size_t context_size, void* out,
                                                              size_t out_size) HWACHA_NOEXCEPT;
/* For other layouts of the input: block i is PRF(key, before || [i] || after), with a big-endian counter of
   `counter_bits`, which are 8, 16, 24 or 32 (HWACHA_BAD_OPTION); up to 2^counter_bits-1 blocks. */
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_kbkdf_hmac_lsh_fixed(hwacha_lsh_variant variant, const void* key,
                                                                    size_t key_size, const void* before,
                                                                    size_t before_size, const void* after,
                                                                    size_t after_size, unsigned counter_bits, void* out,
                                                                    size_t out_size) HWACHA_NOEXCEPT;
HWACHA_API HWACHA_CHECKED hwacha_status hwacha_kbkdf_cmac_lea_fixed(const void* key, size_t key_size,
                                                                    const void* before, size_t before_size,
                                                                    const void* after, size_t after_size,
                                                                    unsigned counter_bits, void* out,
                                                                    size_t out_size) HWACHA_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
