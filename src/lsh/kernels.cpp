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

}  // namespace

constinit cpu::registry<lsh256_table> lsh256_tables{"LSH-256", lsh256_best_first};
constinit cpu::registry<lsh512_table> lsh512_tables{"LSH-512", lsh512_best_first};

}  // namespace hwacha
