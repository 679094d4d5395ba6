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
  queue_entries[kLgQueue] =
      static_cast<std::uint8_t>(std::clamp(mio.lg_queue_entries, 1, kQueueEntries));
  queue_entries[kMioQueue] =
      static_cast<std::uint8_t>(std::clamp(mio.mio_queue_entries, 1, kQueueEntries));
  queue_interval[kLgQueue] = static_cast<std::uint8_t>(std::max(mio.lg_interval_cycles, 1));
  queue_interval[kMioQueue] = static_cast<std::uint8_t>(std::max(mio.mio_interval_cycles, 1));
  dispatch_latency = at_least(mio.dispatch_latency_cycles, 1);
  const int dispatch = static_cast<int>(dispatch_latency);
  shared_load_latency = at_least(gpu.shared_memory.load_latency_cycles - dispatch, 1);
  shared_atomic_latency = at_least(gpu.shared_memory.atomic_latency_cycles - dispatch, 1);
  l1_hit_latency = at_least(gpu.l1.hit_latency_cycles - dispatch, 1);
  l1_miss_latency = at_least(static_cast<int>(l1_hit_latency) / 2, 1);
  sector_ticks = to_ticks(32.0 / std::max(gpu.l1.request_bytes_per_cycle, 1));
  const int outside = gpu.l2.hit_latency_cycles - dispatch - static_cast<int>(l1_miss_latency);
  return_latency = at_least(outside - gpu.l2.request_latency_cycles, 1);
  min_round_trip = static_cast<std::uint32_t>(gpu.l2.request_latency_cycles) + return_latency;
  sync_lookahead = at_least(
      std::min({gpu.barrier.latency_cycles, dispatch, std::max(gpu.barrier.mbarrier_cycles, 1)}),
      1);
}

}  // namespace smsim
