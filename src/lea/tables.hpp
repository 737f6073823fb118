// The tables of LEA, above the waist.
#pragma once

#include "cpu/registry.hpp"
#include "lea/kernels.hpp"

namespace hwacha {

extern cpu::registry<lea_table> lea_tables;

}  // namespace hwacha
