// The rules without their explanations, for this folder and the metrics.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "smsim/occupancy.hpp"

namespace smsim {

inline constexpr int kWarpThreads = 32;

inline int warps_of(int threads) {
  return (threads + kWarpThreads - 1) / kWarpThreads;
}

/// The smallest split that holds `bytes` of shared memory; the largest when none does.
std::int64_t split_holding(const SmLimits& limits, std::int64_t bytes);

/// A limit by name, in the order in which they are reported.
struct NamedLimit {
  const char* name;
  int blocks;
};

inline std::array<NamedLimit, 6> named_limits(const BlockLimits& limits) {
  return {{{"warps", limits.warps},
           {"blocks", limits.blocks},
           {"registers", limits.registers},
           {"shared_mem", limits.shared_mem},
           {"barriers", limits.barriers},
           {"virtual_resources", limits.virtual_resources}}};
}

/// The smallest limit.
int smallest(const BlockLimits& limits);

/// Every resource whose limit is the smallest.
std::vector<std::string> limiters(const BlockLimits& limits);

/// The header's rules with the ISA's limit of 255 registers.
HeaderOccupancy rules_for(const GpuSpec& gpu, const BlockRequest& request);

/// occupancy().blocks_per_sm alone: for searches that ask a thousand times.
int resident_blocks(const GpuSpec& gpu, const BlockRequest& request);

}  // namespace smsim
