// One warp at one cycle: what it waits for, since when, and who ends it.
#pragma once

#include <cstdint>
#include <string>

#include "smsim/result.hpp"

namespace smsim {

/// A warp of the grid, at a cycle.
struct WarpAt {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  // in its block
  std::uint64_t cycle = 0;
};

/// In plain words, at most 80 columns wide; also when the warp is not resident then. `result` must
/// have a timeline that holds the warp (TimelineOptions::with_block).
std::string why_text(const Result& result, const Program& program, const WarpAt& at);

}  // namespace smsim
