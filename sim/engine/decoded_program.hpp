// The program in the form that the hot loop reads: small integers, no strings.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/arch/machine.hpp"
#include "sim/arch/time.hpp"
#include "sim/kernel/warp_flow.hpp"
#include "smsim/counters.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim::engine {

// What can keep a ready warp from issuing: its pipe, or its queue. The FMA pipe has two halves.
enum class Hazard : std::uint8_t {
  none,
  alu,
  fma,
  fma_heavy,
  fma_both,
  fp64,
  xu,
  tensor,
  uniform,
  branch,
  tma,
  lg_queue,
  mio_queue,
  count
};
inline constexpr std::size_t kHazards = static_cast<std::size_t>(Hazard::count);

// One instruction, decoded.
struct alignas(32) Op {
  std::uint8_t next_delay = 1;  // stall count and yield together
  std::uint8_t interval = 1;    // of its pipe
  std::uint8_t wait_mask = 0;
  std::uint8_t write_scoreboard = kNoScoreboard;
  std::uint8_t read_scoreboard = kNoScoreboard;
  Hazard hazard = Hazard::none;  // what can refuse it
  Hazard pipe = Hazard::none;    // what it is counted under
  Action action = Action::none;
  Flow flow = Flow::next;
  WarpState scoreboard_kind = WarpState::short_scoreboard;  // what waiting for its result is called
  bool uses_port = false;                                   // queue operations: takes the LSU port
  bool varies = false;          // its executions touch different amounts
  bool crowds_bank = false;     // reads two registers or more from one bank
  std::uint8_t even_reads = 0;  // registers from each bank
  std::uint8_t odd_reads = 0;
  std::uint16_t run = 1;  // this many instructions from here issue back to back without a hazard
  std::uint16_t operand = 0;
  std::uint16_t predicate = kNoPredicate;
  // Queue operations with 32 lanes: until the queue's next acceptance, and how long they take the
  // LSU port.
  std::uint16_t entry_interval = 1;
  std::uint16_t port_cycles = 0;
  std::uint32_t latency = 0;  // Action::mio: from acceptance; else from issue
};

inline bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic || kind == AccessKind::reduction;
}

// What one execution touches; passes through shared memory: bank conflicts and lanes on one address
// take one each.
struct Footprint {
  std::uint32_t lines = 1;
  std::uint32_t sectors = 1;
  std::uint32_t passes = 1;
};

// `key` decides where executions differ. Without a lane it passes, and touches nothing.
Footprint footprint(const MemoryAccess& access, std::uint8_t lanes, std::uint64_t key);

// Until the queue that held the instruction may hand over its next entry.
std::uint32_t entry_interval(const Instruction& in, const Program& program, const Machine& machine,
                             const Footprint& touched);
// How long it takes the LSU port: by a tag (global) or pass (shared) at a time, and by moving the
// sectors.
std::uint32_t port_cycles(const Instruction& in, const Program& program, const Machine& machine,
                          const Footprint& touched);

struct DecodedProgram {
  DecodedProgram(const Program& program, const Machine& machine);

  std::vector<Op> ops;
  std::vector<bool> store_hits;  // by access: a store to lines that some load brings into L1
  bool has_fences = false;
  bool has_cluster_barrier = false;
  std::uint16_t used_hazards = 0;  // bit h: some instruction has hazard h
  std::uint32_t lines = 0;         // instruction-cache lines
};

// Everything a warp's simulation reads.
struct Context {
  const Machine& machine;
  const Program& program;
  const DecodedProgram& decoded;
  LaunchShape shape;
  std::uint64_t l1_bytes = 0;  // what the shared-memory split leaves to L1
  bool recorded = false;       // warps follow a trace
};

}  // namespace smsim::engine
