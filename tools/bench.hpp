// What `hwacha bench` was asked for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hwacha::tool {

struct bench_options {
    std::vector<std::string> operations;  // beginnings of names, any case; none: all but batches
    std::vector<std::size_t> sizes{64, 1024, 65536};
    double seconds = 0.1;  // for each operation and size
    bool json = false;
};

}  // namespace hwacha::tool
