// All metrics of a result, in one fixed order.
#pragma once

#include "sim/metrics/metric_definition.hpp"

namespace smsim {

struct MetricList {
  std::vector<Metric> metrics;
  std::vector<std::string> missing;  // why some are null, one line per reason
};

MetricList compute_metrics(const MetricInputs& inputs);

/// Resident warp-cycles in each state per issued instruction; empty when nothing was issued.
std::array<std::optional<double>, kWarpStates> compute_stalls(const SimulationResult& run,
                                                              const Totals& total);

}  // namespace smsim
