// What the cases of hwacha_ct are made of.
#pragma once

#include <valgrind/memcheck.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <hwacha/bytes.hpp>
#include <hwacha/status.hpp>

#include "support/bytes.hpp"

namespace hwacha::ct {

using test::bytes;

inline void hide(bytes_view secret) {
    static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(secret.data(), secret.size()));
}
inline void reveal(bytes_view result) {
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(result.data(), result.size()));
}
template <class T>
void reveal_value(T& value) {
    static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(&value, sizeof value));
}

// What a case is given: secrets, hidden or not; and where it leaves what is public in the end.
class run {
  public:
    explicit run(bool hidden) : hidden_(hidden) {}

    bytes secret(std::size_t size, unsigned salt) const {
        bytes b = test::random_source(salt).take(size);
        if (hidden_) hide(b);
        return b;
    }
    void hide_here(bytes_view data) const {
        if (hidden_) hide(data);
    }

    // A result that depends on secrets in every byte: one that is still defined means that valgrind lost track of the
    // secret on the way, and that its silence says nothing.
    void publish(bytes_view data);
    // A result that may depend on lengths only: of an empty message, or zeros.
    void publish_public(bytes_view data) {
        reveal(data);
        result_.insert(result_.end(), data.begin(), data.end());
    }
    // An answer, which the library itself has to have declared public if it rests on secrets.
    void publish(status s) { publish_number(static_cast<std::size_t>(s)); }
    void publish_number(std::size_t n);

    const bytes& result() const { return result_; }
    std::size_t untouched_bytes() const { return untouched_; }

  private:
    bool hidden_;
    bytes result_;
    std::size_t untouched_ = 0;
};

// What valgrind must say of a case.
enum class verdict {
    clean,
    leaks,    // controls: a run that does not flag them proves nothing
    no_trace  // controls: the result does not depend on the secret
};

struct named_case {
    std::string_view name;
    void (*body)(run&);
    verdict expected = verdict::clean;
};

// Lengths are public.
inline constexpr std::size_t key_sizes[] = {16, 24, 32};
inline constexpr std::size_t text_sizes[] = {0, 1, 16, 40, 300, 1200};

// One list a file.
std::span<const named_case> lsh_cases();
std::span<const named_case> lea_cases();
std::span<const named_case> modes_cases();
std::span<const named_case> mac_cases();
std::span<const named_case> kdf_cases();
std::span<const named_case> batch_cases();
std::span<const named_case> control_cases();

}  // namespace hwacha::ct
