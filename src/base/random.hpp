// Where random_bytes gets its bytes: a function of its own, so that tests can put failing ones in its place.
#pragma once

#include <atomic>
#include <cstddef>

#include <sys/types.h>

namespace hwacha {

// As getrandom(2) without flags: how many bytes were written, or -1 with errno set.
using entropy_function = ssize_t (*)(void* out, std::size_t size);
extern std::atomic<entropy_function> entropy_in_use;

}  // namespace hwacha
