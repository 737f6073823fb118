// Status codes and the exception of the C++ interface.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <hwacha/hwacha.h>

namespace hwacha {

// One cause, one code; the same numbers as hwacha_status in C.
enum class status : int {
    ok = HWACHA_OK,
    bad_key_length = HWACHA_BAD_KEY_LENGTH,
    bad_nonce_length = HWACHA_BAD_NONCE_LENGTH,
    bad_tag_length = HWACHA_BAD_TAG_LENGTH,
    message_too_long = HWACHA_MESSAGE_TOO_LONG,
    auth_failed = HWACHA_AUTH_FAILED,
    counter_exhausted = HWACHA_COUNTER_EXHAUSTED,
    buffer_too_small = HWACHA_BUFFER_TOO_SMALL,
    overlap = HWACHA_OVERLAP,
    unknown_algorithm = HWACHA_UNKNOWN_ALGORITHM,
    finished = HWACHA_FINISHED,
    wrong_order = HWACHA_WRONG_ORDER,
    null_pointer = HWACHA_NULL_POINTER,
    bad_bit_count = HWACHA_BAD_BIT_COUNT,
    bad_block_length = HWACHA_BAD_BLOCK_LENGTH,
    rng_failed = HWACHA_RNG_FAILED,
    out_of_memory = HWACHA_OUT_OF_MEMORY,
    bad_option = HWACHA_BAD_OPTION,
    wrong_count = HWACHA_WRONG_COUNT,
    cancelled = HWACHA_CANCELLED,
    bad_offsets = HWACHA_BAD_OFFSETS,
    executor_failed = HWACHA_EXECUTOR_FAILED,
    bad_padding = HWACHA_BAD_PADDING,
    weak_key = HWACHA_WEAK_KEY,
    bad_iterations = HWACHA_BAD_ITERATIONS,
    output_too_long = HWACHA_OUTPUT_TOO_LONG,
};

// An English sentence; the text hwacha_strerror gives.
HWACHA_API std::string_view to_string(status s) noexcept;

// Thrown for misuse by constructors, and by the few functions that return their result by value. The text names the
// algorithm, what was given and what was expected.
class HWACHA_API error : public std::runtime_error {
  public:
    error(status s, const std::string& text);
    ~error() override;
    [[nodiscard]] status code() const noexcept { return code_; }

  private:
    status code_;
};

}  // namespace hwacha
