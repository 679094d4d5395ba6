// The outcome of tuning as JSON and CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/compare/comparison_parts.hpp"
#include "sim/report/csv_field.hpp"
#include "smsim/tune.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json point_json(const TunePoint& point) {
  Json values = Json::object();
  for (const auto& [path, value] : point.values) values[path] = value;
  Json out{{"number", or_null(point.number)},
           {"values", values},
           {"status", point.status},
           {"cycles", number_json(point.cycles)},
           {"theoretical_occupancy_pct", point.theoretical_pct},
           {"achieved_occupancy_pct", point.achieved_pct},
           {"registers", point.registers},
           {"spilled_bytes", point.spilled_bytes}};
  if (point.result) {
    out["blocks_per_sm"] = point.result->residency.blocks_per_sm;
    out["bound"] = point.result->verdict.bound;
  }
  if (!point.reason.empty()) out["reason"] = point.reason;
  return out;
}

Json metrics_json(const TunePoint& point) {
  Json metrics = Json::object();
  if (!point.result) return metrics;
  for (const Metric& metric : point.result->metrics)
    metrics[metric.name] = number_json(metric.value);
  return metrics;
}

Json space_json(const TuneOutcome& outcome) {
  Json axes = Json::object();
  for (const TuneAxis& axis : outcome.axes) axes[axis.path] = axis.values;
  Json reasons = Json::array();
  for (const auto& [reason, count] : outcome.reasons) {
    reasons.push_back(Json{{"reason", reason}, {"points", count}});
  }
  return Json{{"axes", axes},
              {"axes_from", outcome.axes_from},
              {"points", outcome.points},
              {"left_out", outcome.left_out},
              {"infeasible", outcome.infeasible},
              {"infeasible_reasons", reasons}};
}

Json question_json(const TuneQuestion& question) {
  Json out{{"name", question.name}, {"answer", question.answer}};
  if (!question.path.empty()) out["path"] = question.path;
  out["value"] = or_null(question.value);
  out["change"] = or_null(question.change);
  out["blocks_per_sm"] = or_null(question.blocks);
  out["cycles"] = number_json(question.cycles);
  return out;
}

Json occupancy_json(const TuneOutcome& outcome) {
  if (!outcome.most_occupied) return nullptr;
  Json out = point_json(outcome.evaluated[*outcome.most_occupied]);
  out["is_fastest"] = outcome.most_occupied == outcome.best;
  out["why_not_fastest"] = outcome.why_not_occupied;
  out["metrics"] = metrics_json(outcome.evaluated[*outcome.most_occupied]);
  return out;
}

}  // namespace

std::string tune_json(const TuneOutcome& outcome) {
  Json out{{"kernel", outcome.kernel},
           {"gpu", outcome.gpu},
           {"scheduler", outcome.scheduler},
           {"space", space_json(outcome)},
           {"search", Json{{"exhaustive", outcome.exhaustive},
                           {"budget", outcome.budget},
                           {"simulated", outcome.evaluated.size()},
                           {"planned", outcome.planned},
                           {"interrupted", outcome.interrupted},
                           {"method", outcome.method}}}};
  out["present"] = point_json(outcome.present);
  out["present"]["metrics"] = metrics_json(outcome.present);
  out["best"] = nullptr;
  out["speedup"] = nullptr;
  if (outcome.best) {
    const TunePoint& best = outcome.evaluated[*outcome.best];
    out["best"] = point_json(best);
    out["best"]["metrics"] = metrics_json(best);
    if (outcome.present.cycles) out["speedup"] = *outcome.present.cycles / *best.cycles;
  }
  out["pareto"] = Json::array();
  for (const std::size_t i : outcome.pareto) {
    out["pareto"].push_back(point_json(outcome.evaluated[i]));
  }
  out["most_occupied"] = occupancy_json(outcome);
  out["questions"] = Json::array();
  for (const TuneQuestion& question : outcome.questions) {
    out["questions"].push_back(question_json(question));
  }
  out["points"] = Json::array();
  for (const TunePoint& point : outcome.evaluated) out["points"].push_back(point_json(point));
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string tune_csv(const TuneOutcome& outcome) {
  std::string out = "number";
  for (const TuneAxis& axis : outcome.axes) out += "," + csv_field(axis.path);
  out +=
      ",status,cycles,theoretical_occupancy_pct,achieved_occupancy_pct,registers,"
      "spilled_bytes,bound,reason\n";
  for (const TunePoint& point : outcome.evaluated) {
    out += point.number ? std::to_string(*point.number) : "";
    for (const auto& [path, value] : point.values) out += "," + csv_field(value);
    out += fmt::format(
        ",{},{},{},{},{},{},{},{}\n", point.status,
        point.cycles ? fmt::format("{:.0f}", *point.cycles) : "", point.theoretical_pct,
        point.achieved_pct, point.registers, point.spilled_bytes,
        point.result ? csv_field(point.result->verdict.bound) : "", csv_field(point.reason));
  }
  return out;
}

}  // namespace smsim
