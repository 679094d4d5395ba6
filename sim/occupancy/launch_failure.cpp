// Why a launch is refused: which resource, how much is needed, what the limit is, and what would
// fit.
#include <fmt/format.h>

#include <algorithm>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

std::uint64_t as_count(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, value));
}

std::optional<LaunchFailure> threads_failure(const GpuSpec& gpu, const BlockRequest& request) {
  const int limit = gpu.limits.max_threads_per_block;
  if (request.threads >= 1 && request.threads <= limit) {
    return std::nullopt;
  }
  return LaunchFailure{"threads", as_count(request.threads), as_count(limit),
                       fmt::format("a block of {} threads; a block has 1 to {} on {}",
                                   request.threads, limit, gpu.name),
                       fmt::format("blocks of up to {} threads", limit)};
}

// The file of a kernel says how many registers it was compiled for: fewer need another compilation.
std::string what_fits_registers(const GpuSpec& gpu, const BlockRequest& request) {
  const int registers = max_registers_for(gpu, request, 1);
  const int threads = max_threads_for_launch(gpu, request);
  std::string text;
  if (threads > 0) {
    text = fmt::format("{} threads with {} registers", threads, request.registers);
  }
  if (registers > 0) {
    text += fmt::format("{}{} registers with {} threads", text.empty() ? "" : ", or ", registers,
                        request.threads);
  }
  return text;
}

std::optional<LaunchFailure> registers_failure(const GpuSpec& gpu, const BlockRequest& request) {
  const SmLimits& limits = gpu.limits;
  if (request.registers > limits.max_registers_per_thread) {
    return LaunchFailure{"registers", as_count(request.registers),
                         as_count(limits.max_registers_per_thread),
                         fmt::format("{} registers per thread; a thread has at most {}",
                                     request.registers, limits.max_registers_per_thread),
                         what_fits_registers(gpu, request)};
  }
  const HeaderOccupancy header =
      header_occupancy(limits, gpu.compute_capability, gpu.topology.sub_partitions, request);
  if (header.limits.registers > 0) {
    return std::nullopt;
  }
  const int warps = warps_of(request.threads);
  const int parts = limits.warp_allocation_granularity;
  const int rounded = (warps + parts - 1) / parts * parts;
  const int per_warp = header.registers_per_block / warps;
  return LaunchFailure{
      "registers", as_count(std::int64_t{per_warp} * rounded), as_count(limits.registers_per_block),
      fmt::format("{} registers for each of {} warps (the block's {} rounded up to {} "
                  "sub-partitions) are {}; a block has {}",
                  per_warp, rounded, warps, parts, std::int64_t{per_warp} * rounded,
                  limits.registers_per_block),
      what_fits_registers(gpu, request)};
}

LaunchFailure smem_failure(const GpuSpec& gpu, const BlockRequest& request, std::int64_t limit,
                           const std::string& which) {
  const std::int64_t need = request.smem_static_bytes + request.smem_dynamic_bytes;
  const std::int64_t room = limit - request.smem_static_bytes;
  std::string fits = room >= 0 ? fmt::format("up to {} B dynamic beside {} B static", room,
                                             request.smem_static_bytes)
                               : fmt::format("up to {} B in all", limit);
  if (!request.smem_optin && need <= gpu.limits.smem_per_block_optin_bytes) {
    fits += fmt::format(
        ", or {} B with the opt-in (cudaFuncAttributeMaxDynamicSharedMemorySize), up to {} B", need,
        gpu.limits.smem_per_block_optin_bytes);
  }
  return {"shared_mem", as_count(need), as_count(limit),
          fmt::format("{} B static and {} B dynamic shared memory are {} B; a block has {} B {}",
                      request.smem_static_bytes, request.smem_dynamic_bytes, need, limit, which),
          fits};
}

std::optional<LaunchFailure> shared_memory_failure(const GpuSpec& gpu,
                                                   const BlockRequest& request) {
  const SmLimits& limits = gpu.limits;
  const HeaderOccupancy header =
      header_occupancy(limits, gpu.compute_capability, gpu.topology.sub_partitions, request);
  if (header.limits.shared_mem > 0) {
    return std::nullopt;
  }
  if (request.smem_optin && request.smem_dynamic_max_bytes &&
      request.smem_dynamic_bytes > *request.smem_dynamic_max_bytes) {
    return LaunchFailure{
        "shared_mem", as_count(request.smem_dynamic_bytes),
        as_count(*request.smem_dynamic_max_bytes),
        fmt::format("{} B dynamic shared memory; the function's attribute allows {} B",
                    request.smem_dynamic_bytes, *request.smem_dynamic_max_bytes),
        "a larger cudaFuncAttributeMaxDynamicSharedMemorySize"};
  }
  return request.smem_optin
             ? smem_failure(gpu, request, limits.smem_per_block_optin_bytes, "with the opt-in")
             : smem_failure(gpu, request, limits.smem_per_block_default_bytes, "by default");
}

// The split in force must hold one block, with what the system reserves in it.
std::optional<LaunchFailure> split_failure(const GpuSpec& gpu, const LaunchSpec& launch) {
  const std::int64_t block = occupancy(gpu, block_request(launch)).smem_per_block_bytes;
  if (!launch.smem_config_bytes || block <= *launch.smem_config_bytes) {
    return std::nullopt;
  }
  return LaunchFailure{
      "shared_mem", as_count(block), as_count(*launch.smem_config_bytes),
      fmt::format("a block takes {} B of shared memory; the split in force gives it {} B", block,
                  *launch.smem_config_bytes),
      fmt::format("a split (smem_config) of at least {} B", block)};
}

std::optional<LaunchFailure> barriers_failure(const GpuSpec& gpu, const BlockRequest& request) {
  const int limit = gpu.limits.named_barriers_per_block;
  if (request.barriers <= limit) {
    return std::nullopt;
  }
  return LaunchFailure{"barriers", as_count(request.barriers), as_count(limit),
                       fmt::format("{} named barriers; a block has {}", request.barriers, limit),
                       fmt::format("up to {} named barriers", limit)};
}

std::optional<LaunchFailure> cluster_failure(const GpuSpec& gpu, const BlockRequest& request) {
  const int limit = std::max(1, gpu.limits.max_cluster);
  if (request.cluster < 1 || request.cluster > limit) {
    return LaunchFailure{
        "cluster", as_count(request.cluster), as_count(limit),
        limit == 1 ? fmt::format("a cluster of {} blocks; {} (compute capability {}.{}) has no "
                                 "clusters",
                                 request.cluster, gpu.name, gpu.compute_capability.major,
                                 gpu.compute_capability.minor)
                   : fmt::format("a cluster of {} blocks; a cluster has 1 to {}, {} of them "
                                 "portably",
                                 request.cluster, limit, gpu.limits.max_cluster_portable),
        limit == 1 ? "a launch without clusters" : fmt::format("clusters of up to {}", limit)};
  }
  return std::nullopt;
}

std::optional<LaunchFailure> cluster_room_failure(const GpuSpec& gpu, const BlockRequest& request) {
  if (request.cluster == 1 || gpu.topology.sms == 0 ||
      cluster_occupancy(gpu, request).clusters > 0) {
    return std::nullopt;
  }
  const auto& gpcs = gpu.topology.sms_per_gpc;
  const int largest = gpcs.empty() ? gpu.topology.sms : *std::max_element(gpcs.begin(), gpcs.end());
  return LaunchFailure{
      "cluster", as_count(request.cluster), as_count(largest),
      fmt::format("a cluster of {} blocks; no GPC holds that many at once", request.cluster),
      "smaller clusters, or smaller blocks"};
}

}  // namespace

std::optional<LaunchFailure> block_failure(const GpuSpec& gpu, const BlockRequest& request) {
  if (auto failure = threads_failure(gpu, request)) {
    return failure;
  }
  if (auto failure = registers_failure(gpu, request)) {
    return failure;
  }
  if (auto failure = shared_memory_failure(gpu, request)) {
    return failure;
  }
  if (auto failure = barriers_failure(gpu, request)) {
    return failure;
  }
  return cluster_failure(gpu, request);
}

std::optional<LaunchFailure> launch_failure(const GpuSpec& gpu, const LaunchSpec& launch) {
  const BlockRequest request = block_request(launch);
  if (auto failure = block_failure(gpu, request)) {
    return failure;
  }
  if (auto failure = split_failure(gpu, launch)) {
    return failure;
  }
  if (auto failure = cluster_room_failure(gpu, request)) {
    return failure;
  }
  const std::uint64_t grid = launch.grid.count();
  if (launch.cluster > 1 && launch.grid.x % static_cast<std::uint64_t>(launch.cluster) != 0) {
    return LaunchFailure{
        "cluster", launch.grid.x, as_count(launch.cluster),
        fmt::format("a grid of {} blocks in x; clusters of {} need a multiple", launch.grid.x,
                    launch.cluster),
        fmt::format("a grid of {} blocks in x",
                    launch.grid.x / as_count(launch.cluster) * as_count(launch.cluster))};
  }
  if (launch.cooperative && gpu.topology.sms > 0) {
    const std::uint64_t limit = cooperative_limit(gpu, request);
    if (grid > limit) {
      return LaunchFailure{
          "cooperative", grid, limit,
          fmt::format("a cooperative grid of {} blocks; all must be resident at once, and {} are "
                      "({} per SM)",
                      grid, limit, resident_blocks(gpu, request)),
          fmt::format("a cooperative grid of up to {} blocks", limit)};
    }
  }
  return std::nullopt;
}

}  // namespace smsim
