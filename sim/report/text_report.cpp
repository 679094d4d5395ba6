#include "sim/report/text_parts.hpp"

namespace smsim {
namespace {

constexpr const char* kSpeed[] = {
    "gpc__cycles_elapsed.max", "gpu__time_duration.sum", "gpc__cycles_elapsed.max.per_second",
    "sm__cycles_active.avg",   "smsp__inst_issued.sum",  "sm__inst_executed.avg.per_cycle_active"};

constexpr const char* kLaunch[] = {"launch__grid_size",
                                   "launch__block_size",
                                   "launch__thread_count",
                                   "launch__cluster_size",
                                   "launch__registers_per_thread",
                                   "launch__shared_mem_per_block_static",
                                   "launch__shared_mem_per_block_dynamic",
                                   "launch__shared_mem_per_block_driver",
                                   "launch__shared_mem_config_size",
                                   "launch__sm_count",
                                   "launch__waves_per_multiprocessor"};

constexpr const char* kMemory[] = {
    "dram__bytes.sum.per_second",   "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes_read.sum",         "dram__bytes_write.sum",
    "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct",
    "smsim__l2_throughput.pct",     "smsim__load_latency_cycles.avg",
    "smsim__loads_in_flight.avg",   "smsim__lsu_port_busy.pct"};

constexpr const char* kSharedMemory[] = {"smsim__shared_wavefronts.sum",
                                         "derived__memory_l1_wavefronts_shared_excessive"};

constexpr const char* kAtomics[] = {"smsim__atomic_operations.sum"};

constexpr const char* kQueue[] = {"smsim__queue_pops.sum", "smsim__queue_wait_cycles.avg"};

constexpr const char* kTail[] = {"launch__waves_per_multiprocessor",
                                 "smsim__wave_efficiency.pct",
                                 "smsim__sm_blocks.max",
                                 "smsim__sm_blocks.min",
                                 "sm__cycles_active.max",
                                 "sm__cycles_active.min",
                                 "smsim__tail_cycles",
                                 "smsim__sm_idle.pct",
                                 "smsim__launch_overhead_cycles",
                                 "smsim__warp_cycles.avg",
                                 "smsim__issue_imbalance.ratio"};

void write_memory(TextWriter& out, const Result& result, const ReportOptions& options) {
  out.section("Memory");
  write_metrics(out, result, options, kMemory);
  if (result.value("smsim__shared_wavefronts.sum").value_or(0) > 0 || options.explain) {
    write_metrics(out, result, options, kSharedMemory);
  }
  if (result.value("smsim__atomic_operations.sum").value_or(0) > 0 || options.explain) {
    write_metrics(out, result, options, kAtomics);
  }
  if (result.value("smsim__queue_pops.sum").value_or(0) > 0 || options.explain) {
    write_metrics(out, result, options, kQueue);
  }
}

void write_measured(TextWriter& out, const Result& result, const ReportOptions& options) {
  write_scheduler(out, result, options);
  write_warp_states(out, result, options);
  write_memory(out, result, options);
  out.section("Tail");
  write_metrics(out, result, options, kTail);
  write_verdict(out, result, options);
  if (options.per_sm) {
    write_sms(out, result);
  }
  if (options.instructions) {
    write_instructions(out, result);
  }
}

}  // namespace

std::string text_report(const Result& result, const ReportOptions& options) {
  TextWriter out;
  write_header(out, result);
  const bool launched = result.status != Status::launch_failure;
  if (result.launch_failure) {
    write_launch_failure(out, *result.launch_failure);
  }
  if (result.deadlock) {
    write_deadlock(out, result);
  }
  if (launched) {
    out.section("GPU speed");
    write_metrics(out, result, options, kSpeed);
  }
  out.section("Launch");
  write_metrics(out, result, options, kLaunch);
  write_occupancy(out, result, options);
  if (launched) {
    write_measured(out, result, options);
  }
  write_notes(out, result, options);
  return out.take();
}

}  // namespace smsim
