// Callables as tasks.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <type_traits>

#include <hwacha/executor.hpp>

#include "support/sanitizers.hpp"

namespace hwacha::test {

template <class Body>
void run(executor& e, std::size_t count, Body&& body) {
    e.run(
        count, [](void* context, std::size_t i) { (*static_cast<std::remove_reference_t<Body>*>(context))(i); }, &body);
}

// The exit status of a child that does `body`, which returns its status; -1 if it died otherwise, for example because
// it hung.
template <class Body>
int in_child(Body&& body) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(body());
    }
    int result = 0;
    if (child < 0 || waitpid(child, &result, 0) != child || !WIFEXITED(result)) return -1;
    return WEXITSTATUS(result);
}

}  // namespace hwacha::test
