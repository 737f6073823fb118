#include "sum/check_line.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace hwacha::tool {

void PrintTo(line_fault fault, std::ostream* os) {
    *os << to_string(fault);
}

namespace {

using namespace std::string_literals;
using enum line_fault;

// LSH-256-256("abc"), KS X 3262.
const std::string digest = "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741";
const std::string upper = "5FBF365DAEA5446A7053C52B57404D77A07A5F48A1F7C1963A0898BA1B714741";

const lsh_info& lsh256() {
    return *find_lsh(lsh_variant::lsh256_256);
}

parsed_line parse(std::string_view line, untagged_form form = untagged_form::undecided) {
    return parse_line(line, lsh256(), form);
}

struct good_row {
    std::string id;
    std::string line;
    std::string name;
    std::string digest = tool::digest;
    lsh_variant algorithm = lsh_variant::lsh256_256;
};

// Test names are made of letters and digits.
template <class Row>
std::string row_name(const testing::TestParamInfo<Row>& info) {
    std::string name;
    for (const char c : info.param.id) {
        if (std::isalnum(static_cast<unsigned char>(c))) name += c;
    }
    return name;
}

class GoodLine : public testing::TestWithParam<good_row> {};

TEST_P(GoodLine, IsRead) {
    const good_row& row = GetParam();
    const parsed_line parsed = parse(row.line);
    ASSERT_TRUE(std::holds_alternative<checksum_line>(parsed))
        << (std::holds_alternative<line_fault>(parsed) ? to_string(std::get<line_fault>(parsed)) : "ignored");
    const auto& got = std::get<checksum_line>(parsed);
    EXPECT_EQ(got.name, row.name);
    EXPECT_EQ(got.digest, row.digest);
    EXPECT_EQ(got.algorithm->variant, row.algorithm);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GoodLine,
    testing::Values(
        good_row{"text", digest + "  a", "a"}, good_row{"binary", digest + " *a", "a"},
        good_row{"reversed", digest + " a", "a"}, good_row{"tab", digest + "\ta", "a"},
        good_row{"upperCase", upper + "  a", "a", upper}, good_row{"leadingBlanks", " \t" + digest + "  a", "a"},
        good_row{"blanksInName", digest + "   a b ", " a b "}, good_row{"carriageReturn", digest + "  a\r", "a"},
        good_row{"twoCarriageReturns", digest + "  a\r\r", "a\r"},
        good_row{"escaped", "\\" + digest + "  a\\nb\\\\c\\rd", "a\nb\\c\rd"},
        good_row{"notEscaped", digest + "  a\\nb", "a\\nb"}, good_row{"oneBlankName", digest + "  ", " "},
        good_row{"starName", digest + " *", "*"},
        good_row{"B87 invalid UTF-8", digest + "  \x62\x61\x64\xff", "\x62\x61\x64\xff"},
        good_row{"B87 invalid UTF-8, tagged", "LSH-256-256 (\x62\x61\x64\xff) = " + digest, "\x62\x61\x64\xff"},
        good_row{"B95 two opening", "LSH-256-256 ((a) = " + digest, "(a"},
        good_row{"B95 null in the name", digest + "  a\0b"s, "a"}, good_row{"nullName", digest + " \0"s, ""},
        good_row{"tag", "LSH-256-256 (a) = " + digest, "a"}, good_row{"tagTight", "LSH-256-256(a)=" + digest, "a"},
        good_row{"tagBlanks", " LSH-256-256 (a) \t= \t" + digest, "a"},
        good_row{"tagUpperDigest", "LSH-256-256 (a) = " + upper, "a", upper},
        good_row{"tagEmptyName", "LSH-256-256 () = " + digest, ""},
        good_row{"tagInName", "LSH-256-256 (x) = y) = " + digest, "x) = y"},
        good_row{"tagEscaped", "\\LSH-256-256 (a\\nb) = " + digest, "a\nb"},
        good_row{"tagNullAfterDigest", "LSH-256-256 (a) = " + digest + "\0z"s, "a"},
        good_row{"tagAlias", "LSH-256 (a) = " + digest, "a"},
        good_row{"tagLowerCase", "lsh-256-256 (a) = " + digest, "a"},
        good_row{"tag224", "LSH-256-224 (a) = " + digest.substr(8), "a", digest.substr(8), lsh_variant::lsh256_224},
        good_row{"tag512224", "LSH-512-224 (a) = " + digest.substr(8), "a", digest.substr(8), lsh_variant::lsh512_224},
        good_row{"tag512256", "LSH-512-256 (a) = " + digest, "a", digest, lsh_variant::lsh512_256},
        good_row{"tag512384", "LSH-512-384 (a) = " + digest + digest.substr(32), "a", digest + digest.substr(32),
                 lsh_variant::lsh512_384},
        good_row{"tag512512", "LSH-512-512 (a) = " + digest + digest, "a", digest + digest, lsh_variant::lsh512_512}),
    row_name<good_row>);

struct bad_row {
    std::string id;
    std::string line;
    line_fault fault;
};

class BadLine : public testing::TestWithParam<bad_row> {};

TEST_P(BadLine, IsRefused) {
    const parsed_line parsed = parse(GetParam().line);
    ASSERT_TRUE(std::holds_alternative<line_fault>(parsed));
    EXPECT_EQ(std::get<line_fault>(parsed), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadLine,
    testing::Values(bad_row{"B91 UTF-8 mark", "\xef\xbb\xbf" + digest + "  a", byte_order_mark},
                    bad_row{"B91 UTF-16LE", "\xff\xfe"s + "5\0f\0 \0a\0"s, byte_order_mark},
                    bad_row{"B91 UTF-16LE second line", "\0"s + "5\0f\0"s, not_a_checksum},
                    bad_row{"B91 UTF-16BE", "\xfe\xff"s + "\0"s + "5\0f"s, byte_order_mark},
                    bad_row{"B93 one digit short", digest.substr(1) + "  a", bad_digest},
                    bad_row{"B93 one byte short", digest.substr(2) + "  a", bad_digest},
                    bad_row{"B93 one byte long", digest + "00  a", bad_digest},
                    bad_row{"B93 sixty-five bytes", digest + digest + "00  a", bad_digest},
                    bad_row{"B93 tag, 128 digits", "LSH-256-256 (f) = " + digest + digest, bad_digest},
                    bad_row{"B93 tag, one digit short", "LSH-256-256 (f) = " + digest.substr(1), bad_digest},
                    bad_row{"B93 tag of another length", "LSH-512-512 (f) = " + digest, bad_digest},
                    bad_row{"B93 unknown algorithm", "LSH-256-512 (f) = " + digest, unknown_algorithm},
                    bad_row{"B93 foreign algorithm", "SHA256 (f) = " + digest, unknown_algorithm},
                    bad_row{"B95 tag alone", "LSH-256-256", not_a_checksum},
                    bad_row{"B95 tag and space", "LSH-256-256 ", not_a_checksum},
                    bad_row{"B95 tag and opening", "LSH-256-256 (", not_a_checksum},
                    bad_row{"B95 tag and name", "LSH-256-256 (a)", not_a_checksum},
                    bad_row{"B95 tag, name, equals", "LSH-256-256 (a) =", bad_digest},
                    bad_row{"B95 tag, two blanks", "LSH-256-256  (a) = " + digest, not_a_checksum},
                    bad_row{"B95 opening", "(", not_a_checksum}, bad_row{"B95 closing", ")", not_a_checksum},
                    bad_row{"B95 equals", " = ", not_a_checksum}, bad_row{"B95 blanks", "   ", not_a_checksum},
                    bad_row{"B95 backslash", "\\", not_a_checksum},
                    bad_row{"B95 two backslashes", "\\\\" + digest + "  a", not_a_checksum},
                    bad_row{"B95 digest and one space", digest + " ", bad_digest},
                    bad_row{"B95 digest alone", digest, bad_digest},
                    bad_row{"B95 escaped digest and one space", "\\" + digest + " ", bad_digest},
                    bad_row{"B95 a megabyte of digits", std::string(1 << 20, 'a'), bad_digest},
                    bad_row{"B95 a megabyte of letters", std::string(1 << 20, 'x'), not_a_checksum},
                    bad_row{"B95 a megabyte of opening", "LSH-256-256 " + std::string(1 << 20, '('), not_a_checksum},
                    bad_row{"B95 a megabyte of backslashes", "\\" + digest + "  " + std::string((1 << 20) + 1, '\\'),
                            bad_escape},
                    bad_row{"B95 null first", "\0"s + digest + "  a", not_a_checksum},
                    bad_row{"B95 null alone", "\0"s, not_a_checksum},
                    bad_row{"B95 null after the digest", digest + "\0  a"s, bad_digest},
                    bad_row{"B95 null in the tag", "LSH-256-256\0 (a) = "s + digest, unknown_algorithm},
                    bad_row{"B95 null in an escaped name", "\\" + digest + "  a\\n\0b"s, bad_escape},
                    bad_row{"unknown escape", "\\" + digest + "  a\\qb", bad_escape},
                    bad_row{"lone backslash", "\\" + digest + "  a\\", bad_escape},
                    bad_row{"unknown escape in a tag", "\\LSH-256-256 (a\\q) = " + digest, bad_escape},
                    bad_row{"text after a tagged digest", "LSH-256-256 (a) = " + digest + " ", bad_digest},
                    bad_row{"blank before a comment", " # text", not_a_checksum}),
    row_name<bad_row>);

TEST(Line, IgnoresEmptyLinesAndComments) {
    for (const std::string& line : {""s, "\r"s, "#"s, "#\r"s, "# text"s, "#" + digest + "  a", "#\0"s}) {
        EXPECT_TRUE(std::holds_alternative<ignored_line>(parse(line))) << line;
    }
}

TEST(Line, UntaggedDigestsAreOfTheAlgorithmAskedFor) {
    for (const lsh_info& algorithm : lsh_variants()) {
        for (const lsh_info& other : lsh_variants()) {
            untagged_form form = untagged_form::undecided;
            const std::string line = std::string(2 * other.digest_size, '0') + "  a";
            const parsed_line parsed = parse_line(line, algorithm, form);
            if (other.digest_size == algorithm.digest_size) {
                ASSERT_TRUE(std::holds_alternative<checksum_line>(parsed));
                EXPECT_EQ(std::get<checksum_line>(parsed).algorithm->variant, algorithm.variant);
            } else {
                EXPECT_TRUE(std::holds_alternative<line_fault>(parsed));
            }
        }
    }
}

TEST(Line, TheFirstUntaggedLineDecidesTheForm) {
    untagged_form form = untagged_form::undecided;
    const auto name = [&](const std::string& line) -> std::string {
        const parsed_line parsed = parse_line(line, lsh256(), form);
        const auto* good = std::get_if<checksum_line>(&parsed);
        return good ? good->name : "(refused)";
    };
    EXPECT_EQ(name("LSH-256-256 (a) = " + digest), "a");
    EXPECT_EQ(name(digest.substr(1) + " a"), "(refused)");
    EXPECT_EQ(form, untagged_form::undecided);
    EXPECT_EQ(name(digest + "  a"), "a");
    EXPECT_EQ(form, untagged_form::with_marker);
    EXPECT_EQ(name(digest + " a"), "(refused)");
    EXPECT_EQ(name(digest + " *a"), "a");

    form = untagged_form::undecided;
    EXPECT_EQ(name(digest + " a"), "a");
    EXPECT_EQ(form, untagged_form::without_marker);
    EXPECT_EQ(name(digest + "  a"), " a");
    EXPECT_EQ(name(digest + " *a"), "*a");
}

TEST(Line, PrintedForms) {
    const auto print = [](std::string_view name, line_format format) {
        return print_line(lsh256(), digest, name, format);
    };
    EXPECT_EQ(print("a", {}), digest + "  a\n");
    EXPECT_EQ(print("a", {.binary = true}), digest + " *a\n");
    EXPECT_EQ(print("a", {.tag = true}), "LSH-256-256 (a) = " + digest + "\n");
    EXPECT_EQ(print("a\nb", {}), "\\" + digest + "  a\\nb\n");
    EXPECT_EQ(print("a\nb", {.tag = true}), "\\LSH-256-256 (a\\nb) = " + digest + "\n");
    EXPECT_EQ(print("a\nb", {.zero = true}), digest + "  a\nb\0"s);
    EXPECT_EQ(print("a\\b", {.tag = true, .zero = true}), "LSH-256-256 (a\\b) = " + digest + "\0"s);
}

TEST(Line, WhatIsPrintedIsReadBack) {
    std::vector<std::string> names = {"a",
                                      "-",
                                      " a ",
                                      "*a",
                                      "(a",
                                      "a)",
                                      ") = ",
                                      "a) = b",
                                      "\n",
                                      "\r",
                                      "\\",
                                      "a\\nb",
                                      "end\r",
                                      "#",
                                      "\t",
                                      "bad\xff",
                                      "\xef\xbb\xbf",
                                      "\x1b[0m",
                                      "LSH-256-256 (a) = 00"};
    for (int byte = 1; byte < 256; ++byte) names.emplace_back(1, static_cast<char>(byte));
    for (const lsh_info& algorithm : lsh_variants()) {
        const std::string hex(2 * algorithm.digest_size, 'f');
        for (const std::string& name : names) {
            for (const line_format& format : {line_format{}, line_format{.binary = true}, line_format{.tag = true}}) {
                std::string line = print_line(algorithm, hex, name, format);
                ASSERT_EQ(line.find('\n'), line.size() - 1) << "more than one line";
                line.pop_back();
                for (const char* end : {"", "\r"}) {
                    untagged_form form = untagged_form::undecided;
                    const std::string whole = line + end;
                    const parsed_line parsed = parse_line(whole, algorithm, form);
                    ASSERT_TRUE(std::holds_alternative<checksum_line>(parsed)) << whole;
                    EXPECT_EQ(std::get<checksum_line>(parsed).name, name);
                    EXPECT_EQ(std::get<checksum_line>(parsed).digest, hex);
                    EXPECT_EQ(std::get<checksum_line>(parsed).algorithm->variant, algorithm.variant);
                }
            }
        }
    }
}

}  // namespace
}  // namespace hwacha::tool
