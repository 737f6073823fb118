#include "core/module.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <utility>

#include "peers/adapter.h"

namespace hwacha::bench {
namespace {

template <class Function>
Function* symbol(void* handle, const std::string& path, const char* name) {
    void* found = dlsym(handle, name);
    if (found == nullptr) throw std::runtime_error(path + ": no function " + name + " (bench/peers/adapter.h)");
    return reinterpret_cast<Function*>(found);
}

}  // namespace

module::module(const std::string& path) {
    // Without a slash, dlopen would look where the system keeps its libraries.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
    try {
        const int abi = symbol<decltype(hwacha_peer_abi)>(handle_, path, "hwacha_peer_abi")();
        if (abi != HWACHA_PEER_ABI) {
            throw std::runtime_error(path + ": adapter interface " + std::to_string(abi) + ", expected " +
                                     std::to_string(HWACHA_PEER_ABI));
        }
        run_ = symbol<decltype(hwacha_peer_run)>(handle_, path, "hwacha_peer_run");
        info_ = symbol<decltype(hwacha_peer_info)>(handle_, path, "hwacha_peer_info");
        symbol<decltype(hwacha_peer_list)>(handle_, path, "hwacha_peer_list")(
            [](void* user, int number, const char* operation, const char* variant) {
                static_cast<std::vector<offer>*>(user)->push_back(
                    {operation == nullptr ? "" : operation, variant == nullptr ? "" : variant, number});
            },
            &offers_);
        for (const offer& o : offers_) {
            if (o.operation.empty() || o.variant.empty()) {
                throw std::runtime_error(path + ": lists an operation or a variant without a name");
            }
        }
    } catch (...) {
        dlclose(handle_);
        throw;
    }
}

module::~module() {
    if (handle_ != nullptr) dlclose(handle_);
}

module::module(module&& from) noexcept :handle_(std::exchange(from.handle_, nullptr)), run_(from.run_),
    info_(from.info_), offers_(std::move(from.offers_)) {}

std::string module::info(const char* key) const {
    const char* text = info_(key);
    return text == nullptr ? "" : text;
}

const offer* module::find(const std::string& operation, const std::string& variant) const {
    for (const offer& o : offers_) {
        if (o.operation == operation && o.variant == variant) return &o;
    }
    return nullptr;
}

}  // namespace hwacha::bench
