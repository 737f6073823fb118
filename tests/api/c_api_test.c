/* hwacha.h alone, in C11: hashing, HMAC, batches, LEA-GCM in one call and in pieces, every status, null pointers. */
#include <hwacha/hwacha.h>

#include <stdio.h>
#include <string.h>

static unsigned checks;
static unsigned failures;

static void check(int good, const char* what, int line) {
    ++checks;
    if (good) return;
    ++failures;
    printf("c_api_test.c:%d: FAILED: %s\n", line, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static int nibble(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static int equals_hex(const unsigned char* data, const char* hex) {
    for (; *hex != '\0'; hex += 2, ++data) {
        if (*data != (unsigned char)(16 * nibble(hex[0]) + nibble(hex[1]))) return 0;
    }
    return 1;
}

static int all(const unsigned char* data, unsigned char value, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        if (data[i] != value) return 0;
    }
    return 1;
}

static const struct {
    hwacha_lsh_variant variant;
    const char* name;
    size_t digest_size;
    size_t block_size;
    const char* abc;
} variants[] = {
    {HWACHA_LSH256_224, "LSH-256-224", 28, 128, "f7c53ba4034e708e74fba42e55997ca5126bb7623688f85342f73732"},
    {HWACHA_LSH256_256, "LSH-256-256", 32, 128, "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741"},
    {HWACHA_LSH512_224, "LSH-512-224", 28, 256, "d1683234513ec5698394571ead128a8cd5373e97661ba20dcf89e489"},
    {HWACHA_LSH512_256, "LSH-512-256", 32, 256, "cd892310532602332b613f1ec11a6962fca61ea09ecffcd4bcf75858d802edec"},
    {HWACHA_LSH512_384, "LSH-512-384", 48, 256,
     "5f344efaa0e43ccd2e5e194d6039794b4fb431f10fb4b65fd45e9da4ecde0f27b66e8dbdfa47252e0d0b741bfd91f9fe"},
    {HWACHA_LSH512_512, "LSH-512-512", 64, 256,
     "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208b5c57224bef21084d42083e95a4bd8eb33e869812b65031c4"
     "28819a1e"
     "7ce596d"},
};
#define VARIANTS (sizeof variants / sizeof variants[0])
#define NO_VARIANT ((hwacha_lsh_variant)99)

static const char hmac_abc_no_key[] = "c971a21def4557fdc5f65e2931cf0ca126e7db22ab405be53e132e7615cf24d2";

static void test_texts(void) {
    for (int s = HWACHA_OK; s <= HWACHA_OUTPUT_TOO_LONG; ++s) {
        const char* text = hwacha_strerror((hwacha_status)s);
        CHECK(text != NULL && text[0] != '\0');
        for (int other = HWACHA_OK; other < s; ++other) CHECK(strcmp(text, hwacha_strerror((hwacha_status)other)) != 0);
    }
    CHECK(hwacha_strerror((hwacha_status)12345) != NULL);
    CHECK(strchr(hwacha_version(), '.') != NULL);
}

static void test_lsh(void) {
    unsigned char out[64];
    unsigned char other[64];
    for (size_t v = 0; v < VARIANTS; ++v) {
        const hwacha_lsh_variant variant = variants[v].variant;
        const size_t size = variants[v].digest_size;
        CHECK(strcmp(hwacha_lsh_name(variant), variants[v].name) == 0);
        CHECK(hwacha_lsh_digest_size(variant) == size);
        CHECK(hwacha_lsh_block_size(variant) == variants[v].block_size);
        hwacha_lsh_variant found = NO_VARIANT;
        CHECK(hwacha_lsh_by_name(variants[v].name, &found) == HWACHA_OK && found == variant);

        memset(out, 0x5a, sizeof out);
        CHECK(hwacha_lsh(variant, "abc", 3, out, sizeof out) == HWACHA_OK);
        CHECK(equals_hex(out, variants[v].abc) && all(out + size, 0x5a, sizeof out - size));
        memset(out, 0x5a, sizeof out);
        CHECK(hwacha_lsh(variant, "abc", 3, out, size - 1) == HWACHA_BUFFER_TOO_SMALL);
        CHECK(hwacha_lsh(variant, NULL, 3, out, sizeof out) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lsh(variant, "abc", 3, NULL, 64) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lsh(variant, "abc", 3, NULL, 0) == HWACHA_BUFFER_TOO_SMALL);
        CHECK(all(out, 0x5a, sizeof out));
        CHECK(hwacha_lsh(variant, NULL, 0, out, sizeof out) == HWACHA_OK);
        CHECK(hwacha_lsh(variant, "", 0, other, sizeof other) == HWACHA_OK && memcmp(out, other, size) == 0);

        hwacha_lsh_ctx* h = NULL;
        hwacha_lsh_ctx* copy = NULL;
        CHECK(hwacha_lsh_new(variant, &h) == HWACHA_OK && h != NULL);
        CHECK(hwacha_lsh_update(h, "a", 1) == HWACHA_OK);
        CHECK(hwacha_lsh_update(h, NULL, 0) == HWACHA_OK);
        CHECK(hwacha_lsh_update(h, NULL, 1) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lsh_copy(h, &copy) == HWACHA_OK && copy != NULL);
        CHECK(hwacha_lsh_update(h, "bc", 2) == HWACHA_OK);
        memset(out, 0x5a, sizeof out);
        CHECK(hwacha_lsh_finish(h, out, size - 1) == HWACHA_BUFFER_TOO_SMALL);
        CHECK(hwacha_lsh_finish(h, NULL, size) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lsh_finish_bits(h, 0, 0, out, sizeof out) == HWACHA_BAD_BIT_COUNT);
        CHECK(hwacha_lsh_finish_bits(h, 0, 8, out, sizeof out) == HWACHA_BAD_BIT_COUNT);
        CHECK(all(out, 0x5a, sizeof out));
        CHECK(hwacha_lsh_finish(h, out, sizeof out) == HWACHA_OK && equals_hex(out, variants[v].abc));
        memset(out, 0x5a, sizeof out);
        CHECK(hwacha_lsh_finish(h, out, sizeof out) == HWACHA_FINISHED);
        CHECK(hwacha_lsh_finish_bits(h, 0, 3, out, sizeof out) == HWACHA_FINISHED);
        CHECK(hwacha_lsh_update(h, "d", 1) == HWACHA_FINISHED);
        CHECK(all(out, 0x5a, sizeof out));
        hwacha_lsh_ctx* finished = NULL;
        CHECK(hwacha_lsh_copy(h, &finished) == HWACHA_OK);
        CHECK(hwacha_lsh_update(finished, "d", 1) == HWACHA_FINISHED);
        hwacha_lsh_free(finished);
        CHECK(hwacha_lsh_reset(h) == HWACHA_OK);
        CHECK(hwacha_lsh_update(h, "abc", 3) == HWACHA_OK);
        CHECK(hwacha_lsh_finish(h, out, sizeof out) == HWACHA_OK && equals_hex(out, variants[v].abc));
        CHECK(hwacha_lsh_update(copy, "bc", 2) == HWACHA_OK);
        CHECK(hwacha_lsh_finish(copy, out, sizeof out) == HWACHA_OK && equals_hex(out, variants[v].abc));
        CHECK(hwacha_lsh_reset(copy) == HWACHA_OK && hwacha_lsh_reset(h) == HWACHA_OK);
        CHECK(hwacha_lsh_finish_bits(copy, 0x60, 3, out, sizeof out) == HWACHA_OK);
        CHECK(hwacha_lsh_finish_bits(h, 0x7f, 3, other, sizeof other) == HWACHA_OK && memcmp(out, other, size) == 0);
        hwacha_lsh_free(copy);
        hwacha_lsh_free(h);
    }
    hwacha_lsh_ctx* h = NULL;
    hwacha_lsh_variant found = HWACHA_LSH512_384;
    CHECK(hwacha_lsh_by_name("lsh-256", &found) == HWACHA_OK && found == HWACHA_LSH256_256);
    CHECK(hwacha_lsh_by_name("SHA-256", &found) == HWACHA_UNKNOWN_ALGORITHM && found == HWACHA_LSH256_256);
    CHECK(hwacha_lsh_by_name(NULL, &found) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_by_name("LSH-256", NULL) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_name(NO_VARIANT) == NULL && hwacha_lsh_name((hwacha_lsh_variant)0) == NULL);
    CHECK(hwacha_lsh_digest_size(NO_VARIANT) == 0 && hwacha_lsh_block_size(NO_VARIANT) == 0);
    CHECK(hwacha_lsh(NO_VARIANT, "abc", 3, out, sizeof out) == HWACHA_UNKNOWN_ALGORITHM);
    CHECK(hwacha_lsh_new(NO_VARIANT, &h) == HWACHA_UNKNOWN_ALGORITHM && h == NULL);
    CHECK(hwacha_lsh_new(HWACHA_LSH256_256, NULL) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_copy(NULL, &h) == HWACHA_NULL_POINTER && h == NULL);
    CHECK(hwacha_lsh_new(HWACHA_LSH256_256, &h) == HWACHA_OK);
    CHECK(hwacha_lsh_copy(h, NULL) == HWACHA_NULL_POINTER);
    hwacha_lsh_free(h);
    CHECK(hwacha_lsh_update(NULL, "abc", 3) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_finish(NULL, out, sizeof out) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_finish_bits(NULL, 0, 1, out, sizeof out) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lsh_reset(NULL) == HWACHA_NULL_POINTER);
    hwacha_lsh_free(NULL);
}

static void test_hmac(void) {
    const hwacha_lsh_variant v = HWACHA_LSH256_256;
    unsigned char out[64];
    const unsigned char zero = 0;
    CHECK(hwacha_hmac_lsh(v, NULL, 0, "abc", 3, out, sizeof out) == HWACHA_OK && equals_hex(out, hmac_abc_no_key));
    CHECK(hwacha_hmac_lsh(v, "", 0, "abc", 3, out, sizeof out) == HWACHA_OK && equals_hex(out, hmac_abc_no_key));
    CHECK(hwacha_hmac_lsh(v, &zero, 1, "abc", 3, out, sizeof out) == HWACHA_OK && equals_hex(out, hmac_abc_no_key));
    memset(out, 0x5a, sizeof out);
    CHECK(hwacha_hmac_lsh(v, NULL, 1, "abc", 3, out, sizeof out) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh(v, "k", 1, NULL, 3, out, sizeof out) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh(v, "k", 1, "abc", 3, NULL, 32) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh(v, "k", 1, "abc", 3, out, 31) == HWACHA_BUFFER_TOO_SMALL);
    CHECK(hwacha_hmac_lsh(NO_VARIANT, "k", 1, "abc", 3, out, sizeof out) == HWACHA_UNKNOWN_ALGORITHM);
    CHECK(all(out, 0x5a, sizeof out));

    hwacha_hmac_lsh_ctx* m = NULL;
    hwacha_hmac_lsh_ctx* copy = NULL;
    CHECK(hwacha_hmac_lsh_new(v, NULL, 0, &m) == HWACHA_OK && m != NULL);
    CHECK(hwacha_hmac_lsh_update(m, "ab", 2) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_update(m, NULL, 0) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_update(m, NULL, 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_copy(m, &copy) == HWACHA_OK && copy != NULL);
    CHECK(hwacha_hmac_lsh_update(m, "c", 1) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_finish(m, out, 31) == HWACHA_BUFFER_TOO_SMALL);
    CHECK(hwacha_hmac_lsh_finish(m, NULL, 32) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_finish(m, out, sizeof out) == HWACHA_OK && equals_hex(out, hmac_abc_no_key));
    CHECK(hwacha_hmac_lsh_finish(m, out, sizeof out) == HWACHA_FINISHED);
    CHECK(hwacha_hmac_lsh_verify(m, out, 32) == HWACHA_FINISHED);
    CHECK(hwacha_hmac_lsh_update(m, "c", 1) == HWACHA_FINISHED);

    CHECK(hwacha_hmac_lsh_update(copy, "c", 1) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 3) == HWACHA_BAD_TAG_LENGTH);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 33) == HWACHA_BAD_TAG_LENGTH);
    CHECK(hwacha_hmac_lsh_verify(copy, NULL, 32) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 32) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 32) == HWACHA_FINISHED);
    CHECK(hwacha_hmac_lsh_reset(copy) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_update(copy, "abc", 3) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 4) == HWACHA_BAD_TAG_LENGTH);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 32) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_reset(copy) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_update(copy, "abd", 3) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_verify(copy, out, 32) == HWACHA_AUTH_FAILED);
    CHECK(hwacha_hmac_lsh_update(copy, "abd", 3) == HWACHA_FINISHED);
    hwacha_hmac_lsh_free(copy);
    hwacha_hmac_lsh_free(m);

    CHECK(hwacha_hmac_lsh_new(NO_VARIANT, NULL, 0, &m) == HWACHA_UNKNOWN_ALGORITHM && m == NULL);
    CHECK(hwacha_hmac_lsh_new(v, NULL, 1, &m) == HWACHA_NULL_POINTER && m == NULL);
    CHECK(hwacha_hmac_lsh_new(v, NULL, 0, NULL) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_copy(NULL, &m) == HWACHA_NULL_POINTER && m == NULL);
    CHECK(hwacha_hmac_lsh_update(NULL, "abc", 3) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_finish(NULL, out, sizeof out) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_verify(NULL, out, 32) == HWACHA_NULL_POINTER);
    CHECK(hwacha_hmac_lsh_reset(NULL) == HWACHA_NULL_POINTER);
    hwacha_hmac_lsh_free(NULL);
}

/* ---- Batches */

/* The form of the first version is frozen: programs have been compiled with it. */
_Static_assert(offsetof(hwacha_batch_options, struct_size) == 0, "options");
_Static_assert(offsetof(hwacha_batch_options, pool) == sizeof(size_t), "options");
_Static_assert(offsetof(hwacha_batch_options, executor) == sizeof(size_t) + sizeof(void*), "options");
_Static_assert(offsetof(hwacha_batch_options, progress) == sizeof(size_t) + 2 * sizeof(void*), "options");
_Static_assert(offsetof(hwacha_batch_options, progress_context) == sizeof(size_t) + 3 * sizeof(void*), "options");
_Static_assert(sizeof(hwacha_batch_options) >= sizeof(size_t) + 4 * sizeof(void*), "options");
_Static_assert(sizeof(hwacha_executor) == 2 * sizeof(void*) + sizeof(size_t), "executor");

/* Lengths 0 to 99, again and again; the messages overlap each other in memory. */
enum { MESSAGES = 600 };
static unsigned char text[300];
static const void* starts[MESSAGES];
static size_t sizes[MESSAGES];
/* The same as one buffer, which begins at byte 3 of `packed`. */
static unsigned char packed[MESSAGES * 50 + 10];
static int32_t offsets32[MESSAGES + 1];
static int64_t offsets64[MESSAGES + 1];
static unsigned char expected[64 * MESSAGES];
static unsigned char digests[64 * MESSAGES];

static void make_messages(void) {
    int32_t at = 3;
    for (size_t i = 0; i < sizeof text; ++i) text[i] = (unsigned char)(i * 7);
    for (size_t i = 0; i < MESSAGES; ++i) {
        const size_t size = i % 100;
        starts[i] = size == 0 ? NULL : text + i % 77;
        sizes[i] = size;
        memcpy(packed + at, text + i % 77, size);
        offsets32[i] = at;
        offsets64[i] = at;
        at += (int32_t)size;
    }
    offsets32[MESSAGES] = at;
    offsets64[MESSAGES] = at;
}

/* One of the functions in one of the layouts. */
enum { HASH, HMAC, HMAC_KEYS, UPDATE, FUNCTIONS };
enum { POINTERS, OFFSETS32, OFFSETS64, LAYOUTS };

static void expect(int function, hwacha_lsh_variant v) {
    const size_t size = hwacha_lsh_digest_size(v);
    for (size_t i = 0; i < MESSAGES; ++i) {
        unsigned char* out = expected + i * size;
        if (function == HMAC) {
            CHECK(hwacha_hmac_lsh(v, "key", 3, starts[i], sizes[i], out, size) == HWACHA_OK);
        } else if (function == HMAC_KEYS) { /* every message under itself */
            CHECK(hwacha_hmac_lsh(v, starts[i], sizes[i], starts[i], sizes[i], out, size) == HWACHA_OK);
        } else {
            CHECK(hwacha_lsh(v, starts[i], sizes[i], out, size) == HWACHA_OK);
        }
    }
}

static hwacha_status run_streams(hwacha_lsh_ctx* const* streams, int layout, const hwacha_batch_options* o) {
    switch (layout) {
        case POINTERS: return hwacha_lsh_update_batch(streams, starts, sizes, MESSAGES, o);
        case OFFSETS32:
            return hwacha_lsh_update_batch_offsets32(streams, packed, sizeof packed, offsets32, MESSAGES, o);
        default: return hwacha_lsh_update_batch_offsets64(streams, packed, sizeof packed, offsets64, MESSAGES, o);
    }
}

static hwacha_status run_batch(int function, int layout, hwacha_lsh_variant v, const hwacha_batch_options* o) {
    const size_t size = hwacha_lsh_digest_size(v);
    const size_t room = MESSAGES * size;
    const size_t in = sizeof packed;
    memset(digests, 0x5a, sizeof digests);
    if (function == UPDATE) {
        hwacha_lsh_ctx* streams[MESSAGES];
        for (size_t i = 0; i < MESSAGES; ++i) CHECK(hwacha_lsh_new(v, &streams[i]) == HWACHA_OK);
        const hwacha_status s = run_streams(streams, layout, o);
        for (size_t i = 0; i < MESSAGES; ++i) {
            CHECK(hwacha_lsh_finish(streams[i], digests + i * size, size) == HWACHA_OK);
            hwacha_lsh_free(streams[i]);
        }
        return s;
    }
    switch (function * LAYOUTS + layout) {
        case HASH* LAYOUTS + POINTERS: return hwacha_lsh_batch(v, starts, sizes, MESSAGES, digests, room, o);
        case HASH* LAYOUTS + OFFSETS32:
            return hwacha_lsh_batch_offsets32(v, packed, in, offsets32, MESSAGES, digests, room, o);
        case HASH* LAYOUTS + OFFSETS64:
            return hwacha_lsh_batch_offsets64(v, packed, in, offsets64, MESSAGES, digests, room, o);
        case HMAC* LAYOUTS + POINTERS:
            return hwacha_hmac_lsh_batch(v, "key", 3, starts, sizes, MESSAGES, digests, room, o);
        case HMAC* LAYOUTS + OFFSETS32:
            return hwacha_hmac_lsh_batch_offsets32(v, "key", 3, packed, in, offsets32, MESSAGES, digests, room, o);
        case HMAC* LAYOUTS + OFFSETS64:
            return hwacha_hmac_lsh_batch_offsets64(v, "key", 3, packed, in, offsets64, MESSAGES, digests, room, o);
        case HMAC_KEYS* LAYOUTS + POINTERS:
            return hwacha_hmac_lsh_batch_keys(v, starts, sizes, starts, sizes, MESSAGES, digests, room, o);
        case HMAC_KEYS* LAYOUTS + OFFSETS32:
            return hwacha_hmac_lsh_batch_keys_offsets32(v, packed, in, offsets32, packed, in, offsets32, MESSAGES,
                                                        digests, room, o);
        default:
            return hwacha_hmac_lsh_batch_keys_offsets64(v, packed, in, offsets64, packed, in, offsets64, MESSAGES,
                                                        digests, room, o);
    }
}

/* An application's threads; there is only one. `times` calls of each task, the last task first. */
struct own_threads {
    int runs;
    int times;
};
static void run_own(void* context, size_t count, hwacha_task task, void* task_context) {
    struct own_threads* own = context;
    ++own->runs;
    for (size_t i = count; i-- > 0;) {
        for (int k = 0; k < own->times; ++k) task(task_context, i);
    }
}

struct progress {
    size_t calls;
    size_t done;
    size_t cancel_at;
};
static int note_progress(void* context, size_t done) {
    struct progress* p = context;
    CHECK(done > p->done && done <= MESSAGES);
    ++p->calls;
    p->done = done;
    return done < p->cancel_at;
}

static void test_batches(void) {
    hwacha_pool* pool = NULL;
    CHECK(hwacha_pool_new(2, &pool) == HWACHA_OK && pool != NULL);
    for (size_t i = 0; i < VARIANTS; ++i) {
        const hwacha_lsh_variant v = variants[i].variant;
        const size_t size = MESSAGES * variants[i].digest_size;
        for (int function = 0; function < FUNCTIONS; ++function) {
            expect(function, v);
            for (int layout = 0; layout < LAYOUTS; ++layout) {
                hwacha_batch_options o = HWACHA_BATCH_OPTIONS_INIT;
                CHECK(run_batch(function, layout, v, NULL) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                CHECK(all(digests + size, 0x5a, sizeof digests - size));
                CHECK(run_batch(function, layout, v, &o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                o.pool = pool;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                struct progress p = {0, 0, (size_t)-1};
                o.progress = note_progress;
                o.progress_context = &p;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                CHECK(p.calls > 0 && p.done == MESSAGES);

                struct own_threads own = {0, 1};
                const hwacha_executor executor = {run_own, &own, 4};
                o.pool = NULL;
                o.executor = &executor;
                o.progress = NULL;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                CHECK(own.runs == 1);
                own.times = 2;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
                own.times = 0;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_EXECUTOR_FAILED);
                if (function == UPDATE) { /* nothing has come to the streams */
                    for (size_t k = 0; k < size; k += variants[i].digest_size) {
                        CHECK(memcmp(digests + k, expected, variants[i].digest_size) == 0);
                    }
                } else {
                    CHECK(all(digests, 0, size));
                }
                own.times = 1;
                p.done = p.calls = 0;
                p.cancel_at = 1;
                o.progress = note_progress;
                CHECK(run_batch(function, layout, v, &o) == HWACHA_CANCELLED);
                CHECK(p.calls == 1 && p.done < MESSAGES);
                const size_t done = p.done * variants[i].digest_size;
                CHECK(memcmp(digests, expected, done) == 0);
                CHECK(function == UPDATE || all(digests + done, 0, size - done));
            }
        }
    }
    hwacha_pool_free(pool);
}

static void test_pools(void) {
    hwacha_pool* pool = NULL;
    CHECK(hwacha_pool_new(1, NULL) == HWACHA_NULL_POINTER);
    CHECK(hwacha_pool_new(1, &pool) == HWACHA_OK && hwacha_pool_concurrency(pool) == 1);
    hwacha_pool_free(pool);
    CHECK(hwacha_pool_new(3, &pool) == HWACHA_OK);
    CHECK(hwacha_pool_concurrency(pool) >= 1 && hwacha_pool_concurrency(pool) <= 3);
    hwacha_pool_free(pool);
    CHECK(hwacha_pool_new(0, &pool) == HWACHA_OK && hwacha_pool_concurrency(pool) >= 1);
    hwacha_pool_free(pool);
    hwacha_pool_free(NULL);
    CHECK(hwacha_pool_concurrency(NULL) == 0);
}

static void test_batch_options(void) {
    const hwacha_lsh_variant v = HWACHA_LSH512_224;
    struct own_threads own = {0, 1};
    hwacha_executor executor = {run_own, &own, 4};
    hwacha_pool* pool = NULL;
    CHECK(hwacha_pool_new(1, &pool) == HWACHA_OK);
    /* Of a later version, whose last member is not known here. */
    struct {
        hwacha_batch_options o;
        size_t later;
    } longer = {HWACHA_BATCH_OPTIONS_INIT, 0};
    hwacha_batch_options o = HWACHA_BATCH_OPTIONS_INIT;
    for (int function = 0; function < FUNCTIONS; ++function) {
        expect(function, v);
        const size_t size = MESSAGES * hwacha_lsh_digest_size(v);
        for (int layout = 0; layout < LAYOUTS; ++layout) {
            longer.o.struct_size = sizeof longer;
            longer.later = 0;
            CHECK(run_batch(function, layout, v, &longer.o) == HWACHA_OK && memcmp(digests, expected, size) == 0);
            longer.later = 1;
            CHECK(run_batch(function, layout, v, &longer.o) == HWACHA_BAD_OPTION);
            CHECK(function == UPDATE || all(digests, 0x5a, size));
            const size_t wrong[] = {0, 1, sizeof o - 1, 100000, (size_t)-1};
            for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
                o.struct_size = wrong[k];
                CHECK(run_batch(function, layout, v, &o) == HWACHA_BAD_OPTION);
            }
            o.struct_size = sizeof o;
            o.pool = pool;
            o.executor = &executor;
            CHECK(run_batch(function, layout, v, &o) == HWACHA_BAD_OPTION);
            o.pool = NULL;
            executor.concurrency = 0;
            CHECK(run_batch(function, layout, v, &o) == HWACHA_BAD_OPTION);
            executor.concurrency = 4;
            executor.run = NULL;
            CHECK(run_batch(function, layout, v, &o) == HWACHA_NULL_POINTER);
            executor.run = run_own;
            CHECK(own.runs == 0);
            o.executor = NULL;
            CHECK(function == UPDATE || all(digests, 0x5a, size));
        }
    }
    hwacha_pool_free(pool);
}

static void test_batch_refusals(void) {
    const hwacha_lsh_variant v = HWACHA_LSH256_256;
    const size_t n = MESSAGES;
    const size_t room = 32 * n;
    const size_t in = sizeof packed;
    unsigned char* const out = digests;
    memset(digests, 0x5a, sizeof digests);
    const hwacha_status null = HWACHA_NULL_POINTER;
    CHECK(hwacha_lsh_batch(v, NULL, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch(v, starts, NULL, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch(v, starts, sizes, n, NULL, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets32(v, NULL, in, offsets32, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets32(v, packed, in, NULL, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets32(v, packed, in, offsets32, n, NULL, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets64(v, NULL, in, offsets64, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets64(v, packed, in, NULL, n, out, room, NULL) == null);
    CHECK(hwacha_lsh_batch_offsets64(v, packed, in, offsets64, n, NULL, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch(v, NULL, 1, starts, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch(v, "k", 1, NULL, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch(v, "k", 1, starts, NULL, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch(v, "k", 1, starts, sizes, n, NULL, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_offsets32(v, NULL, 1, packed, in, offsets32, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_offsets32(v, "k", 1, packed, in, NULL, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_offsets64(v, NULL, 1, packed, in, offsets64, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_offsets64(v, "k", 1, NULL, in, offsets64, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys(v, NULL, sizes, starts, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys(v, starts, NULL, starts, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys(v, starts, sizes, NULL, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys_offsets32(v, packed, in, NULL, packed, in, offsets32, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys_offsets64(v, NULL, in, offsets64, packed, in, offsets64, n, out, room, NULL) ==
          null);
    /* A null message, key or piece, in the middle. */
    const void* const start = starts[250];
    starts[250] = NULL;
    CHECK(hwacha_lsh_batch(v, starts, sizes, n, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch(v, "k", 1, starts, sizes, n, out, room, NULL) == null);
    starts[250] = start;
    const void* keys[2] = {"k", NULL};
    const size_t key_sizes[2] = {1, 1};
    CHECK(hwacha_hmac_lsh_batch_keys(v, keys, key_sizes, starts, sizes, 2, out, room, NULL) == null);
    CHECK(hwacha_hmac_lsh_batch_keys(v, keys, key_sizes, starts, sizes, 1, out, 32, NULL) == HWACHA_OK);
    CHECK(!all(out, 0x5a, 32));
    memset(out, 0x5a, 32);

    /* No room, also for numbers whose product with the digest size is a small one: no array is read then. */
    const hwacha_status small = HWACHA_BUFFER_TOO_SMALL;
    const size_t counts[] = {n, SIZE_MAX / 32 + 2, SIZE_MAX / 2 + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        const size_t count = counts[i];
        CHECK(hwacha_lsh_batch(v, starts, sizes, count, out, room - 1, NULL) == small);
        CHECK(hwacha_lsh_batch(v, starts, sizes, count, NULL, 0, NULL) == small);
        CHECK(hwacha_lsh_batch_offsets32(v, packed, in, offsets32, count, out, room - 1, NULL) == small);
        CHECK(hwacha_lsh_batch_offsets64(v, packed, in, offsets64, count, out, room - 1, NULL) == small);
        CHECK(hwacha_hmac_lsh_batch(v, "k", 1, starts, sizes, count, out, room - 1, NULL) == small);
        CHECK(hwacha_hmac_lsh_batch_keys(v, starts, sizes, starts, sizes, count, out, room - 1, NULL) == small);
    }
    CHECK(hwacha_lsh_batch(NO_VARIANT, starts, sizes, n, out, room, NULL) == HWACHA_UNKNOWN_ALGORITHM);
    CHECK(hwacha_lsh_batch(v, starts, sizes, n, text, room, NULL) == HWACHA_OVERLAP);
    CHECK(hwacha_lsh_batch_offsets64(v, packed, in, offsets64, n, packed, room, NULL) == HWACHA_OVERLAP);
    CHECK(hwacha_lsh_batch_offsets32(v, packed, in, offsets32, n, offsets32, room, NULL) == HWACHA_OVERLAP);

    /* The last byte of the data and one beyond it. */
    const size_t whole = (size_t)offsets64[n];
    CHECK(hwacha_lsh_batch_offsets32(v, packed, whole - 1, offsets32, n, out, room, NULL) == HWACHA_BAD_OFFSETS);
    CHECK(hwacha_lsh_batch_offsets64(v, packed, whole - 1, offsets64, n, out, room, NULL) == HWACHA_BAD_OFFSETS);
    offsets32[n / 2] = -offsets32[n / 2];
    CHECK(hwacha_hmac_lsh_batch_keys_offsets32(v, packed, in, offsets32, packed, in, offsets32, n, out, room, NULL) ==
          HWACHA_BAD_OFFSETS);
    offsets32[n / 2] = -offsets32[n / 2];
    CHECK(all(digests, 0x5a, sizeof digests));
    CHECK(hwacha_lsh_batch_offsets32(v, packed, whole, offsets32, n, out, room, NULL) == HWACHA_OK);
    memset(digests, 0x5a, sizeof digests);

    /* No messages. */
    CHECK(hwacha_lsh_batch(v, NULL, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_batch_offsets32(v, NULL, 0, NULL, 0, out, room, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_batch_offsets64(v, packed, in, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch(v, NULL, 0, NULL, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch_offsets32(v, "k", 1, NULL, 0, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch_offsets64(v, "k", 1, NULL, 0, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch_keys(v, NULL, NULL, NULL, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch_keys_offsets32(v, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_hmac_lsh_batch_keys_offsets64(v, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch(NULL, NULL, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch_offsets32(NULL, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch_offsets64(NULL, NULL, 0, NULL, 0, NULL) == HWACHA_OK);
    CHECK(all(digests, 0x5a, sizeof digests));

    /* Streams: one of them null, or finished. Nothing happens to the other. */
    hwacha_lsh_ctx* streams[2] = {NULL, NULL};
    const void* const pieces[2] = {"abc", "abc"};
    const size_t piece_sizes[2] = {3, 3};
    const int32_t three32[3] = {0, 3, 6};
    const int64_t three64[3] = {0, 3, 6};
    CHECK(hwacha_lsh_new(v, &streams[0]) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch(streams, pieces, piece_sizes, 2, NULL) == null);
    CHECK(hwacha_lsh_new(HWACHA_LSH512_256, &streams[1]) == HWACHA_OK);
    CHECK(hwacha_lsh_finish(streams[1], out, 32) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch(streams, pieces, piece_sizes, 2, NULL) == HWACHA_FINISHED);
    CHECK(hwacha_lsh_update_batch_offsets32(streams, "abcabc", 6, three32, 2, NULL) == HWACHA_FINISHED);
    CHECK(hwacha_lsh_update_batch_offsets64(streams, "abcabc", 6, three64, 2, NULL) == HWACHA_FINISHED);
    CHECK(hwacha_lsh_reset(streams[1]) == HWACHA_OK);
    CHECK(hwacha_lsh_update_batch(NULL, pieces, piece_sizes, 2, NULL) == null);
    CHECK(hwacha_lsh_update_batch(streams, NULL, piece_sizes, 2, NULL) == null);
    CHECK(hwacha_lsh_update_batch(streams, pieces, NULL, 2, NULL) == null);
    CHECK(hwacha_lsh_update_batch_offsets32(streams, NULL, 6, three32, 2, NULL) == null);
    CHECK(hwacha_lsh_update_batch_offsets64(streams, "abcabc", 6, NULL, 2, NULL) == null);
    CHECK(hwacha_lsh_update_batch_offsets64(streams, "abcabc", 5, three64, 2, NULL) == HWACHA_BAD_OFFSETS);
    CHECK(hwacha_lsh_update_batch(streams, pieces, piece_sizes, 2, NULL) == HWACHA_OK);
    CHECK(hwacha_lsh_finish(streams[0], out, 32) == HWACHA_OK && equals_hex(out, variants[1].abc));
    CHECK(hwacha_lsh_finish(streams[1], out, 32) == HWACHA_OK && equals_hex(out, variants[3].abc));
    hwacha_lsh_free(streams[0]);
    hwacha_lsh_free(streams[1]);
}

/* ---- LEA-GCM */

static const unsigned char key[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const unsigned char* const nonce = key;
static const unsigned char zeros[80] = {0};
static const char gcm_start[] = "de21cd99c2eabe35a9ea2b31f58130fb";
static const char gcm_tag[] = "a985b74f4a2f58db6d98f4a11a8e201d";

static void test_gcm_keys(void) {
    for (size_t n = 0; n <= 32; ++n) {
        hwacha_lea_gcm* g = NULL;
        const hwacha_status s = hwacha_lea_gcm_new(key, n, 16, 0, &g);
        CHECK(s == (n == 16 || n == 24 || n == 32 ? HWACHA_OK : HWACHA_BAD_KEY_LENGTH));
        CHECK((g != NULL) == (s == HWACHA_OK));
        hwacha_lea_gcm_free(g);
    }
    for (size_t n = 0; n <= 20; ++n) {
        hwacha_lea_gcm* g = NULL;
        const int regular = n >= 12 && n <= 16;
        CHECK(hwacha_lea_gcm_new(key, 16, n, 0, &g) == (regular ? HWACHA_OK : HWACHA_BAD_TAG_LENGTH));
        hwacha_lea_gcm_free(g);
        const int offered = regular || n == 4 || n == 8;
        CHECK(hwacha_lea_gcm_new(key, 16, n, HWACHA_SHORT_TAGS, &g) == (offered ? HWACHA_OK : HWACHA_BAD_TAG_LENGTH));
        hwacha_lea_gcm_free(g);
    }
    hwacha_lea_gcm* g = NULL;
    CHECK(hwacha_lea_gcm_new(NULL, 16, 16, 0, &g) == HWACHA_NULL_POINTER && g == NULL);
    CHECK(hwacha_lea_gcm_new(key, 16, 16, 0, NULL) == HWACHA_NULL_POINTER);
    hwacha_lea_gcm_free(NULL);
}

static void test_gcm_one_call(const hwacha_lea_gcm* g) {
    unsigned char out[100];
    unsigned char back[100];
    memset(out, 0x5a, sizeof out);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, zeros, 80, out, 95) == HWACHA_BUFFER_TOO_SMALL);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 0, NULL, 0, zeros, 80, out, 96) == HWACHA_BAD_NONCE_LENGTH);
    CHECK(hwacha_lea_gcm_seal(NULL, nonce, 12, NULL, 0, zeros, 80, out, 96) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_seal(g, NULL, 12, NULL, 0, zeros, 80, out, 96) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 1, zeros, 80, out, 96) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, NULL, 80, out, 96) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, zeros, 80, NULL, 96) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, out, 80, out + 1, 96) == HWACHA_OVERLAP);
    CHECK(all(out, 0x5a, sizeof out));
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, zeros, 80, out, sizeof out) == HWACHA_OK);
    CHECK(equals_hex(out, gcm_start) && equals_hex(out + 80, gcm_tag) && all(out + 96, 0x5a, 4));

    memset(back, 0x5a, sizeof back);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 96, back, 79) == HWACHA_BUFFER_TOO_SMALL);
    CHECK(hwacha_lea_gcm_open(g, nonce, 0, NULL, 0, out, 96, back, 80) == HWACHA_BAD_NONCE_LENGTH);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 95, back, 80) == HWACHA_AUTH_FAILED);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 15, back, 80) == HWACHA_AUTH_FAILED);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, "a", 1, out, 96, back, 80) == HWACHA_AUTH_FAILED);
    CHECK(hwacha_lea_gcm_open(g, nonce, 13, NULL, 0, out, 96, back, 80) == HWACHA_AUTH_FAILED);
    CHECK(hwacha_lea_gcm_open(NULL, nonce, 12, NULL, 0, out, 96, back, 80) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_open(g, NULL, 12, NULL, 0, out, 96, back, 80) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 1, out, 96, back, 80) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, NULL, 96, back, 80) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 96, NULL, 80) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 96, out + 1, 80) == HWACHA_OVERLAP);
    CHECK(all(back, 0, 80) && all(back + 80, 0x5a, sizeof back - 80)); /* what did not verify is zeroed */
    memset(back, 0x5a, sizeof back);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 96, back, 80) == HWACHA_OK);
    CHECK(all(back, 0, 80) && all(back + 80, 0x5a, 20));
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 96, out, 80) == HWACHA_OK && all(out, 0, 80));
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, out, 80, out, 96) == HWACHA_OK && equals_hex(out + 80, gcm_tag));

    /* More than GCM allows is refused before a byte is read or written. */
    if (sizeof(size_t) > 4) {
        const size_t too_long = (size_t)(((uint64_t)1 << 36) - 31);
        const size_t endless = (size_t)((uint64_t)1 << 61);
        memset(back, 0x5a, sizeof back);
        CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, out, too_long, back, SIZE_MAX) == HWACHA_MESSAGE_TOO_LONG);
        CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, too_long + 16, back, SIZE_MAX) ==
              HWACHA_MESSAGE_TOO_LONG);
        CHECK(hwacha_lea_gcm_seal(g, nonce, 12, out, endless, NULL, 0, back, 100) == HWACHA_MESSAGE_TOO_LONG);
        CHECK(hwacha_lea_gcm_seal(g, nonce, endless, NULL, 0, NULL, 0, back, 100) == HWACHA_MESSAGE_TOO_LONG);
        CHECK(all(back, 0x5a, sizeof back));
    }

    /* Nothing but a tag. */
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, NULL, 0, NULL, 0, out, 16) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_open(g, nonce, 12, NULL, 0, out, 16, NULL, 0) == HWACHA_OK);
}

static void test_sealer(const hwacha_lea_gcm* g) {
    unsigned char out[80];
    unsigned char tag[16];
    hwacha_lea_gcm_sealer* s = NULL;
    CHECK(hwacha_lea_gcm_sealer_new(g, nonce, 0, &s) == HWACHA_BAD_NONCE_LENGTH && s == NULL);
    CHECK(hwacha_lea_gcm_sealer_new(NULL, nonce, 12, &s) == HWACHA_NULL_POINTER && s == NULL);
    CHECK(hwacha_lea_gcm_sealer_new(g, NULL, 12, &s) == HWACHA_NULL_POINTER && s == NULL);
    CHECK(hwacha_lea_gcm_sealer_new(g, nonce, 12, NULL) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_new(g, nonce, 12, &s) == HWACHA_OK && s != NULL);
    CHECK(hwacha_lea_gcm_sealer_aad(s, NULL, 0) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_aad(s, NULL, 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 33, out, 32) == HWACHA_BUFFER_TOO_SMALL);
    CHECK(hwacha_lea_gcm_sealer_update(s, NULL, 33, out, 33) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 33, NULL, 33) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_update(s, out, 33, out + 1, 33) == HWACHA_OVERLAP);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 33, out, sizeof out) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_update(s, NULL, 0, NULL, 0) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 47, out + 33, 47) == HWACHA_OK);
    memset(tag, 0x5a, sizeof tag);
    CHECK(hwacha_lea_gcm_sealer_finish(s, tag, 15) == HWACHA_BAD_TAG_LENGTH);
    CHECK(hwacha_lea_gcm_sealer_finish(s, NULL, 16) == HWACHA_NULL_POINTER);
    CHECK(all(tag, 0x5a, sizeof tag));
    CHECK(hwacha_lea_gcm_sealer_finish(s, tag, 16) == HWACHA_OK);
    CHECK(equals_hex(out, gcm_start) && equals_hex(tag, gcm_tag));
    memset(tag, 0x5a, sizeof tag);
    CHECK(hwacha_lea_gcm_sealer_finish(s, tag, 16) == HWACHA_FINISHED);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 1, out, 1) == HWACHA_FINISHED);
    CHECK(hwacha_lea_gcm_sealer_aad(s, "a", 1) == HWACHA_FINISHED);
    CHECK(all(tag, 0x5a, sizeof tag));
    hwacha_lea_gcm_sealer_free(s);

    CHECK(hwacha_lea_gcm_sealer_new(g, nonce, 12, &s) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 16, out, 16) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_aad(s, "a", 1) == HWACHA_WRONG_ORDER);
    CHECK(hwacha_lea_gcm_sealer_finish(s, tag, 16) == HWACHA_WRONG_ORDER && all(tag, 0x5a, sizeof tag));
    hwacha_lea_gcm_sealer_free(s);

    CHECK(hwacha_lea_gcm_sealer_aad(NULL, "a", 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_update(NULL, zeros, 1, out, 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_sealer_finish(NULL, tag, 16) == HWACHA_NULL_POINTER);
    hwacha_lea_gcm_sealer_free(NULL);
}

static void test_opener(const hwacha_lea_gcm* g) {
    unsigned char sealed[96];
    unsigned char out[80];
    hwacha_lea_gcm_opener* o = NULL;
    CHECK(hwacha_lea_gcm_seal(g, nonce, 12, "abc", 3, zeros, 80, sealed, 96) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_opener_new(g, nonce, 0, &o) == HWACHA_BAD_NONCE_LENGTH && o == NULL);
    CHECK(hwacha_lea_gcm_opener_new(NULL, nonce, 12, &o) == HWACHA_NULL_POINTER && o == NULL);
    CHECK(hwacha_lea_gcm_opener_new(g, NULL, 12, &o) == HWACHA_NULL_POINTER && o == NULL);
    CHECK(hwacha_lea_gcm_opener_new(g, nonce, 12, NULL) == HWACHA_NULL_POINTER);
    for (int wrong = 0; wrong <= 1; ++wrong) {
        CHECK(hwacha_lea_gcm_opener_new(g, nonce, 12, &o) == HWACHA_OK && o != NULL);
        CHECK(hwacha_lea_gcm_opener_aad(o, "ab", 2) == HWACHA_OK);
        CHECK(hwacha_lea_gcm_opener_aad(o, wrong ? "d" : "c", 1) == HWACHA_OK);
        CHECK(hwacha_lea_gcm_opener_aad(o, NULL, 1) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, sealed, 40, out, 39) == HWACHA_BUFFER_TOO_SMALL);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, NULL, 40, out, 40) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, sealed, 40, NULL, 40) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, out, 40, out + 1, 40) == HWACHA_OVERLAP);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, sealed, 40, out, 40) == HWACHA_OK);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, sealed + 40, 40, out + 40, 40) == HWACHA_OK);
        CHECK(hwacha_lea_gcm_opener_finish(o, sealed + 80, 15) == HWACHA_BAD_TAG_LENGTH);
        CHECK(hwacha_lea_gcm_opener_finish(o, NULL, 16) == HWACHA_NULL_POINTER);
        CHECK(hwacha_lea_gcm_opener_finish(o, sealed + 80, 16) == (wrong ? HWACHA_AUTH_FAILED : HWACHA_OK));
        CHECK(hwacha_lea_gcm_opener_finish(o, sealed + 80, 16) == HWACHA_FINISHED);
        CHECK(hwacha_lea_gcm_opener_update_unverified(o, sealed, 1, out, 1) == HWACHA_FINISHED);
        CHECK(hwacha_lea_gcm_opener_aad(o, "a", 1) == HWACHA_FINISHED);
        CHECK(all(out, 0, 80));
        hwacha_lea_gcm_opener_free(o);
    }
    CHECK(hwacha_lea_gcm_opener_aad(NULL, "a", 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_opener_update_unverified(NULL, sealed, 1, out, 1) == HWACHA_NULL_POINTER);
    CHECK(hwacha_lea_gcm_opener_finish(NULL, sealed, 16) == HWACHA_NULL_POINTER);
    hwacha_lea_gcm_opener_free(NULL);
}

int main(void) {
    test_texts();
    test_lsh();
    test_hmac();
    make_messages();
    test_batches();
    test_pools();
    test_batch_options();
    test_batch_refusals();
    test_gcm_keys();
    hwacha_lea_gcm* g = NULL;
    CHECK(hwacha_lea_gcm_new(key, 16, 16, 0, &g) == HWACHA_OK);
    test_gcm_one_call(g);
    test_sealer(g);
    /* A sealer and an opener keep their own copy of the key. */
    hwacha_lea_gcm_sealer* s = NULL;
    test_opener(g);
    CHECK(hwacha_lea_gcm_sealer_new(g, nonce, 12, &s) == HWACHA_OK);
    hwacha_lea_gcm_free(g);
    unsigned char out[80];
    unsigned char tag[16];
    CHECK(hwacha_lea_gcm_sealer_update(s, zeros, 80, out, 80) == HWACHA_OK);
    CHECK(hwacha_lea_gcm_sealer_finish(s, tag, 16) == HWACHA_OK && equals_hex(tag, gcm_tag));
    hwacha_lea_gcm_sealer_free(s);
    printf("%u checks, %u failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
