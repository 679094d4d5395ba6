// The launch configuration with the fewest cycles: block size, registers, tiles, blocks per SM.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "smsim/result.hpp"

namespace smsim {

/// One thing that is varied: a path of the kernel file, and what it may be. The value `default`
/// leaves what the file says.
struct TuneAxis {
  std::string path;                 // "launch.block", "params.tile"
  std::vector<std::string> values;  // numbers rise, so that neighbours are alike
};

struct TuneOptions {
  std::string gpu = "h200";
  std::string scheduler;           // empty: the GPU's
  std::vector<std::string> set;    // "params.n=4096": the same at every point
  std::vector<std::string> over;   // "launch.block=64,128", "params.tile=8:64:*2"
  std::vector<std::string> where;  // "params.tile <= 32": points where one is 0 are left out
  std::uint64_t budget = 200;      // simulations at most
  std::uint64_t seed = 1;          // of the search
  int threads = 1;                 // simulations at a time; never changes the outcome
  const std::atomic<bool>* interrupt = nullptr;  // stop soon, with what there is
  /// One call at a time, from any thread.
  std::function<void(std::uint64_t done, std::uint64_t at_most)> progress;
};

/// One configuration and what became of it.
struct TunePoint {
  std::optional<std::uint64_t> number;  // in the space, the last axis fastest; empty: outside of it
  std::vector<std::pair<std::string, std::string>> values;  // by axis
  std::string status;                    // as of a Result, or "invalid": makes no kernel
  std::string reason;                    // why it has no cycles
  std::optional<double> cycles;          // only when it completed
  double theoretical_pct = 0;            // occupancy
  double achieved_pct = 0;               // occupancy, as Nsight Compute has it
  int registers = 0;                     // per thread
  std::int64_t spilled_bytes = 0;        // per thread
  std::shared_ptr<const Result> result;  // without its SMs and instructions
};

/// A question asked the other way round: what would have to change, and what it would bring.
struct TuneQuestion {
  std::string name;  // "registers_for_next_block", "register_slack", "smem_slack", "largest_value"
  std::string path;  // of the axis, for "largest_value"
  std::string answer;                  // one sentence
  std::optional<std::int64_t> value;   // the figure then
  std::optional<std::int64_t> change;  // from the best configuration's
  std::optional<int> blocks;           // per SM then
  std::optional<double> cycles;        // simulated
};

struct TuneOutcome {
  std::string kernel, gpu, gpu_title, scheduler;
  std::vector<TuneAxis> axes;
  std::string axes_from;         // "--over", "the kernel file", "default"
  std::uint64_t points = 0;      // every combination of the axes
  std::uint64_t left_out = 0;    // by conditions, of those looked at
  std::uint64_t infeasible = 0;  // cannot be launched, or make no kernel, of those looked at
  std::vector<std::pair<std::string, std::uint64_t>> reasons;  // of infeasible points, most first
  bool exhaustive = false;    // everything that can run was to be simulated
  std::uint64_t budget = 0;   // simulations that it might use
  std::uint64_t planned = 0;  // what it had to simulate: all that can run, or the budget
  std::string method;         // in words
  bool interrupted = false;

  TunePoint present;                          // the file as it is, with the changes of `set`
  std::vector<TunePoint> evaluated;           // in the order of the search
  std::optional<std::size_t> best;            // of `evaluated`: fewest cycles
  std::optional<std::size_t> most_occupied;   // most achieved warps; the fastest of those
  std::vector<std::size_t> pareto;            // fewest cycles first, then ever more occupancy
  std::vector<std::string> why_not_occupied;  // why `most_occupied` is not `best`
  std::vector<TuneQuestion> questions;
};

/// Searches the configurations of a kernel (a name of configs/kernels, or a file): all of them
/// where the budget allows, else the promising ones. Without `over`, the kernel file's `tune` says
/// which, and without that block sizes and register limits are tried. The outcome is the same for
/// any number of threads. Throws InputError with every problem of the inputs.
TuneOutcome tune(const std::string& kernel, const TuneOptions& options);

/// Throws what tune() would throw, and simulates nothing.
void check_tune(const std::string& kernel, const TuneOptions& options);

/// A report of at most 80 columns.
std::string tune_text(const TuneOutcome& outcome);
/// Everything, structured.
std::string tune_json(const TuneOutcome& outcome);
/// One row for every simulated point.
std::string tune_csv(const TuneOutcome& outcome);

}  // namespace smsim
