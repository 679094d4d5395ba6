// Arithmetic against memory traffic, and the machine's peaks for both.
#pragma once

#include "sim/metrics/totals.hpp"
#include "smsim/result.hpp"

namespace smsim {

Roofline make_roofline(const GpuSpec& gpu, const KernelSpec& kernel, const SimulationResult& run,
                       const Totals& total);

}  // namespace smsim
