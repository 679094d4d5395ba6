#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct Youngest {
  static constexpr const char* kName = "youngest";
  static constexpr const char* kSummary = "always the youngest eligible warp";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = false;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    return youngest_of(eligible, view);
  }
};

}  // namespace smsim::engine
