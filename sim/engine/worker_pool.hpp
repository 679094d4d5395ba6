// A few host threads that run the same task on disjoint shares, again and again.
#pragma once

#include <atomic>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

namespace smsim::engine {

// Windows of simulated time are short (tens of microseconds of work), so waiting threads spin
// before they yield.
class WorkerPool {
 public:
  using Task = std::function<void(int worker)>;

  // At most `workers` shares, fewer where the machine gives no more threads; the caller's thread
  // does share 0.
  WorkerPool(int workers, Task task) : task_(std::move(task)) {
    try {
      for (int i = 1; i < workers; ++i) {
        threads_.emplace_back([this, i](const std::stop_token& stop) { serve(i, stop); });
      }
    } catch (const std::system_error&) {
      // The work is shared among those that there are.
    }
  }

  [[nodiscard]] int workers() const { return static_cast<int>(threads_.size()) + 1; }

  ~WorkerPool() {
    for (auto& thread : threads_) thread.request_stop();
    generation_.fetch_add(1, std::memory_order_release);
  }

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs all shares and returns when they are done.
  void run() {
    pending_.store(workers() - 1, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    task_(0);
    wait_until([this] { return pending_.load(std::memory_order_acquire) == 0; });
  }

 private:
  template <class Condition>
  static void wait_until(Condition condition) {
    for (int spins = 0; !condition(); ++spins) {
      if (spins > 4096) std::this_thread::yield();
    }
  }

  void serve(int worker, const std::stop_token& stop) {
    unsigned seen = 0;
    while (true) {
      wait_until([&] { return generation_.load(std::memory_order_acquire) != seen; });
      if (stop.stop_requested()) return;
      ++seen;
      task_(worker);
      pending_.fetch_sub(1, std::memory_order_release);
    }
  }

  Task task_;
  std::atomic<unsigned> generation_{0};
  std::atomic<int> pending_{0};
  std::vector<std::jthread> threads_;
};

}  // namespace smsim::engine
