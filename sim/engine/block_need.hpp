// What one block takes from an SM, in the units in which the hardware allocates, and what an SM has
// left.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/arch/machine.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim::engine {

struct BlockNeed {
  int warps = 1;
  int registers_per_warp = 0;
  int smem_bytes = 0;
  int barriers = 0;
};

BlockNeed need_of(const GpuSpec& gpu, const LaunchSpec& launch);

// Free room of one SM.
struct SmRoom {
  int blocks = 0;
  int smem_bytes = 0;
  int barriers = 0;
  std::array<int, kSubPartitions> warps{};
  std::array<int, kSubPartitions> registers{};
  std::uint8_t next_sub = 0;  // where the next block's warp 0 goes if it fits there
};

SmRoom empty_sm(const GpuSpec& gpu, int smem_pool_bytes);

// Consecutive warps of a block go to consecutive sub-partitions. The first one varies from block to
// block so that odd-sized blocks fill all four evenly. Returns it, or nothing when the block does
// not fit.
std::optional<std::uint8_t> fit(const SmRoom& room, const BlockNeed& need);

void take(SmRoom& room, const BlockNeed& need, std::uint8_t first_sub);
void give_back(SmRoom& room, const BlockNeed& need, std::uint8_t first_sub);

}  // namespace smsim::engine
