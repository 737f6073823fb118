// The tables of LSH, best first. The figures that justify the order are in docs/KERNELS.md.
#include "lsh/tables.hpp"

namespace hwacha {
namespace {

constexpr const lsh256_table* lsh256_best_first[] = {
#ifdef HWACHA_HAVE_LSH256_AVX512
    &lsh256_avx512,
#endif
#ifdef HWACHA_HAVE_LSH256_AVX2
    &lsh256_avx2,
#endif
#ifdef HWACHA_HAVE_LSH256_SSSE3
    &lsh256_ssse3,
#endif
#ifdef HWACHA_HAVE_LSH256_NEON
    &lsh256_neon,
#endif
    &lsh256_portable,
};

constexpr const lsh512_table* lsh512_best_first[] = {
#ifdef HWACHA_HAVE_LSH512_AVX512
    &lsh512_avx512,
#endif
#ifdef HWACHA_HAVE_LSH512_AVX2
    &lsh512_avx2,
#endif
#ifdef HWACHA_HAVE_LSH512_SSSE3
    &lsh512_ssse3,
#endif
#ifdef HWACHA_HAVE_LSH512_NEON
    &lsh512_neon,
#endif
    &lsh512_portable,
};

constexpr const lsh256_lanes_table* lsh256_lanes_best_first[] = {
#ifdef HWACHA_HAVE_LSH256_LANES_AVX512
    &lsh256_lanes_avx512,
#endif
#ifdef HWACHA_HAVE_LSH256_LANES_AVX2
    &lsh256_lanes_avx2,
#endif
#ifdef HWACHA_HAVE_LSH256_LANES_SSSE3
    &lsh256_lanes_ssse3,
#endif
#ifdef HWACHA_HAVE_LSH256_LANES_NEON
    &lsh256_lanes_neon,
#endif
    &lsh256_lanes_portable,
};

constexpr const lsh512_lanes_table* lsh512_lanes_best_first[] = {
#ifdef HWACHA_HAVE_LSH512_LANES_AVX512
    &lsh512_lanes_avx512,
#endif
#ifdef HWACHA_HAVE_LSH512_LANES_AVX2
    &lsh512_lanes_avx2,
#endif
#ifdef HWACHA_HAVE_LSH512_LANES_SSSE3
    &lsh512_lanes_ssse3,
#endif
#ifdef HWACHA_HAVE_LSH512_LANES_NEON
    &lsh512_lanes_neon,
#endif
    &lsh512_lanes_portable,
};

}  // namespace

constinit cpu::registry<lsh256_table> lsh256_tables{"LSH-256", lsh256_best_first};
constinit cpu::registry<lsh512_table> lsh512_tables{"LSH-512", lsh512_best_first};
constinit cpu::registry<lsh256_lanes_table> lsh256_lanes_tables{"LSH-256 lanes", lsh256_lanes_best_first};
constinit cpu::registry<lsh512_lanes_table> lsh512_lanes_tables{"LSH-512 lanes", lsh512_lanes_best_first};

}  // namespace hwacha
