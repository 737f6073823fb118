#include "sum/progress.hpp"

#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace hwacha::tool {
namespace {

constexpr std::chrono::milliseconds first_wait{1000};
constexpr std::chrono::milliseconds period{100};

// What is lost is no loss.
void draw(std::string_view text) noexcept {
    static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
}

}  // namespace

progress::progress(progress_mode mode)
    : on_(mode == progress_mode::always || (mode == progress_mode::terminal && ::isatty(STDERR_FILENO) != 0)),
      due_((clock::now() + (mode == progress_mode::always ? clock::duration{} : first_wait))
               .time_since_epoch()
               .count()) {}

void progress::add(std::size_t files, std::size_t bytes) noexcept {
    if (!on_) return;
    files_.fetch_add(files, std::memory_order_relaxed);
    bytes_.fetch_add(bytes, std::memory_order_relaxed);
    const auto now = clock::now();
    clock::rep due = due_.load(std::memory_order_relaxed);
    if (now.time_since_epoch().count() < due) return;
    const clock::rep next = (now + period).time_since_epoch().count();
    if (due_.compare_exchange_strong(due, next, std::memory_order_relaxed)) show();
}

void progress::show() noexcept {
    char text[80];
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    const char* const end =
        fmt::format_to_n(text, sizeof text, "\r\x1b[K{} files, {:.1f} MiB", files_.load(std::memory_order_relaxed),
                         static_cast<double>(bytes_.load(std::memory_order_relaxed)) / (1 << 20))
            .out;
    draw({text, static_cast<std::size_t>(end - text)});
    visible_ = true;
}

std::unique_lock<std::mutex> progress::pause() noexcept {
    if (!on_) return {};
    std::unique_lock lock(mutex_);
    if (visible_) draw("\r\x1b[K");
    visible_ = false;
    return lock;
}

}  // namespace hwacha::tool
