// Ctrl-C as a request to stop with what there is.
#pragma once

#include <atomic>

namespace smsim::cli {

/// While it lives, the first Ctrl-C sets flag(); the second ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static const std::atomic<bool>& flag();
};

}  // namespace smsim::cli
