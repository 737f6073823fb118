#include "pool/processors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <hwacha/executor.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

namespace {

using namespace hwacha;

// A folder that stands for the root of a machine.
class Groups : public testing::Test {
  protected:
    Groups() {
        std::string pattern = (std::filesystem::temp_directory_path() / "hwacha-groups-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) std::abort();
        root_ = pattern;
    }
    ~Groups() override { std::filesystem::remove_all(root_); }

    void put(const std::string& path, const std::string& text) const {
        const std::filesystem::path file = root_ + path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    std::size_t quota() const { return pool::quota_processors(root_); }
    // cpu.max of the only group there is
    std::size_t quota(const std::string& cpu_max) const {
        put("/proc/self/cgroup", "0::/\n");
        put("/sys/fs/cgroup/cpu.max", cpu_max);
        return quota();
    }

    std::string root_;
};

TEST_F(Groups, NothingThere) {
    EXPECT_EQ(quota(), 0U);
    put("/proc/self/cgroup", "0::/some/group\n");
    EXPECT_EQ(quota(), 0U);
}

TEST_F(Groups, Version2) {
    EXPECT_EQ(quota("max 100000\n"), 0U);
    EXPECT_EQ(quota("150000 100000\n"), 2U);
    EXPECT_EQ(quota("100000 100000\n"), 1U);
    EXPECT_EQ(quota("100001 100000\n"), 2U);
    EXPECT_EQ(quota("50000 100000\n"), 1U);
    EXPECT_EQ(quota("1000 1000000\n"), 1U);
    EXPECT_EQ(quota("6400000 100000"), 64U);
}

TEST_F(Groups, NotUnderstood) {
    for (const char* text :
         {"", "\n", "max", "100000", "100000 ", " 100000", "two many", "200000 0", "0 100000", "-1 100000",
          "200000 100000x", "200000x 100000", "99999999999999999999999 100000", "200000  100000"}) {
        EXPECT_EQ(quota(text), 0U) << text;
    }
    EXPECT_EQ(quota(std::string("2\0 1", 4)), 0U);
    EXPECT_EQ(quota("18446744073709551615 1\n"), static_cast<std::size_t>(18446744073709551615U));
}

TEST_F(Groups, GarbageForGroups) {
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    for (const char* text : {"", "\n\n", ":", "::", "0:", "0::", "0::relative", "nothing", "x\ny:z\n", "0:cpu"}) {
        put("/proc/self/cgroup", text);
        EXPECT_EQ(quota(), 0U) << text;
    }
    put("/proc/self/cgroup", "garbage\n::\n0::/\n");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(Groups, TheSmallestOfGroupAndParents) {
    put("/proc/self/cgroup", "0::/outer/middle/inner\n");
    put("/sys/fs/cgroup/outer/middle/inner/cpu.max", "800000 100000\n");
    EXPECT_EQ(quota(), 8U);
    put("/sys/fs/cgroup/outer/cpu.max", "250000 100000\n");
    EXPECT_EQ(quota(), 3U);
    put("/sys/fs/cgroup/outer/middle/cpu.max", "max 100000\n");
    EXPECT_EQ(quota(), 3U);
    put("/sys/fs/cgroup/outer/middle/inner/cpu.max", "200000 100000\n");
    EXPECT_EQ(quota(), 2U);
    put("/sys/fs/cgroup/other/cpu.max", "100000 100000\n");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(Groups, PathsOfTheHostOrOfOtherNamespaces) {
    put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    for (const char* text : {"0::/docker/0123\n", "0::/../../elsewhere\n", "0::/..\n"}) {
        put("/proc/self/cgroup", text);
        EXPECT_EQ(quota(), 3U) << text;
    }
}

TEST_F(Groups, Version1) {
    put("/proc/self/cgroup", "5:cpuset:/a\n4:cpu,cpuacct:/a/b\n3:cpuacct_not:/\n1:name=systemd:/\n");
    const std::string folder = "/sys/fs/cgroup/cpu,cpuacct";
    put(folder + "/cpu.cfs_period_us", "100000\n");
    put(folder + "/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(quota(), 0U);
    put(folder + "/a/b/cpu.cfs_quota_us", "350000\n");
    EXPECT_EQ(quota(), 0U);  // no period
    put(folder + "/a/b/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 4U);
    put(folder + "/a/cpu.cfs_quota_us", "50000\n");
    put(folder + "/a/cpu.cfs_period_us", "50000\n");
    EXPECT_EQ(quota(), 1U);
    put(folder + "/a/cpu.cfs_quota_us", "garbage\n");
    EXPECT_EQ(quota(), 4U);
}

TEST_F(Groups, BothVersions) {
    put("/proc/self/cgroup", "1:cpu:/\n0::/x\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 4U);
    put("/sys/fs/cgroup/unified/x/cpu.max", "200000 100000\n");
    EXPECT_EQ(quota(), 2U);
}

TEST_F(Groups, MountsElsewhere) {
    put("/proc/self/mountinfo",
        "garbage\n"
        "25 1 0:1 / /proc rw - proc proc rw\n"
        "26 1 0:2 / /groups/set rw,nosuid shared:9 master:1 - cgroup cgroup rw,cpuset\n"
        "27 1 0:3 /docker/0123 /groups/time rw,nosuid shared:9 - cgroup cgroup rw,cpuacct,cpu\n"
        "28 1 0:4 / /groups/two rw - cgroup2 none rw\n"
        "29 1 0:5 / / rw");
    put("/proc/self/cgroup", "1:cpu,cpuacct:/docker/0123/deep\n");
    put("/groups/time/cpu.cfs_quota_us", "400000\n");
    put("/groups/time/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 4U);
    put("/groups/time/deep/cpu.cfs_quota_us", "300000\n");
    put("/groups/time/deep/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(), 3U);
    put("/proc/self/cgroup", "1:cpu,cpuacct:/docker/0123\n");
    EXPECT_EQ(quota(), 4U);
    put("/proc/self/cgroup", "1:cpu,cpuacct:/docker/01234/deep\n");  // not below what is mounted
    EXPECT_EQ(quota(), 4U);
    put("/proc/self/cgroup", "0::/a\n");
    put("/groups/two/a/cpu.max", "200000 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "100000 100000\n");  // nothing is mounted there
    EXPECT_EQ(quota(), 2U);
}

TEST(UsableProcessors, AtLeastOneAndNoMoreThanThereAre) {
    EXPECT_GE(usable_processors(), 1U);
    if (std::thread::hardware_concurrency() != 0) {
        EXPECT_LE(usable_processors(), std::thread::hardware_concurrency());
    }
}

#if defined(__linux__)
TEST(UsableProcessors, HonoursAffinity) {
    const std::size_t before = usable_processors();
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0) GTEST_SKIP() << "more processors than cpu_set_t has";
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usable_processors(), 1U);
    EXPECT_EQ(thread_pool().concurrency(), 1U);
    ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    EXPECT_EQ(usable_processors(), before);
    EXPECT_EQ(thread_pool().concurrency(), before);
}
#endif

}  // namespace
