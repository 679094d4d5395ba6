// What one simulation counts. Metrics (smsim/result.hpp) are computed from these numbers alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace smsim {

// Why a resident warp does not issue, in Nsight Compute's terms. Every resident warp is in exactly
// one of these states in every cycle.
enum class WarpState : std::uint8_t {
  barrier,
  branch_resolving,
  dispatch_stall,
  drain,
  gmma,
  imc_miss,
  lg_throttle,
  long_scoreboard,
  math_pipe_throttle,
  membar,
  mio_throttle,
  misc,
  no_instruction,
  not_selected,
  selected,
  short_scoreboard,
  sleeping,
  tex_throttle,
  wait,
  count
};

inline constexpr std::size_t kWarpStates = static_cast<std::size_t>(WarpState::count);
extern const std::array<const char*, kWarpStates>
    kWarpStateNames;  // "barrier", "branch_resolving", ...

struct SubPartitionCounters {
  std::uint64_t active_cycles = 0;  // cycles with at least one resident warp
  std::uint64_t warps_active = 0;   // warp-cycles of residency = sum over `state`
  std::uint64_t issued = 0;
  std::array<std::uint64_t, kWarpStates> state{};  // warp-cycles by state
  std::array<std::uint64_t, 16>
      pipe_busy_cycles{};  // by Pipe: cycles in which the pipe worked (issue intervals)
};

struct SmCounters {
  std::uint64_t active_cycles = 0;  // cycles with at least one resident block
  std::uint64_t blocks = 0;
  std::uint64_t last_block_end = 0;
  std::array<SubPartitionCounters, 4> sub;
  std::uint64_t thread_instructions = 0;
  std::uint64_t l1_load_sectors = 0;  // global and local loads
  std::uint64_t l1_load_hit_sectors = 0;
  std::uint64_t l1_store_sectors =
      0;  // counted as hits where the line was loaded before, as Nsight does
  std::uint64_t l1_store_hit_sectors = 0;
  std::uint64_t lsu_port_busy_cycles = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_wavefronts_ideal = 0;
};

struct MemoryCounters {
  std::uint64_t l2_read_sectors = 0;
  std::uint64_t l2_read_hit_sectors = 0;
  std::uint64_t l2_write_sectors = 0;
  std::uint64_t l2_write_hit_sectors = 0;
  std::uint64_t l2_atomic_operations = 0;
  std::uint64_t dram_read_bytes = 0;
  std::uint64_t dram_write_bytes = 0;
  std::uint64_t load_requests = 0;        // L1 misses sent to L2
  std::uint64_t load_latency_cycles = 0;  // summed over them, SM to SM
  std::uint64_t queue_pops = 0;
  std::uint64_t queue_wait_cycles = 0;  // pops waiting for earlier ones on the same counter
};

// Issues and waits by instruction (summed over the GPU).
struct InstructionCounters {
  std::uint64_t issued = 0;
  std::array<std::uint64_t, kWarpStates>
      state{};  // warp-cycles spent before issuing this instruction
};

struct Counters {
  std::uint64_t elapsed_cycles = 0;  // launch to completion
  std::uint64_t first_block_start = 0;
  std::uint64_t last_block_end = 0;
  std::uint64_t blocks_done = 0;
  std::vector<SmCounters> sm;
  MemoryCounters memory;
  std::vector<InstructionCounters> instruction;  // by pc
};

}  // namespace smsim
