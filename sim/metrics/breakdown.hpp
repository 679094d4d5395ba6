// Results by SM, scheduler and instruction.
#pragma once

#include "smsim/result.hpp"

namespace smsim {

std::vector<SmBreakdown> break_down_by_sm(const Counters& counters);
std::vector<InstructionBreakdown> break_down_by_instruction(const Program& program,
                                                            const Counters& counters);

}  // namespace smsim
