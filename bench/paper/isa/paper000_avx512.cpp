#include "paper/chains.inl.hpp"
#include "paper/forms.hpp"
#include "simd/vec_avx512.hpp"

namespace hwacha::bench {
namespace {

// Each word rotated by its own number. The unmasked intrinsics draw a false warning from g++ 12.
struct ops : simd::ops {
    static HWACHA_INLINE simd::row32x2 rotl_each(simd::row32x2 x, simd::row32x2 counts) {
        return (simd::row32x2)_mm256_maskz_rolv_epi32(0xff, (__m256i)x, (__m256i)counts);
    }
    static HWACHA_INLINE wide32 rotl_each(wide32 x, wide32 counts) {
        return (wide32)_mm512_maskz_rolv_epi32(0xffff, (__m512i)x, (__m512i)counts);
    }
    static HWACHA_INLINE simd::row64x2 rotl_each(simd::row64x2 x, simd::row64x2 counts) {
        return (simd::row64x2)_mm512_maskz_rolv_epi64(0xff, (__m512i)x, (__m512i)counts);
    }
};

}  // namespace

const paper_table paper000_avx512 = {cpu::head(cpu::level::avx512),
                                     "000",
                                     2,
                                     {{"single", 1, paper_chains<ops, lsh256_core, 1, 1>::compress},
                                      {"dual", 2, paper_chains<ops, lsh256_core, 2, 1>::compress}},
                                     2,
                                     {{"single", 1, paper_chains<ops, lsh512_core, 1, 1>::compress},
                                      {"dual", 2, paper_chains<ops, lsh512_core, 1, 2>::compress}}};

}  // namespace hwacha::bench
