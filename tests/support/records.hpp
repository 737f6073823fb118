// Known-answer files: `name = value` lines in records separated by blank lines, '#' starts a comment line. The official
// LSH and LEA files and the repository's own vectors/*.kat (see vectors/README.md) all have this shape.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/bytes.hpp"

namespace hwacha::test {

// One record. Every field must be taken: one that a test does not know is an error, not a detail.
class record {
  public:
    explicit record(std::string where) : where_(std::move(where)) {}
    void add(std::string_view name, std::string_view value);  // throws if the name is there already

    bool has(std::string_view name) const { return fields_.contains(name); }
    std::string take(std::string_view name);  // throws if absent
    bytes take_hex(std::string_view name);
    std::size_t take_number(std::string_view name);
    std::size_t size() const { return fields_.size(); }
    const std::string& where() const { return where_; }
    // Throws if a field was not taken.
    void done() const;

  private:
    struct field {
        std::string value;
        bool taken = false;
    };
    std::map<std::string, field, std::less<>> fields_;
    std::string where_;
};

struct record_file {
    record header{""};
    std::vector<record> records;
};

enum class first_record { header, data };

// Throws std::runtime_error with file name and line.
record_file parse_records(std::string_view text, const std::string& name, first_record first);

// A file of the official set `folder` ("lsh-cavp"), parsed; nothing if the set is not at hand, which is noted, and a
// failure under --require-vectors.
std::optional<record_file> official_file(const std::string& folder, const std::string& name, first_record first);
// The names of all files in it, sorted.
std::vector<std::string> official_names(const std::string& folder);

// The repository's own files, built into the program.
struct own_file {
    std::string_view name;
    std::string_view text;
};
extern const std::vector<own_file> own_files;
record_file own_records(std::string_view name);

}  // namespace hwacha::test
