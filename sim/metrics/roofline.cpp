#include "sim/metrics/roofline.hpp"

#include <algorithm>
#include <map>

#include "sim/metrics/arithmetic.hpp"

namespace smsim {
namespace {

// Operations of one precision, and the fastest rate at which one of its instructions does them.
struct Work {
  double operations = 0;
  double peak_per_cycle = 0;  // of the whole GPU
};

double mean_lanes(const Totals& total) {
  return total.issued == 0
             ? 0
             : static_cast<double>(total.thread_instructions) / static_cast<double>(total.issued);
}

// A peak counts fused multiply-adds, whether the program has any or not.
constexpr const char* kFused[] = {"FFMA", "DFMA", "HFMA2"};

void add_fused_peaks(const GpuSpec& gpu, std::map<std::string, Work>& work) {
  for (const char* name : kFused) {
    const Arithmetic a = arithmetic_of(name);
    const auto operation = gpu.operations.find(name);
    const auto found = work.find(a.precision);
    if (operation == gpu.operations.end() || found == work.end()) {
      continue;
    }
    const double schedulers = gpu.topology.sms * gpu.topology.sub_partitions;
    const double peak = a.operations_per_lane * 32 * schedulers /
                        std::max(operation->second.issue_interval_cycles, 1);
    found->second.peak_per_cycle = std::max(found->second.peak_per_cycle, peak);
  }
}

std::map<std::string, Work> work_by_precision(const GpuSpec& gpu, const Program& program,
                                              const Counters& counters, double lanes) {
  const double schedulers = gpu.topology.sms * gpu.topology.sub_partitions;
  std::map<std::string, Work> work;
  const std::size_t size =
      std::min({program.code.size(), program.text.size(), counters.instruction.size()});
  for (std::size_t pc = 0; pc < size; ++pc) {
    const Arithmetic a = arithmetic_of(program.text[pc]);
    if (a.operations_per_lane + a.operations_per_warp <= 0) {
      continue;
    }
    const Instruction& code = program.code[pc];
    Work& w = work[a.precision];
    w.operations += static_cast<double>(counters.instruction[pc].issued) *
                    (a.operations_per_lane * lanes + a.operations_per_warp);
    w.peak_per_cycle =
        std::max(w.peak_per_cycle, (a.operations_per_lane * 32 + a.operations_per_warp) *
                                       schedulers / std::max<int>(code.issue_interval_cycles, 1));
  }
  add_fused_peaks(gpu, work);
  return work;
}

void set_arithmetic(Roofline& roofline, const std::map<std::string, Work>& work, double hertz) {
  double sum = 0;
  double most = 0;
  for (const auto& [precision, w] : work) {
    sum += w.operations;
    if (w.operations > most) {
      most = w.operations;
      roofline.precision = precision;
      roofline.peak_flops_per_second = w.peak_per_cycle * hertz;
    }
  }
  if (sum > 0) {
    roofline.flops = sum;
  }
}

void set_position(Roofline& roofline, double seconds) {
  if (roofline.flops && roofline.dram_bytes && *roofline.dram_bytes > 0) {
    roofline.intensity = *roofline.flops / *roofline.dram_bytes;
  }
  if (roofline.peak_flops_per_second && roofline.peak_bytes_per_second > 0) {
    roofline.ridge = *roofline.peak_flops_per_second / roofline.peak_bytes_per_second;
  }
  if (roofline.intensity && roofline.ridge) {
    roofline.side = *roofline.intensity < *roofline.ridge ? "memory" : "compute";
  } else if (roofline.flops && roofline.dram_bytes == 0.0) {
    roofline.side = "compute";
  } else if (!roofline.flops && roofline.dram_bytes && *roofline.dram_bytes > 0) {
    roofline.side = "memory";
  }
  if (seconds > 0) {
    roofline.bytes_per_second = roofline.dram_bytes.value_or(0) / seconds;
    roofline.flops_per_second = roofline.flops.value_or(0) / seconds;
  }
}

}  // namespace

Roofline make_roofline(const GpuSpec& gpu, const KernelSpec& kernel, const SimulationResult& run,
                       const Totals& total) {
  const double hertz = gpu.clocks.sm_mhz * 1e6;
  Roofline roofline;
  roofline.peak_bytes_per_second = gpu.dram.bandwidth_gbps * 1e9;
  if (run.status == Status::launch_failure) {
    return roofline;
  }
  const double lanes = mean_lanes(total);
  set_arithmetic(roofline, work_by_precision(gpu, kernel.program, run.counters, lanes), hertz);
  if (!roofline.flops && kernel.flops_per_thread_hint > 0) {
    roofline.flops = kernel.flops_per_thread_hint *
                     static_cast<double>(total.blocks * kernel.launch.block.count());
  }
  roofline.dram_bytes = static_cast<double>(run.counters.memory.dram_read_bytes +
                                            run.counters.memory.dram_write_bytes);
  const double cycles = static_cast<double>(run.counters.elapsed_cycles);
  set_position(roofline, hertz > 0 ? cycles / hertz : 0);
  return roofline;
}

}  // namespace smsim
