#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/compare/comparison_report.hpp"

namespace smsim {

namespace {

using Json = nlohmann::ordered_json;

// Whole numbers are written without a fraction.
Json number(const std::optional<double>& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!value) {
    return nullptr;
  }
  return std::abs(*value) < kExact && *value == std::floor(*value)
             ? Json(static_cast<std::int64_t>(*value))
             : Json(*value);
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json metrics = Json::object();
  for (const ComparedMetric& metric : comparison.metrics) {
    metrics[metric.name] = {{"predicted", number(metric.predicted)},
                            {"measured", number(metric.measured)},
                            {"error", number(metric.error)},
                            {"kind", to_string(metric.kind)}};
  }
  Json stalls = Json::object();
  for (const ComparedStall& stall : comparison.stalls) {
    stalls[stall.reason] = {{"predicted", number(stall.predicted)},
                            {"measured", number(stall.measured)},
                            {"error", number(stall.error)}};
  }
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
                 {"metrics", metrics},
                 {"stalls", stalls},
                 {"notes", comparison.notes}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  std::string out = "metric,unit,kind,predicted,measured,error\n";
  for (const ComparedMetric& metric : comparison.metrics) {
    out += fmt::format("{},{},{},{},{},{}\n", metric.name, metric.unit, to_string(metric.kind),
                       cell(metric.predicted), cell(metric.measured), cell(metric.error));
  }
  for (const ComparedStall& stall : comparison.stalls) {
    out += fmt::format(
        "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio,warp,"
        "difference,{},{},{}\n",
        stall.reason, cell(stall.predicted), cell(stall.measured), cell(stall.error));
  }
  return out;
}

}  // namespace smsim
