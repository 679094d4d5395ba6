// Time, residency and issue, as the schedulers saw them.
#include "sim/metrics/metric_definition.hpp"

namespace smsim {
namespace {

constexpr const char* kNoActive = "no SM was ever active";

std::uint64_t eligible(const Totals& total) {
  return total.in_state(WarpState::selected) + total.in_state(WarpState::not_selected);
}

MetricValue duration_ns(const MetricInputs& in) {
  return in.gpu.clocks.sm_mhz > 0 ? number(seconds(in) * 1e9)
                                  : missing("the GPU file gives no SM clock");
}

MetricValue achieved_occupancy(const MetricInputs& in) {
  const auto slots = static_cast<std::uint64_t>(in.residency.max_warps_per_sm);
  return ratio(in.total.warps_active, in.total.sm_active * slots, kNoActive, 100);
}

MetricValue issued_per_sm_cycle(const MetricInputs& in) {
  return ratio(in.total.issued, in.total.sm_active, kNoActive);
}

constexpr MetricDefinition kScheduler[] = {
    {"gpc__cycles_elapsed.max", "cycle", "Elapsed Cycles",
     "SM clock cycles from the launch to the kernel's completion",
     [](const MetricInputs& in) { return number(in.run.counters.elapsed_cycles); }},
    {"gpu__time_duration.sum", "ns", "Duration", "elapsed cycles / SM clock", duration_ns},
    {"gpc__cycles_elapsed.max.per_second", "hz", "SM Frequency", "SM clock of the GPU file",
     [](const MetricInputs& in) { return number(in.gpu.clocks.sm_mhz * 1e6); }},
    {"sm__cycles_active.avg", "cycle", "SM Active Cycles",
     "cycles with at least one resident block, mean over all SMs, idle ones included",
     [](const MetricInputs& in) {
       return ratio(in.total.sm_active, in.total.sms, "the GPU has no SM");
     }},
    {"sm__cycles_active.max", "cycle", "SM Active Cycles, most",
     "cycles with at least one resident block, the busiest SM",
     [](const MetricInputs& in) { return number(in.total.sm_active_max); }},
    {"sm__cycles_active.min", "cycle", "SM Active Cycles, fewest",
     "cycles with at least one resident block, the idlest SM",
     [](const MetricInputs& in) { return number(in.total.sm_active_min); }},
    {"smsp__cycles_active.avg", "cycle", "SMSP Active Cycles",
     "cycles with at least one resident warp, mean over all schedulers",
     [](const MetricInputs& in) {
       return ratio(in.total.scheduler_active, in.total.schedulers, "the GPU has no scheduler");
     }},
    {"sm__warps_active.avg.per_cycle_active", "warp", "Achieved Active Warps Per SM",
     "resident warp-cycles / active cycles of the SMs",
     [](const MetricInputs& in) {
       return ratio(in.total.warps_active, in.total.sm_active, kNoActive);
     }},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "Achieved Occupancy",
     "achieved active warps per SM / warp slots of an SM; idle SMs do not count",
     achieved_occupancy},
    {"smsp__warps_active.avg.per_cycle_active", "warp", "Active Warps Per Scheduler",
     "resident warp-cycles / active cycles of the schedulers",
     [](const MetricInputs& in) {
       return ratio(in.total.warps_active, in.total.scheduler_active, kNoActive);
     }},
    {"smsp__warps_eligible.avg.per_cycle_active", "warp", "Eligible Warps Per Scheduler",
     "warp-cycles ready to issue (selected or not) / active cycles of the schedulers",
     [](const MetricInputs& in) {
       return ratio(eligible(in.total), in.total.scheduler_active, kNoActive);
     }},
    {"smsp__issue_active.avg.per_cycle_active", "warp", "Issued Warp Per Scheduler",
     "instructions issued / active cycles of the schedulers; 1 is the peak",
     [](const MetricInputs& in) {
       return ratio(in.total.issued, in.total.scheduler_active, kNoActive);
     }},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "%", "One or More Eligible",
     "share of active scheduler cycles that issued an instruction",
     [](const MetricInputs& in) {
       return ratio(in.total.issued, in.total.scheduler_active, kNoActive, 100);
     }},
    {"smsp__inst_executed.sum", "inst", "Executed Instructions", "warp instructions executed",
     [](const MetricInputs& in) { return number(in.total.issued); }},
    {"smsp__inst_issued.sum", "inst", "Issued Instructions",
     "warp instructions issued; replays are not modelled, so as many as executed",
     [](const MetricInputs& in) { return number(in.total.issued); }},
    {"sm__inst_executed.avg.per_cycle_active", "inst/cycle", "Executed Ipc Active",
     "warp instructions / active cycles of the SMs", issued_per_sm_cycle},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "thread", "Avg. Active Threads Per Warp",
     "thread instructions / warp instructions; 32 is the peak",
     [](const MetricInputs& in) {
       return ratio(in.total.thread_instructions, in.total.issued, kNothingIssued);
     }},
    {"smsp__average_warp_latency_per_inst_issued.ratio", "cycle",
     "Warp Cycles Per Issued Instruction", "resident warp-cycles / instructions issued",
     [](const MetricInputs& in) {
       return ratio(in.total.warps_active, in.total.issued, kNothingIssued);
     }},
    {"smsp__average_warps_active_per_inst_executed.ratio", "cycle",
     "Warp Cycles Per Executed Instruction", "resident warp-cycles / instructions executed",
     [](const MetricInputs& in) {
       return ratio(in.total.warps_active, in.total.issued, kNothingIssued);
     }},
};

}  // namespace

std::span<const MetricDefinition> scheduler_metrics() {
  return kScheduler;
}

}  // namespace smsim
