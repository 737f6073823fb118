#include "cpu/features.hpp"

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace hwacha::cpu {
namespace {

#if defined(__x86_64__) || defined(__i386__)

struct registers {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

registers cpuid(unsigned leaf, unsigned subleaf) {
    registers r;
    if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
    return r;
}

// XGETBV as bytes: old assemblers and compilers without -mxsave know no other way to write it.
std::uint64_t extended_control_register_0() {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return (static_cast<std::uint64_t>(high) << 32) | low;
}

constexpr bool bit(unsigned word, unsigned n) {
    return ((word >> n) & 1U) != 0;
}

// Intel SDM volume 1, sections 14.3 (AVX), 15.2 (AVX-512): the XCR0 state must be checked beside the CPUID bits.
feature ask_hardware() {
    feature have = feature::none;
    const auto add = [&have](bool present, feature f) {
        if (present) have = have | f;
    };
    const registers one = cpuid(1, 0);
    const registers seven = cpuid(7, 0);
    add(bit(one.ecx, 9), feature::ssse3);
    add(bit(one.ecx, 1), feature::pclmulqdq);

    const bool osxsave = bit(one.ecx, 27);
    const std::uint64_t xcr0 = osxsave ? extended_control_register_0() : 0;
    constexpr std::uint64_t sse_avx = 0x06;
    constexpr std::uint64_t opmask_zmm = 0xe0;
    const bool ymm = (xcr0 & sse_avx) == sse_avx && bit(one.ecx, 28);
    const bool zmm = ymm && (xcr0 & opmask_zmm) == opmask_zmm;

    add(ymm && bit(seven.ebx, 5), feature::avx2);
    add(ymm && bit(seven.ecx, 10), feature::vpclmulqdq);
    add(zmm && bit(seven.ebx, 16), feature::avx512f);
    add(zmm && bit(seven.ebx, 17), feature::avx512dq);
    add(zmm && bit(seven.ebx, 30), feature::avx512bw);
    add(zmm && bit(seven.ebx, 31), feature::avx512vl);
    return have;
}

#elif defined(__aarch64__)

feature ask_hardware() {
    feature have = feature::neon;  // mandatory in AArch64
#if defined(__linux__)
    if ((getauxval(AT_HWCAP) & HWCAP_PMULL) != 0) have = have | feature::pmull;
#elif defined(__ARM_FEATURE_AES)
    have = have | feature::pmull;
#endif
    return have;
}

#else

feature ask_hardware() {
    return feature::none;
}

#endif

constexpr struct {
    feature bit;
    std::string_view name;
} names[] = {
    {feature::ssse3, "ssse3"},           {feature::pclmulqdq, "pclmulqdq"}, {feature::avx2, "avx2"},
    {feature::vpclmulqdq, "vpclmulqdq"}, {feature::avx512f, "avx512f"},     {feature::avx512bw, "avx512bw"},
    {feature::avx512dq, "avx512dq"},     {feature::avx512vl, "avx512vl"},   {feature::neon, "neon"},
    {feature::pmull, "pmull"},
};

}  // namespace

feature detected() noexcept {
    static const feature have = ask_hardware();
    return have;
}

std::string describe(feature f) {
    std::string text;
    for (const auto& n : names) {
        if (!has_all(f, n.bit)) continue;
        if (!text.empty()) text += ' ';
        text += n.name;
    }
    return text;
}

std::string cap::complaint(feature have) const {
    const std::string start = "HWACHA_CPU=" + std::string(requested) + ": ";
    if (refused) return start + "this processor lacks " + describe(info(*refused).needs & ~have);
    if (!unknown) return {};
    std::string text = start + "unknown level, expected one of";
    for (const level_info& l : levels) text += ' ' + std::string(l.name);
    return text;
}

bool of_this_architecture(const level_info& l) noexcept {
#if defined(__x86_64__) || defined(__i386__)
    constexpr std::string_view here = "x86";
#elif defined(__aarch64__)
    constexpr std::string_view here = "aarch64";
#else
    constexpr std::string_view here = "any";
#endif
    return l.architecture == here || l.architecture == std::string_view("any");
}

cap parse_cap(const char* value, feature have) noexcept {
    cap c;
    if (value == nullptr || *value == '\0') return c;
    const std::string_view name(value);
    name.copy(c.requested, sizeof c.requested - 1);
    c.unknown = true;
    for (const level_info& l : levels) {
        if (name != l.name) continue;
        c.unknown = false;
        if (of_this_architecture(l)) c.highest = l.id;
        if (!has_all(have, l.needs)) c.refused = l.id;
    }
    return c;
}

const cap& process_cap() noexcept {
#if defined(__GLIBC__)
    static const cap c = parse_cap(secure_getenv("HWACHA_CPU"), detected());
#else
    static const cap c = parse_cap(std::getenv("HWACHA_CPU"), detected());
#endif
    return c;
}

}  // namespace hwacha::cpu
