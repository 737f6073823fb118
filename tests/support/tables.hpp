// Tests take the kernel table as a parameter: for_each_table forces each one in turn, behind a copy whose functions
// count their calls, so that a test knows that the table it asked for was the one that worked.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include <hwacha/lsh.hpp>

#include "cpu/registry.hpp"
#include "gcm/tables.hpp"
#include "ghash/tables.hpp"
#include "lea/tables.hpp"
#include "lsh/tables.hpp"
#include "support/run.hpp"

namespace hwacha::test {

template <class Table>
struct spy;

// A function of the table that counts and goes on to the real one.
template <class Table, auto Member, class = decltype(Member)>
struct counted;
template <class Table, auto Member, class Result, class... Arguments>
struct counted<Table, Member, Result (*Table::*)(Arguments...)> {
    static Result call(Arguments... arguments) {
        spy<Table>::calls.fetch_add(1, std::memory_order_relaxed);
        return (spy<Table>::real->*Member)(arguments...);
    }
};

template <class Table, auto... Members>
struct spy_on {
    static inline const Table* real = nullptr;
    static inline std::atomic<std::uint64_t> calls{0};

    static const Table* behind(const Table* t) {
        static Table copy;
        real = t;
        copy = *t;
        ((copy.*Members = t->*Members == nullptr ? nullptr : &counted<Table, Members>::call), ...);
        return &copy;
    }
};

template <>
struct spy<lsh256_table> : spy_on<lsh256_table, &lsh256_table::compress> {};
template <>
struct spy<lsh512_table> : spy_on<lsh512_table, &lsh512_table::compress> {};
template <>
struct spy<lea_table> : spy_on<lea_table, &lea_table::encrypt_blocks, &lea_table::decrypt_blocks, &lea_table::ctr32> {};
template <>
struct spy<ghash_table> : spy_on<ghash_table, &ghash_table::expand_key, &ghash_table::absorb> {};
// Additional data and the ends of pieces go through the table's GHASH.
template <>
struct spy<lea_gcm_table>
    : spy_on<lea_gcm_table, &lea_gcm_table::seal_blocks, &lea_gcm_table::open_blocks, &lea_gcm_table::seal_text,
             &lea_gcm_table::open_text, &lea_gcm_table::seal_lanes, &lea_gcm_table::open_lanes> {
    static const lea_gcm_table* behind(const lea_gcm_table* t) {
        static lea_gcm_table copy;
        copy = *spy_on::behind(t);
        copy.hash.absorb = [](std::uint8_t* state, const std::uint8_t* powers, const std::uint8_t* blocks,
                              std::size_t count) {
            calls.fetch_add(1, std::memory_order_relaxed);
            real->hash.absorb(state, powers, blocks, count);
        };
        return &copy;
    }
};

template <class Function>
void for_each_registry(Function f) {
    f(lsh256_tables);
    f(lsh512_tables);
    f(lsh256_lanes_tables);
    f(lsh512_lanes_tables);
    f(lea_tables);
    f(ghash_tables);
    f(lea_gcm_tables);
}

// While it lives, `t` is the table in use; it must have been called by the end.
template <class Table>
class forced {
  public:
    forced(cpu::registry<Table>& algorithm, const Table* t)
        : algorithm_(algorithm),
          counting_(algorithm.algorithm(), t->head.at),
          watched_(spy<Table>::behind(t)),
          before_(spy<Table>::calls) {
        algorithm_.force(watched_);
    }
    ~forced() {
        algorithm_.force(nullptr);
        EXPECT_GT(spy<Table>::calls, before_) << "the forced table was never called";
    }
    forced(const forced&) = delete;
    forced& operator=(const forced&) = delete;
    const Table& table() const { return *watched_; }

  private:
    cpu::registry<Table>& algorithm_;
    in_force counting_;
    const Table* watched_;
    std::uint64_t before_;
};

template <class Table>
std::vector<const Table*> tables_taking_part(const cpu::registry<Table>& algorithm) {
    std::vector<const Table*> found;
    for (const Table* t : algorithm.tables()) {
        if (takes_part(t->head)) found.push_back(t);
    }
    return found;
}

// Runs f(table) with each table that takes part.
template <class Table, class Function>
void for_each_table(cpu::registry<Table>& algorithm, Function f) {
    for (const Table* t : tables_taking_part(algorithm)) {
        const forced<Table> now(algorithm, t);
        f(now.table());
    }
}

enum class pairing {
    every_table,  // each of LEA's and each of GHASH's tables at least once
    every_pair,
};

// LEA-GCM's tables with LEA and GHASH in one loop.
inline std::vector<const lea_gcm_table*> fused_taking_part() {
    std::vector<const lea_gcm_table*> found = tables_taking_part(lea_gcm_tables);
    std::erase_if(found, [](const lea_gcm_table* t) { return t->seal_text == nullptr; });
    return found;
}

// Runs f() with pairs of a LEA and a GHASH table in turn, then with the tables that have both in one loop.
template <class Function>
void for_each_gcm(pairing p, Function f) {
    const auto ciphers = tables_taking_part(lea_tables);
    const auto hashes = tables_taking_part(ghash_tables);
    const auto run = [&](const lea_table* cipher, const ghash_table* hash) {
        std::optional<forced<lea_table>> c;
        std::optional<forced<ghash_table>> h;
        const in_force in_turn(lea_gcm_tables.algorithm(), lea_gcm_tables.tables().back()->head.at);
        lea_gcm_tables.force(lea_gcm_tables.tables().back());
        if (cipher != nullptr) c.emplace(lea_tables, cipher);
        if (hash != nullptr) h.emplace(ghash_tables, hash);
        f();
        lea_gcm_tables.force(nullptr);
    };
    // A level may have a table of one of the two only: the other is then the one that the library chooses.
    const auto at = [](const auto& list, std::size_t i) {
        return list.empty() ? nullptr : list[std::min(i, list.size() - 1)];
    };
    if (p == pairing::every_pair && !ciphers.empty() && !hashes.empty()) {
        for (const lea_table* c : ciphers) {
            for (const ghash_table* h : hashes) run(c, h);
        }
    } else {
        for (std::size_t i = 0; i < std::max(ciphers.size(), hashes.size()); ++i) run(at(ciphers, i), at(hashes, i));
    }
    for (const lea_gcm_table* t : fused_taking_part()) {
        const forced<lea_gcm_table> now(lea_gcm_tables, t);
        f();
    }
}

template <class Function>
void for_each_gcm(Function f) {
    for_each_gcm(pairing::every_table, f);
}

// Runs f(variant) for each LSH variant on each table of its core.
template <class Function>
void for_each_lsh(Function f) {
    for (const lsh_info& i : lsh_variants()) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__, std::string(i.name));
        const auto run = [&](const auto&) { f(i); };
        if (i.block_size == 128) {
            for_each_table(lsh256_tables, run);
        } else {
            for_each_table(lsh512_tables, run);
        }
    }
}

// Runs f() on each table of the core of `v`.
template <class Function>
void for_each_table_of(lsh_variant v, Function f) {
    const auto run = [&](const auto&) { f(); };
    if (find_lsh(v)->block_size == 128) {
        for_each_table(lsh256_tables, run);
    } else {
        for_each_table(lsh512_tables, run);
    }
}

}  // namespace hwacha::test
