#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct GreedyThenOldest {
  static constexpr const char* kName = "gto";
  static constexpr const char* kSummary = "greedy, then oldest: stays on a warp while it can issue";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = true;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    if (view.last != kNoWarp && (eligible & bit_of(view.last)) != 0) return view.last;
    return oldest_of(eligible, view);
  }
};

}  // namespace smsim::engine
