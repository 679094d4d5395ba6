// Entry point of the engine: one kernel on one GPU.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smsim/counters.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/timeline.hpp"

namespace smsim {

struct SimulateOptions {
  std::string scheduler;         // empty: the GPU file's default
  int threads = 1;               // host threads; never changes the result
  std::uint64_t max_cycles = 0;  // 0 = no cap
  int window_cycles = 0;         // 0 = largest safe; tests set 16 or 64; never changes the result
  bool count_instructions = false;               // fill Counters::instruction
  std::optional<TimelineOptions> timeline;       // keep what happened when
  const std::atomic<bool>* interrupt = nullptr;  // set by a signal handler: stop at the next window
  std::function<void(std::uint64_t blocks_done, std::uint64_t blocks, std::uint64_t cycle)>
      progress;
};

enum class Status : std::uint8_t { completed, deadlock, launch_failure, max_cycles, interrupted };

// One warp that can never go on, and whom it waits for.
struct BlockedWarp {
  std::uint64_t block = 0;
  std::uint32_t warp = 0;  // in its block
  std::uint32_t sm = 0;
  std::uint32_t pc = 0;
  std::string waits_for;  // "named barrier 1: 2 of 4 warps arrived"
};

struct Deadlock {
  std::uint64_t cycle = 0;         // of the last progress
  std::vector<BlockedWarp> warps;  // a sample when there are many
  std::uint64_t blocked_warps = 0;
  std::uint64_t blocks_not_started = 0;
  std::vector<std::string> wait_for_cycle;  // "block 3 warp 1 (BAR.SYNC 0) -> block 3 warp 0 (...)"
  std::string explanation;
};

struct LaunchFailure {
  std::string resource;  // "registers", "shared_mem", "threads", "cluster", "cooperative", ...
  std::uint64_t need = 0;
  std::uint64_t limit = 0;
  std::string explanation;
  std::string what_fits;
};

struct SimulationResult {
  Status status = Status::completed;
  std::string scheduler;
  int window_cycles = 0;
  Counters counters;
  std::shared_ptr<const Timeline> timeline;  // when it was asked for
  std::optional<Deadlock> deadlock;
  std::optional<LaunchFailure> launch_failure;
  std::vector<std::string> notes;
};

// Runs `kernel` on `gpu`. Throws std::invalid_argument when options or inputs are inconsistent
// (unknown policy, a program that jumps outside itself, ...); a kernel that deadlocks or cannot be
// launched is a result, not an error.
SimulationResult simulate(const GpuSpec& gpu, const KernelSpec& kernel,
                          const SimulateOptions& options = {});

// Names and one-line descriptions of the warp-scheduling policies.
struct PolicyInfo {
  std::string name;
  std::string summary;
};
const std::vector<PolicyInfo>& policies();
/// The names alone.
std::vector<std::string> scheduler_names();

}  // namespace smsim
