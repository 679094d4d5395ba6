// The lines "-key = value" at the top of an Accel-Sim trace.
#pragma once

#include "sim/import/accelsim_lines.hpp"
#include "sim/import/accelsim_trace.hpp"

namespace smsim {

/// Reads up to the line that begins with '#'. What is missing gets a default and a warning, but for
/// grid and block; registers and shared memory are kept as they are, with a warning where no GPU
/// has as much. Throws InputError with every line that cannot be used.
AccelsimHeader read_accelsim_header(AccelsimLines& lines, AccelsimWarnings& warnings);

}  // namespace smsim
