#include <hwacha/status.hpp>

namespace hwacha {

std::string_view to_string(status s) noexcept {
    switch (s) {
        case status::ok: return "ok";
        case status::bad_key_length: return "bad key length: LEA takes 16, 24 or 32 bytes, XTS two such keys";
        case status::bad_nonce_length:
            return "bad nonce length: GCM takes 1 byte or more, CCM 7 to 13; IVs and tweaks have 16 bytes";
        case status::bad_tag_length: return "bad tag length: not the tag size of this key, or one that is not offered";
        case status::message_too_long:
            return "message too long: the mode's limit for text, additional data or nonce is exceeded";
        case status::auth_failed:
            return "authentication failed: the data or its tag was changed, or key, nonce or additional data differ";
        case status::counter_exhausted: return "counter exhausted: no unused nonce is left under this key";
        case status::buffer_too_small: return "buffer too small: the output does not hold the result";
        case status::overlap: return "overlap: input and output overlap in a way that the function does not allow";
        case status::unknown_algorithm: return "unknown algorithm";
        case status::finished: return "finished: the message has ended, reset first";
        case status::wrong_order:
            return "wrong order: additional data comes before the text, and all that was announced before the end";
        case status::null_pointer: return "null pointer where data or a result was expected";
        case status::bad_bit_count: return "bad bit count: a last partial byte has 1 to 7 bits";
        case status::bad_block_length:
            return "bad block length: whole blocks of 16 bytes or whole sectors were expected, at least 16 bytes for "
                   "XTS";
        case status::rng_failed: return "the operating system gave no random bytes";
        case status::out_of_memory: return "out of memory";
        case status::bad_option: return "bad option: one that does not exist, or options that do not go together";
        case status::wrong_count: return "wrong count: two lists that belong together are not of one length";
        case status::cancelled: return "cancelled by the progress function";
        case status::bad_offsets: return "bad offsets: one is negative, less than that before it, or beyond the data";
        case status::executor_failed: return "executor failed: it did not run the tasks that it was given";
        case status::bad_padding: return "bad padding: what was decrypted does not end in PKCS#7 padding";
        case status::weak_key: return "weak key: the two halves of an XTS key must differ";
        case status::bad_iterations: return "bad iterations: PBKDF2 takes 1 to 2^32-1";
        case status::output_too_long: return "output too long: the key derivation function's limit is exceeded";
    }
    return "unknown status";
}

error::error(status s, const std::string& text) : std::runtime_error(text), code_(s) {}
error::~error() = default;

}  // namespace hwacha
