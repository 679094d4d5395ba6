// From a SASS listing with numbers to a program: what imported kernel files hold, and traces.
//
// Control codes are taken as they are; where a listing has none, the assembler's last passes derive
// them from the registers.
#pragma once

#include <string>
#include <vector>

#include "sim/kernel/problem.hpp"
#include "sim/kernel/sass_listing.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/program.hpp"

namespace smsim::sass {

struct SassAssembly {
  Program program;
  std::vector<std::string> notes;  // what was assumed
  int registers = 0;               // vector registers that the listing names
  int barriers = 0;                // named barriers
};

/// Problems (targets outside the listing, an empty listing) go to `problems`; the program is then
/// not to be used.
SassAssembly assemble_sass(const std::vector<SassLine>& lines, const GpuSpec& gpu,
                           std::vector<SourceProblem>& problems);

}  // namespace smsim::sass
