// A prediction as `smsim run --format json` wrote it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "smsim/kernel_spec.hpp"
#include "smsim/result.hpp"

namespace smsim {

struct Prediction {
  using Values = std::vector<std::pair<std::string, std::optional<double>>>;

  std::string file;
  std::string status;  // "completed", "deadlock", ...
  std::string gpu;
  std::string kernel;
  Dim3 grid, block;
  Values metrics;  // in the order of the file
  Values stalls;   // by reason
};

/// What a simulation predicts.
Prediction prediction_of(const Result& result);

/// Reads the prediction of one kernel; `path` may be "-" for standard input. Throws InputError for
/// anything else than such a JSON file, and for several kernels in it.
Prediction read_prediction(const std::string& path);
/// The same for text in memory; `file` is what messages call it.
Prediction parse_prediction(const std::string& file, std::string_view text);

}  // namespace smsim
