// How warps get onto an SM and leave it: placement, first fetch, departure (rules 8, 9, 11, 12).
#include <algorithm>

#include "sim/kernel/random.hpp"
#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {

// Rule 12.
Cycle OracleSm::fetch(OracleSub& sub, std::uint32_t pc, Cycle cycle) const {
  const FrontEndSpec& spec = gpu().front_end;
  if (!spec.instruction_cache) return cycle;
  const std::size_t line = pc / static_cast<std::uint32_t>(spec.icache_line_instructions);
  Cycle& here = sub.line_ready[line];
  if (here == kNever) {
    here = cycle + static_cast<Cycle>(spec.icache_miss_cycles);
    if (line > 0 && sub.line_ready[line - 1] != kNever) {
      const Cycle streamed =
          sub.line_ready[line - 1] + static_cast<Cycle>(spec.icache_prefetch_interval_cycles);
      here = std::min(here, std::max(cycle, streamed));
    }
  }
  return std::max(cycle, here);
}

// Rule 9.
void OracleSm::place(std::uint64_t number, std::uint8_t first_sub, Cycle now) {
  OracleBlock& block = blocks_.emplace_back();
  block.number = number;
  block.first_sub = first_sub;
  block.warps_left = context_.shape.warps_per_block;
  block.warps_live = block.warps_left;
  for (const Mbarrier& mbarrier : program().mbarriers) {
    block.mbarriers.push_back({0, std::vector<Cycle>(mbarrier.initial_phases, 0)});
  }
  for (std::uint32_t k = 0; k < context_.shape.warps_per_block; ++k) {
    OracleSub& sub = subs[(first_sub + k) % kSubPartitions];
    const auto free = std::find_if(sub.warps.begin(), sub.warps.end(),
                                   [](const OracleWarp& warp) { return !warp.resident; });
    OracleWarp& warp = *free;
    warp = OracleWarp{};
    warp.resident = true;
    warp.block = static_cast<std::uint32_t>(blocks_.size() - 1);
    warp.flow = start_warp(program(), context_.shape, number, k);
    warp.key = mix(context_.shape.seed, (number * context_.shape.warps_per_block) + k);
    warp.id = ++warps_placed_;
    const auto stagger = static_cast<Cycle>(gpu().dispatch.warp_interval_cycles * k);
    const Cycle start = now + stagger + static_cast<Cycle>(gpu().front_end.warp_start_cycles);
    warp.fetched_at = std::max(fetch(sub, 0, start), now + 1);
  }
}

std::vector<OracleBlock> OracleSm::leave(Cycle now) {
  for (OracleSub& sub : subs) {
    for (OracleWarp& warp : sub.warps) {
      if (!warp.resident) continue;
      if (warp.hold == Hold::fence && warp.hold_until == kNever) {
        const bool stores = warp.queued == 0 && now >= warp.data_left && warp.unacknowledged == 0;
        if (stores) warp.hold_until = now + warp.fence_cycles;
      }
      const bool gone = warp.hold == Hold::exit && now >= warp.resolve_until && warp.queued == 0 &&
                        now >= warp.data_left;
      if (!gone) continue;
      warp.resident = false;
      --blocks_[warp.block].warps_left;
    }
  }
  std::vector<OracleBlock> ended;
  for (OracleBlock& block : blocks_) {
    if (block.ended || block.warps_left > 0 || block.stores_left > 0) continue;
    block.ended = true;
    ++counters.blocks;
    counters.last_block_end = now;
    ended.push_back(block);
  }
  return ended;
}

}  // namespace smsim::test
