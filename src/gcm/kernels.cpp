// The tables of LEA-GCM, best first. The figures that justify the order are in docs/KERNELS.md.
#include "gcm/tables.hpp"

namespace hwacha {
namespace {

// LEA's and GHASH's tables in turn: where no carry-less multiplier is.
constexpr lea_gcm_table composed = {
    cpu::head(cpu::level::portable), {}, 1, nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr};

constexpr const lea_gcm_table* lea_gcm_best_first[] = {
#ifdef HWACHA_HAVE_LEA_GCM_AVX512_VPCLMUL
    &lea_gcm_avx512_vpclmul,
#endif
#ifdef HWACHA_HAVE_LEA_GCM_AVX512
    &lea_gcm_avx512,
#endif
#ifdef HWACHA_HAVE_LEA_GCM_AVX2_VPCLMUL
    &lea_gcm_avx2_vpclmul,
#endif
#ifdef HWACHA_HAVE_LEA_GCM_AVX2
    &lea_gcm_avx2,
#endif
#ifdef HWACHA_HAVE_LEA_GCM_SSSE3
    &lea_gcm_ssse3,
#endif
#ifdef HWACHA_HAVE_LEA_GCM_NEON
    &lea_gcm_neon,
#endif
    &composed,
};

}  // namespace

constinit cpu::registry<lea_gcm_table> lea_gcm_tables{"LEA-GCM", lea_gcm_best_first};

}  // namespace hwacha
