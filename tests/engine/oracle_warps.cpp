// What each warp does in one cycle.
#include <algorithm>

#include "tests/engine/oracle_sm.hpp"

namespace smsim::test {
namespace {

bool is_queued(const Instruction& in) {
  return in.action == Action::mio || in.action == Action::memory ||
         in.action == Action::mbarrier_arrive;
}

// Barriers and fences go through no pipe.
bool is_sync(const Instruction& in) {
  return in.action == Action::barrier || in.action == Action::fence ||
         in.action == Action::mbarrier_wait || in.action == Action::cluster_arrive ||
         in.action == Action::cluster_wait;
}

Pipe pipe_of(const Instruction& in) {
  const bool none = is_queued(in) || is_sync(in) || in.pipe == Pipe::lsu || in.pipe == Pipe::adu;
  return none ? Pipe::none : in.pipe;
}

// With a false predicate in all lanes it still goes through its queue.
bool passes_queue_when_off(const Instruction& in, const GpuSpec& gpu) {
  if (!gpu.mio.queue_when_off) return false;
  return in.action == Action::mio || in.action == Action::memory;
}

Queue queue_of(const Instruction& in, const Program& program) {
  if (in.action != Action::memory) return kMioQueue;
  return program.accesses[in.operand].space == Space::shared ? kMioQueue : kLgQueue;
}

Cycle delay_of(const Instruction& in) {
  return std::max<Cycle>(in.stall_cycles, in.yield ? 2 : 1);
}

WarpState state_of(Hold hold) {
  switch (hold) {
    case Hold::fence:
      return WarpState::membar;
    case Hold::mbarrier:
      return WarpState::short_scoreboard;
    case Hold::sleep:
      return WarpState::sleeping;
    case Hold::exit:
      return WarpState::drain;
    default:
      return WarpState::barrier;
  }
}

}  // namespace

// Rules 2, 3, 6, 8, 20 to 23. Nothing: the warp is ready.
std::optional<WarpState> OracleSm::why_not_ready(const OracleWarp& warp, Cycle now) const {
  if (now < warp.wait_until) return WarpState::wait;
  if (now < warp.resolve_until) return WarpState::branch_resolving;
  if (now < warp.hold_until) return state_of(warp.hold);
  if (now < warp.fetched_at) return WarpState::no_instruction;
  std::optional<WarpState> worst;
  for (std::size_t s = 0; s < warp.scoreboards.size(); ++s) {
    const OracleScoreboard& scoreboard = warp.scoreboards[s];
    if ((next_of(warp).wait_mask >> s & 1U) == 0) continue;
    if (scoreboard.answers_missing == 0 && scoreboard.clear_at <= now) continue;
    if (scoreboard.kind == WarpState::long_scoreboard) return WarpState::long_scoreboard;
    if (worst != WarpState::gmma) worst = scoreboard.kind;
  }
  return worst;
}

// Rules 4 and 5. Nothing: a ready warp may issue `next`.
std::optional<WarpState> OracleSm::refusal(const OracleSub& sub, const Instruction& next,
                                           Cycle now) const {
  if (is_queued(next)) {
    const Queue which = queue_of(next, program());
    const OracleQueue& queue = sub.queues[which];
    const auto held = static_cast<std::size_t>(std::count_if(
        queue.starts.begin(), queue.starts.end(), [now](Cycle s) { return s > now; }));
    const bool full = queue.waiting.size() + held >= context_.machine.queue_entries[which];
    if (!full) return std::nullopt;
    return which == kLgQueue ? WarpState::lg_throttle : WarpState::mio_throttle;
  }
  const Pipe pipe = pipe_of(next);
  const bool lite = sub.fma_lite_free <= now;
  const bool heavy = sub.fma_heavy_free <= now;
  bool free = true;
  if (pipe == Pipe::fma) {
    free = lite || heavy;
  } else if (pipe == Pipe::fma_heavy) {
    free = heavy;
  } else if (pipe == Pipe::fma_both) {
    free = lite && heavy;
  } else if (pipe != Pipe::none) {
    free = sub.pipe_free[static_cast<std::size_t>(pipe)] <= now;
  }
  if (free) return std::nullopt;
  return pipe == Pipe::xu ? WarpState::mio_throttle : WarpState::math_pipe_throttle;
}

// Rule 10.
engine::WarpView OracleSm::view_of(const OracleSub& sub) const {
  engine::WarpView view;
  view.last = sub.last;
  std::vector<std::uint8_t> slots;
  for (std::uint8_t slot = 0; slot < kWarpSlots; ++slot) {
    if (sub.warps[slot].resident) slots.push_back(slot);
  }
  view.count = static_cast<std::uint8_t>(slots.size());
  const auto age = [&](std::uint8_t slot) {
    return std::pair(sub.warps[slot].block, static_cast<std::int64_t>(sub.warps[slot].flow.warp));
  };
  const auto block_age = [&](std::uint8_t slot) {
    return std::pair(sub.warps[slot].block, -static_cast<std::int64_t>(sub.warps[slot].flow.warp));
  };
  std::sort(slots.begin(), slots.end(), [&](auto a, auto b) { return age(a) < age(b); });
  std::copy(slots.begin(), slots.end(), view.by_age.begin());
  std::sort(slots.begin(), slots.end(),
            [&](auto a, auto b) { return block_age(a) < block_age(b); });
  std::copy(slots.begin(), slots.end(), view.by_block.begin());
  for (const std::uint8_t slot : slots) {
    const std::uint32_t block = sub.warps[slot].block;
    view.mates[slot] = 0;
    for (const std::uint8_t other : slots) {
      if (sub.warps[other].block == block) view.mates[slot] |= engine::bit_of(other);
    }
    view.block_of[slot] = slot;
    const auto turn = sub.turn.find(block);
    view.turn[slot] = turn != sub.turn.end() ? turn->second : engine::WarpView::kSlots;
  }
  return view;
}

void OracleSm::choose(Cycle now) {
  for (OracleSub& sub : subs) {
    engine::WarpMask eligible = 0;
    for (std::uint8_t slot = 0; slot < kWarpSlots; ++slot) {
      const OracleWarp& warp = sub.warps[slot];
      if (!warp.resident) continue;
      sub.waits[slot] = why_not_ready(warp, now);
      if (!sub.waits[slot] && now < sub.issue_free) sub.waits[slot] = WarpState::dispatch_stall;
      if (!sub.waits[slot]) sub.waits[slot] = refusal(sub, next_of(warp), now);
      if (!sub.waits[slot]) eligible |= engine::bit_of(slot);
    }
    sub.picked.reset();
    if (eligible != 0) sub.picked = context_.pick(eligible, view_of(sub));
  }
}

std::vector<ClusterArrival> OracleSm::issue(Cycle now, std::vector<InstructionCounters>& by_pc) {
  bool active = false;
  for (std::uint32_t i = 0; i < kSubPartitions; ++i) {
    OracleSub& sub = subs[i];
    bool resident = false;
    for (std::uint8_t slot = 0; slot < kWarpSlots; ++slot) {
      const OracleWarp& warp = sub.warps[slot];
      if (!warp.resident) continue;
      resident = true;
      WarpState state = sub.waits[slot].value_or(WarpState::not_selected);
      if (sub.picked == slot) {
        state = WarpState::selected;
        ++by_pc[warp.flow.pc].issued;
        ++sub.counters.issued;
        counters.thread_instructions += warp.flow.lanes;
        sub.issues.push_back({now, index_, i, warp.flow.block, warp.flow.warp, warp.flow.pc});
      }
      if (context_.log != nullptr) {
        context_.log->push_back({now, index_, static_cast<std::uint8_t>(i), slot, warp.flow.block,
                                 warp.flow.warp, warp.flow.pc, state});
      }
      ++sub.counters.warps_active;
      ++sub.counters.state[static_cast<std::size_t>(state)];
      ++by_pc[warp.flow.pc].state[static_cast<std::size_t>(state)];
    }
    if (resident) ++sub.counters.active_cycles;
  }
  for (const OracleBlock& block : blocks_) active |= !block.ended;
  if (active) ++counters.active_cycles;
  cluster_arrivals_.clear();
  for (OracleSub& sub : subs) {
    if (sub.picked) issue_one(sub, *sub.picked, now);
  }
  return cluster_arrivals_;
}

void OracleSm::issue_one(OracleSub& sub, std::uint8_t slot, Cycle now) {
  OracleWarp& warp = sub.warps[slot];
  const Instruction& in = next_of(warp);
  sub.last = slot;
  sub.turn[warp.block] = slot;
  warp.issued_at = now;
  warp.wait_until = now + delay_of(in);
  warp.hold = Hold::none;
  warp.hold_until = 0;
  occupy_pipe(sub, in, now);
  const Cycle delay = read_operands(sub, in, now);
  const std::uint64_t ticket = blocks_[warp.block].ticket;
  std::uint8_t lanes = warp.flow.lanes;
  if (in.action != Action::none && in.predicate != kNoPredicate) {
    lanes = lanes_where(program(), context_.shape, warp.flow, ticket, in.predicate);
  }
  if (in.action != Action::none && (lanes > 0 || passes_queue_when_off(in, gpu()))) {
    act(sub, slot, in, lanes, now);
  }
  warp.wait_until += delay;  // as if the stall count stood still
  warp.resolve_until = warp.wait_until;
  const FlowStep step = follow(program(), context_.shape, warp.flow, ticket);
  if (step == FlowStep::exited) {
    warp.resolve_until += static_cast<Cycle>(gpu().front_end.exit_cycles);
    warp.hold = Hold::exit;
    warp.hold_until = kNever;
    sub.last = engine::kNoWarp;
    exit_from_block(blocks_[warp.block], now);
    cluster_arrivals_.push_back({warp.flow.block, true});
    return;
  }
  if (step == FlowStep::jumped || in.flow == Flow::converge) {
    warp.resolve_until += static_cast<Cycle>(gpu().front_end.branch_resolve_cycles);
  }
  warp.fetched_at = fetch(sub, warp.flow.pc, now + (warp.resolve_until - now));
}

// Each bank hands over one register a cycle, to one instruction after the other. Returns how much
// later than the window allows the last one comes.
Cycle OracleSm::read_operands(OracleSub& sub, const Instruction& in, Cycle now) const {
  const RegisterFileSpec& file = gpu().register_file;
  if (!file.bank_conflicts || in.action != Action::none) return 0;
  Cycle delay = 0;
  for (std::size_t bank = 0; bank < in.bank_reads.size(); ++bank) {
    const Cycle reads = in.bank_reads[bank];
    if (reads == 0) continue;
    sub.bank_free[bank] = std::max(sub.bank_free[bank], now) + reads;
    const Cycle in_time = now + std::max(static_cast<Cycle>(file.window_cycles), reads);
    if (sub.bank_free[bank] > in_time) delay = std::max(delay, sub.bank_free[bank] - in_time);
  }
  sub.issue_free = now + 1 + delay;
  return delay;
}

void OracleSm::occupy_pipe(OracleSub& sub, const Instruction& in, Cycle now) const {
  const Pipe pipe = pipe_of(in);
  if (pipe == Pipe::none) return;
  const Cycle interval = std::max<Cycle>(in.issue_interval_cycles, 1);
  const auto index = static_cast<std::size_t>(pipe);
  sub.counters.pipe_busy_cycles[index] += interval;
  if (pipe == Pipe::fma) {
    (sub.fma_lite_free <= now ? sub.fma_lite_free : sub.fma_heavy_free) = now + (2 * interval);
    return;
  }
  if (pipe == Pipe::fma_both) sub.fma_lite_free = now + interval;
  if (pipe == Pipe::fma_heavy || pipe == Pipe::fma_both) sub.fma_heavy_free = now + interval;
  sub.pipe_free[index] = now + interval;
}

void OracleSm::set_scoreboard(OracleWarp& warp, std::uint8_t scoreboard, WarpState kind) const {
  if (scoreboard < kScoreboards) warp.scoreboards[scoreboard].kind = kind;
}

void OracleSm::act(OracleSub& sub, std::uint8_t slot, const Instruction& in, std::uint8_t lanes,
                   Cycle now) {
  OracleWarp& warp = sub.warps[slot];
  const BarrierSpec& barrier = gpu().barrier;
  const auto done = [&](std::uint8_t scoreboard, WarpState kind, Cycle cycle) {
    if (scoreboard >= kScoreboards) return;
    set_scoreboard(warp, scoreboard, kind);
    Cycle& clear_at = warp.scoreboards[scoreboard].clear_at;
    clear_at = std::max(clear_at, cycle);
  };
  switch (in.action) {
    case Action::complete_later:
      done(in.write_scoreboard,
           in.pipe == Pipe::tensor ? WarpState::gmma : WarpState::short_scoreboard,
           now + in.latency_cycles);
      done(in.read_scoreboard, WarpState::short_scoreboard, now + 2);
      break;
    case Action::mio:
    case Action::memory:
    case Action::mbarrier_arrive:
      enqueue(sub, slot, in, lanes, now);
      break;
    case Action::sleep:
      warp.hold = Hold::sleep;
      warp.hold_until = now + in.latency_cycles;
      break;
    case Action::fence: {
      const auto scope = static_cast<FenceScope>(in.operand);
      const int cycles = scope == FenceScope::cta      ? barrier.membar_cta_cycles
                         : scope == FenceScope::gpu    ? barrier.membar_gpu_cycles
                         : scope == FenceScope::system ? barrier.membar_system_cycles
                                                       : barrier.error_barrier_cycles;
      warp.hold = Hold::fence;
      warp.hold_until = kNever;
      warp.fence_cycles = std::max(static_cast<Cycle>(cycles), delay_of(in));
      if (scope == FenceScope::cta || scope == FenceScope::errors) {
        warp.hold_until = now + warp.fence_cycles;
      }
      warp.wait_until = now + 1;
      break;
    }
    case Action::barrier:
      arrive_at_barrier(warp, program().barriers[in.operand], now);
      break;
    case Action::mbarrier_wait:
      wait_on_mbarrier(warp, in.operand, now);
      break;
    case Action::cluster_arrive:
      cluster_arrivals_.push_back({warp.flow.block, false});
      break;
    case Action::cluster_wait:
      wait_for_cluster(warp, now);
      break;
    case Action::none:
    case Action::exit:
      break;
  }
}

void OracleSm::enqueue(OracleSub& sub, std::uint8_t slot, const Instruction& in, std::uint8_t lanes,
                       Cycle now) {
  OracleWarp& warp = sub.warps[slot];
  const bool far = queue_of(in, program()) == kLgQueue;
  set_scoreboard(warp, in.write_scoreboard,
                 far ? WarpState::long_scoreboard : WarpState::short_scoreboard);
  set_scoreboard(warp, in.read_scoreboard, WarpState::short_scoreboard);
  for (const std::uint8_t scoreboard : {in.write_scoreboard, in.read_scoreboard}) {
    if (scoreboard < kScoreboards) ++warp.scoreboards[scoreboard].answers_missing;
  }
  sub.queues[queue_of(in, program())].waiting.push_back(
      {now, warp.flow.pc, warp.queue_entries++, slot, lanes});
  ++warp.queued;
}

}  // namespace smsim::test
