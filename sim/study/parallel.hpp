// The same work for many indices, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace smsim {

/// Calls work(i) once for every i below `count`, on up to `threads` threads, in any order. The
/// first exception ends it and is thrown again here.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex lock;
  std::exception_ptr fault;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard guard(lock);
      fault = std::current_exception();
      next = count;
    }
  };
  const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
  if (wanted <= 1) {
    run();
  } else {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < wanted; ++i) workers.emplace_back(run);
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace smsim
