// From one launch of a profile to a kernel: counts become trip counts, shares of branches and what
// memory instructions touch. Times, stalls, issue rates and achieved occupancy are not looked at.
#pragma once

#include <string>
#include <vector>

#include "sim/import/ncu_raw.hpp"
#include "sim/import/ncu_source.hpp"
#include "sim/import/sass_listing.hpp"
#include "sim/kernel/sass_listing.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// A kernel as its file will hold it.
struct ImportedKernel {
  std::string name;          // short, fit for a file name
  std::string full_name;     // as the profile has it
  std::string device;        // "NVIDIA H200"
  std::string architecture;  // "sm_90", or "" when the profile does not say
  LaunchSpec launch;
  std::vector<sass::SassLine> lines;
  std::vector<std::string> notes;  // what was assumed
};

/// `function`: the machine code, or null when control codes are to be derived. Throws InputError
/// when listing and machine code differ.
ImportedKernel import_launch(const NcuLaunch& launch, const NcuSourceBlock& source,
                             const SassFunction* function);

}  // namespace smsim
