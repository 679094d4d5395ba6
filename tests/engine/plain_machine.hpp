// One SM without surprises: everything starts at once, instructions are there, caches and queues
// have round figures. Tests change what they are about.
#pragma once

#include "smsim/gpu_spec.hpp"
#include "tests/engine/compare.hpp"
#include "tests/engine/program_builder.hpp"

namespace smsim::test {

inline GpuSpec plain_machine() {
  GpuSpec gpu;
  gpu.name = "plain";
  gpu.compute_capability = {9, 0};
  gpu.topology.sms = 1;
  gpu.clocks.sm_mhz = 1000;
  gpu.limits.max_warps = 64;
  gpu.limits.max_blocks = 32;
  gpu.limits.barriers = 64;
  gpu.front_end.instruction_cache = false;
  gpu.shared_memory.load_latency_cycles = 23;
  gpu.l1.hit_latency_cycles = 32;
  gpu.l2.size_bytes = 1 << 20;
  gpu.l2.slices = 4;
  gpu.l2.hit_latency_cycles = 200;
  gpu.l2.request_latency_cycles = 60;
  gpu.dram.bandwidth_gbps = 1000;
  gpu.dram.channels = 4;
  gpu.dispatch.gpu_interval_cycles = 0;
  gpu.dispatch.sm_interval_cycles = 0;
  gpu.dispatch.warp_interval_cycles = 0;
  gpu.dispatch.replacement_cycles = 1;
  return gpu;
}

// Blocks start in cycle 1, so that their warps first issue in cycle 2.
inline EngineRun run_plain(const GpuSpec& gpu, const KernelSpec& kernel, Cycle max_cycles = 0) {
  SimulateOptions options;
  options.scheduler = "gto";
  options.max_cycles = max_cycles;
  return run_engine({gpu, kernel, 65536}, options);
}

// Cycles in which `pc` issues, by sub-partition.
inline std::vector<Cycle> cycles_of(const EngineRun& run, std::uint32_t pc) {
  std::vector<Cycle> cycles;
  for (const Issue& issue : run.issues) {
    if (issue.pc == pc) cycles.push_back(issue.cycle);
  }
  return cycles;
}

}  // namespace smsim::test
