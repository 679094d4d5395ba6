// Inverse questions: given the number of blocks or warps, which figures allow it?
#include <algorithm>

#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

int resident_warps(const GpuSpec& gpu, const BlockRequest& request) {
  return resident_blocks(gpu, request) * warps_of(request.threads);
}

// The largest value in [low, high] for which `fits` holds, which must hold for all smaller ones
// too; low - 1 when none.
template <class Fits>
std::int64_t largest(std::int64_t low, std::int64_t high, Fits fits) {
  while (low <= high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (fits(middle)) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return high;
}

}  // namespace

int max_registers_for(const GpuSpec& gpu, BlockRequest request, int blocks) {
  return static_cast<int>(
      largest(1, gpu.limits.max_registers_per_thread, [&](std::int64_t registers) {
        request.registers = static_cast<int>(registers);
        return resident_blocks(gpu, request) >= blocks;
      }));
}

std::int64_t max_dynamic_smem_for(const GpuSpec& gpu, BlockRequest request, int blocks) {
  return largest(0, gpu.limits.smem_per_block_optin_bytes, [&](std::int64_t bytes) {
    request.smem_dynamic_bytes = bytes;
    return resident_blocks(gpu, request) >= blocks;
  });
}

int max_threads_for_launch(const GpuSpec& gpu, BlockRequest request) {
  const std::int64_t warps =
      largest(1, gpu.limits.max_threads_per_block / kWarpThreads, [&](std::int64_t count) {
        request.threads = static_cast<int>(count) * kWarpThreads;
        return resident_blocks(gpu, request) >= 1;
      });
  return static_cast<int>(warps) * kWarpThreads;
}

std::vector<int> best_block_sizes(const GpuSpec& gpu, const BlockRequest& request) {
  BlockRequest tried = request;
  std::vector<int> best;
  int most = 1;  // a size with no resident warp is none
  for (int threads = kWarpThreads; threads <= gpu.limits.max_threads_per_block;
       threads += kWarpThreads) {
    tried.threads = threads;
    const int warps = resident_warps(gpu, tried);
    if (warps > most) {
      most = warps;
      best.clear();
    }
    if (warps == most) {
      best.push_back(threads);
    }
  }
  return best;
}

// As the header does: down from the largest size, a strictly better thread count wins, and a full
// SM ends the search.
SuggestedLaunch suggested_launch(const GpuSpec& gpu, const BlockRequest& request) {
  BlockRequest tried = request;
  SuggestedLaunch best;
  int most = 0;
  for (int threads = gpu.limits.max_threads_per_block; threads > 0; threads -= kWarpThreads) {
    tried.threads = threads;
    const int blocks = resident_blocks(gpu, tried);
    if (blocks * threads > most) {
      most = blocks * threads;
      best.threads = threads;
      best.min_grid = static_cast<std::uint64_t>(blocks) *
                      static_cast<std::uint64_t>(std::max(1, gpu.topology.sms));
    }
    if (most == gpu.limits.max_warps * kWarpThreads) {
      break;
    }
  }
  return best;
}

std::int64_t available_dynamic_smem_bytes(const GpuSpec& gpu, const BlockRequest& request,
                                          int blocks) {
  const SmLimits& limits = gpu.limits;
  const std::int64_t share = blocks > 0 ? limits.smem_bytes / blocks : 0;
  const std::int64_t rounded =
      share / limits.smem_allocation_unit_bytes * limits.smem_allocation_unit_bytes;
  const std::int64_t ceiling =
      request.smem_optin ? limits.smem_per_block_optin_bytes : limits.smem_per_block_default_bytes;
  const std::int64_t room = std::min(rounded, ceiling) - request.smem_static_bytes;
  return std::max<std::int64_t>(0, room);
}

RegisterPool register_pool(int threads, int registers_at_launch,
                           const std::vector<RegisterGroup>& groups) {
  RegisterPool result;
  result.pool = threads * registers_at_launch;
  for (const RegisterGroup& group : groups) {
    result.used += group.threads * group.registers;
  }
  result.fits = result.used <= result.pool;
  return result;
}

}  // namespace smsim
