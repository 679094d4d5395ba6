// Occupancy as text and JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smsim/occupancy.hpp"

namespace smsim {

/// What was asked, beside the block itself.
struct OccupancyQuestion {
  GpuSpec gpu;
  BlockRequest request;
  std::string kernel;  // of a kernel file; "" when the figures came from options
  std::optional<std::uint64_t> grid_blocks;
  bool cooperative = false;
  std::optional<int> smem_config_bytes;  // the split in force, when it is known
  std::optional<LaunchFailure> failure;  // of the launch as a whole
};

std::string occupancy_text(const OccupancyQuestion& question);
std::string occupancy_json(const OccupancyQuestion& question);

/// A curve as a table with a bar per row; an arrow marks the row of the value that was asked about.
std::string curve_text(const std::string& heading, const std::vector<CurvePoint>& curve,
                       std::int64_t asked);

/// The textbook's answer, labelled, beside the hardware's.
std::string textbook_text(const OccupancyQuestion& question);

}  // namespace smsim
