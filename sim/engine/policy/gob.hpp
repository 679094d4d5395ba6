#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

// Measured on H200 (validate/measured/h200/README.md, Scheduler): a warp goes on while it can;
// otherwise the oldest block is served first, and its warps take turns from high to low.
struct GreedyThenOldestBlock {
  static constexpr const char* kName = "gob";
  static constexpr const char* kSummary =
      "greedy, then oldest block, whose warps take turns: measured on H200";
  static constexpr bool kGreedy = true;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    if (view.last != kNoWarp && (eligible & bit_of(view.last)) != 0) return view.last;
    for (std::uint8_t i = 0; i < view.count; ++i) {
      const std::uint8_t slot = view.by_block[i];
      if ((eligible & bit_of(slot)) != 0) return next_turn(slot, eligible, view);
    }
    return oldest_of(eligible, view);
  }

 private:
  // The next lower slot after the one of the block that issued last, the highest after the lowest.
  static std::uint8_t next_turn(std::uint8_t slot, WarpMask eligible, const WarpView& view) {
    const auto candidates = static_cast<std::uint32_t>(eligible & view.mates[slot]);
    const std::uint32_t lower = candidates & ((1U << view.turn[view.block_of[slot]]) - 1U);
    return static_cast<std::uint8_t>(std::bit_width(lower != 0 ? lower : candidates) - 1);
  }
};

}  // namespace smsim::engine
