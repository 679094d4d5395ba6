#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct LooseRoundRobin {
  static constexpr const char* kName = "lrr";
  static constexpr const char* kSummary =
      "loose round robin: the next eligible slot after the one that issued last";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = false;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    return next_after(view.last == kNoWarp ? 15 : view.last, eligible);
  }
};

}  // namespace smsim::engine
