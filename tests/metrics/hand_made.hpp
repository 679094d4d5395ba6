// Inputs made by hand: a small GPU, a launch, counters.
#pragma once

#include "smsim/result.hpp"

namespace smsim::test {

/// The parts of an H200 that metrics and bounds look at.
inline GpuSpec h200() {
  GpuSpec gpu;
  gpu.name = "h200";
  gpu.title = "NVIDIA H200 SXM 141 GB";
  gpu.compute_capability = {9, 0};
  gpu.topology.sms = 132;
  gpu.clocks.sm_mhz = 1977.747;
  gpu.limits.max_warps = 64;
  gpu.limits.max_blocks = 32;
  gpu.limits.smem_bytes = 233472;
  gpu.limits.smem_per_block_optin_bytes = 232448;
  gpu.limits.smem_reserved_per_block_bytes = 1024;
  gpu.limits.smem_splits_kb = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  gpu.limits.l1_smem_kb = 256;
  gpu.limits.barriers = 64;
  gpu.limits.max_cluster_portable = 8;
  gpu.l1.hit_latency_cycles = 32;
  gpu.l2.slices = 96;
  gpu.l2.slice_bytes_per_cycle = 64;
  gpu.l2.hit_latency_cycles = 265;
  gpu.dram.bandwidth_gbps = 4812;
  gpu.dram.latency_cycles = 345;
  gpu.dram.channels = 48;
  gpu.shared_memory.load_latency_cycles = 29;
  gpu.dispatch.gpu_interval_cycles = 0.25;  // fast enough for runs whose blocks start at once
  return gpu;
}

inline Instruction instruction(Pipe pipe, int stall, int interval = 1) {
  Instruction i;
  i.pipe = pipe;
  i.stall_cycles = static_cast<std::uint8_t>(stall);
  i.issue_interval_cycles = static_cast<std::uint8_t>(interval);
  return i;
}

inline void add(Program& program, const char* text, const Instruction& code) {
  program.code.push_back(code);
  program.text.emplace_back(text);
  program.source_line.push_back(static_cast<std::uint32_t>(program.code.size()));
}

/// A chain of dependent FFMAs and an EXIT, in blocks of four warps.
inline KernelSpec chain_kernel(int length, std::uint64_t blocks) {
  KernelSpec kernel;
  kernel.name = "chain";
  kernel.launch.grid.x = blocks;
  kernel.launch.block.x = 128;
  for (int i = 0; i < length; ++i) {
    add(kernel.program, "FFMA R0, R0, R1, R2 ;", instruction(Pipe::fma, 4));
  }
  Instruction exit = instruction(Pipe::branch, 1);
  exit.action = Action::exit;
  exit.flow = Flow::exit;
  add(kernel.program, "EXIT ;", exit);
  return kernel;
}

inline void book(SubPartitionCounters& sub, WarpState state, std::uint64_t cycles) {
  sub.state[static_cast<std::size_t>(state)] += cycles;
  sub.warps_active += cycles;
}

/// What a machine without contention would count for chain_kernel(length): one warp per scheduler.
inline SimulationResult chain_run(const GpuSpec& gpu, const KernelSpec& kernel) {
  const std::uint64_t length = kernel.program.code.size() - 1;
  SimulationResult run;
  run.scheduler = "cggty";
  Counters& c = run.counters;
  c.first_block_start = 500;
  c.last_block_end = c.first_block_start + 4 * length + 5;
  c.elapsed_cycles = c.last_block_end + 200;
  c.blocks_done = kernel.launch.grid.count();
  c.sm.resize(static_cast<std::size_t>(gpu.topology.sms));
  c.instruction.resize(kernel.program.code.size());
  for (SmCounters& sm : c.sm) {
    sm.blocks = 1;
    sm.active_cycles = 4 * length + 5;
    sm.last_block_end = c.last_block_end;
    sm.thread_instructions = 32 * 4 * (length + 1);
    for (SubPartitionCounters& sub : sm.sub) {
      sub.active_cycles = sm.active_cycles;
      sub.issued = length + 1;
      book(sub, WarpState::selected, length + 1);
      book(sub, WarpState::wait, 3 * length);
      book(sub, WarpState::branch_resolving, 4);
      sub.pipe_busy_cycles[static_cast<std::size_t>(Pipe::fma)] = length;
    }
  }
  for (InstructionCounters& i : c.instruction) {
    i.issued = 4 * static_cast<std::uint64_t>(gpu.topology.sms);
    i.state[static_cast<std::size_t>(WarpState::selected)] = i.issued;
    i.state[static_cast<std::size_t>(WarpState::wait)] = 3 * i.issued;
  }
  return run;
}

}  // namespace smsim::test
