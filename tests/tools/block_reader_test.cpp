#include "sum/block_reader.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "scratch.hpp"
#include "sum/walk.hpp"

namespace hwacha::tool {
namespace {

std::string pattern(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 131 + i / 251);
    return text;
}

// All of it, with reading ahead from the block number `from` on.
std::string read_all(block_reader& reader, std::size_t from) {
    std::string all;
    for (std::size_t i = 0;; ++i) {
        if (i == from) {
            EXPECT_TRUE(reader.read_ahead());
        }
        const bytes_view block = reader.next();
        if (block.empty()) break;
        all.append(reinterpret_cast<const char*>(block.data()), block.size());
    }
    EXPECT_TRUE(reader.next().empty());
    return all;
}

constexpr std::size_t never = static_cast<std::size_t>(-1);

TEST(BlockReader, EverySizeOfFileAndBlock) {
    const scratch_folder scratch;
    for (const std::size_t size : {0u, 1u, 99u, 100u, 101u, 800u, 1000u, 10007u}) {
        const std::string text = pattern(size);
        const std::string file = scratch.write("f", text);
        for (const std::size_t block : {1u, 7u, 100u, 4096u}) {
            for (const std::size_t blocks : {2u, 3u, 8u, 9u}) {
                for (const std::size_t from : {std::size_t{0}, std::size_t{1}, std::size_t{3}, never}) {
                    std::vector<std::byte> memory(block * blocks);
                    const descriptor d = open_at(AT_FDCWD, file.c_str(), O_RDONLY);
                    block_reader reader(d.get(), memory, block);
                    if (from != never && from > size / block) continue;
                    EXPECT_EQ(read_all(reader, from), text) << size << " in " << block;
                    EXPECT_EQ(reader.error(), 0);
                    EXPECT_EQ(reader.reads_ahead(), from != never);
                }
            }
        }
    }
}

TEST(BlockReader, PipesGiveWhatThereIs) {
    for (const std::size_t from : {std::size_t{0}, never}) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const std::string text = pattern(300000);
        std::thread writer([&] {
            for (std::size_t at = 0, piece = 1; at < text.size(); at += piece, piece = piece * 3 % 70001) {
                piece = std::min(piece, text.size() - at);
                EXPECT_EQ(::write(ends[1], text.data() + at, piece), static_cast<ssize_t>(piece));
            }
            ::close(ends[1]);
        });
        std::vector<std::byte> memory(8 * 1024);
        block_reader reader(ends[0], memory, 1024);
        EXPECT_EQ(read_all(reader, from), text);
        writer.join();
        ::close(ends[0]);
    }
}

TEST(BlockReader, FailuresAreTold) {
    std::vector<std::byte> memory(1024);
    for (const bool ahead : {false, true}) {
        const descriptor folder = open_at(AT_FDCWD, "/", O_RDONLY);
        block_reader reader(folder.get(), memory, 128);
        if (ahead) {
            ASSERT_TRUE(reader.read_ahead());
        }
        EXPECT_TRUE(reader.next().empty());
        EXPECT_EQ(reader.error(), EISDIR);
        EXPECT_TRUE(reader.next().empty());
        EXPECT_EQ(reader.error(), EISDIR);
    }
}

TEST(BlockReader, MayBeLeftAtAnyTime) {
    const descriptor zeros = open_at(AT_FDCWD, "/dev/zero", O_RDONLY);
    std::vector<std::byte> memory(8 * 64);
    for (int i = 0; i < 200; ++i) {
        block_reader reader(zeros.get(), memory, 64);
        ASSERT_TRUE(reader.read_ahead());
        for (int blocks = 0; blocks < i % 12; ++blocks) EXPECT_EQ(reader.next().size(), 64u);
    }
}

// What a block holds stays until the next call, however far the other thread has read.
TEST(BlockReader, ABlockInUseIsLeftAlone) {
    const scratch_folder scratch;
    const std::string text = pattern(64 * 100);
    const std::string file = scratch.write("f", text);
    const descriptor d = open_at(AT_FDCWD, file.c_str(), O_RDONLY);
    std::vector<std::byte> memory(4 * 64);
    block_reader reader(d.get(), memory, 64);
    ASSERT_TRUE(reader.read_ahead());
    for (std::size_t i = 0; i < 100; ++i) {
        const bytes_view block = reader.next();
        ASSERT_EQ(block.size(), 64u);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        EXPECT_EQ(std::memcmp(block.data(), text.data() + 64 * i, 64), 0) << i;
    }
}

TEST(BlockReader, ReadsInTurn) {
    const scratch_folder scratch;
    const std::string text = pattern(1 << 20);
    const std::string file = scratch.write("f", text);
    std::mutex turn;
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) {
        readers.emplace_back([&, i] {
            const descriptor d = open_at(AT_FDCWD, file.c_str(), O_RDONLY);
            std::vector<std::byte> memory(2 * 4096);
            block_reader reader(d.get(), memory, 4096, &turn);
            EXPECT_EQ(read_all(reader, i % 2 == 0 ? 0 : never), text);
        });
    }
    for (std::thread& t : readers) t.join();
    // Nobody reads while another has the turn.
    std::unique_lock held(turn);
    const descriptor d = open_at(AT_FDCWD, file.c_str(), O_RDONLY);
    std::vector<std::byte> memory(2 * 4096);
    block_reader reader(d.get(), memory, 4096, &turn);
    ASSERT_TRUE(reader.read_ahead());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::lseek(d.get(), 0, SEEK_CUR), 0);
    held.unlock();
    EXPECT_EQ(reader.next().size(), 4096u);
}

}  // namespace
}  // namespace hwacha::tool
