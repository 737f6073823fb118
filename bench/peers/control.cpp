// Known ratios: chains of dependent multiplications, whose number is proportional to the length. They take some cycles
// each, so that how a processor fetches the loop around them does not matter.
#include <cstdint>
#include <cstring>

#include "peers/adapter.h"

namespace {

struct chain {
    const char* variant;
    unsigned percent;
};
constexpr chain chains[] = {{"base", 100}, {"same", 100}, {"1.08x", 108}, {"2x", 200}};

constexpr unsigned products_a_byte = 3;

}  // namespace

extern "C" {

int hwacha_peer_abi() {
    return HWACHA_PEER_ABI;
}

void hwacha_peer_list(hwacha_peer_found found, void* user) {
    for (int i = 0; i < 4; ++i) found(user, i, "control", chains[i].variant);
}

long hwacha_peer_run(int operation, const unsigned char*, size_t length, unsigned char* output) {
    std::uint64_t x = 1;
    std::uint64_t factor = 1;
    __asm__ volatile("" : "+r"(factor));
    const std::uint64_t turns = products_a_byte * length * chains[operation].percent / 100;
    for (std::uint64_t i = 0; i < turns; ++i) {
        x *= factor;
        __asm__ volatile("" : "+r"(x));
    }
    std::memset(output, x == 0, 1);
    return 1;
}

const char* hwacha_peer_info(const char* key) {
    if (std::strcmp(key, "name") == 0) return "control";
    if (std::strcmp(key, "version") == 0) return "1";
    if (std::strcmp(key, "compiler") == 0) return HWACHA_COMPILER;
    if (std::strcmp(key, "flags") == 0) return HWACHA_FLAGS;
    return nullptr;
}
}
