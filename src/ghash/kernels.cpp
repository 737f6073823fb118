// The tables of GHASH, best first. The figures that justify the order are in docs/KERNELS.md.
#include "ghash/tables.hpp"

namespace hwacha {
namespace {

constexpr const ghash_table* ghash_best_first[] = {
#ifdef HWACHA_HAVE_GHASH_AVX2_VPCLMUL
    &ghash_avx2_vpclmul,
#endif
#ifdef HWACHA_HAVE_GHASH_AVX512_VPCLMUL
    &ghash_avx512_vpclmul,
#endif
#ifdef HWACHA_HAVE_GHASH_AVX2
    &ghash_avx2,
#endif
#ifdef HWACHA_HAVE_GHASH_SSSE3
    &ghash_ssse3,
#endif
#ifdef HWACHA_HAVE_GHASH_NEON
    &ghash_neon,
#endif
    &ghash_portable,
};

}  // namespace

constinit cpu::registry<ghash_table> ghash_tables{"GHASH", ghash_best_first};

}  // namespace hwacha
