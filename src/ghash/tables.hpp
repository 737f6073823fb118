// The tables of GHASH, above the waist.
#pragma once

#include "cpu/registry.hpp"
#include "ghash/kernels.hpp"

namespace hwacha {

extern cpu::registry<ghash_table> ghash_tables;

}  // namespace hwacha
