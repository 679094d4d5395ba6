// A prediction beside a profile, metric by metric.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/prediction.hpp"
#include "sim/import/ncu_raw.hpp"

namespace smsim {

/// How the error of a metric is meant.
enum class ErrorKind {
  input,      // follows from the launch and the GPU: to be equal, no prediction
  relative,   // (predicted - measured) / measured: cycles, counts, bytes
  difference  // predicted - measured: percent, warps
};

/// "input", "relative" or "difference".
const char* to_string(ErrorKind kind);

struct ComparedMetric {
  std::string name;
  std::string unit;
  std::string label;
  ErrorKind kind = ErrorKind::relative;
  std::optional<double> predicted;
  std::optional<double> measured;
  std::optional<double> error;  // nothing without both, and relative to 0
};

/// Warps in one state per issued instruction.
struct ComparedStall {
  std::string reason;
  std::optional<double> predicted;
  std::optional<double> measured;
  std::optional<double> error;  // difference
};

struct Comparison {
  std::string prediction_file, profile_file;
  std::string status, gpu, kernel;      // of the prediction
  std::string device, profiled_kernel;  // of the profile
  int launch_id = 0;
  std::vector<ComparedMetric> metrics;  // in the order of the prediction
  std::vector<ComparedStall> stalls;    // largest first
  std::string verdict;                  // what differs most, and why it may be
  std::vector<std::string> notes;
};

/// Compares with one launch of the profile `profile_file`.
Comparison compare(const Prediction& prediction, const std::string& profile_file,
                   const NcuLaunch& launch);

/// The metric of that name; nullptr when the prediction has none.
const ComparedMetric* find_metric(const Comparison& comparison, std::string_view name);

/// The inputs that differ: then it is not the launch that was profiled.
std::vector<const ComparedMetric*> differing_inputs(const Comparison& comparison);

/// One sentence: what differs most, and what it may come from.
std::string explain_difference(const Comparison& comparison);

}  // namespace smsim
