#include "sim/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/import/kernel_names.hpp"
#include "sim/report/text_writer.hpp"
#include "smsim/result.hpp"

namespace smsim {

namespace {

constexpr std::size_t kNameWidth = 60;  // of a kernel, in a note

constexpr std::string_view kClock = "gpc__cycles_elapsed.max.per_second";

bool is_ours(std::string_view name) {
  return name.rfind("smsim__", 0) == 0;
}

bool is_stall(std::string_view name) {
  return name.find("_issue_stalled_") != std::string_view::npos;
}

std::string stall_metric(const std::string& reason) {
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

// The launch, what follows from it and the GPU alone, and the clock, which no model can know.
bool is_input(std::string_view name) {
  return name.rfind("launch__", 0) == 0 || name == kClock ||
         name.find("__maximum_warps_") != std::string_view::npos;
}

ErrorKind kind_of(std::string_view name, std::string_view unit) {
  if (is_input(name)) {
    return ErrorKind::input;
  }
  const bool percent = unit == "%" || name.find(".pct") != std::string_view::npos;
  return percent || unit == "warp" ? ErrorKind::difference : ErrorKind::relative;
}

std::optional<double> relative_error(double predicted, double measured) {
  if (measured == 0) {
    return predicted == 0 ? std::optional(0.0) : std::nullopt;
  }
  return (predicted - measured) / std::abs(measured);
}

ComparedMetric compared(const std::string& name, std::optional<double> predicted,
                        const NcuLaunch& launch) {
  ComparedMetric metric;
  metric.name = name;
  metric.label = name;
  for (const MetricInfo& info : metric_infos()) {
    if (info.name == name) {
      metric.unit = info.unit;
      metric.label = info.label;
    }
  }
  metric.kind = kind_of(name, metric.unit);
  metric.predicted = predicted;
  metric.measured = launch.number(name);
  if (metric.predicted && metric.measured) {
    metric.error = metric.kind == ErrorKind::difference
                       ? std::optional(*metric.predicted - *metric.measured)
                       : relative_error(*metric.predicted, *metric.measured);
  }
  return metric;
}

std::vector<ComparedStall> compared_stalls(const Prediction& prediction, const NcuLaunch& launch) {
  std::vector<ComparedStall> stalls;
  for (const auto& [reason, predicted] : prediction.stalls) {
    ComparedStall stall{reason, predicted, launch.number(stall_metric(reason)), {}};
    if (stall.predicted && stall.measured) {
      stall.error = *stall.predicted - *stall.measured;
    }
    stalls.push_back(stall);
  }
  const auto size = [](const ComparedStall& stall) {
    return std::max(stall.predicted.value_or(0), stall.measured.value_or(0));
  };
  std::stable_sort(stalls.begin(), stalls.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  return stalls;
}

std::string spell(const Dim3& dim) {
  return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
}

bool equal(const Dim3& a, const Dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

std::vector<std::string> notes_on(const Prediction& prediction, const NcuLaunch& launch) {
  std::vector<std::string> notes;
  if (prediction.status != "completed") {
    notes.push_back(fmt::format("the prediction did not run to its end: {}", prediction.status));
  }
  if (!same_kernel(prediction.kernel, launch.kernel_name, true)) {
    notes.push_back(fmt::format("the kernels have different names: {} and {}",
                                cut(prediction.kernel, kNameWidth),
                                cut(launch.kernel_name, kNameWidth)));
  }
  if (!equal(prediction.grid, launch.grid) || !equal(prediction.block, launch.block)) {
    notes.push_back(fmt::format(
        "the prediction is of grid {}, block {}, the profile of grid {}, "
        "block {}",
        spell(prediction.grid), spell(prediction.block), spell(launch.grid), spell(launch.block)));
  }
  if (launch.rounded) {
    notes.emplace_back(
        "the profile has scaled units, so its numbers are rounded; export with "
        "--print-units base");
  }
  return notes;
}

}  // namespace

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input:
      return "input";
    case ErrorKind::relative:
      return "relative";
    case ErrorKind::difference:
      return "difference";
  }
  return "";
}

Comparison compare(const Prediction& prediction, const std::string& profile_file,
                   const NcuLaunch& launch) {
  Comparison out;
  out.prediction_file = prediction.file;
  out.profile_file = profile_file;
  out.status = prediction.status;
  out.gpu = prediction.gpu;
  out.kernel = prediction.kernel;
  out.device = launch.device;
  out.profiled_kernel = launch.kernel_name;
  out.launch_id = launch.id;
  for (const auto& [name, predicted] : prediction.metrics) {
    if (!is_ours(name) && !is_stall(name)) {
      out.metrics.push_back(compared(name, predicted, launch));
    }
  }
  out.stalls = compared_stalls(prediction, launch);
  out.notes = notes_on(prediction, launch);
  out.verdict = explain_difference(out);
  return out;
}

const ComparedMetric* find_metric(const Comparison& comparison, std::string_view name) {
  const auto found = std::find_if(comparison.metrics.begin(), comparison.metrics.end(),
                                  [&](const ComparedMetric& m) { return m.name == name; });
  return found == comparison.metrics.end() ? nullptr : &*found;
}

std::vector<const ComparedMetric*> differing_inputs(const Comparison& comparison) {
  constexpr double kRounding = 0.005;  // profiles print two decimals
  std::vector<const ComparedMetric*> differing;
  for (const ComparedMetric& metric : comparison.metrics) {
    if (metric.kind == ErrorKind::input && metric.name != kClock && metric.predicted &&
        metric.measured && std::abs(*metric.predicted - *metric.measured) > kRounding) {
      differing.push_back(&metric);
    }
  }
  return differing;
}

}  // namespace smsim
