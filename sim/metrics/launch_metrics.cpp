// The launch itself: follows from the kernel and the GPU alone.
#include <iterator>

#include "sim/metrics/metric_definition.hpp"

namespace smsim {
namespace {

double slots(const MetricInputs& in) {
  return static_cast<double>(in.residency.blocks_per_sm) * in.gpu.topology.sms;
}

MetricValue waves(const MetricInputs& in) {
  if (slots(in) <= 0) {
    return missing("no block fits on an SM");
  }
  return number(static_cast<double>(in.kernel.launch.grid.count()) / slots(in));
}

MetricValue threads(const MetricInputs& in) {
  return number(in.kernel.launch.grid.count() * in.kernel.launch.block.count());
}

constexpr MetricDefinition kLaunch[] = {
    {"launch__grid_size", "block", "Grid Size", "blocks of the launch",
     [](const MetricInputs& in) { return number(in.kernel.launch.grid.count()); }},
    {"launch__block_size", "thread", "Block Size", "threads of a block",
     [](const MetricInputs& in) { return number(in.kernel.launch.block.count()); }},
    {"launch__thread_count", "thread", "Threads", "threads of the launch: grid size x block size",
     threads},
    {"launch__cluster_size", "block", "Cluster Size",
     "blocks that are placed together in one GPC; 0 without clusters",
     [](const MetricInputs& in) {
       return number(in.kernel.launch.cluster > 1 ? double(in.kernel.launch.cluster) : 0.0);
     }},
    {"launch__registers_per_thread", "register/thread", "Registers Per Thread",
     "registers that the kernel was compiled to use",
     [](const MetricInputs& in) { return number(double(in.kernel.launch.registers)); }},
    {"launch__registers_per_thread_allocated", "register/thread", "Registers Per Thread Allocated",
     "registers per thread that the allocation unit rounds up to",
     [](const MetricInputs& in) { return number(double(in.residency.registers_allocated)); }},
    {"launch__shared_mem_per_block_static", "byte/block", "Static Shared Memory Per Block",
     "shared memory that the kernel declares",
     [](const MetricInputs& in) { return number(double(in.kernel.launch.smem_static_bytes)); }},
    {"launch__shared_mem_per_block_dynamic", "byte/block", "Dynamic Shared Memory Per Block",
     "shared memory that the launch adds",
     [](const MetricInputs& in) { return number(double(in.kernel.launch.smem_dynamic_bytes)); }},
    {"launch__shared_mem_per_block_driver", "byte/block", "Driver Shared Memory Per Block",
     "shared memory that the driver reserves in every block",
     [](const MetricInputs& in) {
       return number(double(in.gpu.limits.smem_reserved_per_block_bytes));
     }},
    {"launch__shared_mem_per_block_allocated", "byte/block", "Shared Memory Per Block Allocated",
     "static, dynamic and driver shared memory, rounded up to the allocation unit",
     [](const MetricInputs& in) { return number(double(in.residency.smem_per_block_bytes)); }},
    {"launch__shared_mem_config_size", "byte", "Shared Memory Configuration Size",
     "part of each SM's L1 and shared memory that serves as shared memory; the rest is L1",
     [](const MetricInputs& in) { return number(double(in.residency.smem_config_bytes)); }},
    {"launch__sm_count", "SM", "# SMs", "SMs of the GPU",
     [](const MetricInputs& in) { return number(double(in.gpu.topology.sms)); }},
    {"launch__waves_per_multiprocessor", "", "Waves Per SM",
     "grid size / blocks that the whole GPU holds at once", waves},
};

constexpr MetricDefinition kOccupancy[] = {
    {"launch__occupancy_limit_barriers", "block", "Block Limit Barriers",
     "blocks per SM that the hardware barriers admit",
     [](const MetricInputs& in) { return number(double(in.residency.limit_barriers)); }},
    {"launch__occupancy_limit_blocks", "block", "Block Limit SM",
     "blocks per SM that the block slots admit",
     [](const MetricInputs& in) { return number(double(in.residency.limit_blocks)); }},
    {"launch__occupancy_limit_registers", "block", "Block Limit Registers",
     "blocks per SM that the register file admits; the block limit if no register is used",
     [](const MetricInputs& in) { return number(double(in.residency.limit_registers)); }},
    {"launch__occupancy_limit_shared_mem", "block", "Block Limit Shared Mem",
     "blocks per SM that shared memory admits at the split in force",
     [](const MetricInputs& in) { return number(double(in.residency.limit_shared_mem)); }},
    {"launch__occupancy_limit_warps", "block", "Block Limit Warps",
     "blocks per SM that the warp slots admit",
     [](const MetricInputs& in) { return number(double(in.residency.limit_warps)); }},
    {"sm__maximum_warps_avg_per_active_cycle", "warp", "Theoretical Active Warps per SM",
     "warps that fit on an SM at once, by the tightest block limit",
     [](const MetricInputs& in) { return number(double(in.residency.warps_per_sm)); }},
    {"sm__maximum_warps_per_active_cycle_pct", "%", "Theoretical Occupancy",
     "theoretical active warps per SM / warp slots of an SM",
     [](const MetricInputs& in) {
       return ratio(static_cast<std::uint64_t>(in.residency.warps_per_sm),
                    static_cast<std::uint64_t>(in.residency.max_warps_per_sm),
                    "the GPU file gives no warp slots", 100);
     }},
    {"smsp__maximum_warps_avg_per_active_cycle", "warp", "Theoretical Warps Per Scheduler",
     "theoretical active warps per SM / schedulers of an SM",
     [](const MetricInputs& in) {
       return number(double(in.residency.warps_per_sm) / in.gpu.topology.sub_partitions);
     }},
};

}  // namespace

std::span<const MetricDefinition> launch_metrics() {
  return kLaunch;
}
std::span<const MetricDefinition> occupancy_metrics() {
  return kOccupancy;
}

}  // namespace smsim
