// Fuzzes the reader of digest lists. Sources beside this file: tools/sum/check_line.cpp and tools/sum/escape.cpp
// (include folder tools/), linked with the library.
//
// First byte: the algorithm of untagged lines, the form of the lines before. The rest is a line, then a file name.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "sum/check_line.hpp"
#include "sum/escape.hpp"

using namespace hwacha;
using namespace hwacha::tool;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check_entry(const checksum_line& entry, std::string_view line) {
    require(entry.algorithm == find_lsh(entry.algorithm->name));
    require(entry.digest.size() == 2 * entry.algorithm->digest_size);
    require(entry.digest.data() >= line.data());
    require(entry.digest.data() + entry.digest.size() <= line.data() + line.size());
    require(entry.digest.find_first_not_of("0123456789abcdefABCDEF") == entry.digest.npos);
    require(entry.name.find('\0') == entry.name.npos);
    require(entry.name.size() <= line.size() - entry.digest.size());
}

// What is printed for a file is one line, and is read back as the same.
void round_trip(const lsh_info& algorithm, std::string_view digest, std::string_view name, const line_format& format) {
    // No file has an empty name, and "DIGEST  " reads as the name " ".
    if (name.empty() || name.find('\0') != name.npos) return;
    std::string line = print_line(algorithm, digest, name, format);
    require(line.find('\n') == line.size() - 1);
    line.pop_back();
    untagged_form form = untagged_form::undecided;
    const parsed_line parsed = parse_line(line, algorithm, form);
    require(std::holds_alternative<checksum_line>(parsed));
    const auto& entry = std::get<checksum_line>(parsed);
    check_entry(entry, line);
    require(entry.algorithm == &algorithm && entry.digest == digest && entry.name == name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const lsh_info& untagged = lsh_variants()[data[0] % lsh_variants().size()];
    auto form = static_cast<untagged_form>(data[0] / 64 % 3);
    const std::string_view line(reinterpret_cast<const char*>(data + 1), size - 1);

    const untagged_form before = form;
    const parsed_line parsed = parse_line(line, untagged, form);
    require(before == untagged_form::undecided || form == before);
    if (const auto* entry = std::get_if<checksum_line>(&parsed)) {
        check_entry(*entry, line);
        for (const bool tag : {false, true}) round_trip(*entry->algorithm, entry->digest, entry->name, {.tag = tag});
    } else if (const auto* fault = std::get_if<line_fault>(&parsed)) {
        require(!to_string(*fault).empty());
    }

    const std::string digest(2 * untagged.digest_size, 'a');
    round_trip(untagged, digest, line, {});
    round_trip(untagged, digest, line, {.binary = true});
    round_trip(untagged, digest, line, {.tag = true});
    if (const auto name = unescape_name(line)) require(escape_name(*name).size() >= name->size());
    return 0;
}
