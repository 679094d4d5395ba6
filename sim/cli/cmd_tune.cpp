// smsim tune: the launch configuration with the fewest cycles.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/progress_bar.hpp"
#include "smsim/tune.hpp"

namespace smsim::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kMostBudget = 100'000;
constexpr int kDefaultBudget = 200;

CommandLine make_line() {
  CommandLine line(
      "tune NAME|FILE [options]",
      "Finds the configuration of a kernel with the fewest cycles: block size, registers, tiles, "
      "blocks per SM, or whatever --over names. Shows what occupancy has to do with it, too.\n"
      "Without --over, the kernel file's 'tune' says what is varied, and without that it is the "
      "block size and the register limits at which another block fits. Where the budget allows "
      "all configurations that can run are simulated, else a search picks them.\n"
      "A LIST is 64,128,256 or [32,8],[16,16]; a RANGE is 8:64:*2 (8, 16, 32, 64) or 8:64:+8. The "
      "value 'default' leaves what the file says.\n"
      "Exit code: 0 done; 2 bad input; 3 no configuration can run; 130 interrupted.",
      "  smsim tune block_reduce\n"
      "  smsim tune saxpy --gpu a100 --over params.block=64:1024:*2\n"
      "  smsim tune my.yaml --over params.tile=8:32:*2 --over launch.registers=default,64,32\n"
      "  smsim tune persistent_queue --budget 20 --format json\n");
  line.inputs(1)
      .value("gpu", "NAME|FILE", "GPU (default h200); 'smsim gpus' lists them")
      .value("scheduler", "P", "warp-scheduling policy; 'smsim schedulers' lists them")
      .value("set", "PATH=VALUE", "change a value of the kernel at every point (params.n=4096)")
      .value("over", "PATH=VALUES", "what to vary, and over which LIST or RANGE")
      .value("where", "EXPR", "leave out points where this is 0 (params.tile <= 32)")
      .value("budget", "N", "simulations at most (default 200)")
      .value("threads", "N", "simulations at a time (default: all cores); never changes a result")
      .value("seed", "N", "seed of the search (default 1)")
      .value("format", "F", "text (default), json, or csv with every simulated point");
  return line;
}

int exit_code(const TuneOutcome& outcome) {
  if (outcome.interrupted) return kInterrupted;
  return outcome.best ? kDone : kNoProgress;
}

TuneOptions read_options(CommandLine& line) {
  TuneOptions options;
  options.gpu = line.text("gpu", "h200");
  options.scheduler = line.text("scheduler", "");
  options.set = line.texts("set");
  options.over = line.texts("over");
  options.where = line.texts("where");
  options.budget =
      static_cast<std::uint64_t>(line.integer("budget", kDefaultBudget, 1, kMostBudget));
  options.seed = static_cast<std::uint64_t>(line.integer("seed", 1, 0, INT64_MAX));
  const auto cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.threads = static_cast<int>(line.integer("threads", cores, 1, kMostThreads));
  return options;
}

}  // namespace

int run_tune(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) return kDone;
  if (line.inputs().empty()) line.problem("found no kernel, expected NAME|FILE");
  const std::string format = line.choice("format", "text", {"text", "json", "csv"});
  TuneOptions options = read_options(line);
  const std::string kernel = line.inputs().empty() ? "saxpy" : line.inputs().front();
  try {
    check_tune(kernel, options);
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) line.problem(one);
  }
  line.finish();
  ProgressBar bar(std::filesystem::path(kernel).stem().string());
  if (bar.visible()) {
    options.progress = [&bar](std::uint64_t done, std::uint64_t all) {
      bar.update_count(done, all);
    };
  }
  const InterruptGuard guard;
  options.interrupt = &InterruptGuard::flag();
  const TuneOutcome outcome = tune(kernel, options);
  fmt::print("{}", format == "json"  ? tune_json(outcome)
                   : format == "csv" ? tune_csv(outcome)
                                     : tune_text(outcome));
  return exit_code(outcome);
}

}  // namespace smsim::cli
