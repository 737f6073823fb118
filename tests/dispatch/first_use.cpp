// Row B68: the first use of the library comes from 64 threads at once, in 200 fresh processes. For -fsanitize=thread
// too. usage: hwacha_first_use [PROCESSES [THREADS]]
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <hwacha/cpu.hpp>
#include <hwacha/hmac_lsh.hpp>
#include <hwacha/lea_gcm.hpp>
#include <hwacha/lsh.hpp>

#include "support/bytes.hpp"

namespace {

using namespace hwacha;

constexpr const char* abc_256 = "5fbf365daea5446a7053c52b57404d77a07a5f48a1f7c1963a0898ba1b714741";
constexpr const char* abc_512 =
    "a3d93cfe60dc1aacdd3bd4bef0a6985381a396c7d49d9fd177795697c3535208b5c57224bef21084d42083e95a4bd8eb33e869812b65031c42"
    "8819a1"
    "e7ce596d";
constexpr const char* gcm_tag = "a985b74f4a2f58db6d98f4a11a8e201d";
constexpr const char* abc_mac = "c971a21def4557fdc5f65e2931cf0ca126e7db22ab405be53e132e7615cf24d2";

bool right_answers(unsigned thread) {
    bytes_view abc = bytes_of("abc");
    switch (thread % 5) {
        case 0: return test::to_hex(lsh256_256::hash(abc)) == abc_256;
        case 1: return test::to_hex(lsh512_512::hash(abc)) == abc_512;
        case 2: {
            std::array<std::byte, 32> mac{};
            return hmac_lsh::mac(lsh_variant::lsh256_256, {}, abc, mac) == status::ok && test::to_hex(mac) == abc_mac;
        }
        case 3: {
            const test::bytes key = test::counting(16);
            std::array<std::byte, 96> sealed{};
            return lea_gcm(key).seal(bytes_view(key).first(12), {}, test::bytes(80), sealed) == status::ok &&
                   test::to_hex(bytes_view(sealed).last(16)) == gcm_tag;
        }
        default: return !describe_cpu().kernels.empty();
    }
}

// In a fresh process: nothing of the library has run yet.
int many_threads(unsigned count) {
    std::atomic<unsigned> waiting{0};
    std::atomic<unsigned> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            ++waiting;
            while (waiting.load() < count) std::this_thread::yield();
            if (!right_answers(i)) ++wrong;
        });
    }
    for (std::thread& t : threads) t.join();
    return wrong.load() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const int processes = argc > 1 ? std::atoi(argv[1]) : 200;
    const unsigned threads = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 64;
    for (int i = 0; i < processes; ++i) {
        const pid_t child = fork();
        if (child < 0) {
            std::perror("fork");
            return 1;
        }
        if (child == 0) std::exit(many_threads(threads));
        int result = 0;
        if (waitpid(child, &result, 0) != child || !WIFEXITED(result) || WEXITSTATUS(result) != 0) {
            std::printf("process %d failed: wait status %d\n", i, result);
            return 1;
        }
    }
    std::printf("%d processes, %u threads each: all answers right\n", processes, threads);
    return 0;
}
