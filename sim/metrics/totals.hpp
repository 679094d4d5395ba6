// Sums of the counters over the GPU: what most metrics start from.
#pragma once

#include "smsim/counters.hpp"

namespace smsim {

struct Totals {
  std::uint64_t sms = 0;
  std::uint64_t schedulers = 0;
  std::uint64_t blocks = 0;

  std::uint64_t sm_active = 0;  // SM cycles with a resident block
  std::uint64_t sm_active_max = 0;
  std::uint64_t sm_active_min = 0;
  std::uint64_t sm_blocks_max = 0;
  std::uint64_t sm_blocks_min = 0;
  std::uint64_t last_block_end_min = 0;  // over SMs that had a block
  std::uint64_t scheduler_active = 0;    // scheduler cycles with a resident warp

  std::uint64_t issued = 0;
  std::uint64_t issued_max = 0;  // busiest scheduler
  std::uint64_t thread_instructions = 0;
  std::uint64_t warps_active = 0;  // warp-cycles
  std::array<std::uint64_t, kWarpStates> state{};

  std::array<std::uint64_t, 16> pipe_busy{};      // by Pipe, all schedulers
  std::array<std::uint64_t, 16> pipe_busy_max{};  // the scheduler with the most
  double fma_busy_max = 0;                        // both halves of the FMA pipe together
  double fma_heavy_busy_max = 0;

  std::uint64_t l1_load_sectors = 0;
  std::uint64_t l1_load_hit_sectors = 0;
  std::uint64_t l1_miss_sectors_max = 0;  // the SM with the most
  std::uint64_t l1_store_sectors = 0;
  std::uint64_t l1_store_sectors_max = 0;
  std::uint64_t l1_store_hit_sectors = 0;
  std::uint64_t lsu_port_busy = 0;
  std::uint64_t lsu_port_busy_max = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_wavefronts_ideal = 0;

  [[nodiscard]] std::uint64_t in_state(WarpState s) const {
    return state[static_cast<std::size_t>(s)];
  }
};

/// Cycles that the instructions of one scheduler keep the FMA pipe busy. Either half takes work of
/// the whole pipe; the heavy half alone and both at once take theirs.
double fma_busy(const std::array<std::uint64_t, 16>& pipe_busy);
double fma_heavy_busy(const std::array<std::uint64_t, 16>& pipe_busy);

Totals add_up(const Counters& counters);

}  // namespace smsim
