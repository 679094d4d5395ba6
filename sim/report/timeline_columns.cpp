#include "sim/report/timeline_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace smsim {
namespace {

std::uint64_t overlap(std::uint64_t from, std::uint64_t until, std::uint64_t other_from,
                      std::uint64_t other_until) {
  const std::uint64_t begin = std::max(from, other_from);
  const std::uint64_t end = std::min(until, other_until);
  return end > begin ? end - begin : 0;
}

}  // namespace

TimelineColumns::TimelineColumns(const Timeline& timeline, std::uint64_t from,
                                 std::uint64_t column_cycles)
    : timeline_(timeline), from_(from), width_(column_cycles) {
  for (std::size_t column = 0; column < kTimelineColumns; ++column) {
    const std::uint64_t begin = from_ + (column * width_);
    for (const TimelineWindow& window : timeline.windows) {
      known_[column] += overlap(begin, begin + width_, window.from, window.until);
    }
  }
  for (const WarpStay& stay : timeline.stays) add(stay);
}

void TimelineColumns::add(const WarpStay& stay) {
  const std::uint64_t end = from_ + (kTimelineColumns * width_);
  if (stay.until <= from_ || stay.from >= end) return;
  const Key key{stay.scheduler, stay.slot};
  const auto [row, is_new] = rows_.try_emplace(key);
  if (is_new) {
    labels_[key] = fmt::format("{}.{}", stay.block, stay.warp);
    for (std::size_t i = 0; i < kTimelineColumns; ++i) row->second[i].known = known_[i];
  }
  if (stay.from >= from_) row->second[(stay.from - from_) / width_].begins = true;
  for (const WarpInterval& one : stay.intervals) {
    for (std::uint64_t at = std::max(one.from, from_); at < std::min(one.until, end);) {
      const std::size_t column = (at - from_) / width_;
      const std::uint64_t next = std::min(one.until, from_ + ((column + 1) * width_));
      row->second[column].state[static_cast<std::size_t>(one.state)] += next - at;
      at = next;
    }
  }
}

std::vector<std::uint8_t> TimelineColumns::slots(std::uint8_t scheduler) const {
  std::vector<std::uint8_t> found;
  for (const auto& [key, row] : rows_) {
    if (key.first == scheduler) found.push_back(key.second);
  }
  return found;
}

TimelineCell TimelineColumns::sum(std::uint8_t scheduler, std::size_t column) const {
  TimelineCell sum;
  sum.known = known_[column];
  for (const auto& [key, row] : rows_) {
    if (key.first != scheduler) continue;
    for (std::size_t i = 0; i < kWarpStates; ++i) sum.state[i] += row[column].state[i];
  }
  return sum;
}

}  // namespace smsim
