// The header record of the repository's own known-answer files.
#pragma once

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace hwacha::test {

inline void check_header(record& header, const std::string& algorithm, std::size_t records) {
    EXPECT_EQ(header.take("format"), "hwacha known answers 1");
    EXPECT_EQ(header.take("algorithm"), algorithm);
    EXPECT_EQ(header.take_number("records"), records) << header.where();
    for (const char* said : {"source", "licence", "version", "generator"}) EXPECT_FALSE(header.take(said).empty());
    header.done();
}

}  // namespace hwacha::test
