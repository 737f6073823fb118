#include "sum/check.hpp"

#include <algorithm>

#include "sum/escape.hpp"
#include "sum/hash_run.hpp"

namespace hwacha::tool {
namespace {

char lower(char c) noexcept {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_digest(std::string_view listed, std::string_view computed) noexcept {
    return std::ranges::equal(listed, computed, {}, lower);
}

std::string verdict_line(const std::string& name, std::string_view verdict) {
    // Unlike in lists, a backslash or a carriage return alone is no reason: GNU's choice.
    const bool escape = name.find('\n') != name.npos;
    return fmt::format("{}{}: {}\n", escape ? "\\" : "", escape ? escape_name(name) : name, verdict);
}

}  // namespace

void checker::tell(const file_item& item, const file_result& result, transcript& to) {
    const bool silent = options_.detail == check_detail::nothing;
    tally& count = list_->count;
    if (result.error != 0) {
        if (result.not_found && options_.ignore_missing) return;
        ++count.unreadable;
        to.report(fmt::format("{}: {}", display_name(item.name), error_text(result.error)));
        if (!silent) to.print(verdict_line(item.name, "FAILED open or read"));
    } else if (same_digest(item.text, to_hex(result.digest))) {
        ++count.matching;
        if (!silent && options_.detail != check_detail::failures) to.print(verdict_line(item.name, "OK"));
    } else {
        ++count.differing;
        if (!silent) to.print(verdict_line(item.name, "FAILED"));
    }
}

bool checker::next(std::vector<file_item>& items, std::size_t most) {
    open_list& list = *list_;
    tally& count = list.count;
    // A list may come from a program that writes a line now and then.
    while (items.size() < most && (items.empty() || list.lines.has_line())) {
        std::string_view text;
        if (!list.lines.next(text)) return false;
        ++list.line;
        std::string_view fault;
        parsed_line parsed = parse_line(text, *options_.algorithm, form_);
        if (std::holds_alternative<ignored_line>(parsed)) continue;
        if (const auto* f = std::get_if<line_fault>(&parsed)) {
            fault = to_string(*f);
            if (*f == line_fault::byte_order_mark) count.byte_order_mark = true;
        } else if (list.lines.truncated()) {
            fault = "it is too long";
        } else if (auto& line = std::get<checksum_line>(parsed);
                   list.name == standard_input && line.name == standard_input) {
            fault = "standard input cannot list itself";
        } else {
            ++count.well_formed;
            items.push_back(
                {.name = std::move(line.name), .algorithm = line.algorithm, .text = std::string(line.digest)});
            continue;
        }
        ++count.malformed;
        if (options_.detail == check_detail::all_and_faults) {
            items.push_back({.text = fmt::format("{}:{}: improperly formatted line: {}", display_name(list.name),
                                                 list.line, fault)});
        }
    }
    return true;
}

bool checker::check(const std::string& list) {
    list_.emplace(list);
    hash_run(*this, options_.threads, out_, err_, shown_)();
    const auto paused = shown_.pause();
    if (const int error = list_->file.error(); error != 0) {
        err_.report("{}: {}", display_name(list), error_text(error));
        return false;
    }
    return conclude();
}

bool checker::conclude() {
    const tally& count = list_->count;
    const std::string shown = display_name(list_->name);
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
