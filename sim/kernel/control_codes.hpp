// The last passes: which scoreboards instructions set and wait for, and how many cycles each one
// holds its warp back. They see registers, not values.
#pragma once

#include <vector>

#include "sim/kernel/draft.hpp"
#include "sim/kernel/registers.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim::sass {

/// Registers of all three files under one numbering, and what an operand of a program covers.
class RegisterMap {
 public:
  RegisterMap(const DraftProgram& program, const Allocation& allocation)
      : program_(program), allocation_(allocation) {}
  static constexpr std::size_t kCount = 256 + 64 + 8;

  template <class Visit>
  void of(const Operand& operand, Visit visit) const {
    const Value& value = program_.values[operand.value];
    const int first = allocation_.first[operand.value];
    const std::size_t base = kFileBase[static_cast<std::size_t>(value.file)];
    if (operand.component != kWhole) {
      visit(base + static_cast<std::size_t>(first + operand.component));
      return;
    }
    for (int part = 0; part < value.width; ++part) {
      visit(base + static_cast<std::size_t>(first + part));
    }
  }

 private:
  static constexpr std::size_t kFileBase[3] = {0, 256, 320};
  const DraftProgram& program_;
  const Allocation& allocation_;
};

/// Does an instruction signal its completion on a scoreboard?
bool has_variable_latency(const Draft& draft);

/// Sets write and read scoreboards and wait masks.
void assign_scoreboards(DraftProgram& program, const Allocation& allocation);

/// Cycles from the issue of a producer to the earliest issue of a reader of its result.
int required_distance(const Draft& producer, RegisterFile file, const Draft& consumer, Role role,
                      const DependenceSpec& dependence);

/// Cycles that ptxas keeps between two instructions of one pipe: the issue interval, and what it
/// believes of the memory queues (decoded from its output for sm_90).
int spacing(const Draft& earlier, const Draft& later);

/// Sets stall counts and yield flags. Waits of more than 15 cycles get NOPs, as the encoding has no
/// room for them; without `nops` they stay as they are, so that no instruction is added.
void assign_stall_counts(DraftProgram& program, const Allocation& allocation,
                         const DependenceSpec& dependence, bool nops = true);

}  // namespace smsim::sass
