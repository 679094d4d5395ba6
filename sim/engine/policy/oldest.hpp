#pragma once

#include "sim/engine/policy/warp_view.hpp"

namespace smsim::engine {

struct Oldest {
  static constexpr const char* kName = "oldest";
  static constexpr const char* kSummary = "always the oldest eligible warp";
  // Whether the warp that issued last always goes on while it is eligible.
  static constexpr bool kGreedy = false;

  static std::uint8_t pick(WarpMask eligible, const WarpView& view) {
    return oldest_of(eligible, view);
  }
};

}  // namespace smsim::engine
