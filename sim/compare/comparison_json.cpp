#include <fmt/format.h>

#include <cmath>

#include "sim/compare/comparison_parts.hpp"
#include "sim/compare/comparison_report.hpp"

namespace smsim {

using Json = nlohmann::ordered_json;

Json number_json(const std::optional<double>& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!value) {
    return nullptr;
  }
  return std::abs(*value) < kExact && *value == std::floor(*value)
             ? Json(static_cast<std::int64_t>(*value))
             : Json(*value);
}

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

Json metrics_json(const Comparison& comparison) {
  Json metrics = Json::object();
  for (const ComparedMetric& metric : comparison.metrics) {
    metrics[metric.name] = {{"predicted", number_json(metric.predicted)},
                            {"measured", number_json(metric.measured)},
                            {"error", number_json(metric.error)},
                            {"kind", to_string(metric.kind)}};
  }
  return metrics;
}

Json stalls_json(const Comparison& comparison) {
  Json stalls = Json::object();
  for (const ComparedStall& stall : comparison.stalls) {
    stalls[stall.reason] = {{"predicted", number_json(stall.predicted)},
                            {"measured", number_json(stall.measured)},
                            {"error", number_json(stall.error)}};
  }
  return stalls;
}

std::string comparison_json(const Comparison& comparison) {
  const Json all{{"prediction",
                  {{"file", comparison.prediction_file},
                   {"status", comparison.status},
                   {"gpu", comparison.gpu},
                   {"kernel", comparison.kernel}}},
                 {"profile",
                  {{"file", comparison.profile_file},
                   {"launch", comparison.launch_id},
                   {"device", comparison.device},
                   {"kernel", comparison.profiled_kernel}}},
                 {"verdict", comparison.verdict},
                 {"metrics", metrics_json(comparison)},
                 {"stalls", stalls_json(comparison)},
                 {"notes", comparison.notes}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  std::string out = "metric,unit,kind,predicted,measured,error\n";
  for (const ComparedMetric& metric : comparison.metrics) {
    out += fmt::format("{},{},{},{},{},{}\n", metric.name, metric.unit, to_string(metric.kind),
                       csv_number(metric.predicted), csv_number(metric.measured),
                       csv_number(metric.error));
  }
  for (const ComparedStall& stall : comparison.stalls) {
    out += fmt::format(
        "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio,warp,"
        "difference,{},{},{}\n",
        stall.reason, csv_number(stall.predicted), csv_number(stall.measured),
        csv_number(stall.error));
  }
  return out;
}

}  // namespace smsim
