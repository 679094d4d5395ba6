// When there are too few registers, values live in local memory.
#pragma once

#include <set>

#include "sim/kernel/draft.hpp"
#include "sim/kernel/registers.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim::sass {

/// What spilling added to a program.
struct Spills {
  int stack_bytes = 0;  // per thread
  int loads = 0;        // instructions inserted
  int stores = 0;
  int recomputed = 0;             // values that are computed again instead
  std::set<ValueId> untouchable;  // short-lived values that spilling itself made
};

/// Moves values to local memory until the others fit into the registers, as far as one look at the
/// program can tell: each is stored after it is set and loaded before it is used. Cheap constants
/// are computed again instead. False when nothing can be moved.
bool spill_some(DraftProgram& program, const RegisterLimits& limits, const GpuSpec& gpu,
                Spills& spills);

}  // namespace smsim::sass
