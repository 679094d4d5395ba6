// Occupancy as taught: four divisions.
#include "sim/occupancy/rules.hpp"
#include "smsim/occupancy.hpp"

namespace smsim {

namespace {

int quotient(std::int64_t room, std::int64_t need) {
  return need <= 0 ? kUnlimitedBlocks : static_cast<int>(room / need);
}

}  // namespace

Occupancy textbook_occupancy(const GpuSpec& gpu, const BlockRequest& request) {
  const SmLimits& limits = gpu.limits;
  Occupancy result;
  if (request.threads < 1 || request.threads > limits.max_threads_per_block) {
    result.limiters = {"threads"};
    return result;
  }
  const int max_threads = limits.max_warps * kWarpThreads;
  const std::int64_t smem = request.smem_static_bytes + request.smem_dynamic_bytes;
  result.limits.warps = quotient(max_threads, request.threads);
  result.limits.blocks = limits.max_blocks;
  result.limits.registers =
      quotient(limits.registers, std::int64_t{request.registers} * request.threads);
  result.limits.shared_mem = quotient(limits.smem_bytes, smem);
  result.blocks_per_sm = smallest(result.limits);
  result.limiters = limiters(result.limits);
  result.warps_per_block = warps_of(request.threads);
  result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
  result.theoretical_pct = 100.0 * result.blocks_per_sm * request.threads / max_threads;
  result.registers_per_thread_allocated = request.registers;
  result.registers_per_block = request.registers * request.threads;
  result.smem_per_block_bytes = smem;
  result.smem_pool_bytes = limits.smem_bytes;
  return result;
}

}  // namespace smsim
