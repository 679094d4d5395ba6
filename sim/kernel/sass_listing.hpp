// Machine code with numbers: what an imported kernel file holds, line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/kernel/control_code.hpp"
#include "smsim/program.hpp"

namespace smsim::sass {

/// What a memory instruction touches when it is executed, on average.
struct SassAccess {
  double lines = 0;             // 128-byte lines of a global access; 0: as if coalesced
  double sectors = 0;           // 32-byte sectors of them
  double wavefronts = 0;        // passes through shared memory; 0: without conflicts
  double acting = 1;            // share of executions in which any lane is active, 0..1
  double l1_hit = 0;            // of its lines, 0..1
  double l1_pending = 0;        // of the hits: their lines are still on their way
  double l2_hit = 0;            // of what misses L1
  double l2_far = 0;            // of these hits: only the other partition has them
  double dram_fill = 0;         // sectors from DRAM per sector that misses; 0: at least two
  double dirty = 1;             // stores: share of the sectors that DRAM will have to take
  double partial = 0;           // stores: share of the sectors that L2 has to complete from DRAM
  bool dsmem = false;           // the shared memory of another block of the cluster
  std::uint32_t addresses = 0;  // atomics: how many the whole grid shares; 0: no sharing
  std::uint16_t lanes_per_address = 1;
  std::uint32_t bulk_bytes = 0;  // bulk copies
};

/// Full lines in a row, as data are that stream through: on average nearly all four sectors.
inline bool touches_full_lines(double lines, double sectors) {
  constexpr double kFullLine = 3.5;  // sectors
  return sectors >= kFullLine * lines;
}

struct SassLine {
  std::uint32_t offset = 0;  // bytes from the function's start
  std::string text;          // "@P0 BRA 0x1d0"
  std::optional<ControlCode> code;
  std::optional<Route> route;  // conditional branches and exits; `target_pc` follows from the text
  SassAccess access;
  double lanes = 32;  // active threads, on average
  int line = 0;       // in the file, for messages
};

}  // namespace smsim::sass
