// The status that a constructor or a function by value throws.
#pragma once

#include <gtest/gtest.h>

#include <hwacha/status.hpp>

namespace hwacha::test {

// status::ok if nothing was thrown.
template <class Function>
status thrown_by(Function f) {
    try {
        f();
    } catch (const error& e) {
        EXPECT_NE(std::string_view(e.what()), "");
        return e.code();
    }
    return status::ok;
}

}  // namespace hwacha::test
