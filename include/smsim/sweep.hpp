// Many simulations at once: the points of a study, kept in a database.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace smsim {

/// Which part of a study to run: points whose number is `index` modulo `count`.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

struct SweepOptions {
  std::string database;  // file; is made, or gone on with
  int threads = 1;       // points simulated at the same time
  Shard shard;
  const std::atomic<bool>* interrupt = nullptr;  // stop soon; what is done is kept
  /// Called from the calling thread now and then.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;
};

struct SweepOutcome {
  std::uint64_t points = 0;      // of the shard
  std::uint64_t simulated = 0;   // now
  std::uint64_t kept = 0;        // from an earlier run
  std::uint64_t infeasible = 0;  // of all: cannot be launched, deadlock, or make no kernel
  bool interrupted = false;
  double simulation_cpu_seconds = 0;  // of all threads, inside simulations
};

/// Runs the points of a study (a name of configs/sweeps, or a file) that the database does not have
/// yet, or has from another kernel file, GPU or version. One row per point: inputs, status,
/// verdict, every metric. The rows are the same however often it was interrupted, and for any
/// number of threads. Throws InputError with every problem of the inputs, and where another process
/// writes the database.
SweepOutcome sweep(const std::string& study, const SweepOptions& options);

/// Puts the rows of several databases of one study into another one; a point that stands in several
/// counts once. Throws InputError where two of them have different results for a point.
std::uint64_t merge_sweeps(const std::string& into, const std::vector<std::string>& from);

}  // namespace smsim
