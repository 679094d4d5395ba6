// smsim step: walks through one SM's cycles, from a prompt or from a script on stdin.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/gpu_for_run.hpp"
#include "sim/cli/step_session.hpp"
#include "smsim/kernel_file.hpp"

namespace smsim::cli {
namespace {

// On a terminal a prompt; a script's commands are echoed, so that its output reads the same.
void talk(StepSession& session) {
  const bool prompt = isatty(STDIN_FILENO) != 0;
  std::string line;
  while (!session.finished()) {
    if (prompt) {
      fmt::print("(smsim) ");
      std::fflush(stdout);
    }
    if (!std::getline(std::cin, line)) break;
    if (!prompt) fmt::print("(smsim) {}\n", line);
    fmt::print("{}", session.command(line));
    std::fflush(stdout);
  }
}

}  // namespace

int run_step(const Arguments& arguments) {
  CommandLine line("step NAME|FILE [options]",
                   "Walks through a kernel on one SM, cycle by cycle or from issue to issue, "
                   "forwards and backwards. Commands come from the terminal or from stdin.",
                   "  smsim step saxpy\n"
                   "  smsim step fma_ilp8 --sm 3 --scheduler lrr\n"
                   "  printf 'issue\\nissue\\nwhy 0.1\\n' | smsim step block_reduce\n");
  line.inputs(1)
      .value("gpu", "NAME|FILE", "GPU (default h200)")
      .value("scheduler", "P", "warp-scheduling policy; 'smsim schedulers' lists them")
      .value("set", "PATH=VALUE", "change a value of the kernel")
      .value("sm", "N", "the SM to look at (default 0)")
      .value("max-cycles", "N", "end the simulation after this many cycles");
  if (!line.parse(arguments)) return kDone;
  if (line.inputs().empty()) line.problem("found no kernel, expected NAME|FILE");
  SimulateOptions options;
  if (line.has("scheduler")) options.scheduler = line.choice("scheduler", "", scheduler_names());
  options.max_cycles =
      static_cast<std::uint64_t>(line.integer("max-cycles", 0, 1, 1'000'000'000'000'000));
  const auto sm = line.integer("sm", 0, 0, UINT16_MAX);
  line.finish();
  const GpuForRun gpu = load_gpu_for_run(line.text("gpu", "h200"));
  if (sm >= gpu.gpu.spec.topology.sms) {
    throw InputError(fmt::format("--sm: found {}, expected an SM of {} (0 to {})", sm,
                                 gpu.gpu.spec.name, gpu.gpu.spec.topology.sms - 1));
  }
  const KernelSpec kernel = load_kernel(line.inputs()[0], line.texts("set"), gpu.gpu.spec);
  StepSession session(gpu.gpu.spec, kernel, options, static_cast<std::uint32_t>(sm));
  fmt::print("{}", session.greeting());
  const Status status = session.result().status;
  talk(session);
  return status == Status::launch_failure || status == Status::deadlock ? kNoProgress : kDone;
}

}  // namespace smsim::cli
