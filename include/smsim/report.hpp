// Results as text, JSON or CSV. Formatting only: every number comes from smsim/result.hpp.
#pragma once

#include <string>
#include <vector>

#include "smsim/result.hpp"

namespace smsim {

struct ReportOptions {
  bool explain = false;       // the definition of every metric, beside it
  bool per_sm = false;        // one row per SM with its schedulers
  bool instructions = false;  // the instructions that warps wait for longest
};

/// Sections like Nsight Compute's, at most 80 columns wide.
std::string text_report(const Result& result, const ReportOptions& options = {});

/// One object per result: an array of them for `several` kernels, else the only one. Numbers carry
/// every digit; null where a metric has no meaning, with the reason in "notes".
std::string json_report(const std::vector<Result>& results, const ReportOptions& options,
                        bool several);
std::string json_report(const Result& result, const ReportOptions& options = {});

/// Columns kernel, gpu, scheduler, metric, unit, value; one row per metric, and one named "status".
std::string csv_report(const std::vector<Result>& results);

/// A number as Nsight Compute prints it: thousands separators, two decimals unless it is whole.
std::string format_number(double value);

}  // namespace smsim
