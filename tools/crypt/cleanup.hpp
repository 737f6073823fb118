// What must not be left behind when a signal ends the program: a temporary file, a terminal that shows nothing.
#pragma once

#include <string_view>

#include <signal.h>
#include <termios.h>

namespace hwacha::crypt {

// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless they are ignored, clean up before they end the program;
// SIGPIPE and SIGXFSZ are errors of write.
void handle_signals() noexcept;

// Holds those signals back in this thread while it lives.
class signals_held {
  public:
    signals_held() noexcept;
    ~signals_held();
    signals_held(const signals_held&) = delete;
    signals_held& operator=(const signals_held&) = delete;

  private:
    sigset_t before_;
};

// One file at a time, `name` (at most 63 bytes) in the folder open as `folder`.
void remove_on_signal(int folder, std::string_view name) noexcept;
void keep_on_signal() noexcept;

// One terminal at a time.
void restore_on_signal(int terminal, const termios& state) noexcept;
void restored() noexcept;

}  // namespace hwacha::crypt
