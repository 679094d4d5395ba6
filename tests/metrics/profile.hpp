// Counters that agree with a profile of saxpy on an H200 (262,144 blocks of 256 threads), as far as
// the profile tells: sums as counted there, warp-cycles from its ratios.
#pragma once

#include "tests/metrics/hand_made.hpp"

namespace smsim::test {

inline KernelSpec saxpy_launch() {
  KernelSpec kernel;
  kernel.name = "saxpy";
  kernel.launch.grid.x = 262144;
  kernel.launch.block.x = 256;
  kernel.launch.registers = 16;
  kernel.launch.smem_config_bytes = 32768;
  return kernel;
}

/// Spreads a sum over SMs or schedulers so that the parts add up exactly.
inline std::uint64_t part_of(std::uint64_t sum, std::uint64_t index, std::uint64_t parts) {
  return sum / parts + (index < sum % parts ? 1 : 0);
}

struct StateSum {
  WarpState state;
  double ratio;  // warp-cycles per issue, as the profile prints it
};

// Nsight measures in several passes, which do not quite agree: its ratios add up to 70.0, its
// latency is 70.42. The difference is put where the profile is coarsest.
inline constexpr StateSum kProfileStates[] = {{WarpState::selected, 1.00},
                                              {WarpState::not_selected, 0.23},
                                              {WarpState::short_scoreboard, 3.57},
                                              {WarpState::wait, 3.19},
                                              {WarpState::drain, 1.15},
                                              {WarpState::branch_resolving, 0.42},
                                              {WarpState::no_instruction, 0.38},
                                              {WarpState::mio_throttle, 0.33},
                                              {WarpState::dispatch_stall, 0.20},
                                              {WarpState::long_scoreboard, 59.95}};

inline SimulationResult saxpy_profile() {
  constexpr std::uint64_t kSms = 132;
  constexpr std::uint64_t kSchedulers = 4 * kSms;
  constexpr std::uint64_t kIssued = 39850165;
  SimulationResult run;
  run.scheduler = "cggty";
  Counters& c = run.counters;
  c.elapsed_cycles = 457888;
  c.first_block_start = 3000;
  c.last_block_end = 455000;
  c.blocks_done = 262144;
  c.sm.resize(kSms);
  for (std::uint64_t s = 0; s < kSms; ++s) {
    SmCounters& sm = c.sm[s];
    sm.active_cycles = part_of(59489386, s, kSms);
    sm.blocks = part_of(262144, s, kSms);
    sm.last_block_end = 455000 - s;
    sm.thread_instructions = part_of(kIssued, s, kSms) * 32;
    sm.l1_load_sectors = part_of(16777216, s, kSms);
    sm.l1_store_sectors = part_of(8392480, s, kSms);
    sm.l1_store_hit_sectors = part_of(8268604, s, kSms);
    for (std::uint64_t i = 0; i < 4; ++i) {
      SubPartitionCounters& sub = sm.sub[i];
      sub.active_cycles = part_of(238229050, 4 * s + i, kSchedulers);
      sub.issued = part_of(kIssued, 4 * s + i, kSchedulers);
      for (const StateSum& state : kProfileStates) {
        const std::uint64_t cycles =
            state.state == WarpState::selected
                ? sub.issued
                : static_cast<std::uint64_t>(state.ratio * static_cast<double>(sub.issued));
        book(sub, state.state, cycles);
      }
    }
  }
  c.memory.l2_read_sectors = 16777216;
  c.memory.l2_write_sectors = 8388608;
  c.memory.l2_write_hit_sectors = 8388608;
  c.memory.dram_read_bytes = 536900864;
  c.memory.dram_write_bytes = 249981696;
  c.memory.load_requests = 4194304;
  c.memory.load_latency_cycles = 4194304ULL * 900;
  return run;
}

}  // namespace smsim::test
