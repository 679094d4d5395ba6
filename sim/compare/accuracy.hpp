// How far predictions are off, over many references.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/compare/validation.hpp"

namespace smsim {

inline constexpr const char* kCyclesMetric = "gpc__cycles_elapsed.max";
inline constexpr const char* kOccupancyMetric = "sm__warps_active.avg.pct_of_peak_sustained_active";
inline constexpr const char* kEligibleMetric = "smsp__warps_eligible.avg.per_cycle_active";
inline constexpr const char* kIssueMetric = "smsp__issue_active.avg.pct_of_peak_sustained_active";

/// Over the references that ran to their end. Empty where there is nothing to average.
struct Accuracy {
  std::size_t references = 0;  // completed
  std::size_t failed = 0;      // not imported, or not completed
  // Absolute relative error of the elapsed cycles, in percent.
  std::optional<double> cycles_mape;
  std::optional<double> cycles_median;
  std::optional<double> cycles_p90;
  std::optional<double> cycles_worst;
  std::string cycles_worst_reference;
  std::optional<double> cycles_pearson;  // correlation of predicted and measured cycles
  // Mean absolute errors.
  std::optional<double> occupancy_error_points;
  std::optional<double> eligible_error_warps;
  std::optional<double> issue_error_points;
  // Stall reasons, "selected" left out, by their warps per issued instruction.
  std::optional<double> top_stall_right_pct;   // share of references with the right largest one
  std::optional<double> top_two_right_pct;     // with the right two largest, in any order
  std::optional<double> stall_rank_agreement;  // mean Spearman correlation over all reasons
};

Accuracy accuracy_of(const std::vector<const ValidatedReference*>& references);
Accuracy accuracy_of(const std::vector<ValidatedReference>& references);
/// Each group by its name.
std::map<std::string, Accuracy> accuracy_by_family(
    const std::vector<ValidatedReference>& references);
std::map<std::string, Accuracy> accuracy_by_use(const std::vector<ValidatedReference>& references);

/// The reasons by size, largest first, as predicted or as measured; "selected" and those without a
/// value are left out.
std::vector<std::string> ranked_stalls(const Comparison& comparison, bool measured);

/// The value itself, when the metric was predicted and measured.
std::optional<double> error_of(const ValidatedReference& reference, std::string_view metric);

}  // namespace smsim
