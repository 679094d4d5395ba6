// How many blocks of a launch an SM holds, as a result reports it.
#pragma once

#include "smsim/result.hpp"

namespace smsim {

/// Limits at the shared-memory split in force (the launch's, or a model of the driver's choice,
/// which is named in `notes`).
Residency make_residency(const GpuSpec& gpu, const LaunchSpec& launch,
                         std::vector<std::string>& notes);

}  // namespace smsim
