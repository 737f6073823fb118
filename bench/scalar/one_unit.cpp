#define HWACHA_SCALAR_ONE_UNIT
// clang-format off
#include "scalar/lsh_mix.cpp"
#include "scalar/lsh.cpp"
#include "scalar/lea_round.cpp"
#include "scalar/lea.cpp"
#include "scalar/lea_side_by_side.cpp"
#include "scalar/ghash_multiply.cpp"
#include "scalar/ghash.cpp"
#include "scalar/gcm.cpp"
// clang-format on
