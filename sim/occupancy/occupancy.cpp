#include "smsim/occupancy.hpp"

#include <algorithm>

#include "sim/occupancy/rules.hpp"

namespace smsim {

namespace {

UnusedResources unused_with(const GpuSpec& gpu, const Occupancy& result) {
  const std::int64_t blocks = result.blocks_per_sm;
  UnusedResources unused;
  unused.warps = gpu.limits.max_warps - result.warps_per_sm;
  unused.blocks = gpu.limits.max_blocks - result.blocks_per_sm;
  unused.registers = gpu.limits.registers - static_cast<int>(blocks * result.registers_per_block);
  unused.smem_bytes = result.smem_pool_bytes - blocks * result.smem_per_block_bytes;
  return unused;
}

}  // namespace

// The rules speak of what the header accepts; people write kernels for the ISA's 255 registers.
HeaderOccupancy rules_for(const GpuSpec& gpu, const BlockRequest& request) {
  HeaderOccupancy header =
      header_occupancy(gpu.limits, gpu.compute_capability, gpu.topology.sub_partitions, request);
  if (request.registers > gpu.limits.max_registers_per_thread) {
    header.limits.registers = 0;
  }
  return header;
}

int resident_blocks(const GpuSpec& gpu, const BlockRequest& request) {
  const HeaderOccupancy header = rules_for(gpu, request);
  const bool possible = header.valid && request.cluster >= 1 &&
                        request.cluster <= std::max(1, gpu.limits.max_cluster) &&
                        request.barriers <= gpu.limits.named_barriers_per_block;
  return possible ? smallest(header.limits) : 0;
}

int smallest(const BlockLimits& limits) {
  int least = kUnlimitedBlocks;
  for (const NamedLimit& limit : named_limits(limits)) {
    least = std::min(least, limit.blocks);
  }
  return least;
}

std::vector<std::string> limiters(const BlockLimits& limits) {
  const int least = smallest(limits);
  std::vector<std::string> names;
  for (const NamedLimit& limit : named_limits(limits)) {
    if (limit.blocks == least) {
      names.emplace_back(limit.name);
    }
  }
  return names;
}

Occupancy occupancy(const GpuSpec& gpu, const BlockRequest& request) {
  Occupancy result;
  result.failure = block_failure(gpu, request);
  const HeaderOccupancy header = rules_for(gpu, request);
  if (!header.valid) {
    result.limiters = {"warps"};  // a block of no threads
    return result;
  }
  result.limits = header.limits;
  result.blocks_per_sm = resident_blocks(gpu, request);
  result.warps_per_block = warps_of(request.threads);
  result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
  result.theoretical_pct = 100.0 * result.warps_per_sm / gpu.limits.max_warps;
  const bool fits_by_rules = smallest(header.limits) > 0;
  result.limiters = result.failure && fits_by_rules
                        ? std::vector<std::string>{result.failure->resource}
                        : limiters(header.limits);
  result.registers_per_block = header.registers_per_block;
  result.registers_per_thread_allocated =
      header.registers_per_block / result.warps_per_block / kWarpThreads;
  result.smem_per_block_bytes = header.smem_per_block_bytes;
  result.smem_pool_bytes = header.smem_pool_bytes;
  result.unused = unused_with(gpu, result);
  return result;
}

BlockRequest block_request(const LaunchSpec& launch) {
  BlockRequest request;
  // Past any limit already; keeps the product of three extents from overflowing an int.
  constexpr std::uint64_t kTooMany = 1U << 20;
  request.threads = static_cast<int>(std::min<std::uint64_t>(launch.block.count(), kTooMany));
  request.registers = launch.registers;
  request.smem_static_bytes = launch.smem_static_bytes;
  request.smem_dynamic_bytes = launch.smem_dynamic_bytes;
  request.barriers = std::max(1, launch.barriers);
  request.cluster = launch.cluster;
  return request;
}

}  // namespace smsim
