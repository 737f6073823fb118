#include "sum/hash_run.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.hpp"
#include "sum/check_line.hpp"

namespace hwacha::tool {
namespace {

const lsh_info& algorithm(std::size_t i) {
    return lsh_variants()[i % lsh_variants().size()];
}

std::string expected_line(const lsh_info& v, std::string_view name, std::string_view content) {
    std::byte digest[64];
    EXPECT_EQ(lsh::hash(v.variant, bytes_of(content), digest), status::ok);
    return fmt::format("{} {}\n", name, to_hex(std::span(digest).first(v.digest_size)));
}

class listed_files : public hash_job {
  public:
    explicit listed_files(std::vector<file_item> items) : items_(std::move(items)) {}

    bool next(std::vector<file_item>& items, std::size_t most) override {
        EXPECT_FALSE(in_next_.exchange(true));
        EXPECT_TRUE(items.empty());
        if (before_next) before_next();
        most = std::min(most, piece);
        while (most-- != 0 && at_ != items_.size()) items.push_back(items_[at_++]);
        in_next_ = false;
        return at_ != items_.size();
    }
    void tell(const file_item& item, const file_result& result, transcript& to) override {
        if (before_tell) before_tell(item);
        if (result.error != 0) {
            to.report(fmt::format("{} error {}{}", item.name, result.error, result.not_found ? " not found" : ""));
        } else {
            to.print(fmt::format("{} {}\n", item.name, to_hex(result.digest)));
        }
    }

    std::size_t piece = 1000;
    std::function<void()> before_next;
    std::function<void(const file_item&)> before_tell;

  private:
    std::vector<file_item> items_;
    std::size_t at_ = 0;
    std::atomic<bool> in_next_{false};
};

// Standard output and standard error of the process go to one file.
class captured {
  public:
    explicit captured(const std::string& file) : file_(file) {
        const descriptor to = open_at(AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
        for (const int d : {1, 2}) {
            saved_[d - 1] = descriptor(::dup(d));
            EXPECT_EQ(::dup2(to.get(), d), d);
        }
    }
    ~captured() { restore(); }
    std::string text() {
        restore();
        std::ostringstream all;
        all << std::ifstream(file_, std::ios::binary).rdbuf();
        return all.str();
    }

  private:
    void restore() {
        for (const int d : {1, 2}) {
            if (saved_[d - 1]) ::dup2(saved_[d - 1].get(), d);
            saved_[d - 1].reset();
        }
    }
    std::string file_;
    descriptor saved_[2];
};

std::string run(listed_files& job, std::size_t threads, const scratch_folder& scratch) {
    captured both(scratch / "captured");
    output out;
    diagnostics err("test");
    progress shown(progress_mode::off);
    hash_run(job, threads, out, err, shown)();
    return both.text();
}

class HashRun : public testing::TestWithParam<std::size_t> {
  protected:
    std::size_t threads() const { return GetParam(); }
    scratch_folder scratch;
};

INSTANTIATE_TEST_SUITE_P(Threads, HashRun, testing::Values(0, 1, 2, 8));

TEST_P(HashRun, MixedFilesAreToldInOrder) {
    std::vector<file_item> items;
    std::string expected;
    const auto add = [&](std::size_t i, std::size_t size) {
        const std::string content(size, static_cast<char>(i));
        const std::string name = scratch.write(std::to_string(i), content);
        items.push_back({.name = name, .algorithm = &algorithm(i)});
        expected += expected_line(algorithm(i), name, content);
    };
    constexpr std::size_t s = hash_run::small_file;
    std::size_t number = 0;
    for (const std::size_t size : {s - 1, s, s + 1, 3 * s, 9 * s}) add(number++, size);
    while (number < 700) {
        add(number, number * 7919 % 3000);
        ++number;
        if (number % 90 == 0) {
            add(number, s + number);
            ++number;
        }
        if (number % 60 == 0) {
            items.push_back({.name = scratch / "absent", .algorithm = &algorithm(0)});
            expected += fmt::format("test: {} error {} not found\n", scratch / "absent", ENOENT);
            items.push_back({.text = "a message"});
            expected += "test: a message\n";
            items.push_back({.name = scratch.path(), .algorithm = &algorithm(0)});
            expected += fmt::format("test: {} error {}\n", scratch.path(), EISDIR);
        }
    }
    for (const std::size_t piece : {1000u, 128u, 3u}) {
        listed_files job(items);
        job.piece = piece;
        EXPECT_EQ(run(job, threads(), scratch), expected);
    }
}

TEST_P(HashRun, MoreBytesThanOneWorkerHoldsAtATime) {
    std::vector<file_item> items;
    std::string expected;
    for (std::size_t i = 0; i < 40; ++i) {
        const std::string content(hash_run::small_file + 1 - i % 3, static_cast<char>(i));
        const std::string name = scratch.write(std::to_string(i), content);
        items.push_back({.name = name, .algorithm = &algorithm(0)});
        expected += expected_line(algorithm(0), name, content);
    }
    listed_files job(items);
    EXPECT_EQ(run(job, threads(), scratch), expected);
}

// Whoever can write in a tree may change it between the walk and the hashing.
TEST_P(HashRun, WhatIsNoRegularFileAnyMoreIsPassedOver) {
    const std::string path = scratch.path();
    const auto in_folder = std::make_shared<const folder>(folder{path, path.size()});
    const auto found = [&](const std::string& name) {
        return file_item{
            .name = scratch / name, .algorithm = &algorithm(1), .folder = in_folder, .leaf = path.size() + 1};
    };
    scratch.write("a", "first");
    scratch.write("z", "last");
    ASSERT_EQ(::mkfifo((scratch / "fifo").c_str(), 0600), 0);
    ASSERT_EQ(::mkdir((scratch / "folder").c_str(), 0700), 0);
    ASSERT_EQ(::symlink("a", (scratch / "link").c_str()), 0);
    listed_files job({found("a"), found("fifo"), found("folder"), found("link"), found("z")});
    const std::string expected = expected_line(algorithm(1), scratch / "a", "first") +
                                 fmt::format("{} error {}\n", scratch / "link", ELOOP) +
                                 expected_line(algorithm(1), scratch / "z", "last");
    std::string told = run(job, threads(), scratch);
    if (const std::size_t at = told.find("test: "); at != std::string::npos) told.erase(at, 6);
    EXPECT_EQ(told, expected);
}

TEST_P(HashRun, NothingToDo) {
    listed_files job({});
    EXPECT_EQ(run(job, threads(), scratch), "");
}

// Who opens them one after the other for writing finds readers in that order.
TEST_P(HashRun, FifosAreOpenedInOrder) {
    std::vector<file_item> items;
    std::string expected;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string fifo = scratch / fmt::format("fifo{}", i % 2);
        if (i < 2) {
            ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
        }
        items.push_back({.name = fifo, .algorithm = &algorithm(0)});
        expected += expected_line(algorithm(0), fifo, std::string(i, 'x'));
        for (std::size_t k = 0; k < 200; ++k) {
            const std::string name = scratch.write(fmt::format("f{}-{}", i, k), "abc");
            items.push_back({.name = name, .algorithm = &algorithm(0)});
            expected += expected_line(algorithm(0), name, "abc");
        }
    }
    // Another process: threads of this one get copies of what it has open.
    const std::string writer =
        fmt::format("cd '{}'; (: >fifo0; printf x >fifo1; printf xx >fifo0) >captured.writer 2>&1 &", scratch.path());
    ASSERT_EQ(std::system(writer.c_str()), 0);
    listed_files job(items);
    EXPECT_EQ(run(job, threads(), scratch), expected);
}

TEST_P(HashRun, ExceptionsAreCarriedToTheCaller) {
    std::vector<file_item> items;
    for (std::size_t i = 0; i < 2000; ++i) {
        items.push_back({.name = scratch.write(std::to_string(i), "abc"), .algorithm = &algorithm(0)});
    }
    std::atomic<int> countdown{0};
    const auto count = [&] {
        if (--countdown == 0) throw std::runtime_error("enough");
    };
    for (const int calls : {1, 300, 1900}) {
        listed_files telling(items);
        telling.before_tell = [&](const file_item&) { count(); };
        countdown = calls;
        EXPECT_THROW(run(telling, threads(), scratch), std::runtime_error) << calls;
    }
    for (const int calls : {1, 2, 15}) {
        listed_files pulling(items);
        pulling.before_next = count;
        countdown = calls;
        EXPECT_THROW(run(pulling, threads(), scratch), std::runtime_error) << calls;
    }
}

TEST_P(HashRun, EndsWhenOutputTakesNoMore) {
    std::vector<file_item> items;
    const std::string file = scratch.write("f", "x");
    for (std::size_t i = 0; i < 20000; ++i) {
        items.push_back({.name = i % 2 == 0 ? file : "/dev/null", .algorithm = &algorithm(0)});
    }
    listed_files job(items);
    std::atomic<std::size_t> told{0};
    job.before_tell = [&](const file_item&) { ++told; };
    const captured both("/dev/full");
    output out;
    diagnostics err("test");
    progress shown(progress_mode::off);
    hash_run(job, threads(), out, err, shown)();
    EXPECT_EQ(out.error(), ENOSPC);
    EXPECT_LT(told.load(), 10000u);
}

}  // namespace
}  // namespace hwacha::tool
