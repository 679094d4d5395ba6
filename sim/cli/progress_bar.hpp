// How far a simulation has come, on stderr, while somebody watches.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace smsim::cli {

class ProgressBar {
 public:
  /// Shows nothing unless stderr is a terminal.
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  [[nodiscard]] bool visible() const { return visible_; }
  /// Cheap; draws a few times a second.
  void update(std::uint64_t blocks_done, std::uint64_t blocks, std::uint64_t cycle);
  /// The same for things that are counted only, with the rate and the time left.
  void update_count(std::uint64_t done, std::uint64_t all);

 private:
  void draw(std::uint64_t done, std::uint64_t all, const std::string& what);

  std::string title_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point next_;
  std::optional<std::uint64_t> first_count_;  // what was done before this began
};

}  // namespace smsim::cli
