// The two reorderings of a compiler that matter for latency hiding: loads of all copies of an
// unrolled loop body go first, and a loop's counter and test hide between the body's instructions.
#pragma once

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

/// Within the straight-line stretches of unrolled loop bodies, moves loads, and what their
/// addresses need, ahead of the other instructions of earlier copies: all of them where there are
/// loads from global memory; loads from shared memory as many copies ahead as fill their latency.
/// At most `group` copies have their loads in flight at once. A load never passes a barrier, a
/// fence, an atomic, or a store to its own array.
void issue_loads_first(DraftProgram& program, int group);

/// Moves the tests of loops, guards and conditions up within their straight-line stretch, to where
/// the cycles until their predicate is there are filled by other instructions.
void hide_tests(DraftProgram& program, const DependenceSpec& dependence);

}  // namespace smsim::sass
