#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

// Measured on H200 (validate/measured/h200/README.md, Scheduler): a warp goes on while it can;
// otherwise the oldest block is served first, and within it the highest warp.
struct GreedyThenOldestBlock {
  static constexpr const char* kName = "gob";
  static constexpr const char* kSummary =
      "greedy, then oldest block, in it the highest warp: measured on H200";
  static constexpr bool kGreedy = true;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    if (view.last != kNoWarp && (eligible & bit_of(view.last)) != 0) return view.last;
    for (std::uint8_t i = 0; i < view.count; ++i) {
      if ((eligible & bit_of(view.by_block[i])) != 0) return view.by_block[i];
    }
    return oldest_of(eligible, view);
  }
};

}  // namespace smsim::engine
