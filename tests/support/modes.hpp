// The modes of LEA for tests: results by value, and all of them behind one interface, so that a test can loop over
// them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <hwacha/lea.hpp>
#include <hwacha/lea_ccm.hpp>
#include <hwacha/lea_modes.hpp>

#include "support/lea.hpp"

namespace hwacha::test {

// A text on its way through a mode. Both functions return how much they wrote; any status but ok fails the test.
struct stream {
    virtual ~stream() = default;
    virtual std::size_t update(bytes_view in, bytes_span out) = 0;
    virtual std::size_t finish(bytes_span) { return 0; }
};

// What goes in: `text` for encryption, what encryption gave for decryption. `iv` has 16 bytes, of which CCM takes 11.
struct mode {
    const char* name;
    std::size_t granule;                                             // texts are multiples of it
    std::size_t growth;                                              // at most so many bytes more than the text
    bytes (*plain)(bytes_view key, bytes_view iv, bytes_view text);  // encryption in plain arithmetic
    status (*encrypt)(bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written);
    status (*decrypt)(bytes_view key, bytes_view iv, bytes_view in, bytes_span out, std::size_t& written);
    std::unique_ptr<stream> (*encryptor)(bytes_view key, bytes_view iv, std::size_t text_size);
    // `sealed` is all of what is to be decrypted; `taken` is how much of it goes through update.
    std::unique_ptr<stream> (*decryptor)(bytes_view key, bytes_view iv, bytes_view sealed, std::size_t& taken);
};

const std::vector<mode>& modes();

// In one call to an output of its own.
bytes encrypted(const mode& m, bytes_view key, bytes_view iv, bytes_view text);
bytes decrypted(const mode& m, bytes_view key, bytes_view iv, bytes_view sealed);

// All of `text` through a stream, in pieces whose sizes next_size() gives (0 allowed), to `out`; returns how much. In
// place: `text` is at the start of `out`.
std::size_t in_pieces(stream& s, bytes_view text, bytes_span out, const std::function<std::size_t()>& next_size);

// By value.
bytes cbc_encrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view text);
bytes cbc_decrypt(const lea& key, bytes_view iv, cbc_padding padding, bytes_view text);
bytes ccm_seal(const lea_ccm& key, bytes_view nonce, bytes_view aad, bytes_view text);

}  // namespace hwacha::test
