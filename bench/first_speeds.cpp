// First speeds: every runnable table beside Crypto++, interleaved in one process; each figure is the minimum of many
// short runs, in counter ticks a byte. A stopgap until the harness: it has no statistics, and only its ratios are
// claims.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cryptopp/gcm.h>
#include <cryptopp/lea.h>
#include <cryptopp/lsh.h>
#include <cryptopp/modes.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include <hwacha/hwacha.hpp>

#include "gcm/access.hpp"
#include "lsh/access.hpp"

namespace {

using namespace hwacha;

std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
    unsigned core = 0;
    _mm_lfence();
    const std::uint64_t t = __rdtscp(&core);
    _mm_lfence();
    return t;
#elif defined(__aarch64__)
    std::uint64_t t = 0;
    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(t) : : "memory");
    return t;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

struct contender {
    std::string name;
    std::function<void()> run;
    double best = 1e300;
};

struct contest {
    std::string title;
    std::size_t bytes;
    double bar;                         // the ratio to Crypto++ that the best table is meant to reach; 0: none
    std::vector<contender> contenders;  // the peer last
};

template <class Table>
bool runs_here(const Table* t) {
    return judge(t->head, cpu::detected(), {}) == cpu::verdict::usable;
}

bool measure(contest& c, int rounds) {
    const int repeats = std::max(1, static_cast<int>(20000 / c.bytes));
    for (int round = 0; round < rounds; ++round) {
        for (contender& x : c.contenders) {
            const std::uint64_t start = ticks();
            for (int i = 0; i < repeats; ++i) x.run();
            const auto taken = static_cast<double>(ticks() - start);
            x.best = std::min(x.best, taken / repeats / static_cast<double>(c.bytes));
        }
    }
    const double peer = c.contenders.back().best;
    double reached = 0;
    std::printf("%s, %zu bytes\n", c.title.c_str(), c.bytes);
    for (const contender& x : c.contenders) {
        std::printf("  %-16s %8.3f ticks/byte %7.2fx\n", x.name.c_str(), x.best, peer / x.best);
        if (&x != &c.contenders.back()) reached = std::max(reached, peer / x.best);
    }
    if (c.bar == 0) return true;
    std::printf("  best %.2fx, bar %.1fx: %s\n", reached, c.bar, reached >= c.bar ? "reached" : "NOT reached");
    return reached >= c.bar;
}

alignas(64) std::byte input[1U << 20];
alignas(64) std::byte output[(1U << 20) + 16];

CryptoPP::byte* in() {
    return reinterpret_cast<CryptoPP::byte*>(input);
}
CryptoPP::byte* out() {
    return reinterpret_cast<CryptoPP::byte*>(output);
}

template <class Table>
contest lsh_contest(cpu::registry<Table>& tables, lsh_variant v, CryptoPP::HashTransformation& peer, double bar) {
    constexpr std::size_t size = 4096;
    contest c{std::string(find_lsh(v)->name), size, bar, {}};
    for (const Table* t : tables.tables()) {
        if (!runs_here(t)) continue;
        c.contenders.push_back({t->head.name(), [v, t] {
                                    lsh h(v);
                                    lsh_access::use(h, *t);
                                    static_cast<void>(h.update(bytes_view(input, size)).finish(output));
                                }});
    }
    c.contenders.push_back({"Crypto++", [&peer] { peer.CalculateDigest(out(), in(), size); }});
    return c;
}

void check_equal(const contest& c) {
    std::vector<std::byte> expected;
    for (auto x = c.contenders.rbegin(); x != c.contenders.rend(); ++x) {
        std::memset(output, 0, sizeof output);
        x->run();
        std::vector<std::byte> got(output, output + std::min(sizeof output, c.bytes + 16));
        if (expected.empty()) expected = got;
        if (got != expected) {
            std::fprintf(stderr, "%s: %s and Crypto++ differ\n", c.title.c_str(), x->name.c_str());
            std::exit(1);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    if (argc > 2 || (argc == 2 && !check)) {
        std::fprintf(stderr, "usage: %s [--check]   --check: exit 1 if a bar is not reached\n", argv[0]);
        return 2;
    }
    for (std::size_t i = 0; i < sizeof input; ++i) input[i] = static_cast<std::byte>(i % 251);
    const bytes_view key = bytes_view(input).first(16);
    const bytes_view nonce = bytes_view(input).first(12);
    const bytes_view counter = bytes_view(input).first(16);

    std::printf("compiler %s %s, features: %s\n", HWACHA_COMPILER, HWACHA_BUILD_TYPE,
                cpu::describe(cpu::detected()).c_str());
    std::vector<contest> contests;

    CryptoPP::LSH256 peer256;
    CryptoPP::LSH512 peer512;
    contests.push_back(lsh_contest(lsh256_tables, lsh_variant::lsh256_256, peer256, 4.2));
    contests.push_back(lsh_contest(lsh512_tables, lsh_variant::lsh512_512, peer512, 3.4));

    const lea cipher(key);
    CryptoPP::CTR_Mode<CryptoPP::LEA>::Encryption peer_ctr;
    constexpr std::size_t ctr_size = 4096;
    contest ctr{"LEA-128-CTR", ctr_size, 1.5, {}};
    std::vector<lea> ciphers(lea_tables.tables().size(), cipher);
    for (std::size_t i = 0; i < ciphers.size(); ++i) {
        const lea_table* t = lea_tables.tables()[i];
        if (!runs_here(t)) continue;
        lea_access::use(ciphers[i], *t);
        ctr.contenders.push_back({t->head.name(), [&k = ciphers[i], &counter] {
                                      lea_access::ctr32(k, counter.data(), input, output, ctr_size / 16);
                                  }});
    }
    ctr.contenders.push_back({"Crypto++", [&] {
                                  peer_ctr.SetKeyWithIV(in(), 16, in());
                                  peer_ctr.ProcessData(out(), in(), ctr_size);
                              }});
    contests.push_back(std::move(ctr));

    CryptoPP::GCM<CryptoPP::LEA>::Encryption peer_gcm;
    peer_gcm.SetKeyWithIV(in(), 16, in(), 12);
    std::vector<lea_gcm> keys;
    std::vector<std::string> names;
    for (const ghash_table* t : ghash_tables.tables()) {
        if (!runs_here(t)) continue;
        keys.emplace_back(key);
        lea_gcm_access::use(keys.back(), lea_tables.active(), *t);
        names.emplace_back(t->head.name());
    }
    for (const std::size_t size :
         {std::size_t{64}, std::size_t{256}, std::size_t{1024}, std::size_t{4096}, sizeof input}) {
        contest gcm{"LEA-128-GCM", size, size == sizeof input ? 1.5 : 0, {}};
        for (std::size_t i = 0; i < keys.size(); ++i) {
            gcm.contenders.push_back({names[i], [&k = keys[i], &nonce, size] {
                                          static_cast<void>(k.seal(nonce, {}, bytes_view(input, size), output));
                                      }});
        }
        gcm.contenders.push_back({"Crypto++", [&peer_gcm, size] {
                                      peer_gcm.EncryptAndAuthenticate(out(), out() + size, 16, in(), 12, nullptr, 0,
                                                                      in(), size);
                                  }});
        contests.push_back(std::move(gcm));
    }

    bool reached = true;
    for (contest& c : contests) {
        check_equal(c);
        reached &= measure(c, c.bytes > 100000 ? 40 : 400);
    }
    return check && !reached ? 1 : 0;
}
