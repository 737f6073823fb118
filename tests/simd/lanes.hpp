// Lane kernels in tests: each lanes table forced in turn, as support/tables.hpp does with the others, behind a copy
// whose forms count their calls.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "support/lsh.hpp"

namespace hwacha::test {

template <class Table>
struct lanes_core;
template <>
struct lanes_core<lsh256_lanes_table> {
    using word = std::uint32_t;
    static constexpr const char* name = "Lsh256";
    static cpu::registry<lsh256_lanes_table>& tables() { return lsh256_lanes_tables; }
    static cpu::registry<lsh256_table>& single_tables() { return lsh256_tables; }
    static const lsh256_table& single_portable() { return lsh256_portable; }
};
template <>
struct lanes_core<lsh512_lanes_table> {
    using word = std::uint64_t;
    static constexpr const char* name = "Lsh512";
    static cpu::registry<lsh512_lanes_table>& tables() { return lsh512_lanes_tables; }
    static cpu::registry<lsh512_table>& single_tables() { return lsh512_tables; }
    static const lsh512_table& single_portable() { return lsh512_portable; }
};

template <class Table>
using lanes_word = typename lanes_core<Table>::word;

template <class... What>
bool works(status s, const What&... what) {
    return check(s == status::ok, to_string(s), ' ', what...);
}

template <class Table>
struct lanes_spy {
    static constexpr std::size_t most = sizeof(Table::forms) / sizeof(Table::forms[0]);
    static inline const Table* real = nullptr;
    static inline std::atomic<std::uint64_t> calls[most];

    template <std::size_t form>
    static void call(lanes_word<Table>* const* cvs, const std::uint8_t* const* blocks, std::size_t count) {
        calls[form].fetch_add(1, std::memory_order_relaxed);
        real->forms[form].compress(cvs, blocks, count);
    }
    static const Table* behind(const Table* t) {
        static Table copy;
        real = t;
        copy = *t;
        replace(copy, std::make_index_sequence<most>{});
        return &copy;
    }

  private:
    template <std::size_t... form>
    static void replace(Table& t, std::index_sequence<form...>) {
        ((t.forms[form].compress = form < t.count ? &call<form> : nullptr), ...);
    }
};

enum class must_run { every_form, some_form };

// While it lives, `t` is the lanes table in use; its forms, if it has any, must have been called by the end.
template <class Table>
class forced_lanes {
  public:
    forced_lanes(const Table* t, must_run demanded)
        : watched_(lanes_spy<Table>::behind(t)),
          demanded_(demanded),
          counting_(lanes_core<Table>::tables().algorithm(), t->head.at) {
        for (std::size_t i = 0; i < before_.size(); ++i) before_[i] = lanes_spy<Table>::calls[i];
        lanes_core<Table>::tables().force(watched_);
    }
    ~forced_lanes() {
        lanes_core<Table>::tables().force(nullptr);
        bool some = watched_->count == 0;
        for (std::size_t i = 0; i < watched_->count; ++i) {
            const bool called = lanes_spy<Table>::calls[i] != before_[i];
            some = some || called;
            EXPECT_TRUE(called || demanded_ != must_run::every_form)
                << "the form of " << watched_->forms[i].lanes << " lanes was never called";
        }
        EXPECT_TRUE(some) << "the forced table was never called";
    }
    forced_lanes(const forced_lanes&) = delete;
    forced_lanes& operator=(const forced_lanes&) = delete;
    const Table& table() const { return *watched_; }

  private:
    const Table* watched_;
    must_run demanded_;
    in_force counting_;
    std::array<std::uint64_t, lanes_spy<Table>::most> before_;
};

// Runs f(form) with each form of each lanes table that takes part.
template <class Table, class Function>
void for_each_form(Function f) {
    for (const Table* t : tables_taking_part(lanes_core<Table>::tables())) {
        const forced_lanes<Table> now(t, must_run::every_form);
        for (std::uint32_t i = 0; i < now.table().count; ++i) {
            const auto& form = now.table().forms[i];
            const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(form.lanes) + " lanes");
            f(form);
        }
    }
}

// Runs f() with each lanes table of one core; then with each single-message table, both beside the lanes table that the
// library chooses and beside the portable one, which leaves all work to it.
template <class Table, class Function>
void for_each_batch_table_of(Function f) {
    using core = lanes_core<Table>;
    const Table* const none = core::tables().tables().back();
    for (const Table* t : tables_taking_part(core::tables())) {
        if (t->count == 0) continue;
        const forced_lanes<Table> now(t, must_run::some_form);
        f();
    }
    for_each_table(core::single_tables(), [&](const auto&) {
        f();
        const forced_lanes<Table> alone(none, must_run::some_form);
        f();
    });
}

// The same for the core of `i`.
template <class Function>
void for_each_batch_table(const lsh_info& i, Function f) {
    if (i.block_size == 128) {
        for_each_batch_table_of<lsh256_lanes_table>(f);
    } else {
        for_each_batch_table_of<lsh512_lanes_table>(f);
    }
}

}  // namespace hwacha::test
