#include "sum/check.hpp"

#include <algorithm>

#include "sum/escape.hpp"

namespace hwacha::tool {
namespace {

char lower(char c) noexcept {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_digest(std::string_view listed, std::string_view computed) noexcept {
    return std::ranges::equal(listed, computed, {}, lower);
}

}  // namespace

void checker::tell(const std::string& name, std::string_view verdict) {
    // Unlike in lists, a backslash or a carriage return alone is no reason: GNU's choice.
    const bool escape = name.find('\n') != name.npos;
    out_.write(fmt::format("{}{}: {}\n", escape ? "\\" : "", escape ? escape_name(name) : name, verdict));
}

void checker::verify(const checksum_line& line, tally& count) {
    const bool silent = options_.detail == check_detail::nothing;
    const file_hasher::result file = hasher_.hash(*line.algorithm, line.name);
    if (file.error != 0) {
        if (file.not_found && options_.ignore_missing) return;
        ++count.unreadable;
        err_.report("{}: {}", display_name(line.name), error_text(file.error));
        if (!silent) tell(line.name, "FAILED open or read");
    } else if (same_digest(line.digest, file.hex)) {
        ++count.matching;
        if (!silent && options_.detail != check_detail::failures) tell(line.name, "OK");
    } else {
        ++count.differing;
        if (!silent) tell(line.name, "FAILED");
    }
}

bool checker::check(const std::string& list) {
    input in(list);
    line_reader lines(in);
    tally count;
    std::size_t number = 0;
    for (std::string_view text; out_.error() == 0 && lines.next(text);) {
        ++number;
        std::string_view fault;
        const parsed_line parsed = parse_line(text, *options_.algorithm, form_);
        if (std::holds_alternative<ignored_line>(parsed)) continue;
        if (const auto* f = std::get_if<line_fault>(&parsed)) {
            fault = to_string(*f);
            if (*f == line_fault::byte_order_mark) count.byte_order_mark = true;
        } else if (lines.truncated()) {
            fault = "it is too long";
        } else if (const auto& line = std::get<checksum_line>(parsed);
                   list == standard_input && line.name == standard_input) {
            fault = "standard input cannot list itself";
        } else {
            ++count.well_formed;
            verify(line, count);
            continue;
        }
        ++count.malformed;
        if (options_.detail == check_detail::all_and_faults) {
            err_.report("{}:{}: improperly formatted line: {}", display_name(list), number, fault);
        }
    }
    if (in.error() != 0) {
        err_.report("{}: {}", display_name(list), error_text(in.error()));
        return false;
    }
    return conclude(list, count);
}

bool checker::conclude(const std::string& list, const tally& count) {
    const std::string shown = display_name(list);
    if (count.well_formed == 0) {
        err_.report("{}: no properly formatted checksum line{}", shown,
                    count.byte_order_mark ? "; it starts with a byte-order mark: save it as UTF-8 without one" : "");
        return false;
    }
    if (options_.detail != check_detail::nothing) {
        const auto warn = [&](std::string_view what, std::size_t how_many) {
            if (how_many != 0) err_.report("WARNING: {}: {}: {}", shown, what, how_many);
        };
        warn("improperly formatted lines", count.malformed);
        warn("files that could not be read", count.unreadable);
        warn("files that do NOT match", count.differing);
        if (options_.ignore_missing && count.matching == 0) err_.report("{}: no file was verified", shown);
    }
    return count.matching != 0 && count.unreadable == 0 && count.differing == 0 &&
           (!options_.strict || count.malformed == 0);
}

}  // namespace hwacha::tool
