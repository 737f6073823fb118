// Features and levels, and the first fields of every kernel table. Included below the waist too: no C++ library here.
#pragma once

#include <stdint.h>

namespace hwacha::cpu {

// One bit for each capability that some table needs. A bit is set only if the operating system saves the registers too.
enum class feature : uint32_t {
    none = 0,
    ssse3 = 1U << 0,
    pclmulqdq = 1U << 1,
    avx2 = 1U << 2,
    vpclmulqdq = 1U << 3,
    avx512f = 1U << 4,
    avx512bw = 1U << 5,
    avx512dq = 1U << 6,
    avx512vl = 1U << 7,
    neon = 1U << 8,
    pmull = 1U << 9,
};

constexpr feature operator|(feature a, feature b) {
    return static_cast<feature>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr feature operator&(feature a, feature b) {
    return static_cast<feature>(static_cast<uint32_t>(a) & static_cast<uint32_t>(b));
}
constexpr feature operator~(feature a) {
    return static_cast<feature>(~static_cast<uint32_t>(a));
}

constexpr bool has_all(feature have, feature needed) {
    return (have & needed) == needed;
}

// Worst to best within an architecture.
enum class level : int {
#define HWACHA_LEVEL(id, name, arch, needs, flags) id,
#include "cpu/levels.def"
#undef HWACHA_LEVEL
};

struct level_info {
    level id;
    const char* name;
    const char* architecture;  // "any", "x86" or "aarch64"
    feature needs;
};

inline constexpr level_info levels[] = {
#define HWACHA_LEVEL(id, name, arch, needs, flags) {level::id, name, #arch, needs},
#include "cpu/levels.def"
#undef HWACHA_LEVEL
};

constexpr const level_info& info(level l) {
    return levels[static_cast<int>(l)];
}

// The first fields of every kernel table.
struct table_head {
    level at;
    feature needs;

    constexpr const char* name() const { return info(at).name; }
};

// The head of a table at `l` that needs `beyond` beside what its level needs.
constexpr table_head head(level l, feature beyond = feature::none) {
    return {l, info(l).needs | beyond};
}

}  // namespace hwacha::cpu
