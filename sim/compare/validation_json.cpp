#include <fmt/format.h>

#include "sim/compare/accuracy.hpp"
#include "sim/compare/comparison_parts.hpp"
#include "sim/compare/validation_report.hpp"
#include "sim/compare/what_if.hpp"
#include "sim/report/csv_field.hpp"

namespace smsim {

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json reference_json(const ValidatedReference& one) {
  Json json{{"name", one.reference.name},
            {"family", one.reference.family},
            {"use", to_string(one.reference.use)},
            {"pair", text_or_null(one.reference.pair)},
            {"gpu", one.reference.gpu},
            {"problem", text_or_null(one.reference.problem)},
            {"status", one.status}};
  if (!one.failure.empty()) {
    json["failure"] = one.failure;
  }
  json["metrics"] = one.comparison ? metrics_json(*one.comparison) : Json::object();
  json["stalls"] = one.comparison ? stalls_json(*one.comparison) : Json::object();
  json["notes"] = one.comparison ? Json(one.comparison->notes) : Json::array();
  return json;
}

Json accuracy_json(const Accuracy& a) {
  return {{"references", a.references},
          {"failed", a.failed},
          {"cycles_mape", number_json(a.cycles_mape)},
          {"cycles_median", number_json(a.cycles_median)},
          {"cycles_p90", number_json(a.cycles_p90)},
          {"cycles_worst", number_json(a.cycles_worst)},
          {"cycles_worst_reference", text_or_null(a.cycles_worst_reference)},
          {"cycles_pearson", number_json(a.cycles_pearson)},
          {"occupancy_error_points", number_json(a.occupancy_error_points)},
          {"eligible_error_warps", number_json(a.eligible_error_warps)},
          {"issue_error_points", number_json(a.issue_error_points)},
          {"top_stall_right_pct", number_json(a.top_stall_right_pct)},
          {"top_two_right_pct", number_json(a.top_two_right_pct)},
          {"stall_rank_agreement", number_json(a.stall_rank_agreement)}};
}

Json groups_json(const std::map<std::string, Accuracy>& groups) {
  Json json = Json::object();
  for (const auto& [name, accuracy] : groups) {
    json[name] = accuracy_json(accuracy);
  }
  return json;
}

Json what_if_json(const std::vector<WhatIfPair>& pairs) {
  Json list = Json::array();
  for (const WhatIfPair& pair : pairs) {
    list.push_back({{"from", pair.from},
                    {"to", pair.to},
                    {"family", pair.family},
                    {"use", pair.use},
                    {"predicted_change", pair.predicted_change},
                    {"measured_change", pair.measured_change},
                    {"size_error", pair.size_error},
                    {"counts", pair.counts()},
                    {"sign_right", pair.sign_right()}});
  }
  const WhatIfSummary summary = summarise(pairs);
  return {{"pairs", list},
          {"summary",
           {{"pairs", summary.pairs},
            {"counted", summary.counted},
            {"sign_right", summary.sign_right},
            {"sign_right_pct", number_json(summary.sign_right_pct)},
            {"mean_size_error_pct", number_json(summary.mean_size_error_pct)}}}};
}

std::string references_csv(const std::vector<ValidatedReference>& references) {
  std::string out = "reference,family,use,status,metric,kind,predicted,measured,error\n";
  for (const ValidatedReference& one : references) {
    const std::string head =
        fmt::format("{},{},{},{}", csv_field(one.reference.name), csv_field(one.reference.family),
                    to_string(one.reference.use), one.status);
    if (!one.comparison) {
      out += head + ",,,,,\n";
      continue;
    }
    for (const ComparedMetric& metric : one.comparison->metrics) {
      out += fmt::format("{},{},{},{},{},{}\n", head, metric.name, to_string(metric.kind),
                         csv_number(metric.predicted), csv_number(metric.measured),
                         csv_number(metric.error));
    }
    for (const ComparedStall& stall : one.comparison->stalls) {
      out += fmt::format(
          "{},smsp__average_warps_issue_stalled_{}_per_issue_active.ratio,difference,{},{},{}\n",
          head, stall.reason, csv_number(stall.predicted), csv_number(stall.measured),
          csv_number(stall.error));
    }
  }
  return out;
}

std::string families_csv(const std::vector<ValidatedReference>& references) {
  std::string out =
      "family,references,failed,cycles_mape,cycles_median,cycles_p90,cycles_worst,"
      "occupancy_error_points,eligible_error_warps,issue_error_points,top_stall_right_pct,"
      "top_two_right_pct\n";
  for (const auto& [name, a] : accuracy_by_family(references)) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(name), a.references,
                       a.failed, csv_number(a.cycles_mape), csv_number(a.cycles_median),
                       csv_number(a.cycles_p90), csv_number(a.cycles_worst),
                       csv_number(a.occupancy_error_points), csv_number(a.eligible_error_warps),
                       csv_number(a.issue_error_points), csv_number(a.top_stall_right_pct),
                       csv_number(a.top_two_right_pct));
  }
  return out;
}

std::string what_if_csv(const std::vector<ValidatedReference>& references) {
  std::string out = "from,to,family,use,measured_change,predicted_change,size_error,sign_right\n";
  for (const WhatIfPair& pair : what_if_pairs(references)) {
    out += fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(pair.from), csv_field(pair.to),
                       csv_field(pair.family), pair.use, pair.measured_change,
                       pair.predicted_change, pair.size_error, pair.sign_right() ? 1 : 0);
  }
  return out;
}

}  // namespace

std::string validation_json(const std::vector<ValidatedReference>& references) {
  Json list = Json::array();
  for (const ValidatedReference& one : references) {
    list.push_back(reference_json(one));
  }
  const Json all{{"references", list},
                 {"summary", accuracy_json(accuracy_of(references))},
                 {"by_use", groups_json(accuracy_by_use(references))},
                 {"by_family", groups_json(accuracy_by_family(references))},
                 {"what_if", what_if_json(what_if_pairs(references))}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string validation_csv(const std::vector<ValidatedReference>& references, ValidationView view) {
  switch (view) {
    case ValidationView::families:
      return families_csv(references);
    case ValidationView::what_if:
      return what_if_csv(references);
    case ValidationView::references:
      break;
  }
  return references_csv(references);
}

}  // namespace smsim
