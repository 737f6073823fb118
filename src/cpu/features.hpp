// What the processor and the operating system offer, and the cap that the user asks for.
#pragma once

#include <optional>
#include <string>

#include "cpu/levels.hpp"

namespace hwacha::cpu {

// Asks the hardware once; later calls return the same value. Thread-safe.
feature detected() noexcept;

// The names of the bits in `f`, separated by spaces.
std::string describe(feature f);

// The cap that HWACHA_CPU asks for. A level of this architecture always caps, also where the processor lacks something
// of it: nothing above it is used. An unknown name or another architecture's level caps nothing. Making one allocates
// nothing and cannot fail: the first use of an algorithm does it.
struct cap {
    std::optional<level> highest;
    std::optional<level> refused;  // known, but this processor lacks something of it
    bool unknown = false;
    char requested[32] = {};  // the start of the name

    // What is wrong with the request; empty if nothing is.
    std::string complaint(feature have) const;
};

// Whether this library is built for processors of the level's architecture.
bool of_this_architecture(const level_info& l) noexcept;

// Reads `value` (null: variable not set) against a processor that offers `have`.
cap parse_cap(const char* value, feature have) noexcept;

// The cap of this process, read from HWACHA_CPU on first use. Thread-safe.
const cap& process_cap() noexcept;

}  // namespace hwacha::cpu
