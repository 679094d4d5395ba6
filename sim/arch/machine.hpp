// The latencies and rates that the model adds up, derived from GpuSpec once.
#pragma once

#include <array>
#include <cstdint>

#include "sim/arch/time.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim {

inline constexpr int kSubPartitions = 4;
inline constexpr int kWarpSlots = 16;     // per sub-partition
inline constexpr int kQueueEntries = 32;  // at most, per queue

enum Queue : std::uint8_t { kLgQueue = 0, kMioQueue = 1, kQueues = 2 };

struct Machine {
  explicit Machine(const GpuSpec& gpu);

  GpuSpec gpu;
  std::array<std::uint8_t, kQueues> queue_entries{};
  std::uint32_t dispatch_latency = 1;     // issue to acceptance
  std::uint32_t shared_load_latency = 1;  // from acceptance
  std::uint32_t shared_atomic_latency = 1;
  std::uint32_t l1_hit_latency = 1;              // from acceptance
  std::uint32_t l1_miss_latency = 1;             // acceptance to the request leaving the SM
  Tick load_sector_ticks = kTicksPerCycle / 2;   // one sector from L2 to the SM
  Tick store_sector_ticks = kTicksPerCycle / 2;  // one sector from the SM to L2
  std::uint32_t return_latency = 1;              // slice done to dependent issue
  std::uint32_t min_round_trip = 1;  // request leaving the SM to its answer: bounds the window
  std::uint32_t sync_lookahead = 1;  // nothing inside an SM wakes a parked warp sooner than this
};

}  // namespace smsim
