// A shared library with the functions of peers/adapter.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hwacha::bench {

using run_function = long (*)(int operation, const unsigned char* input, std::size_t length, unsigned char* output);

struct offer {
    std::string operation;
    std::string variant;
    int number;
};

class module {
  public:
    // Throws std::runtime_error with the path and the reason: not loadable, a function missing, another ABI.
    explicit module(const std::string& path);
    ~module();
    module(module&& from) noexcept;
    module(const module&) = delete;
    module& operator=(const module&) = delete;

    // A text for "name", "version", "compiler" or "flags"; empty if the library does not say.
    std::string info(const char* key) const;
    const std::vector<offer>& offers() const { return offers_; }
    // Null if not offered on this machine.
    const offer* find(const std::string& operation, const std::string& variant) const;
    run_function run() const { return run_; }

  private:
    void* handle_ = nullptr;
    run_function run_ = nullptr;
    const char* (*info_)(const char* key) = nullptr;
    std::vector<offer> offers_;
};

}  // namespace hwacha::bench
