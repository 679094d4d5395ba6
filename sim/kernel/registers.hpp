// Registers for values: linear scan over live intervals.
#pragma once

#include <optional>
#include <vector>

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

struct RegisterLimits {
  int vector = 255;
  int uniform = 63;
  int predicate = 7;
  bool stack_pointer = true;  // R1 holds the stack pointer, the value named "stack"
};

struct Allocation {
  std::vector<int> first;  // by value: its first register; -1: never used
  int vector_used = 0;     // highest register + 1
};

/// First register of every value. Registers are taken lowest first, or, with `spread`, the one that
/// has been free for longest, which keeps loads from waiting for earlier readers. Nullopt when a
/// file is too small; `overflow` then says which.
std::optional<Allocation> allocate_registers(const DraftProgram& program,
                                             const RegisterLimits& limits, bool spread,
                                             RegisterFile* overflow);

/// Most vector registers in use at once, the stack pointer included.
int register_pressure(const DraftProgram& program);

/// Values to move out of registers so that the others fit: wherever the vector registers overflow,
/// the one of highest rank. A rank below 0: not to be moved.
std::vector<ValueId> choose_spills(const DraftProgram& program, const RegisterLimits& limits,
                                   const std::vector<double>& rank);

}  // namespace smsim::sass
