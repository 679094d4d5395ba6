#include "sim/metrics/residency.hpp"

#include <algorithm>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostSteps = 3;

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
  // The split in force may bind where the largest one would not.
  r.limiters = at_largest.failure ? at_largest.limiters : limiters(in_force.limits);
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
