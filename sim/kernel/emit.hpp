// The end of the assembly line: drafts with registers and control codes become a Program.
#pragma once

#include "sim/kernel/draft.hpp"
#include "sim/kernel/registers.hpp"

namespace smsim::sass {

/// Resolves labels and writes each instruction's text as SASS would show it.
Program emit_program(const DraftProgram& drafts, const Allocation& allocation);

}  // namespace smsim::sass
