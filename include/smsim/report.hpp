// Results as text, JSON or CSV. Formatting only: every number comes from smsim/result.hpp.
#pragma once

#include <string>
#include <vector>

#include "smsim/gpu_file.hpp"
#include "smsim/result.hpp"

namespace smsim {

struct ReportOptions {
  bool explain = false;       // the definition of every metric, beside it
  bool per_sm = false;        // one row per SM with its schedulers
  bool instructions = false;  // the instructions that warps wait for longest
};

/// What a run was made from: a report that stands alone shows it, too.
struct RunSources {
  LoadedGpu gpu;
  KernelSpec kernel;
  std::string kernel_path;           // as it was given
  std::string kernel_text;           // of the file; "" where it is too long to show
  std::vector<std::string> changes;  // "launch.block=128"
};

/// Sections like Nsight Compute's, at most 80 columns wide.
std::string text_report(const Result& result, const ReportOptions& options = {});

/// One object per result: an array of them for `several` kernels, else the only one. Numbers carry
/// every digit; null where a metric has no meaning, with the reason in "notes".
std::string json_report(const std::vector<Result>& results, const ReportOptions& options,
                        bool several);
std::string json_report(const Result& result, const ReportOptions& options = {});

/// Everything that a report shows, the timeline included: definitions, SMs, instructions,
/// "occupancy" with its curves, and "configuration" with the source of every figure.
std::string json_document(const Result& result, const RunSources& sources);

/// Columns kernel, gpu, scheduler, metric, unit, value; one row per metric, and one named "status".
std::string csv_report(const std::vector<Result>& results);

/// A number as Nsight Compute prints it: thousands separators, two decimals unless it is whole.
std::string format_number(double value);

}  // namespace smsim
