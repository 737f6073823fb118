/*
 * How the messages of "NAME xN uniform" and "NAME xN records" share the input: in proportion to weights that are the
 * same everywhere. In an input of hwacha_peer_lengths(..)'s result, the weights are the lengths in bytes.
 *
 *   uniform    0 to 8191
 *   records    16 to 1024, in powers of two about as likely as the sum of four dice: half of them from 88 to 208
 */
#ifndef HWACHA_BENCH_LENGTHS_H
#define HWACHA_BENCH_LENGTHS_H

#include <stddef.h>
#include <stdint.h>

enum hwacha_peer_kind { hwacha_peer_uniform, hwacha_peer_records };

static inline uint32_t hwacha_peer_draw(uint32_t* state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 8) * below) >> 24);
}

/* sums[i]: of the first i + 1 weights. Message i of an input of `length` bytes ends at sums[i] * length / sums[n - 1].
   Returns the last sum. */
static inline uint64_t hwacha_peer_lengths(enum hwacha_peer_kind kind, size_t n, uint64_t* sums) {
    uint32_t state = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; ++i) {
        if (kind == hwacha_peer_uniform) {
            sum += hwacha_peer_draw(&state, 8192);
        } else {
            uint32_t z = 0; /* a logarithm: eight steps double the length */
            for (int k = 0; k < 4; ++k) z += hwacha_peer_draw(&state, 13);
            sum += (uint64_t)(8 + z % 8) << (z / 8 + 1);
        }
        sums[i] = sum;
    }
    return sum;
}

#endif
