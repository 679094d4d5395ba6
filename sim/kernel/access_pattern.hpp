// From "every lane reads the element 8 further on" to what the memory system sees: lines, sectors,
// passes through the banks.
#pragma once

#include <array>
#include <cstdint>

#include "sim/kernel/source.hpp"

namespace smsim::sass {

/// What one warp request touches.
struct Footprint {
  std::uint16_t lines = 1;       // 128-byte lines
  std::uint16_t sectors = 4;     // 32-byte sectors
  std::uint16_t wavefronts = 1;  // passes through shared memory
  bool scales_with_lanes = true;
};

/// Which element each lane touches, counted from anywhere.
using LaneOffsets = std::array<std::int64_t, 32>;
LaneOffsets evenly_spaced(std::int64_t stride);

/// Footprint in global memory. `array_bytes` bounds how far random lanes can spread; 0: no bound.
/// `lanes`: where the index puts them.
Footprint global_footprint(const PatternSource& pattern, int bytes_per_thread,
                           std::uint64_t array_bytes, const LaneOffsets& lanes = evenly_spaced(1));

/// Footprint in shared memory: 32 banks of 4 bytes.
Footprint shared_footprint(const PatternSource& pattern, int bytes_per_thread,
                           const LaneOffsets& lanes = evenly_spaced(1));

}  // namespace smsim::sass
