// Renaming: a name that is set anew for another purpose becomes another value, so that reuse of a
// name costs nothing, as in a compiler.
#pragma once

#include "sim/kernel/draft.hpp"

namespace smsim::sass {

/// Gives every group of definitions that reach common uses a value of its own. Values that are set
/// part by part stay as they are.
void split_webs(DraftProgram& program);

}  // namespace smsim::sass
