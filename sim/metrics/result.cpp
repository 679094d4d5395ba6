#include "smsim/result.hpp"

#include "sim/metrics/breakdown.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/metrics/residency.hpp"
#include "sim/metrics/roofline.hpp"
#include "sim/metrics/verdict.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

LaunchSummary summarise(const KernelSpec& kernel, const SimulationResult& run) {
  const LaunchSpec& launch = kernel.launch;
  return {launch.grid,
          launch.block,
          launch.registers,
          launch.smem_static_bytes,
          launch.smem_dynamic_bytes,
          launch.cluster,
          launch.seed,
          run.scheduler};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void add_status_note(Result& result, const Counters& counters) {
  const std::string blocks = std::to_string(counters.blocks_done) + " of " +
                             std::to_string(result.launch.grid.count()) + " blocks were done";
  if (result.status == Status::max_cycles) {
    result.notes.push_back("partial: the cycle limit ended the run; " + blocks);
  } else if (result.status == Status::interrupted) {
    result.notes.push_back("partial: the run was interrupted; " + blocks);
  } else if (result.status == Status::deadlock) {
    result.notes.push_back("partial: the program deadlocks; " + blocks);
  }
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::completed:
      return "completed";
    case Status::deadlock:
      return "deadlock";
    case Status::launch_failure:
      return "launch_failure";
    case Status::max_cycles:
      return "max_cycles";
    case Status::interrupted:
      return "interrupted";
  }
  return "unknown";
}

Result make_result(const GpuSpec& gpu, const KernelSpec& kernel, const SimulationResult& run) {
  Result result;
  result.smsim_version = version();
  result.status = run.status;
  result.gpu = gpu.name;
  result.gpu_title = gpu.title;
  result.kernel = kernel.name;
  result.sm_mhz = gpu.clocks.sm_mhz;
  result.launch = summarise(kernel, run);
  add_status_note(result, run.counters);
  result.residency = make_residency(gpu, kernel.launch);

  const Totals total = add_up(run.counters);
  const Roofline roofline = make_roofline(gpu, kernel, run, total);
  const MetricInputs inputs{gpu, kernel, run, total, result.residency, roofline};
  MetricList list = compute_metrics(inputs);
  result.metrics = std::move(list.metrics);
  result.stalls = compute_stalls(run, total);
  result.verdict = make_verdict(inputs);
  result.sms = break_down_by_sm(run.counters);
  result.instructions = break_down_by_instruction(kernel.program, run.counters);
  result.deadlock = run.deadlock;
  result.launch_failure = run.launch_failure;
  result.timeline = run.timeline;
  append(result.notes, kernel.notes);
  append(result.notes, run.notes);
  result.missing = std::move(list.missing);
  return result;
}

}  // namespace smsim
