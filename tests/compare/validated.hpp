// Validated references with chosen numbers, for what is computed and printed of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/compare/accuracy.hpp"
#include "sim/compare/validation.hpp"

namespace smsim::test {

/// By metric or stall reason: predicted, measured.
using Both = std::vector<std::pair<std::string, std::pair<double, double>>>;

inline ValidatedReference validated(const std::string& name, const Both& metrics,
                                    const Both& stalls = {}) {
  Prediction prediction;
  prediction.status = "completed";
  prediction.kernel = "k";
  NcuLaunch launch;
  launch.kernel_name = "k(int)";
  for (const auto& [metric, values] : metrics) {
    prediction.metrics.emplace_back(metric, values.first);
    launch.numbers[metric] = values.second;
  }
  for (const auto& [reason, values] : stalls) {
    prediction.stalls.emplace_back(reason, values.first);
    launch.numbers["smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"] =
        values.second;
  }
  ValidatedReference one;
  one.reference.name = name;
  one.status = "completed";
  one.comparison = compare(prediction, "raw.csv", launch);
  return one;
}

/// Elapsed cycles, and nothing else.
inline ValidatedReference cycles(const std::string& name, double predicted, double measured) {
  return validated(name, {{kCyclesMetric, {predicted, measured}}});
}

inline ValidatedReference import_failed(const std::string& name) {
  ValidatedReference one;
  one.reference.name = name;
  one.status = "import_failed";
  one.failure = "error: found no raw.csv, expected one";
  return one;
}

}  // namespace smsim::test
