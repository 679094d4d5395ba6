// The command line of `smsim run`, read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/commands.hpp"
#include "sim/cli/gpu_for_run.hpp"
#include "sim/cli/run_views.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {

struct RunOptions {
  std::vector<std::string> files;
  GpuForRun gpu;
  std::string scheduler;  // empty: the GPU file's
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  int threads = 1;
  std::uint64_t max_cycles = 0;
  std::string format = "text";
  ReportOptions report;
  RunViews views;
};

/// Nullopt when help was asked for and printed. Throws InputError with every problem.
std::optional<RunOptions> read_run_options(const Arguments& arguments);

}  // namespace smsim::cli
