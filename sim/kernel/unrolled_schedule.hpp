// The two reorderings of a compiler that matter for latency hiding: loads of all copies of an
// unrolled loop body go first, and a loop's counter and test hide between the body's instructions.
#pragma once

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

/// Within the straight-line stretches of unrolled loop bodies, moves the loads of `group`
/// neighbouring copies, and what their addresses need, in front of everything else of these copies.
/// A load never passes a barrier, a fence, an atomic, or a store to its own array.
void issue_loads_first(DraftProgram& program, int group);

/// Moves counter update and test of each loop up in the last straight-line stretch of its body, to
/// where they fill the waits of other instructions.
void hide_loop_control(DraftProgram& program, const DependenceSpec& dependence);

}  // namespace smsim::sass
