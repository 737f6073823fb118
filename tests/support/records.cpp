#include "support/records.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/run.hpp"

namespace hwacha::test {
namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
    throw std::runtime_error(where + ": " + what);
}

const std::string official_set = "the official vector files; the selections built into this program ran";

}  // namespace

void record::add(std::string_view name, std::string_view value) {
    if (!fields_.emplace(name, field{std::string(value)}).second) fail(where_, "twice: " + std::string(name));
}

std::string record::take(std::string_view name) {
    const auto found = fields_.find(name);
    if (found == fields_.end()) fail(where_, "no field " + std::string(name));
    found->second.taken = true;
    return found->second.value;
}

bytes record::take_hex(std::string_view name) {
    const std::string text = take(name);
    try {
        return from_hex(text);
    } catch (const std::invalid_argument& e) {
        fail(where_, std::string(name) + ": " + e.what());
    }
}

std::size_t record::take_number(std::string_view name) {
    const std::string text = take(name);
    std::size_t n = 0;
    if (text.empty() || text.size() > 9) fail(where_, std::string(name) + ": not a number: " + text);
    for (const char c : text) {
        if (c < '0' || c > '9') fail(where_, std::string(name) + ": not a number: " + text);
        n = 10 * n + static_cast<std::size_t>(c - '0');
    }
    return n;
}

void record::done() const {
    for (const auto& [name, f] : fields_) {
        if (!f.taken) fail(where_, "field not read: " + name);
    }
}

record_file parse_records(std::string_view text, const std::string& name, first_record first) {
    record_file file;
    std::vector<record> records;
    bool open = false;
    std::size_t line_number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        if (line.starts_with('#')) continue;
        if (line.empty()) {
            open = false;
            continue;
        }
        const std::string where = name + ':' + std::to_string(line_number);
        const std::size_t equals = line.find(" =");
        if (equals == std::string_view::npos || equals == 0) fail(where, "neither `name = value` nor a comment");
        std::string_view value = line.substr(equals + 2);
        if (!value.empty() && value.front() != ' ') fail(where, "no space after =");
        if (!value.empty()) value.remove_prefix(1);
        if (!open) records.emplace_back(where);
        open = true;
        records.back().add(line.substr(0, equals), value);
    }
    if (first == first_record::header) {
        if (records.empty()) fail(name, "no header");
        file.header = std::move(records.front());
        records.erase(records.begin());
    }
    file.records = std::move(records);
    return file;
}

std::optional<record_file> official_file(const std::string& folder, const std::string& name, first_record first) {
    const auto path = std::filesystem::path(options().vectors) / folder / name;
    std::ifstream in(path, std::ios::binary);
    if (options().vectors.empty() || !in) {
        if (options().require_vectors) ADD_FAILURE() << "demanded, but not at hand: " << folder << '/' << name;
        note_missing(std::filesystem::is_directory(path.parent_path()) ? folder + '/' + name : official_set);
        return std::nullopt;
    }
    std::ostringstream text;
    text << in.rdbuf();
    return parse_records(text.view(), folder + '/' + name, first);
}

std::vector<std::string> official_names(const std::string& folder) {
    std::vector<std::string> names;
    const std::filesystem::path path = std::filesystem::path(options().vectors) / folder;
    if (options().vectors.empty() || !std::filesystem::is_directory(path)) {
        if (options().require_vectors) ADD_FAILURE() << "demanded, but not at hand: " << folder;
        note_missing(options().vectors.empty() ? official_set : folder);
        return names;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

record_file own_records(std::string_view name) {
    for (const own_file& f : own_files) {
        if (f.name == name) return parse_records(f.text, std::string(name), first_record::header);
    }
    fail(std::string(name), "not built into this program");
}

}  // namespace hwacha::test
