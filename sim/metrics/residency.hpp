// How many blocks of a launch an SM holds, as a result reports it.
#pragma once

#include "smsim/result.hpp"

namespace smsim {

/// Limits at the shared-memory split in force: the launch's, or a model of the driver's choice.
Residency make_residency(const GpuSpec& gpu, const LaunchSpec& launch);

}  // namespace smsim
