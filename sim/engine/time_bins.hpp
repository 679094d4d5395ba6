// Exact sums over time in bins of equal width, which doubles while the time grows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/arch/time.hpp"

namespace smsim::engine {

template <std::size_t Channels>
class TimeBins {
 public:
  using Row = std::array<std::uint64_t, Channels>;

  explicit TimeBins(std::size_t most_bins) : rows_(std::max<std::size_t>(most_bins, 2) / 2 * 2) {
    look_at(0);
  }
  TimeBins(const TimeBins&) = delete;  // row_ points into itself
  TimeBins& operator=(const TimeBins&) = delete;
  ~TimeBins() = default;

  // Adds one per cycle of from <= cycle < until.
  void add(std::size_t channel, Cycle from, Cycle until) {
    if (from >= row_from_ && until <= row_until_) {
      (*row_)[channel] += until - from;
    } else {
      spread(channel, from, until, 1);
    }
  }
  // Takes back what `add` has added, or will add.
  void take_back(std::size_t channel, Cycle from, Cycle until) {
    if (from >= row_from_ && until <= row_until_) {
      (*row_)[channel] -= until - from;
    } else {
      spread(channel, from, until, ~std::uint64_t{0});
    }
  }
  // Most of what comes next lies in the bin of this cycle.
  void look_at(Cycle cycle) {
    if (cycle >= row_from_ && cycle < row_until_) return;
    make_room_for(cycle);
    const std::size_t bin = cycle >> shift_;
    row_ = &rows_[bin];
    row_from_ = static_cast<Cycle>(bin) << shift_;
    row_until_ = row_from_ + width();
  }
  // To bins of this width, a multiple of the present one by a power of two.
  void widen(Cycle wanted) {
    while (width() < wanted) double_width();
  }

  [[nodiscard]] Cycle width() const { return Cycle{1} << shift_; }
  // Without the empty ones at the end.
  [[nodiscard]] std::vector<Row> rows() const {
    const auto last =
        std::find_if(rows_.rbegin(), rows_.rend(), [](const Row& row) { return row != Row{}; });
    return {rows_.begin(), last.base()};
  }

 private:
  void make_room_for(Cycle cycle) {
    while ((cycle >> shift_) >= rows_.size()) double_width();
  }
  void double_width() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row row = rows_[i];
      if (i % 2 == 0) {
        rows_[i / 2] = row;
      } else {
        for (std::size_t c = 0; c < Channels; ++c) rows_[i / 2][c] += row[c];
      }
    }
    std::fill(rows_.begin() + static_cast<std::ptrdiff_t>(rows_.size() / 2), rows_.end(), Row{});
    ++shift_;
    row_from_ = 0;
    row_until_ = 0;
  }
  void spread(std::size_t channel, Cycle from, Cycle until, std::uint64_t sign) {
    if (until <= from) return;
    make_room_for(until - 1);
    for (Cycle at = from; at < until;) {
      const std::size_t bin = at >> shift_;
      const Cycle end = std::min(until, static_cast<Cycle>(bin + 1) << shift_);
      rows_[bin][channel] += sign * (end - at);
      at = end;
    }
  }

  static constexpr int kFirstShift = 4;
  std::vector<Row> rows_;
  int shift_ = kFirstShift;
  Row* row_ = nullptr;  // the bin from row_from_ to row_until_
  Cycle row_from_ = 0;
  Cycle row_until_ = 0;
};

}  // namespace smsim::engine
