// A module in C++: what it offers as a list, and the functions of adapter.h over that list. One file of a module
// includes this header and defines about_module and add_operations.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "peers/adapter.h"

namespace hwacha::bench {

struct facts {
    const char* name;
    const char* version;
    const char* compiler;
    const char* flags;
};

struct operation {
    std::string name;
    std::string variant;
    long (*run)(void* context, const unsigned char* input, std::size_t length, unsigned char* output);
    void* context;
};

class operation_list {
  public:
    // Sets a Context up, to live as long as the library. A run of the operation is its
    //     long run(const unsigned char* input, std::size_t length, unsigned char* output)
    template <class Context, class... Arguments>
    void add(std::string name, std::string variant, Arguments&&... arguments) {
        auto* c = new in_own_page<Context>{Context(std::forward<Arguments>(arguments)...)};
        contexts_.emplace_back(c, [](void* p) { delete static_cast<in_own_page<Context>*>(p); });
        operations_.push_back({std::move(name), std::move(variant), run<Context>, &c->context});
    }

    const std::vector<operation>& operations() const { return operations_; }

  private:
    // Where an allocation happens to begin in its page is no difference between two variants, nor between copies of
    // one.
    template <class Context>
    struct alignas(4096) in_own_page {
        Context context;
    };

    template <class Context>
    static long run(void* context, const unsigned char* input, std::size_t length, unsigned char* output) {
        return static_cast<Context*>(context)->run(input, length, output);
    }

    std::vector<operation> operations_;
    std::vector<std::unique_ptr<void, void (*)(void*)>> contexts_;
};

// The module's part. `add_operations` is called once, when the library is first listed; the fastest variant comes
// first.
facts about_module();
void add_operations(operation_list& all);

namespace {

const operation* first_operation = nullptr;

}  // namespace
}  // namespace hwacha::bench

extern "C" {

int hwacha_peer_abi(void) {
    return HWACHA_PEER_ABI;
}

void hwacha_peer_list(hwacha_peer_found found, void* user) {
    using namespace hwacha::bench;
    static const operation_list all = [] {
        operation_list made;
        add_operations(made);
        return made;
    }();
    first_operation = all.operations().data();
    int number = 0;
    for (const auto& o : all.operations()) found(user, number++, o.name.c_str(), o.variant.c_str());
}

long hwacha_peer_run(int operation, const unsigned char* input, std::size_t length, unsigned char* output) {
    const auto& o = hwacha::bench::first_operation[operation];
    return o.run(o.context, input, length, output);
}

const char* hwacha_peer_info(const char* key) {
    static const hwacha::bench::facts about = hwacha::bench::about_module();
    const std::string_view k(key);
    if (k == "name") return about.name;
    if (k == "version") return about.version;
    if (k == "compiler") return about.compiler;
    if (k == "flags") return about.flags;
    return nullptr;
}

}  // extern "C"
