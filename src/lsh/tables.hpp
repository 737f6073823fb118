// The tables of LSH-256 and LSH-512, above the waist.
#pragma once

#include "cpu/registry.hpp"
#include "lsh/kernels.hpp"

namespace hwacha {

extern cpu::registry<lsh256_table> lsh256_tables;
extern cpu::registry<lsh512_table> lsh512_tables;
extern cpu::registry<lsh256_lanes_table> lsh256_lanes_tables;
extern cpu::registry<lsh512_lanes_table> lsh512_lanes_tables;

}  // namespace hwacha
