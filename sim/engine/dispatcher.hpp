// The block dispatcher: hands the blocks of a grid to SMs in order, as room allows.
//
// Before anything has run, blocks go round the SMs that have room, one each per round. Later, room
// that a block frees at cycle t takes the next block at t + replacement_cycles. Starts are spaced
// by the GPU-wide and the per-SM launch interval. The blocks of a cluster start together in one
// GPC.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/arch/machine.hpp"
#include "sim/arch/time.hpp"
#include "sim/engine/block_need.hpp"

namespace smsim::engine {

struct Placement {
  std::uint64_t block = 0;
  Cycle start = 0;
  std::uint16_t sm = 0;
  std::uint8_t first_sub = 0;
};

class Dispatcher {
 public:
  Dispatcher(const GpuSpec& gpu, const LaunchSpec& launch, int smem_pool_bytes);

  // Blocks that can start before any has ended.
  std::vector<Placement> first_wave();
  // Room freed on SM `sm` at `cycle`. Calls come in (cycle, SM) order. Appends what starts there.
  void release(std::uint16_t sm, Cycle cycle, std::uint8_t first_sub,
               std::vector<Placement>& placements);

  // When the last of the block ends so far is handled: no kernel is over before.
  [[nodiscard]] Cycle ends_handled() const { return to_cycle_up(end_free_); }
  [[nodiscard]] std::uint64_t blocks_left() const { return grid_.blocks - grid_.next; }
  // Most blocks that are resident on the whole GPU at once.
  [[nodiscard]] std::uint64_t resident_blocks() const;

 private:
  struct Grid {
    BlockNeed need;
    std::uint64_t blocks = 0;
    std::uint64_t next = 0;
    std::uint32_t cluster = 1;
  };

  void place(std::uint16_t sm, std::uint8_t first_sub, Cycle earliest,
             std::vector<Placement>& placements);
  bool place_cluster(std::size_t gpc, Cycle earliest, std::vector<Placement>& placements);
  [[nodiscard]] std::vector<std::uint16_t> launch_order() const;

  DispatchSpec spec_;
  Grid grid_;
  SmRoom empty_;
  std::vector<SmRoom> room_;
  std::vector<std::uint32_t> resident_;  // blocks by SM
  std::vector<Tick> sm_free_;
  Tick gpu_free_ = 0;
  Tick end_free_ = 0;  // when the next block end can be handled
  std::vector<std::uint16_t> gpc_of_sm_;
  std::vector<std::vector<std::uint16_t>> gpcs_;  // SMs by GPC
};

}  // namespace smsim::engine
