#include "tests/engine/random_machine.hpp"

#include <algorithm>

namespace smsim::test {
namespace {

void random_limits(RandomSource& random, GpuSpec& gpu) {
  gpu.compute_capability = random.one_in(3) ? ComputeCapability{8, 0} : ComputeCapability{9, 0};
  SmLimits& limits = gpu.limits;
  limits.max_warps = random.one_of({16, 32, 48, 64, 64});
  limits.max_blocks = random.one_of({1, 2, 4, 16, 32});
  limits.barriers = random.one_of({16, 64});
  limits.smem_bytes = 233472;
  limits.smem_per_block_optin_bytes = 232448;
  limits.smem_reserved_per_block_bytes = 1024;
  limits.smem_splits_kb = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  limits.l1_smem_kb = 256;
  limits.max_cluster_portable = 8;
  limits.max_cluster = 16;
  gpu.topology.sms = random.between(1, 4);
  if (random.one_in(2)) gpu.topology.sms_per_gpc = {1, gpu.topology.sms - 1};
  if (gpu.topology.sms == 1) gpu.topology.sms_per_gpc.clear();
}

void random_front_end(RandomSource& random, FrontEndSpec& spec) {
  spec.warp_start_cycles = random.one_of({0, 1, 5, 40});
  spec.branch_resolve_cycles = random.between(0, 10);
  spec.exit_cycles = random.between(0, 10);
  spec.instruction_cache = !random.one_in(3);
  spec.icache_line_instructions = random.one_of({1, 4, 8, 16});
  spec.icache_miss_cycles = random.one_of({0, 3, 20, 150});
  spec.icache_prefetch_interval_cycles = random.one_of({0, 2, 10, 60});
}

void random_queues(RandomSource& random, MioSpec& mio) {
  mio.lg_queue_entries = random.between(1, 12);
  mio.mio_queue_entries = random.between(1, 12);
  mio.dispatch_latency_cycles = random.one_of({1, 2, 5, 11, 20});
  mio.load_interval_cycles = random.between(1, 8);
  mio.store_interval_cycles = random.between(1, 8);
  mio.shared_interval_cycles = random.between(1, 4);
  mio.adu_interval_cycles = random.between(1, 4);
  mio.port_interval_cycles = random.between(1, 4);
  mio.store_port_cycles = random.between(1, 6);
  mio.store_drain_cycles = random.one_of({0, 0, 10, 60});
}

void random_memory(RandomSource& random, GpuSpec& gpu) {
  gpu.shared_memory.load_latency_cycles = random.between(1, 40);
  gpu.shared_memory.atomic_latency_cycles = random.between(1, 80);
  gpu.shared_memory.cycles_per_extra_wavefront = random.between(0, 2);
  gpu.shared_memory.latency_per_extra_wavefront_cycles = random.between(0, 3);
  gpu.l1.hit_latency_cycles = random.one_of({1, 20, 35, 60});
  gpu.l1.cycles_per_tag = random.between(0, 3);
  gpu.l1.sectors_per_cycle = random.between(1, 4);
  gpu.l1.max_outstanding_sectors = random.one_of({0, 0, 1, 8, 20, 64, 200});
  gpu.l1.request_bytes_per_cycle = random.one_of({8, 24, 64, 128});
  gpu.l1.store_bytes_per_cycle = random.one_of({8, 24, 64});
  gpu.l2.size_bytes = random.one_of({1 << 12, 1 << 16, 1 << 20});
  gpu.l2.slices = random.between(1, 6);
  gpu.l2.partitions = random.between(1, 2);
  gpu.l2.slice_bytes_per_cycle = random.one_of({0, 16, 64});
  gpu.l2.hit_latency_cycles = gpu.l1.hit_latency_cycles + random.one_of({0, 5, 30, 90, 200});
  gpu.l2.slice_spread_cycles = random.one_of({0, 0, 7, 40});
  gpu.l2.far_extra_cycles = random.between(0, 60);
  gpu.l2.request_latency_cycles = random.between(0, gpu.l2.hit_latency_cycles / 2);
  gpu.l2.write_ack_cycles = random.one_of({0, 10, 100, 400});
  gpu.l2.dirty_bytes = random.one_of({0, 2000, 100000});
  gpu.clocks.sm_mhz = 1000;
  gpu.dram.bandwidth_gbps = random.one_of({10, 50, 500});
  gpu.dram.channels = random.between(1, 4);
  gpu.dram.banks_per_channel = random.between(1, 8);
  gpu.dram.latency_cycles = random.one_of({0, 20, 200});
  gpu.dram.bank_busy_cycles = random.between(0, 40);
  gpu.dram.refresh_interval_cycles = random.one_of({0, 300, 5000});
  gpu.dram.refresh_cycles = random.between(0, 200);
  gpu.dram.write_cost = 0.5 * random.between(1, 5);
  gpu.atomic.same_address_interval_cycles = random.between(1, 4);
  gpu.atomic.sector_interval_cycles = random.between(1, 4);
  gpu.atomic.extra_latency_cycles = random.between(0, 30);
}

void random_barriers(RandomSource& random, BarrierSpec& barrier) {
  barrier.latency_cycles = random.one_of({0, 1, 3, 20});
  barrier.per_warp_cycles = random.between(0, 3);
  barrier.membar_cta_cycles = random.between(0, 20);
  barrier.membar_gpu_cycles = random.one_of({0, 5, 200});
  barrier.membar_system_cycles = random.one_of({0, 5, 400});
  barrier.cluster_barrier_cycles = random.one_of({1, 7, 30, 180});
  barrier.dsmem_latency_cycles = random.between(0, 200);
  barrier.mbarrier_cycles = random.between(0, 20);
}

void random_dispatch(RandomSource& random, DispatchSpec& dispatch) {
  dispatch.kernel_start_cycles = random.one_of({0, 1, 100});
  dispatch.kernel_end_cycles = random.between(0, 50);
  dispatch.gpu_interval_cycles = 0.25 * random.between(0, 20);
  dispatch.gpu_end_interval_cycles = 0.25 * random.between(0, 20);
  dispatch.sm_interval_cycles = 0.25 * random.between(0, 40);
  dispatch.sm_warp_interval_cycles = 0.25 * random.between(0, 8);
  dispatch.warp_interval_cycles = 0.25 * random.between(0, 8);
  dispatch.replacement_cycles = random.one_of({0, 1, 6, 20, 100, 300});
  dispatch.sm_order = random.one_in(2) ? "linear" : "gpc_round_robin";
}

}  // namespace

GpuSpec random_machine(RandomSource& random) {
  GpuSpec gpu;
  gpu.name = "random";
  random_limits(random, gpu);
  random_front_end(random, gpu.front_end);
  random_queues(random, gpu.mio);
  random_memory(random, gpu);
  random_barriers(random, gpu.barrier);
  gpu.register_file.bank_conflicts = !random.one_in(3);
  gpu.register_file.window_cycles = random.between(1, 4);
  random_dispatch(random, gpu.dispatch);
  return gpu;
}

}  // namespace smsim::test
