// How much processor time the system grants.
#pragma once

#include <cstddef>
#include <string>

namespace hwacha::pool {

// The smallest CPU quota of the control groups that this process is in and of their parents, in processors, rounded up.
// 0: no quota. What cannot be read or understood is no quota. `root` is put before every path, for tests.
std::size_t quota_processors(const std::string& root);

}  // namespace hwacha::pool
