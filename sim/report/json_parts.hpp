// JSON that more than one report has.
#pragma once

#include <nlohmann/json.hpp>

#include "smsim/report.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

nlohmann::ordered_json launch_failure_json(const LaunchFailure& failure);

/// Limits, next steps, and the curves over block size, registers and shared memory.
nlohmann::ordered_json occupancy_details_json(const Residency& residency,
                                              const RunSources& sources);
/// The kernel file, what was changed of it, and every figure of the GPU with its source.
nlohmann::ordered_json configuration_json(const RunSources& sources);
/// Everything that a report shows of one run.
nlohmann::ordered_json report_document(const Result& result, const RunSources& sources);

}  // namespace smsim
