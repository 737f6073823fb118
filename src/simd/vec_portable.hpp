// No instruction set assumed: the compiler's vector extensions, lowered to whatever the baseline has.
#pragma once

#include "simd/vec.hpp"

namespace hwacha::simd {
namespace {

struct ops : plain_ops {
    using wide32 = row32;
};

}  // namespace
}  // namespace hwacha::simd
