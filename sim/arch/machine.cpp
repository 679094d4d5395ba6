#include "sim/arch/machine.hpp"

#include <algorithm>

namespace smsim {
namespace {

std::uint32_t at_least(int cycles, int minimum) {
  return static_cast<std::uint32_t>(std::max(cycles, minimum));
}

}  // namespace

Machine::Machine(const GpuSpec& spec) : gpu(spec) {
  const MioSpec& mio = gpu.mio;
  queue_entries[kLgQueue] = static_cast<std::uint8_t>(mio.lg_queue_entries);
  queue_entries[kMioQueue] = static_cast<std::uint8_t>(mio.mio_queue_entries);
  dispatch_latency = at_least(mio.dispatch_latency_cycles, 1);
  const int dispatch = static_cast<int>(dispatch_latency);
  shared_load_latency = at_least(gpu.shared_memory.load_latency_cycles - dispatch, 1);
  shared_atomic_latency = at_least(gpu.shared_memory.atomic_latency_cycles - dispatch, 1);
  l1_hit_latency = at_least(gpu.l1.hit_latency_cycles - dispatch, 1);
  l1_miss_latency = at_least(static_cast<int>(l1_hit_latency) / 2, 1);
  load_sector_ticks = to_ticks(32.0 / std::max(gpu.l1.request_bytes_per_cycle, 1));
  store_sector_ticks = to_ticks(32.0 / std::max(gpu.l1.store_bytes_per_cycle, 1));
  const int outside = gpu.l2.hit_latency_cycles - dispatch - static_cast<int>(l1_miss_latency);
  return_latency = at_least(outside - gpu.l2.request_latency_cycles, 1);
  const int nearest = outside - (gpu.l2.slice_spread_cycles / 2);
  min_round_trip = at_least(nearest, 1);
  sync_lookahead = at_least(
      std::min({gpu.barrier.latency_cycles, dispatch, std::max(gpu.barrier.mbarrier_cycles, 1)}),
      1);
}

}  // namespace smsim
