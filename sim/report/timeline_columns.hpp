// A timeline cut into columns of equal width: what a terminal shows.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "smsim/timeline.hpp"

namespace smsim {

inline constexpr std::size_t kTimelineColumns = 64;

/// One warp slot during one column.
struct TimelineCell {
  std::array<std::uint64_t, kWarpStates> state{};  // cycles
  std::uint64_t known = 0;                         // cycles that the windows hold
  bool begins = false;                             // a warp takes the slot
};

using TimelineRow = std::array<TimelineCell, kTimelineColumns>;

/// The four schedulers' slots from `from` on, `column_cycles` each.
class TimelineColumns {
 public:
  TimelineColumns(const Timeline& timeline, std::uint64_t from, std::uint64_t column_cycles);

  /// Slots of a scheduler that hold a warp at any time shown, in order.
  [[nodiscard]] std::vector<std::uint8_t> slots(std::uint8_t scheduler) const;
  [[nodiscard]] const TimelineRow& row(std::uint8_t scheduler, std::uint8_t slot) const {
    return rows_.at({scheduler, slot});
  }
  /// The first warp shown in a slot: "block.warp".
  [[nodiscard]] const std::string& label(std::uint8_t scheduler, std::uint8_t slot) const {
    return labels_.at({scheduler, slot});
  }
  /// Of a column, summed over a scheduler's slots.
  [[nodiscard]] TimelineCell sum(std::uint8_t scheduler, std::size_t column) const;

 private:
  using Key = std::pair<std::uint8_t, std::uint8_t>;
  void add(const WarpStay& stay);

  const Timeline& timeline_;
  std::uint64_t from_;
  std::uint64_t width_;
  std::array<std::uint64_t, kTimelineColumns> known_{};
  std::map<Key, TimelineRow> rows_;
  std::map<Key, std::string> labels_;
};

}  // namespace smsim
