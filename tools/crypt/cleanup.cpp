#include "crypt/cleanup.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include <unistd.h>

namespace hwacha::crypt {
namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Written while those signals are held back, or before `armed` says that it is valid.
std::array<char, 64> temporary_name;
std::atomic<int> temporary_folder{-1};  // -1: no file
termios terminal_state;
std::atomic<int> terminal{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int number) {
    if (const int folder = temporary_folder.load(); folder >= 0) ::unlinkat(folder, temporary_name.data(), 0);
    if (const int descriptor = terminal.load(); descriptor >= 0) ::tcsetattr(descriptor, TCSANOW, &terminal_state);
    ::signal(number, SIG_DFL);
    ::raise(number);
}

sigset_t ending_set() noexcept {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : ending) ::sigaddset(&set, number);
    return set;
}

}  // namespace

void handle_signals() noexcept {
    for (const int number : ending) {
        struct sigaction action{};
        if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = {};
        action.sa_handler = on_signal;
        action.sa_mask = ending_set();
        ::sigaction(number, &action, nullptr);
    }
    for (const int number : {SIGPIPE, SIGXFSZ}) ::signal(number, SIG_IGN);
}

signals_held::signals_held() noexcept {
    const sigset_t set = ending_set();
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

signals_held::~signals_held() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void remove_on_signal(int folder, std::string_view name) noexcept {
    const std::size_t size = std::min(name.size(), temporary_name.size() - 1);
    std::copy_n(name.begin(), size, temporary_name.begin());
    temporary_name[size] = '\0';
    temporary_folder.store(folder);
}

void keep_on_signal() noexcept {
    temporary_folder.store(-1);
}

void restore_on_signal(int descriptor, const termios& state) noexcept {
    terminal_state = state;
    terminal.store(descriptor);
}

void restored() noexcept {
    terminal.store(-1);
}

}  // namespace hwacha::crypt
