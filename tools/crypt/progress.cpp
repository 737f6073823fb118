#include "crypt/progress.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace hwacha::tool {
namespace {

// What is lost is no loss.
void draw(std::string_view text) noexcept {
    static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
}

}  // namespace

file_progress::file_progress(bool wanted, std::uint64_t whole)
    : on_(wanted && ::isatty(STDERR_FILENO) != 0), whole_(whole), due_(clock::now() + std::chrono::seconds(1)) {}

file_progress::~file_progress() {
    if (visible_) draw("\r\x1b[K");
}

void file_progress::add(std::size_t bytes) noexcept {
    bytes_ += bytes;
    if (!on_) return;
    const clock::time_point now = clock::now();
    if (now < due_) return;
    due_ = now + std::chrono::milliseconds(100);
    char text[80];
    const double done = static_cast<double>(bytes_);
    auto* end = fmt::format_to_n(text, 60, "\r\x1b[K{:.1f} MiB", done / (1 << 20)).out;
    if (whole_ != 0) {
        const double percent = std::min(100.0, 100 * done / static_cast<double>(whole_));
        end = fmt::format_to_n(end, 10, ", {:.0f} %", percent).out;
    }
    draw({text, static_cast<std::size_t>(end - text)});
    visible_ = true;
}

}  // namespace hwacha::tool
