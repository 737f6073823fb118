// The tables of LEA-GCM, above the waist.
#pragma once

#include "cpu/registry.hpp"
#include "gcm/kernels.hpp"

namespace hwacha {

extern cpu::registry<lea_gcm_table> lea_gcm_tables;

}  // namespace hwacha
