// What the processor and the operating system offer, and the cap that the user asks for.
#pragma once

#include <optional>
#include <string>

#include "cpu/levels.hpp"

namespace hwacha::cpu {

// Asks the hardware once; later calls return the same value. Thread-safe.
feature detected();

// The names of the bits in `f`, separated by spaces.
std::string describe(feature f);

// The cap that HWACHA_CPU asks for. An unknown or unsupported name caps nothing and leaves its reason in `complaint`.
struct cap {
    std::optional<level> highest;
    std::string complaint;
};

// Reads `value` (null: variable not set) against a processor that offers `have`.
cap parse_cap(const char* value, feature have);

// The cap of this process, read from HWACHA_CPU on first use. Thread-safe.
const cap& process_cap();

}  // namespace hwacha::cpu
