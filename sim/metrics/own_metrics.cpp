// Metrics that Nsight Compute has no name for.
#include <algorithm>

#include "sim/metrics/metric_definition.hpp"

namespace smsim {
namespace {

std::uint64_t slots(const MetricInputs& in) {
  return static_cast<std::uint64_t>(in.residency.blocks_per_sm) *
         static_cast<std::uint64_t>(in.gpu.topology.sms);
}

// blocks / (whole waves x blocks per wave), in exact integers up to the last division.
MetricValue wave_efficiency(const MetricInputs& in) {
  const std::uint64_t blocks = in.kernel.launch.grid.count();
  if (slots(in) == 0 || blocks == 0) {
    return missing("no block fits on an SM");
  }
  const std::uint64_t whole = (blocks + slots(in) - 1) / slots(in);
  return ratio(blocks, whole * slots(in), "", 100);
}

MetricValue tail_cycles(const MetricInputs& in) {
  if (in.total.last_block_end_min == 0) {
    return missing("no block ended");
  }
  const std::uint64_t last = in.run.counters.last_block_end;
  return number(last - std::min(last, in.total.last_block_end_min));
}

MetricValue launch_overhead(const MetricInputs& in) {
  const Counters& c = in.run.counters;
  const std::uint64_t busy = c.last_block_end - std::min(c.last_block_end, c.first_block_start);
  return number(c.elapsed_cycles - std::min(c.elapsed_cycles, busy));
}

MetricValue occupancy_elapsed(const MetricInputs& in) {
  const auto warps = static_cast<std::uint64_t>(in.residency.max_warps_per_sm);
  return ratio(in.total.warps_active, in.run.counters.elapsed_cycles * in.total.sms * warps,
               kNothingRan, 100);
}

MetricValue sm_idle(const MetricInputs& in) {
  const std::uint64_t all = in.run.counters.elapsed_cycles * in.total.sms;
  return ratio(all - std::min(all, in.total.sm_active), all, kNothingRan, 100);
}

MetricValue warp_cycles(const MetricInputs& in) {
  return ratio(in.total.warps_active,
               in.total.blocks * static_cast<std::uint64_t>(in.residency.warps_per_block),
               "no block started");
}

MetricValue imbalance(const MetricInputs& in) {
  return ratio(in.total.issued_max * in.total.schedulers, in.total.issued, kNothingIssued);
}

MetricValue l2_throughput(const MetricInputs& in) {
  const MemoryCounters& m = in.run.counters.memory;
  const double peak = in.gpu.l2.slices * in.gpu.l2.slice_bytes_per_cycle *
                      static_cast<double>(in.run.counters.elapsed_cycles);
  if (peak <= 0) {
    return missing("the GPU file gives no L2 bandwidth, or nothing ran");
  }
  return number(100 * 32 * static_cast<double>(m.l2_read_sectors + m.l2_write_sectors) / peak);
}

MetricValue from(const std::optional<double>& value, const char* why) {
  return value ? number(*value) : missing(why);
}

constexpr const char* kNoArithmetic =
    "no arithmetic is known in this program, or nothing went through DRAM";

constexpr MetricDefinition kOwn[] = {
    {"smsim__wave_efficiency.pct", "%", "Wave Efficiency",
     "grid size / (waves rounded up x blocks that the whole GPU holds at once)", wave_efficiency},
    {"smsim__tail_cycles", "cycle", "Tail",
     "from the first SM that ran out of blocks to the end of the last block", tail_cycles},
    {"smsim__launch_overhead_cycles", "cycle", "Launch Overhead",
     "elapsed cycles before the first block's start and after the last block's end",
     launch_overhead},
    {"smsim__sm_idle.pct", "%", "SM Idle", "share of SM cycles without a resident block", sm_idle},
    {"smsim__achieved_occupancy_elapsed.pct", "%", "Achieved Occupancy, Elapsed",
     "resident warp-cycles / (elapsed cycles x warp slots of all SMs); idle SMs count",
     occupancy_elapsed},
    {"smsim__sm_blocks.max", "block", "Blocks Per SM, most", "blocks that the busiest SM ran",
     [](const MetricInputs& in) { return number(in.total.sm_blocks_max); }},
    {"smsim__sm_blocks.min", "block", "Blocks Per SM, fewest", "blocks that the idlest SM ran",
     [](const MetricInputs& in) { return number(in.total.sm_blocks_min); }},
    {"smsim__issue_imbalance.ratio", "", "Issue Imbalance",
     "instructions of the busiest scheduler / mean over all schedulers; 1 is even", imbalance},
    {"smsim__warp_cycles.avg", "cycle", "Warp Lifetime", "resident warp-cycles / warps started",
     warp_cycles},
    {"smsim__load_latency_cycles.avg", "cycle", "Loaded Memory Latency",
     "mean latency of the loads that missed L1, queueing included",
     [](const MetricInputs& in) {
       return ratio(in.run.counters.memory.load_latency_cycles,
                    in.run.counters.memory.load_requests, "no load missed L1");
     }},
    {"smsim__loads_in_flight.avg", "request", "Loads In Flight Per SM",
     "load requests on their way to L2 and back, mean over elapsed cycles and all SMs",
     [](const MetricInputs& in) {
       return ratio(in.run.counters.memory.load_latency_cycles,
                    in.run.counters.elapsed_cycles * in.total.sms, kNothingRan);
     }},
    {"smsim__l2_throughput.pct", "%", "L2 Throughput",
     "bytes that SMs moved through L2 / (elapsed cycles x peak L2 bandwidth)", l2_throughput},
    {"smsim__lsu_port_busy.pct", "%", "LSU Port Busy",
     "share of active SM cycles in which the load/store port was taken",
     [](const MetricInputs& in) {
       return ratio(in.total.lsu_port_busy, in.total.sm_active, kNothingRan, 100);
     }},
    {"smsim__shared_wavefronts.sum", "", "Shared Wavefronts", "passes through shared memory",
     [](const MetricInputs& in) { return number(in.total.shared_wavefronts); }},
    {"smsim__atomic_operations.sum", "", "Global Atomic Operations",
     "atomic operations carried out in L2",
     [](const MetricInputs& in) { return number(in.run.counters.memory.l2_atomic_operations); }},
    {"smsim__queue_pops.sum", "", "Work Queue Pops", "tickets taken from work queues",
     [](const MetricInputs& in) { return number(in.run.counters.memory.queue_pops); }},
    {"smsim__queue_wait_cycles.avg", "cycle", "Work Queue Waiting",
     "cycles that a pop waited for earlier pops of the same counter, mean",
     [](const MetricInputs& in) {
       return ratio(in.run.counters.memory.queue_wait_cycles, in.run.counters.memory.queue_pops,
                    "the kernel takes nothing from a work queue");
     }},
    {"smsim__flops.sum", "", "Arithmetic Operations",
     "floating-point operations of all threads; a fused multiply-add counts as two",
     [](const MetricInputs& in) { return from(in.roofline.flops, kNoArithmetic); }},
    {"smsim__arithmetic_intensity", "flop/byte", "Arithmetic Intensity",
     "arithmetic operations / bytes read from and written to DRAM",
     [](const MetricInputs& in) { return from(in.roofline.intensity, kNoArithmetic); }},
    {"smsim__ridge_point", "flop/byte", "Ridge Point",
     "arithmetic intensity at which peak arithmetic and peak DRAM bandwidth meet",
     [](const MetricInputs& in) { return from(in.roofline.ridge, kNoArithmetic); }},
};

}  // namespace

std::span<const MetricDefinition> own_metrics() {
  return kOwn;
}

}  // namespace smsim
