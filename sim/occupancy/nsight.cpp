// The limits as Nsight Compute prints them.
#include <algorithm>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

constexpr int kKib = 1024;

int or_block_limit(int limit, const SmLimits& limits) {
  return limit == kUnlimitedBlocks ? limits.max_blocks : limit;
}

// The most threads that a block of this function may have, as cudaFuncGetAttributes reports it.
int max_threads_of_function(const GpuSpec& gpu, const BlockRequest& request) {
  BlockRequest function;
  function.registers = request.registers;
  return max_threads_for_launch(gpu, function);
}

// What Hopper's driver (580.159) was seen to reserve: 180 launches on an H200, of which this gets
// 179.
std::int64_t hopper_wish_bytes(const GpuSpec& gpu, const BlockRequest& request,
                               const Occupancy& resident) {
  const SmLimits& limits = gpu.limits;
  const bool largest_block = request.threads == max_threads_of_function(gpu, request);
  const std::int64_t block = resident.smem_per_block_bytes;
  if (request.smem_static_bytes + request.smem_dynamic_bytes == 0) {
    // Only the driver's own 1 KB per block: registers are left out of account.
    const int blocks = resident.limits.warps * (largest_block ? 2 : 4);
    return std::min(blocks, limits.max_blocks) * block;
  }
  const std::int64_t needed = resident.blocks_per_sm * block;
  if (largest_block) {
    return needed;
  }
  // Room for twice the resident blocks, as long as L1 keeps about half.
  const std::int64_t twice = std::min(2 * resident.blocks_per_sm, limits.max_blocks) * block;
  const std::int64_t half = split_holding(limits, std::int64_t{limits.l1_smem_kb} * kKib / 2);
  return std::max(needed, std::min(twice, half));
}

}  // namespace

int driver_smem_config_bytes(const GpuSpec& gpu, const BlockRequest& request) {
  const Occupancy resident = occupancy(gpu, request);
  // Profiles of 7.5, 8.6 and 8.9 show the smallest split that holds the resident blocks.
  const std::int64_t wish = gpu.compute_capability.major >= 9
                                ? hopper_wish_bytes(gpu, request, resident)
                                : resident.blocks_per_sm * resident.smem_per_block_bytes;
  return static_cast<int>(split_holding(gpu.limits, wish));
}

NsightOccupancy nsight_occupancy(const GpuSpec& gpu, const BlockRequest& request,
                                 std::optional<int> smem_config_bytes) {
  NsightOccupancy result;
  const Occupancy at_largest = occupancy(gpu, request);
  result.smem_config_known = smem_config_bytes.has_value();
  result.smem_config_bytes = smem_config_bytes.value_or(driver_smem_config_bytes(gpu, request));
  result.limits = at_largest.limits;
  if (at_largest.smem_per_block_bytes > 0 && at_largest.limits.shared_mem > 0) {
    result.limits.shared_mem =
        static_cast<int>(result.smem_config_bytes / at_largest.smem_per_block_bytes);
  }
  BlockLimits& shown = result.limits;
  for (int* limit :
       {&shown.registers, &shown.shared_mem, &shown.barriers, &shown.virtual_resources}) {
    *limit = or_block_limit(*limit, gpu.limits);
  }
  result.blocks_per_sm = at_largest.failure ? 0 : smallest(shown);
  return result;
}

}  // namespace smsim
