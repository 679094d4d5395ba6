// A second implementation of sim/engine/README.md, as plain as possible: every SM, every
// sub-partition and every warp is looked at in every cycle. No windows, no running ahead, no
// wake-up times: in each cycle each resident warp is put into exactly one state.
//
// It shares with the engine what a warp does (warp_flow), what is random, what policies pick, the
// caches, the memory beyond the SMs, and the dispatcher.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/arch/machine.hpp"
#include "smsim/counters.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim::test {

// One instruction issued by one warp.
struct Issue {
  Cycle cycle = 0;
  std::uint32_t sm = 0;
  std::uint32_t sub = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;

  friend bool operator==(const Issue&, const Issue&) = default;
};

// One warp in one cycle.
struct WarpCycle {
  Cycle cycle = 0;
  std::uint32_t sm = 0;
  std::uint8_t sub = 0;
  std::uint8_t slot = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;  // that it waits to issue, or issues
  WarpState state = WarpState::wait;

  friend auto operator<=>(const WarpCycle&, const WarpCycle&) = default;
};

struct OracleRun {
  bool completed = false;     // false: cut at `max_cycles`
  Counters counters;          // all fields, by instruction too
  std::vector<Issue> issues;  // by SM, sub-partition and cycle
};

// `policy`: a name of the engine's list. `max_cycles`: stops there. `log`: gets every warp-cycle.
OracleRun run_oracle(const Machine& machine, const KernelSpec& kernel, const std::string& policy,
                     int smem_pool_bytes, Cycle max_cycles, std::vector<WarpCycle>* log = nullptr);

}  // namespace smsim::test
