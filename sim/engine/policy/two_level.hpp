#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct TwoLevel {
  static constexpr const char* kName = "two_level";
  static constexpr const char* kSummary =
      "round robin inside a group of four slots; the next group when all of it waits";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = false;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    const std::uint8_t last = view.last == kNoWarp ? 15 : view.last;
    const auto group = static_cast<WarpMask>(0xfU << (last & ~3U));
    const auto inside = static_cast<WarpMask>(eligible & group);
    return next_after(last, inside != 0 ? inside : eligible);
  }
};

}  // namespace smsim::engine
