// The configurations that tuning chooses from: every combination of its axes, numbered.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "smsim/tune.hpp"

namespace smsim {

/// Points are numbered without being listed: spaces may be far larger than what is ever simulated.
class TuneSpace {
 public:
  TuneSpace() = default;
  explicit TuneSpace(std::vector<TuneAxis> axes) : axes_(std::move(axes)) {}

  [[nodiscard]] const std::vector<TuneAxis>& axes() const { return axes_; }
  /// All combinations; 1 without an axis.
  [[nodiscard]] std::uint64_t size() const;
  /// How many values each axis has.
  [[nodiscard]] std::vector<std::size_t> extents() const;
  /// Path and value of every axis at a point; the last axis changes fastest.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> values(std::uint64_t number) const;

 private:
  std::vector<TuneAxis> axes_;
};

/// Place on every axis of point `number`, and back.
std::vector<std::size_t> steps_of(const std::vector<std::size_t>& extents, std::uint64_t number);
std::uint64_t number_of(const std::vector<std::size_t>& extents,
                        const std::vector<std::size_t>& steps);

}  // namespace smsim
