// What one simulation says: metrics under Nsight Compute's names, where the warps waited, what
// bounds the kernel, and what could be changed. Reports (smsim/report.hpp) only format this.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/counters.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

/// What a metric means; the same for every result.
struct MetricInfo {
  std::string name;        // Nsight Compute's name, or smsim__* where it has none
  std::string unit;        // "cycle", "%", "warp", ...; empty for pure numbers
  std::string label;       // as Nsight's details page calls it
  std::string definition;  // one line, with the denominator
};

/// All metrics, in the order of every result.
const std::vector<MetricInfo>& metric_infos();

/// One value; empty where it has no meaning in this run (the notes say why). Never NaN or infinite.
struct Metric {
  std::string name;
  std::string unit;
  std::optional<double> value;
};

/// What one limit alone would allow: a lower bound on the cycles of this run.
struct Bound {
  std::string name;             // "issue", "pipe_fma", "dram_bandwidth", ...
  double cycles = 0;            // proven: elapsed cycles are never fewer
  double balanced_cycles = 0;   // the same if the work were spread evenly over the GPU
  std::optional<double> share;  // cycles / elapsed cycles, 0..1; empty when nothing ran
  std::string meaning;          // one line
};

/// Where the kernel stands against the machine's peaks.
struct Roofline {
  std::string precision;  // kind of arithmetic with the most operations: "fp32", ...; empty: none
  std::optional<double> flops;             // arithmetic operations of the whole kernel
  std::optional<double> dram_bytes;        // moved, both ways
  std::optional<double> intensity;         // flops / dram_bytes
  std::optional<double> ridge;             // peak_flops_per_second / peak_bytes_per_second
  std::optional<double> flops_per_second;  // reached
  std::optional<double> bytes_per_second;  // reached
  std::optional<double> peak_flops_per_second;
  double peak_bytes_per_second = 0;
  std::string side;  // "memory": left of the ridge, "compute": right of it, "": unknown
};

/// A change worth trying, and the numbers that speak for it.
struct Suggestion {
  std::string text;
  std::string evidence;
};

struct Verdict {
  std::string bound;              // what limits the kernel most; a Bound's name, or "tail",
                                  // "barrier", "latency", "launch", "nothing"
  std::vector<Bound> bounds;      // largest first
  std::vector<std::string> near;  // bounds within 2 % of the simulated cycles
  Roofline roofline;
  std::vector<Suggestion> suggestions;  // at most three
  std::string summary;                  // one sentence
};

/// The launch as it was simulated.
struct LaunchSummary {
  Dim3 grid;
  Dim3 block;
  int registers = 0;
  int smem_static_bytes = 0;
  int smem_dynamic_bytes = 0;
  int cluster = 1;
  std::uint64_t seed = 0;
  std::string scheduler;
};

/// How many blocks fit on an SM with the shared-memory split in force, and why not more.
struct Residency {
  int warps_per_block = 0;
  int blocks_per_sm = 0;
  int warps_per_sm = 0;
  int max_warps_per_sm = 0;
  int limit_warps = 0;  // blocks that each resource alone would admit
  int limit_blocks = 0;
  int limit_registers = 0;
  int limit_shared_mem = 0;
  int limit_barriers = 0;
  std::vector<std::string> limiters;  // every resource at the minimum
  int registers_allocated = 0;        // per thread
  std::int64_t smem_config_bytes = 0;
  std::int64_t smem_per_block_bytes = 0;  // allocated, the driver's share included
  std::vector<std::string> next_steps;    // "2 registers fewer gives 6 blocks"
};

/// One scheduler of one SM.
struct SchedulerBreakdown {
  std::uint64_t active_cycles = 0;
  std::uint64_t issued = 0;
  std::optional<double> active_warps;    // per active cycle
  std::optional<double> eligible_warps;  // per active cycle
  std::optional<double> issue_pct;       // of active cycles
};

/// One SM.
struct SmBreakdown {
  int sm = 0;
  std::uint64_t blocks = 0;
  std::uint64_t active_cycles = 0;
  std::uint64_t last_block_end = 0;  // cycle
  std::optional<double> active_warps;
  std::optional<double> issue_pct;
  std::vector<SchedulerBreakdown> schedulers;
};

/// One instruction of the program, summed over the GPU.
struct InstructionBreakdown {
  std::uint32_t pc = 0;
  std::uint32_t source_line = 0;  // 0: none
  std::string text;
  std::uint64_t issued = 0;
  std::uint64_t warp_cycles = 0;  // spent by warps before this instruction issued
  std::array<std::uint64_t, kWarpStates> state{};
};

struct Result {
  std::string smsim_version;
  Status status = Status::completed;
  std::string gpu;        // "h200"
  std::string gpu_title;  // "NVIDIA H200 SXM 141 GB"
  std::string kernel;
  LaunchSummary launch;
  double sm_mhz = 0;
  Residency residency;
  std::vector<Metric> metrics;                            // in the order of metric_infos()
  std::array<std::optional<double>, kWarpStates> stalls;  // warp-cycles per issued instruction
  Verdict verdict;
  std::vector<SmBreakdown> sms;
  std::vector<InstructionBreakdown> instructions;
  std::optional<Deadlock> deadlock;
  std::optional<LaunchFailure> launch_failure;
  std::shared_ptr<const Timeline> timeline;  // when the run kept one
  std::vector<std::string> notes;
  std::vector<std::string> missing;  // why which metrics are empty, one line per reason

  /// The metric of that name. Throws std::out_of_range for a name that is not in metric_infos().
  [[nodiscard]] std::optional<double> value(std::string_view name) const;
};

/// "completed", "deadlock", "launch_failure", "max_cycles", "interrupted".
const char* to_string(Status status);

/// Everything that a simulation says, from its counters and inputs.
Result make_result(const GpuSpec& gpu, const KernelSpec& kernel, const SimulationResult& run);

/// Checks what must hold in every run: warp states add up to residency and to the latency per
/// issued instruction, eligible warps follow from selected and not selected ones, no bound exceeds
/// the cycles, no value is NaN. Returns one line per violation; empty means all hold.
std::vector<std::string> check_identities(const Counters& counters, const Result& result);

}  // namespace smsim
