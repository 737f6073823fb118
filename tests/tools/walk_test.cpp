#include "sum/walk.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.hpp"
#include "sum/hash_job.hpp"

namespace hwacha::tool {
namespace {

namespace fs = std::filesystem;

std::vector<file_item> walk(const std::string& root, std::size_t most = 128) {
    tree_walk w(root);
    std::vector<file_item> all;
    for (bool more = true; more;) {
        std::vector<file_item> some;
        more = w.next(some, most);
        EXPECT_LE(some.size(), most);
        if (more) {
            EXPECT_EQ(some.size(), most);
        }
        std::ranges::move(some, std::back_inserter(all));
    }
    return all;
}

std::vector<std::string> names(const std::vector<file_item>& items) {
    std::vector<std::string> all;
    for (const file_item& i : items) {
        EXPECT_TRUE(i.folder) << i.text;
        all.push_back(i.name);
    }
    return all;
}

TEST(Walk, OrderOfPathsIsThatOfSort) {
    const scratch_folder scratch;
    std::vector<std::string> expected;
    for (const char* name :
         {"a/x", "a.txt", "a0", "a/b/c", "a/b.c", "a-", "z", "B", "a/b/a/1", "a/b/a.1", "\xff", "!"}) {
        expected.push_back(scratch.write(name, ""));
    }
    fs::create_directory(scratch / "empty");
    std::ranges::sort(expected);
    for (const std::size_t most : {1u, 2u, 5u, 128u}) {
        EXPECT_EQ(names(walk(scratch.path(), most)), expected);
        EXPECT_EQ(names(walk(scratch.path() + "//", most)), expected);
    }
}

TEST(Walk, ManyNamesAreAllFoundInOrder) {
    const scratch_folder scratch;
    std::vector<std::string> expected;
    for (int i = 0; i < 3000; ++i) expected.push_back(scratch.write(std::to_string(i * 7919 % 100003), ""));
    std::ranges::sort(expected);
    EXPECT_EQ(names(walk(scratch.path())), expected);
}

TEST(Walk, EmptyAndAbsentFolders) {
    const scratch_folder scratch;
    EXPECT_TRUE(walk(scratch.path()).empty());
    const auto items = walk(scratch / "absent");
    ASSERT_EQ(items.size(), 1u);
    EXPECT_EQ(items[0].algorithm, nullptr);
    EXPECT_EQ(items[0].text, scratch / "absent: No such file or directory");
}

TEST(Walk, OnlyRegularFiles) {
    const scratch_folder scratch;
    const std::string file = scratch.write("d/file", "");
    fs::create_symlink("file", scratch / "d/link");
    fs::create_symlink("absent", scratch / "d/dangling");
    fs::create_symlink("..", scratch / "d/up");
    fs::create_symlink("self", scratch / "d/self");
    ASSERT_EQ(::mkfifo((scratch / "d/fifo").c_str(), 0600), 0);
    EXPECT_EQ(names(walk(scratch / "d")), std::vector{file});
    // But the root may be a link.
    fs::create_symlink("d", scratch / "root");
    EXPECT_EQ(names(walk(scratch / "root")), std::vector{scratch / "root/file"});
}

TEST(Walk, ALinkInAFoldersPlaceIsNotFollowed) {
    const scratch_folder scratch;
    scratch.write("d/sub/deeper/file", "");
    scratch.write("elsewhere/deeper/file", "");
    const auto items = walk(scratch / "d");
    ASSERT_EQ(items.size(), 1u);
    EXPECT_TRUE(items[0].folder->open(O_RDONLY));
    fs::rename(scratch / "d/sub", scratch / "d/moved");
    fs::create_symlink("../elsewhere", scratch / "d/sub");
    EXPECT_FALSE(items[0].folder->open(O_RDONLY));
    EXPECT_TRUE(errno == ELOOP || errno == ENOTDIR) << errno;
}

TEST(Walk, AFolderGoneInTheMeantimeIsReported) {
    const scratch_folder scratch;
    scratch.write("d/a", "");
    scratch.write("d/b/c", "");
    scratch.write("d/e", "");
    tree_walk w(scratch / "d");
    std::vector<file_item> items;
    EXPECT_TRUE(w.next(items, 1));
    fs::remove_all(scratch / "d/b");
    EXPECT_FALSE(w.next(items, 128));
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[1].text, scratch / "d/b: No such file or directory");
    EXPECT_EQ(items[2].name, scratch / "d/e");
}

// Longer than a path given to the system may be.
TEST(Walk, DeepTrees) {
    const scratch_folder scratch;
    const std::string name(200, 'n');
    std::string path = scratch.path();
    descriptor d = open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 40; ++i) {
        ASSERT_EQ(::mkdirat(d.get(), name.c_str(), 0700), 0);
        d = open_at(d.get(), name.c_str(), O_RDONLY | O_DIRECTORY);
        ASSERT_TRUE(d);
        path += '/' + name;
    }
    ASSERT_TRUE(open_at(d.get(), "f", O_WRONLY | O_CREAT));
    const auto items = walk(scratch.path());
    EXPECT_EQ(names(items), std::vector{path + "/f"});
    EXPECT_TRUE(open_at(items[0].folder->open(O_RDONLY).get(), "f", O_RDONLY));
    // remove_all takes no such paths.
    for (int i = 0; i <= 40; ++i) {
        ::unlinkat(d.get(), i == 0 ? "f" : name.c_str(), i == 0 ? 0 : AT_REMOVEDIR);
        d = open_at(d.get(), "..", O_RDONLY | O_DIRECTORY);
    }
}

TEST(Walk, NoDescriptorStaysOpen) {
    const scratch_folder scratch;
    for (int i = 0; i < 20; ++i) scratch.write("d" + std::to_string(i) + "/a/b/c", "");
    const int before = open_at(AT_FDCWD, "/dev/null", O_RDONLY).get();
    tree_walk w(scratch.path());
    for (bool more = true; more;) {
        std::vector<file_item> items;
        more = w.next(items, 3);
        EXPECT_EQ(open_at(AT_FDCWD, "/dev/null", O_RDONLY).get(), before);
    }
}

}  // namespace
}  // namespace hwacha::tool
