#include "sum/escape.hpp"

#include <string>

#include <gtest/gtest.h>

namespace hwacha::tool {
namespace {

using namespace std::string_literals;

TEST(Escape, NamesThatNeedIt) {
    for (const std::string& name : {"\\"s, "\n"s, "\r"s, "a\nb"s, "ends\\"s}) EXPECT_TRUE(needs_escape(name)) << name;
    for (const std::string& name : {""s, "a b"s, "\t"s, "\x1b[0m"s, "\0"s, "bad\xff"s, "n"s}) {
        EXPECT_FALSE(needs_escape(name)) << name;
    }
}

TEST(Escape, Text) {
    EXPECT_EQ(escape_name("a\nb"), "a\\nb");
    EXPECT_EQ(escape_name("a\\nb"), "a\\\\nb");
    EXPECT_EQ(escape_name("\r\\\n"), "\\r\\\\\\n");
    EXPECT_EQ(escape_name("bad\xff*\t"), "bad\xff*\t");
}

TEST(Escape, EveryByteAndPairComesBack) {
    for (int first = 0; first < 256; ++first) {
        for (int second = 1; second < 256; ++second) {
            std::string name(1, static_cast<char>(second));
            if (first != 0) name.insert(name.begin(), static_cast<char>(first));
            const std::string escaped = escape_name(name);
            EXPECT_EQ(escaped.find_first_of("\n\r"), escaped.npos);
            EXPECT_EQ(unescape_name(escaped), name);
        }
    }
}

TEST(Escape, Malformed) {
    for (const std::string& text : {"\\"s, "a\\"s, "\\q"s, "\\N"s, "\\0"s, "\\\\\\"s, "a\0b"s, "\\\0"s, "\\ n"s}) {
        EXPECT_EQ(unescape_name(text), std::nullopt) << text;
    }
    EXPECT_EQ(unescape_name(""), "");
}

}  // namespace
}  // namespace hwacha::tool
