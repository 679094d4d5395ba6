#include "sim/metrics/residency.hpp"

#include <algorithm>

#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostSteps = 3;

struct NamedLimit {
  const char* resource;
  int blocks;
};

// Limits at the split in force, which may bind where the largest split would not.
std::vector<std::string> limiters_of(const Occupancy& at_largest, const BlockLimits& limits,
                                     int blocks) {
  if (at_largest.failure) {
    return at_largest.limiters;
  }
  const NamedLimit all[] = {{"warps", limits.warps},
                            {"blocks", limits.blocks},
                            {"registers", limits.registers},
                            {"shared_mem", limits.shared_mem},
                            {"barriers", limits.barriers}};
  std::vector<std::string> limiters;
  for (const NamedLimit& limit : all) {
    if (limit.blocks == blocks) {
      limiters.emplace_back(limit.resource);
    }
  }
  return limiters;
}

}  // namespace

Residency make_residency(const GpuSpec& gpu, const LaunchSpec& launch) {
  const BlockRequest request = block_request(launch);
  const Occupancy at_largest = occupancy(gpu, request);
  const NsightOccupancy in_force = nsight_occupancy(gpu, request, launch.smem_config_bytes);
  Residency r;
  r.warps_per_block = at_largest.warps_per_block;
  r.blocks_per_sm = in_force.blocks_per_sm;
  r.warps_per_sm = r.blocks_per_sm * r.warps_per_block;
  r.max_warps_per_sm = gpu.limits.max_warps;
  r.limit_warps = in_force.limits.warps;
  r.limit_blocks = in_force.limits.blocks;
  r.limit_registers = in_force.limits.registers;
  r.limit_shared_mem = in_force.limits.shared_mem;
  // Nsight Compute never prints more than the block slots here, however few barriers a block uses.
  r.limit_barriers = std::min(in_force.limits.barriers, in_force.limits.blocks);
  r.limiters = limiters_of(at_largest, in_force.limits, r.blocks_per_sm);
  r.registers_allocated = at_largest.registers_per_thread_allocated;
  r.smem_config_bytes = in_force.smem_config_bytes;
  r.smem_per_block_bytes = at_largest.smem_per_block_bytes;
  for (const NextStep& step : next_steps(gpu, request)) {
    if (r.next_steps.size() < kMostSteps) {
      r.next_steps.push_back(step.text);
    }
  }
  return r;
}

}  // namespace smsim
