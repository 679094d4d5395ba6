// The subcommands of smsim. A new one is a function here and a row in commands.cpp.
#pragma once

#include <string>
#include <vector>

namespace smsim::cli {

using Arguments = std::vector<std::string>;

/// Exit codes, the same for every subcommand.
enum ExitCode : int {
  kDone = 0,
  kFault = 1,         // a fault of smsim itself
  kBadInput = 2,      // thrown as InputError, printed by main
  kNoProgress = 3,    // the kernel deadlocks or cannot be launched: a result all the same
  kInterrupted = 130  // by Ctrl-C, with partial results
};

/// One subcommand. `run` prints results on stdout and throws InputError when it cannot start.
struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
};

const std::vector<Command>& commands();

int run_occupancy(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_schedulers(const Arguments& arguments);
int run_gpus(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_validate(const Arguments& arguments);
int run_import(const Arguments& arguments);
int import_accelsim(const Arguments& arguments);  // smsim import accelsim
int run_lesson(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_report(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_tune(const Arguments& arguments);
int run_plot(const Arguments& arguments);
int run_step(const Arguments& arguments);

}  // namespace smsim::cli
