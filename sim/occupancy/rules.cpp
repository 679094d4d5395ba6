// NVIDIA's header, rule by rule. Names of its inputs are kept recognisable; nothing is simplified.
#include <algorithm>
#include <cstdint>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

constexpr std::int64_t kKib = 1024;
// The ISA has 255 registers, but the header accepts 256.
constexpr int kHeaderMaxRegisters = 256;

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Registers are handed out per warp, and a warp's come from its own sub-partition: the rounding
// loss is one per sub-partition. The block as a whole must also fit, once counted in whole warps
// and once with the warps rounded up to all sub-partitions.
int register_limit(const SmLimits& limits, int sub_partitions, const BlockRequest& request) {
  const std::int64_t per_warp =
      round_up(std::int64_t{request.registers} * kWarpThreads, limits.register_allocation_unit);
  const std::int64_t warps = warps_of(request.threads);
  const std::int64_t rounded_warps = round_up(warps, limits.warp_allocation_granularity);
  if (per_warp * rounded_warps > limits.registers_per_block ||
      per_warp * warps > limits.registers_per_block || request.registers > kHeaderMaxRegisters) {
    return 0;
  }
  if (per_warp == 0) {
    return kUnlimitedBlocks;
  }
  const std::int64_t warps_per_part = limits.registers / sub_partitions / per_warp;
  return static_cast<int>(warps_per_part * sub_partitions / warps);
}

// The split that the kernel's preference asks for.
std::int64_t preferred_split(const SmLimits& limits, const BlockRequest& request) {
  int percent = request.carveout_pct;
  if (percent < 0) {
    switch (request.cache) {
      case CachePreference::none:
        return limits.smem_bytes;
      case CachePreference::l1:
        percent = 0;
        break;
      case CachePreference::shared:
        percent = 100;
        break;
      case CachePreference::equal:
        percent = 50;
        break;
    }
  }
  return split_holding(limits, std::int64_t{percent} * limits.smem_bytes / 100);
}

struct SharedMemory {
  int limit = 0;
  std::int64_t allocated_bytes = 0;
  std::int64_t pool_bytes = 0;
};

SharedMemory shared_memory_limit(const SmLimits& limits, int major, const BlockRequest& request) {
  SharedMemory result;
  const std::int64_t reserved = limits.smem_reserved_per_block_bytes;
  const std::int64_t fixed = request.smem_static_bytes + reserved;
  const std::int64_t dynamic_max = request.smem_dynamic_max_bytes.value_or(
      std::max<std::int64_t>(0, limits.smem_per_block_optin_bytes - request.smem_static_bytes));
  result.allocated_bytes =
      round_up(fixed + request.smem_dynamic_bytes, limits.smem_allocation_unit_bytes);

  std::int64_t ceiling = limits.smem_per_block_default_bytes;
  if (request.smem_optin && fixed + dynamic_max > limits.smem_per_block_default_bytes) {
    ceiling = limits.smem_per_block_optin_bytes;
  }
  if (major >= 8) {
    ceiling += reserved;
  }
  result.pool_bytes = preferred_split(limits, request);
  if (result.allocated_bytes > ceiling ||
      (request.smem_optin && request.smem_dynamic_bytes > dynamic_max)) {
    return result;
  }
  if (result.pool_bytes < result.allocated_bytes) {
    result.pool_bytes = split_holding(limits, result.allocated_bytes);
  }
  result.limit = result.allocated_bytes == 0
                     ? kUnlimitedBlocks
                     : static_cast<int>(result.pool_bytes / result.allocated_bytes);
  return result;
}

void add_factor(HeaderOccupancy& result, int limit, unsigned factor) {
  if (limit == result.blocks) {
    result.limiting_factors |= factor;
  }
}

}  // namespace

std::int64_t split_holding(const SmLimits& limits, std::int64_t bytes) {
  for (const int split : limits.smem_splits_kb) {
    if (split * kKib >= bytes) {
      return split * kKib;
    }
  }
  return limits.smem_bytes;
}

HeaderOccupancy header_occupancy(const SmLimits& limits, ComputeCapability compute_capability,
                                 int sub_partitions, const BlockRequest& request) {
  HeaderOccupancy result;
  if (request.threads <= 0 || request.carveout_pct < -1 || request.carveout_pct > 100) {
    result.valid = false;
    return result;
  }
  const int warps = warps_of(request.threads);
  const SharedMemory smem = shared_memory_limit(limits, compute_capability.major, request);
  BlockLimits& block = result.limits;
  block.warps = request.threads > limits.max_threads_per_block ? 0 : limits.max_warps / warps;
  block.blocks = limits.max_blocks;
  block.registers = register_limit(limits, sub_partitions, request);
  block.shared_mem = smem.limit;
  if (limits.virtual_resources > 0 && request.virtual_resources > 0) {
    block.virtual_resources = limits.virtual_resources / request.virtual_resources;
  }
  result.blocks = std::min(
      {block.warps, block.blocks, block.registers, block.shared_mem, block.virtual_resources});
  add_factor(result, block.warps, HeaderOccupancy::kWarps);
  add_factor(result, block.blocks, HeaderOccupancy::kBlocks);
  add_factor(result, block.registers, HeaderOccupancy::kRegisters);
  add_factor(result, block.shared_mem, HeaderOccupancy::kSharedMemory);
  add_factor(result, block.virtual_resources, HeaderOccupancy::kVirtualResources);
  // Barriers come last, and leave the factors found so far as they are.
  if (limits.barriers > 0 && request.barriers > 0) {
    block.barriers = limits.barriers / request.barriers;
    result.blocks = std::min(result.blocks, block.barriers);
    add_factor(result, block.barriers, HeaderOccupancy::kBarriers);
  }
  const std::int64_t per_warp =
      round_up(std::int64_t{request.registers} * kWarpThreads, limits.register_allocation_unit);
  result.registers_per_block =
      static_cast<int>(std::min<std::int64_t>(warps * per_warp, kUnlimitedBlocks));
  result.smem_per_block_bytes = smem.allocated_bytes;
  result.smem_pool_bytes = smem.pool_bytes;
  return result;
}

}  // namespace smsim
