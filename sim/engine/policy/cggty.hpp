#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct GreedyThenYoungest {
  static constexpr const char* kName = "cggty";
  static constexpr const char* kSummary =
      "greedy, then youngest: what reverse engineering finds on recent cores";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = true;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    if (view.last != kNoWarp && (eligible & bit_of(view.last)) != 0) return view.last;
    return youngest_of(eligible, view);
  }
};

}  // namespace smsim::engine
