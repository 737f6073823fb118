// The tables of LEA, best first. The figures that justify the order are in docs/KERNELS.md.
#include "lea/tables.hpp"

namespace hwacha {
namespace {

constexpr const lea_table* lea_best_first[] = {
#ifdef HWACHA_HAVE_LEA_AVX512
    &lea_avx512,
#endif
#ifdef HWACHA_HAVE_LEA_AVX2
    &lea_avx2,
#endif
#ifdef HWACHA_HAVE_LEA_SSSE3
    &lea_ssse3,
#endif
#ifdef HWACHA_HAVE_LEA_NEON
    &lea_neon,
#endif
    &lea_portable,
};

}  // namespace

constinit cpu::registry<lea_table> lea_tables{"LEA", lea_best_first};

}  // namespace hwacha
