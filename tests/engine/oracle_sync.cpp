// Barriers of all kinds (rules 20 to 22).
#include <algorithm>

#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {
namespace {

void hold(OracleWarp& warp, Hold why, Cycle until, Cycle now) {
  warp.hold = why;
  warp.hold_until = until;
  warp.wait_until = now + 1;  // the stall count is not looked at
}

}  // namespace

OracleSm::OracleSm(const OracleContext& context, std::uint32_t index)
    : context_(context),
      index_(index),
      l1_(context.kernel.program, memory::CacheModel::Level::l1, context.l1_bytes,
          context.kernel.launch.warm_caches) {
  const auto per_line =
      static_cast<std::size_t>(std::max(gpu().front_end.icache_line_instructions, 1));
  for (OracleSub& sub : subs) sub.line_ready.assign((program().code.size() / per_line) + 1, kNever);
}

void OracleSm::arrive_at_barrier(OracleWarp& warp, const BarrierUse& use, Cycle now) {
  const BarrierSpec& spec = gpu().barrier;
  OracleBlock& block = blocks_[warp.block];
  OracleBarrier& barrier = block.barriers[use.id];
  barrier_free_ = std::max(now, barrier_free_) + static_cast<Cycle>(spec.per_warp_cycles);
  ++barrier.arrived;
  barrier.expected = use.expected_warps;
  if (use.wait) {
    barrier.waiting.push_back(&warp);
    hold(warp, Hold::barrier, kNever, now);
  }
  const std::uint32_t expected = use.expected_warps != 0 ? use.expected_warps : block.warps_live;
  if (barrier.arrived >= expected) {
    open(barrier, barrier_free_ + static_cast<Cycle>(std::max(spec.latency_cycles, 1)));
  }
}

void OracleSm::exit_from_block(OracleBlock& block, Cycle now) {
  --block.warps_live;
  if (block.warps_live == 0) return;
  for (OracleBarrier& barrier : block.barriers) {
    const bool complete =
        barrier.arrived > 0 && barrier.expected == 0 && barrier.arrived >= block.warps_live;
    if (complete)
      open(barrier, now + static_cast<Cycle>(std::max(gpu().barrier.latency_cycles, 1)));
  }
}

void OracleSm::open(OracleBarrier& barrier, Cycle cycle) {
  for (OracleWarp* warp : barrier.waiting) warp->hold_until = cycle;
  barrier.waiting.clear();
  barrier.arrived = 0;
}

void OracleSm::wait_on_mbarrier(OracleWarp& warp, std::uint16_t mbarrier, Cycle now) {
  const std::vector<Cycle>& completed = blocks_[warp.block].mbarriers[mbarrier].completed;
  const std::uint32_t phase = warp.mbarrier_waits[mbarrier]++;
  const Cycle latency = static_cast<Cycle>(std::max(gpu().barrier.mbarrier_cycles, 1));
  const bool complete = completed.size() > phase;
  hold(warp, Hold::mbarrier, complete ? std::max(now, completed[phase]) + latency : kNever, now);
}

// Arrivals of cycle `now`: entries accepted, bulk copies complete.
void OracleSm::complete_mbarriers(Cycle now) {
  const Cycle latency = static_cast<Cycle>(std::max(gpu().barrier.mbarrier_cycles, 1));
  const auto [first, last] = mbarrier_arrivals_.equal_range(now);
  for (auto arrival = first; arrival != last; ++arrival) {
    const auto [block_index, number] = arrival->second;
    OracleMbarrier& mbarrier = blocks_[block_index].mbarriers[number];
    if (++mbarrier.arrived < program().mbarriers[number].arrivals_per_phase) continue;
    mbarrier.arrived = 0;
    mbarrier.completed.push_back(now);
    for (OracleSub& sub : subs) {
      for (OracleWarp& warp : sub.warps) {
        const bool waits = warp.resident && warp.block == block_index &&
                           warp.hold == Hold::mbarrier && warp.hold_until == kNever &&
                           program().code[warp.flow.pc - 1].operand == number &&
                           warp.mbarrier_waits[number] <= mbarrier.completed.size();
        if (waits) warp.hold_until = now + latency;
      }
    }
  }
  mbarrier_arrivals_.erase(first, last);
}

void OracleSm::bulk_line_arrived(const OracleRequest& sent, Cycle now) {
  if (--copies_[sent.copy] > 0) return;
  mbarrier_arrivals_.insert({now, {sent.block, program().accesses[sent.request.access].mbarrier}});
}

void OracleSm::wait_for_cluster(OracleWarp& warp, Cycle now) {
  const std::vector<Cycle>& open = blocks_[warp.block].cluster_open;
  const std::uint32_t phase = warp.cluster_waits++;
  const bool known = open.size() > phase;
  hold(warp, Hold::cluster,
       known ? std::max(open[phase], now + context_.machine.sync_lookahead) : kNever, now);
}

void OracleSm::open_cluster_barrier(std::uint64_t number, Cycle cycle) {
  for (OracleBlock& block : blocks_) {
    if (block.ended || block.number != number) continue;
    block.cluster_open.push_back(cycle);
    for (OracleSub& sub : subs) {
      for (OracleWarp& warp : sub.warps) {
        const bool waits = warp.resident && &blocks_[warp.block] == &block &&
                           warp.hold == Hold::cluster && warp.hold_until == kNever;
        if (waits) {
          warp.hold_until = std::max(cycle, warp.issued_at + context_.machine.sync_lookahead);
        }
      }
    }
  }
}

}  // namespace smsim::test
