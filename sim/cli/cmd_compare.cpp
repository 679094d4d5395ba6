// smsim compare: a prediction beside a profile, metric by metric.
#include <fmt/format.h>

#include <limits>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/compare/comparison_report.hpp"
#include "sim/import/ncu_select.hpp"

namespace smsim::cli {
namespace {

struct Inputs {
  Prediction prediction;
  std::vector<NcuLaunch> launches;
};

// Reads both before anything is reported.
Inputs read_inputs(const std::string& prediction, const std::string& profile) {
  Inputs inputs;
  std::vector<Diagnostic> problems;
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  attempt([&] { inputs.prediction = read_prediction(prediction); });
  attempt([&] { inputs.launches = read_ncu_raw(profile); });
  if (!problems.empty()) {
    throw InputError(problems);
  }
  return inputs;
}

}  // namespace

int run_compare(const Arguments& arguments) {
  CommandLine line(
      "compare PREDICTION.json PROFILE_raw.csv [options]",
      "Lays a prediction and an Nsight Compute profile side by side: every metric with "
      "its error, the warp states, and what differs most.",
      "  smsim run saxpy.yaml --format json > saxpy.json\n"
      "  ncu --import saxpy.ncu-rep --page raw --csv --print-units base > raw.csv\n"
      "  smsim compare saxpy.json raw.csv\n"
      "  smsim compare saxpy.json raw.csv.gz --launch 3 --format json\n");
  line.value("launch", "ID", "which launch of the profile, by the raw page's ID column")
      .value("format", "F", "text (default), json or csv")
      .inputs(2);
  if (!line.parse(arguments)) {
    return kDone;
  }
  const std::string format = line.choice("format", "text", {"text", "json", "csv"});
  LaunchChoice choice;
  if (line.has("launch")) {
    choice.id = static_cast<int>(line.integer("launch", 0, 0, std::numeric_limits<int>::max()));
  }
  if (line.inputs().size() != 2) {
    line.problem(fmt::format("found {} inputs, expected PREDICTION.json and PROFILE_raw.csv",
                             line.inputs().size()));
  }
  line.finish();
  const std::string& profile = line.inputs()[1];
  const Inputs inputs = read_inputs(line.inputs()[0], profile);
  const NcuLaunch& launch = inputs.launches[select_raw_launch(profile, inputs.launches, choice)];
  const Comparison comparison = compare(inputs.prediction, profile, launch);
  fmt::print("{}", format == "json"  ? comparison_json(comparison)
                   : format == "csv" ? comparison_csv(comparison)
                                     : comparison_text(comparison));
  return kDone;
}

}  // namespace smsim::cli
