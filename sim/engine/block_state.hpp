// What an SM keeps for each resident block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sim/arch/machine.hpp"
#include "sim/arch/time.hpp"
#include "sim/engine/policy/warp_view.hpp"
#include "smsim/program.hpp"
#include "smsim/trace.hpp"

namespace smsim::engine {

struct BarrierState {
  std::uint16_t arrived = 0;
  std::uint16_t expected = 0;  // 0: all warps of the block that have not exited
  std::array<WarpMask, kSubPartitions> waiting{};
};

struct MbarrierState {
  static constexpr std::uint32_t kRemembered = 64;  // completion times kept
  std::uint32_t arrived = 0;                        // in the current phase
  std::uint32_t phases = 0;                         // complete
  std::array<Cycle, kRemembered> completed_at{};
  std::array<WarpMask, kSubPartitions> waiting{};
};

struct BlockState {
  std::uint64_t block = 0;
  bool used = false;
  std::uint8_t first_sub = 0;     // sub-partition of warp 0
  std::uint32_t warps_left = 0;   // still resident
  std::uint32_t warps_live = 0;   // not exited
  std::uint32_t stores_left = 0;  // not acknowledged yet
  Cycle end = 0;                  // latest departure or acknowledgement so far
  std::uint32_t cluster_phases = 0;
  std::array<Cycle, 4> cluster_open_at{};  // by phase modulo 4
  std::array<WarpMask, kSubPartitions> cluster_waiting{};
  std::array<BarrierState, kMaxNamedBarriers> barriers{};
  std::shared_ptr<const RecordedBlock> recorded;  // nothing without a trace
};

}  // namespace smsim::engine
