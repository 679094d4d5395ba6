// Barriers of all kinds: block barriers, named barriers, counting mbarriers, cluster barriers.
#include <algorithm>
#include <bit>

#include "sim/engine/sm.hpp"

namespace smsim::engine {

// Events in (cycle, sub-partition) order, as far as all sub-partitions have come.
void Sm::handle_events(Cycle before) {
  while (true) {
    Cycle first = before;
    std::uint8_t from = kSubPartitions;
    for (std::uint8_t i = 0; i < kSubPartitions; ++i) {
      const SubPartition& sub = subs_[i];
      if (sub.next_event == sub.events.size()) continue;
      if (sub.events[sub.next_event].cycle < first) {
        first = sub.events[sub.next_event].cycle;
        from = i;
      }
    }
    if (from == kSubPartitions) return;
    SubPartition& sub = subs_[from];
    const SmEvent event = sub.events[sub.next_event++];
    if (sub.next_event == sub.events.size()) {
      sub.events.clear();
      sub.next_event = 0;
      subs_with_events_ &= ~(1U << from);
    }
    handle_event(from, event);
  }
}

void Sm::handle_event(std::uint8_t sub_index, const SmEvent& event) {
  BlockState& block = blocks_[event.block_slot];
  switch (event.kind) {
    case SmEvent::Kind::barrier:
      arrive_at_barrier(sub_index, event, block);
      break;
    case SmEvent::Kind::exit:
      --block.warps_live;
      check_barriers(block, event.cycle);
      if (context_.decoded.has_cluster_barrier) {
        cluster_arrivals.push_back({event.cycle, block.block, true});
      }
      break;
    case SmEvent::Kind::mbarrier_wait:
      wait_on_mbarrier(sub_index, event);
      break;
    case SmEvent::Kind::cluster_arrive:
      cluster_arrivals.push_back({event.cycle, block.block, false});
      break;
    case SmEvent::Kind::cluster_wait:
      wait_for_cluster(sub_index, event, block);
      break;
  }
}

// Arrivals pass one after the other through the SM's barrier unit.
void Sm::arrive_at_barrier(std::uint8_t sub_index, const SmEvent& event, BlockState& block) {
  const BarrierUse& use = context_.program.barriers[event.operand];
  const BarrierSpec& spec = context_.machine.gpu.barrier;
  BarrierState& barrier = block.barriers[use.id];
  barrier_free_ = std::max(event.cycle, barrier_free_) + static_cast<Cycle>(spec.per_warp_cycles);
  ++barrier.arrived;
  barrier.expected = use.expected_warps;
  if (use.wait) barrier.waiting[sub_index] |= bit_of(event.slot);
  const std::uint32_t expected = barrier.expected != 0 ? barrier.expected : block.warps_live;
  if (barrier.arrived < expected) return;
  barrier.arrived = 0;
  open(barrier.waiting, barrier_free_ + static_cast<Cycle>(std::max(spec.latency_cycles, 1)),
       WarpState::barrier);
}

// A warp has exited: barriers that wait for all live warps may now be complete.
void Sm::check_barriers(BlockState& block, Cycle cycle) {
  if (block.warps_live == 0) return;
  for (BarrierState& barrier : block.barriers) {
    if (barrier.arrived == 0 || barrier.expected != 0 || barrier.arrived < block.warps_live)
      continue;
    barrier.arrived = 0;
    const int latency = std::max(context_.machine.gpu.barrier.latency_cycles, 1);
    open(barrier.waiting, cycle + static_cast<Cycle>(latency), WarpState::barrier);
  }
}

void Sm::open(std::array<WarpMask, kSubPartitions>& waiting, Cycle cycle, WarpState state) {
  for (std::size_t i = 0; i < kSubPartitions; ++i) {
    for (std::uint32_t bits = waiting[i]; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
      subs_[i].release(context_, slot, state, cycle);
    }
    waiting[i] = 0;
  }
}

void Sm::wait_on_mbarrier(std::uint8_t sub_index, const SmEvent& event) {
  SubPartition& sub = subs_[sub_index];
  MbarrierState& state = mbarriers_[mbarrier_index(sub.block_slot[event.slot], event.operand)];
  const std::uint32_t phase = sub.mbarrier_waits[event.slot][event.operand];
  if (state.phases <= phase) {
    state.waiting[sub_index] |= bit_of(event.slot);
    return;
  }
  ++sub.mbarrier_waits[event.slot][event.operand];
  const Cycle complete =
      std::max(event.cycle, state.completed_at[phase % MbarrierState::kRemembered]);
  sub.release(
      context_, event.slot, WarpState::short_scoreboard,
      complete + static_cast<Cycle>(std::max(context_.machine.gpu.barrier.mbarrier_cycles, 1)));
}

void Sm::expect_mbarrier_arrival(const MbarrierArrival& arrival) {
  mbarrier_arrivals_.push_back(arrival);
  std::push_heap(
      mbarrier_arrivals_.begin(), mbarrier_arrivals_.end(),
      [](const MbarrierArrival& a, const MbarrierArrival& b) { return a.cycle > b.cycle; });
}

void Sm::handle_mbarrier_arrivals(Cycle before) {
  while (!mbarrier_arrivals_.empty() && mbarrier_arrivals_.front().cycle < before) {
    const MbarrierArrival arrival = mbarrier_arrivals_.front();
    std::pop_heap(
        mbarrier_arrivals_.begin(), mbarrier_arrivals_.end(),
        [](const MbarrierArrival& a, const MbarrierArrival& b) { return a.cycle > b.cycle; });
    mbarrier_arrivals_.pop_back();
    arrive_at_mbarrier(arrival);
  }
}

void Sm::arrive_at_mbarrier(const MbarrierArrival& arrival) {
  if (blocks_[arrival.block_slot].block != arrival.block) return;
  MbarrierState& state = mbarriers_[mbarrier_index(arrival.block_slot, arrival.mbarrier)];
  if (++state.arrived < context_.program.mbarriers[arrival.mbarrier].arrivals_per_phase) return;
  state.arrived = 0;
  state.completed_at[state.phases % MbarrierState::kRemembered] = arrival.cycle;
  ++state.phases;
  const auto latency =
      static_cast<Cycle>(std::max(context_.machine.gpu.barrier.mbarrier_cycles, 1));
  for (std::size_t i = 0; i < kSubPartitions; ++i) {
    SubPartition& sub = subs_[i];
    for (std::uint32_t bits = state.waiting[i]; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
      if (sub.mbarrier_waits[slot][arrival.mbarrier] >= state.phases) continue;
      ++sub.mbarrier_waits[slot][arrival.mbarrier];
      state.waiting[i] = static_cast<WarpMask>(state.waiting[i] & ~bit_of(slot));
      // `earliest` is the cycle after the wait; the two may be looked at in either order.
      const Cycle complete = std::max(arrival.cycle, sub.earliest[slot] - 1);
      sub.release(context_, slot, WarpState::short_scoreboard, complete + latency);
    }
  }
}

void Sm::wait_for_cluster(std::uint8_t sub_index, const SmEvent& event, BlockState& block) {
  SubPartition& sub = subs_[sub_index];
  const std::uint32_t phase = sub.waits_done[event.slot];
  if (block.cluster_phases <= phase) {
    block.cluster_waiting[sub_index] |= bit_of(event.slot);
    sub.sync_parked = static_cast<WarpMask>(sub.sync_parked & ~bit_of(event.slot));
    return;
  }
  ++sub.waits_done[event.slot];
  const Cycle open_at = block.cluster_open_at[phase % block.cluster_open_at.size()];
  sub.release(context_, event.slot, WarpState::barrier,
              std::max(open_at, event.cycle + context_.machine.sync_lookahead));
}

void Sm::open_cluster_barrier(std::uint64_t block_number, Cycle cycle) {
  for (BlockState& block : blocks_) {
    if (!block.used || block.block != block_number) continue;
    block.cluster_open_at[block.cluster_phases % block.cluster_open_at.size()] = cycle;
    ++block.cluster_phases;
    for (std::size_t i = 0; i < kSubPartitions; ++i) {
      for (std::uint32_t bits = block.cluster_waiting[i]; bits != 0; bits &= bits - 1) {
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
        ++subs_[i].waits_done[slot];
        const Cycle soonest = subs_[i].earliest[slot] - 1 + context_.machine.sync_lookahead;
        subs_[i].release(context_, slot, WarpState::barrier, std::max(cycle, soonest));
      }
      block.cluster_waiting[i] = 0;
    }
  }
}

}  // namespace smsim::engine
