#include "stdio.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sum/input.hpp"

namespace hwacha::tool {
namespace {

TEST(Printable, ControlCharactersOnly) {
    EXPECT_EQ(printable("a b\xff\xea\xb0\x80"), "a b\xff\xea\xb0\x80");
    EXPECT_EQ(printable("a\nb\x1b[31m\x7f"), "a\\012b\\033[31m\\177");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\000");
}

TEST(DisplayName, IsNeverEmpty) {
    EXPECT_EQ(display_name("-"), "standard input");
    EXPECT_EQ(display_name(""), "''");
    EXPECT_EQ(display_name("x"), "x");
}

// A file with `text`, gone with the object.
class scratch_file {
  public:
    explicit scratch_file(std::string_view text) {
        char name[] = "/tmp/hwacha-test-XXXXXX";
        const int descriptor = ::mkstemp(name);
        EXPECT_GE(descriptor, 0);
        ::close(descriptor);
        path_ = name;
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~scratch_file() { ::unlink(path_.c_str()); }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

struct read_line {
    std::size_t size;
    char first;
    bool truncated;
    bool operator==(const read_line&) const = default;
};

std::vector<read_line> lines_of(std::string_view text) {
    const scratch_file file(text);
    input in(file.path());
    line_reader reader(in);
    std::vector<read_line> lines;
    for (std::string_view line; reader.next(line);) {
        lines.push_back({line.size(), line.empty() ? '\0' : line[0], reader.truncated()});
    }
    EXPECT_EQ(in.error(), 0);
    return lines;
}

TEST(LineReader, EndsOfLinesAndFiles) {
    EXPECT_EQ(lines_of(""), (std::vector<read_line>{}));
    EXPECT_EQ(lines_of("\n"), (std::vector<read_line>{{0, '\0', false}}));
    EXPECT_EQ(lines_of("a"), (std::vector<read_line>{{1, 'a', false}}));
    EXPECT_EQ(lines_of("a\n\nbc"), (std::vector<read_line>{{1, 'a', false}, {0, '\0', false}, {2, 'b', false}}));
}

TEST(LineReader, LinesOverBufferBoundaries) {
    for (const std::size_t size : {65535u, 65536u, 65537u, 131071u, 131072u, 1048576u}) {
        const std::string text = std::string(size, 'x') + "\ny\n" + std::string(size, 'z');
        EXPECT_EQ(lines_of(text), (std::vector<read_line>{{size, 'x', false}, {1, 'y', false}, {size, 'z', false}}));
    }
}

TEST(LineReader, KeepsBoundedMemory) {
    constexpr std::size_t limit = line_reader::longest_line;
    EXPECT_EQ(lines_of(std::string(limit, 'x') + "\na"),
              (std::vector<read_line>{{limit, 'x', false}, {1, 'a', false}}));
    EXPECT_EQ(lines_of(std::string(limit + 1, 'x') + "\na"),
              (std::vector<read_line>{{limit, 'x', true}, {1, 'a', false}}));
    EXPECT_EQ(lines_of(std::string(limit + 100000, 'x')), (std::vector<read_line>{{limit, 'x', true}}));
}

}  // namespace
}  // namespace hwacha::tool
