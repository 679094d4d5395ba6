#include "sim/engine/sub_partition.hpp"

#include <algorithm>
#include <bit>

#include "sim/kernel/random.hpp"

namespace smsim::engine {
namespace {

std::uint8_t lowest_slot(WarpMask mask) {
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

void reset_slot(SubPartition& sub, std::uint8_t slot) {
  sub.pending[slot] = 0;
  sub.unresolved[slot].fill(0);
  sub.clear_at[slot].fill(0);
  sub.accesses[slot] = 0;
  sub.queued[slot] = 0;
  sub.store_done[slot] = 0;
  sub.unacknowledged[slot] = 0;
  sub.acknowledged_at[slot] = 0;
  sub.fetched_at[slot] = 0;
  sub.waits_done[slot] = 0;
  sub.mbarrier_waits[slot].fill(0);
  sub.booked_ahead[slot].fill({});
  sub.resolved_at[slot] = 0;
  sub.throttled_by_slot[slot] = 0;
  sub.parked_for[slot] = Parked::no;
  ++sub.generation[slot];
}

}  // namespace

void SubPartition::place(const Context& context, const Arrival& arrival) {
  const DispatchSpec& dispatch = context.machine.gpu.dispatch;
  const FrontEndSpec& front_end = context.machine.gpu.front_end;
  if (resident == 0) active_since = now;
  const auto first =
      static_cast<std::uint32_t>((index + kSubPartitions - arrival.first_sub) % kSubPartitions);
  const std::uint8_t older = view.count;
  WarpMask placed = 0;
  for (std::uint32_t warp = first; warp < context.shape.warps_per_block; warp += kSubPartitions) {
    const std::uint8_t slot = lowest_slot(static_cast<WarpMask>(~resident));
    resident |= bit_of(slot);
    placed |= bit_of(slot);
    view.by_age[view.count] = slot;
    // Before the block's warps placed so far: the highest warp comes first.
    std::copy_backward(view.by_block.begin() + older, view.by_block.begin() + view.count,
                       view.by_block.begin() + view.count + 1);
    view.by_block[older] = slot;
    ++view.count;
    reset_slot(*this, slot);
    block_slot[slot] = arrival.block_slot;
    flow[slot] = start_warp(context.program, context.shape, arrival.block, warp);
    warp_key[slot] =
        mix(context.shape.seed, (arrival.block * context.shape.warps_per_block) + warp);
    if (arrival.recorded != nullptr) follow_trace(flow[slot], arrival.recorded->warps[warp]);
    pc[slot] = flow[slot].pc;
    lanes[slot] = flow[slot].lanes;
    hazard[slot] = context.decoded.ops[pc[slot]].hazard;
    resident_from[slot] = now;
    if (recorder != nullptr) recorder->placed(index, slot, arrival.block, warp, now);
    const auto stagger = static_cast<Cycle>(dispatch.warp_interval_cycles * warp);
    const Cycle first_fetch = now + stagger + static_cast<Cycle>(front_end.warp_start_cycles);
    earliest[slot] = std::max(fetch(context, pc[slot], first_fetch), now + 1);
    book_ahead(slot, WarpState::no_instruction, now, earliest[slot]);
    settle(context, slot);
  }
  if (placed != 0) view.add_block(arrival.block_slot, placed);
}

void SubPartition::settle(const Context& context, std::uint8_t slot) {
  const auto waits =
      static_cast<std::uint8_t>(context.decoded.ops[pc[slot]].wait_mask & pending[slot]);
  const Cycle from = earliest[slot];
  if (waits == 0) {
    wake_at(slot, from);
    return;
  }
  Cycle last_long = 0;
  Cycle last_gmma = 0;
  Cycle last_any = from;
  for (std::uint32_t bits = waits; bits != 0; bits &= bits - 1) {
    const auto scoreboard = static_cast<std::uint8_t>(std::countr_zero(bits));
    if (unresolved[slot][scoreboard] != 0) {
      parked |= bit_of(slot);
      parked_for[slot] = Parked::scoreboard;
      return;
    }
    const Cycle clear = clear_at[slot][scoreboard];
    const std::uint32_t bit = 1U << scoreboard;
    last_any = std::max(last_any, clear);
    if ((long_kind[slot] & bit) != 0) last_long = std::max(last_long, clear);
    if ((gmma_kind[slot] & bit) != 0) last_gmma = std::max(last_gmma, clear);
  }
  pending[slot] = static_cast<std::uint8_t>(pending[slot] & ~waits);
  Cycle booked = from;
  const auto book_until = [&](WarpState state, Cycle until) {
    if (until <= booked) return;
    book_ahead(slot, state, booked, until);
    booked = until;
  };
  book_until(WarpState::long_scoreboard, last_long);
  book_until(WarpState::gmma, last_gmma);
  book_until(WarpState::short_scoreboard, last_any);
  wake_at(slot, last_any);
}

void SubPartition::resolve(const Context& context, std::uint8_t slot, std::uint8_t scoreboard,
                           Cycle cycle) {
  Cycle& clear = clear_at[slot][scoreboard];
  clear = std::max(clear, cycle);
  if (--unresolved[slot][scoreboard] != 0) return;
  if ((parked & bit_of(slot)) == 0 || parked_for[slot] != Parked::scoreboard) return;
  parked = static_cast<WarpMask>(parked & ~bit_of(slot));
  settle(context, slot);
}

void SubPartition::release(const Context& context, std::uint8_t slot, WarpState state,
                           Cycle cycle) {
  parked = static_cast<WarpMask>(parked & ~bit_of(slot));
  sync_parked = static_cast<WarpMask>(sync_parked & ~bit_of(slot));
  if (cycle > earliest[slot]) {
    book_ahead(slot, state, earliest[slot], cycle);
    earliest[slot] = cycle;
  }
  if (fetched_at[slot] > earliest[slot]) {
    book_ahead(slot, WarpState::no_instruction, earliest[slot], fetched_at[slot]);
    earliest[slot] = fetched_at[slot];
  }
  settle(context, slot);
}

void SubPartition::try_leave(std::uint8_t slot) {
  if (queued[slot] != 0) {
    parked |= bit_of(slot);
    parked_for[slot] = Parked::exit;
    return;
  }
  parked = static_cast<WarpMask>(parked & ~bit_of(slot));
  const Cycle gone = std::max(earliest[slot], store_done[slot]);
  book_ahead(slot, WarpState::drain, earliest[slot], gone);
  leaving |= bit_of(slot);
  wake_at(slot, std::max(gone, now));
}

void SubPartition::try_fence(const Context& context, std::uint8_t slot) {
  if (queued[slot] != 0 || unacknowledged[slot] != 0) {
    parked |= bit_of(slot);
    parked_for[slot] = Parked::fence;
    return;
  }
  release(context, slot, WarpState::membar,
          std::max({earliest[slot], acknowledged_at[slot], store_done[slot]}) + fence_cycles[slot]);
}

Cycle SubPartition::fetch(const Context& context, std::uint32_t at_pc, Cycle cycle) {
  const FrontEndSpec& front_end = context.machine.gpu.front_end;
  if (cold_lines == 1 && now >= lines_there) cold_lines = 0;
  if (cold_lines == 0) return cycle;
  const std::size_t line = at_pc / static_cast<std::uint32_t>(front_end.icache_line_instructions);
  Cycle& here = line_ready[line];
  if (here == kNever) {
    here = cycle + static_cast<Cycle>(front_end.icache_miss_cycles);
    if (line > 0 && line_ready[line - 1] != kNever) {
      const Cycle streamed =
          line_ready[line - 1] + static_cast<Cycle>(front_end.icache_prefetch_interval_cycles);
      here = std::min(here, std::max(cycle, streamed));
    }
    lines_there = std::max(lines_there, here);
    --cold_lines;
  }
  return std::max(cycle, here);
}

void SubPartition::leave(WarpMask slots) {
  for (std::uint32_t bits = slots; bits != 0; bits &= bits - 1) {
    const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
    counters.warps_active += now - resident_from[slot];
    if (recorder != nullptr) recorder->left(index, slot, now);
    departures.push_back({now, block_slot[slot]});
    view.remove_from_block(slot);
    static_cast<void>(std::remove(view.by_age.begin(), view.by_age.begin() + view.count, slot));
    static_cast<void>(std::remove(view.by_block.begin(), view.by_block.begin() + view.count, slot));
    --view.count;
  }
  leaving = static_cast<WarpMask>(leaving & ~slots);
  resident = static_cast<WarpMask>(resident & ~slots);
  if (resident == 0) counters.active_cycles += now - active_since;
}

void SubPartition::leave_due() {
  if (now >= far_due) pull_far();
  if ((occupied & 1U) == 0) return;
  WarpMask& due = wheel[now % 64];
  const auto gone = static_cast<WarpMask>(due & leaving);
  due = static_cast<WarpMask>(due & ~gone);
  if (gone != 0) leave(gone);
}

void SubPartition::pull_far() {
  far_due = kNever;
  for (std::uint32_t bits = far; bits != 0; bits &= bits - 1) {
    const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
    if (ready_at[slot] - now < 64) {
      far = static_cast<WarpMask>(far & ~bit_of(slot));
      wheel[ready_at[slot] % 64] |= bit_of(slot);
      occupied |= std::uint64_t{1} << (ready_at[slot] - now);
    } else {
      far_due = std::min(far_due, ready_at[slot]);
    }
  }
}

void SubPartition::record_wait(std::uint8_t slot, WarpState state, Cycle from, Cycle until) {
  recorder->waits(index, slot, state, pc[slot], from, until);
}

void SubPartition::record_held(std::uint8_t slot, WarpState state, Cycle cycles) {
  recorder->held(index, slot, state, pc[slot], now, now + cycles);
}

void SubPartition::take_back(std::uint8_t slot, WarpState state, Cycle from, Cycle cycles) {
  counters.state[static_cast<std::size_t>(state)] -= cycles;
  if (by_pc == nullptr) return;
  by_pc[pc[slot]].state[static_cast<std::size_t>(state)] -= cycles;
  if (recorder != nullptr) recorder->never_waits(index, state, from, from + cycles);
}

// The stall count comes first, so what no later interval covers is `wait`.
void SubPartition::unbook(const Context& context, std::uint8_t slot, Cycle end,
                          Cycle booked_until) {
  Cycle left = booked_until - end;
  const auto cut = [&](WarpState state, Cycle from, Cycle until) {
    if (until <= end) return;
    const Cycle amount = until - std::max(from, end);
    take_back(slot, state, until - amount, amount);
    left -= amount;
  };
  for (const BookedAhead& one : booked_ahead[slot]) cut(one.state, one.from, one.until);
  const auto resolve = static_cast<Cycle>(context.machine.gpu.front_end.branch_resolve_cycles);
  cut(WarpState::branch_resolving, resolved_at[slot] - std::min(resolve, resolved_at[slot]),
      resolved_at[slot]);
  take_back(slot, WarpState::wait, end, left);
}

void SubPartition::close(const Context& context, Cycle end) {
  for (std::uint32_t bits = resident; bits != 0; bits &= bits - 1) {
    const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
    const WarpMask bit = bit_of(slot);
    counters.warps_active += end - resident_from[slot];
    const bool is_parked = (parked & bit) != 0;
    const Cycle booked_until = is_parked ? earliest[slot] : ready_at[slot];
    if (booked_until > end) {
      unbook(context, slot, end, booked_until);
    } else if (!is_parked) {
      const Cycle waited = end - booked_until;
      ready_wait += waited;
      if (by_pc == nullptr) continue;
      by_pc[pc[slot]].state[static_cast<std::size_t>(WarpState::not_selected)] +=
          waited - throttled_by_slot[slot];
      if (recorder != nullptr) recorder->ready(index, slot, pc[slot], booked_until, end);
    } else if (parked_for[slot] == Parked::scoreboard) {
      close_scoreboards(context, slot, end);
    } else {
      book(slot, parked_state(slot), booked_until, end - booked_until);
    }
  }
  if (resident != 0) counters.active_cycles += end - active_since;
}

// Some of them are not known yet, and so lie after `end`.
void SubPartition::close_scoreboards(const Context& context, std::uint8_t slot, Cycle end) {
  Cycle last_long = earliest[slot];
  Cycle last_gmma = earliest[slot];
  for (std::uint32_t bits = context.decoded.ops[pc[slot]].wait_mask & pending[slot]; bits != 0;
       bits &= bits - 1) {
    const auto scoreboard = static_cast<std::uint8_t>(std::countr_zero(bits));
    const std::uint32_t bit = 1U << scoreboard;
    const Cycle clear =
        unresolved[slot][scoreboard] != 0 ? end : std::min(clear_at[slot][scoreboard], end);
    if ((long_kind[slot] & bit) != 0) last_long = std::max(last_long, clear);
    if ((gmma_kind[slot] & bit) != 0) last_gmma = std::max(last_gmma, clear);
  }
  last_gmma = std::max(last_gmma, last_long);
  book(slot, WarpState::long_scoreboard, earliest[slot], last_long - earliest[slot]);
  book(slot, WarpState::gmma, last_long, last_gmma - last_long);
  book(slot, WarpState::short_scoreboard, last_gmma, end - last_gmma);
}

WarpState SubPartition::parked_state(std::uint8_t slot) const {
  switch (parked_for[slot]) {
    case Parked::barrier:
    case Parked::cluster:
      return WarpState::barrier;
    case Parked::fence:
      return WarpState::membar;
    case Parked::mbarrier:
      return WarpState::short_scoreboard;
    case Parked::exit:
      return WarpState::drain;
    case Parked::scoreboard:
    case Parked::no:
      break;
  }
  return WarpState::misc;
}

}  // namespace smsim::engine
