#include "sim/cli/interrupt.hpp"

#include <csignal>
#include <ctime>

namespace smsim::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

std::atomic<std::time_t> first_signal{0};
static_assert(std::atomic<std::time_t>::is_always_lock_free, "a signal handler sets it");

// The first one asks for partial results, a later one ends the program. Some senders (timeout)
// signal twice at once: that counts as one.
extern "C" void on_interrupt(int signal) {
  constexpr std::time_t kAtOnceSeconds = 1;
  const std::time_t now = std::time(nullptr);
  if (!interrupted.exchange(true)) {
    first_signal.store(now);
  } else if (now > first_signal.load() + kAtOnceSeconds) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted.store(false);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::flag() {
  return interrupted;
}

}  // namespace smsim::cli
