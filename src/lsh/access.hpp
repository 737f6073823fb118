// What lies under an LSH object, for checks that name the table.
#pragma once

#include <hwacha/lsh.hpp>

#include "lsh/tables.hpp"

namespace hwacha {

struct lsh_access {
    // `table` belongs to the variant's core.
    static void use(lsh& h, const lsh256_table& table) { h.kernel_ = &table; }
    static void use(lsh& h, const lsh512_table& table) { h.kernel_ = &table; }
};

}  // namespace hwacha
