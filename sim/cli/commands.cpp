#include "sim/cli/commands.hpp"

namespace smsim::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands{
      {"run", "simulate kernels and report what Nsight Compute would", run_run},
      {"occupancy", "how many blocks fit on an SM, and what stops the next one", run_occupancy},
      {"lesson", "short experiments that teach how a GPU schedules", run_lesson},
      {"import", "turn a profile or a trace into a kernel file", run_import},
      {"export", "write a kernel as a trace for other simulators", run_export},
      {"compare", "lay a prediction and an Nsight Compute profile side by side", run_compare},
      {"validate", "predict measured launches, and show how far off each metric is", run_validate},
      {"sweep", "simulate many configurations, and keep them in a database", run_sweep},
      {"tune", "find the launch configuration with the fewest cycles", run_tune},
      {"plot", "draw a study: one column over another", run_plot},
      {"report", "make pages and timelines from results kept as JSON", run_report},
      {"step", "walk through one SM's cycles, forwards and backwards", run_step},
      {"schedulers", "list the warp-scheduling policies", run_schedulers},
      {"gpus", "list the GPUs, or print one with the source of every figure", run_gpus},
  };
  return kCommands;
}

}  // namespace smsim::cli
