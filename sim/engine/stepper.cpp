#include "sim/engine/stepper.hpp"

namespace smsim::engine {

void Stepper::count_by_pc(std::uint8_t slot, std::uint64_t instructions, Cycle waited,
                          WarpMask eligible) {
  InstructionCounters* at = sub_.by_pc + sub_.pc[slot];
  at->state[static_cast<std::size_t>(WarpState::not_selected)] +=
      waited - sub_.throttled_by_slot[slot];
  sub_.throttled_by_slot[slot] = 0;
  for (std::uint64_t i = 0; i < instructions; ++i) {
    ++at[i].issued;
    ++at[i].state[static_cast<std::size_t>(WarpState::selected)];
  }
  if (SmRecorder* recorder = sub_.recorder; recorder != nullptr) {
    if (waited != 0) recorder->ready(sub_.index, slot, sub_.pc[slot], sub_.now - waited, sub_.now);
    recorder->issues(sub_.index, slot, sub_.pc[slot], sub_.now, instructions);
    recorder->eligible(sub_.index, eligible, instructions);
  }
  if (sub_.issue_log == nullptr) return;
  const WarpFlow& flow = sub_.flow[slot];
  for (std::uint32_t i = 0; i < instructions; ++i) {
    sub_.issue_log->push_back({sub_.now + i, flow.block, flow.warp, sub_.pc[slot] + i});
  }
}

void Stepper::book_dispatch_stall(WarpMask warps, Cycle cycles) {
  for (std::uint32_t bits = warps; bits != 0; bits &= bits - 1) {
    sub_.book_held(static_cast<std::uint8_t>(std::countr_zero(bits)), WarpState::dispatch_stall,
                   cycles);
  }
}

Cycle Stepper::read_operands(const Op& op) {
  SubPartition& s = sub_;
  const auto window = static_cast<Cycle>(context_.machine.gpu.register_file.window_cycles);
  const auto read = [&](Cycle& bank_free, Cycle reads) -> Cycle {
    if (reads == 0) return 0;
    bank_free = std::max(bank_free, s.now) + reads;
    const Cycle in_time = s.now + std::max(window, reads);
    return bank_free > in_time ? bank_free - in_time : 0;
  };
  const Cycle delay =
      std::max(read(s.bank_free[0], op.even_reads), read(s.bank_free[1], op.odd_reads));
  s.bank_free_max = std::max(s.bank_free[0], s.bank_free[1]);
  s.issue_free = s.now + 1 + delay;
  return delay;
}

Cycle Stepper::wait_for_fetch(std::uint8_t slot, Cycle next) {
  const Cycle fetched = sub_.fetch(context_, sub_.pc[slot], next);
  sub_.book_ahead(slot, WarpState::no_instruction, next, fetched);
  return fetched;
}

FlowStep Stepper::follow_flow(std::uint8_t slot) {
  SubPartition& s = sub_;
  WarpFlow& flow = s.flow[slot];
  flow.pc = s.pc[slot];
  const FlowStep step =
      follow(context_.program, context_.shape, flow, tickets_[s.block_slot[slot]]);
  s.lanes[slot] = flow.lanes;
  if (step != FlowStep::exited) s.pc[slot] = flow.pc;
  return step;
}

void Stepper::exit(std::uint8_t slot, const Op& op) {
  SubPartition& s = sub_;
  if (s.view.last == slot) s.view.last = kNoWarp;
  const auto resolve = static_cast<Cycle>(context_.machine.gpu.front_end.exit_cycles);
  s.book(slot, WarpState::wait, s.now + 1, op.next_delay - 1U);
  s.earliest[slot] = s.now + op.next_delay + resolve;
  s.book_ahead(slot, WarpState::branch_resolving, s.now + op.next_delay, s.earliest[slot]);
  log(SmEvent::Kind::exit, slot, 0);
  s.try_leave(slot);
}

void Stepper::log(SmEvent::Kind kind, std::uint8_t slot, std::uint16_t operand) {
  sub_.events.push_back({sub_.now, kind, slot, sub_.block_slot[slot], operand});
}

void Stepper::set_scoreboard(std::uint8_t slot, std::uint8_t scoreboard, WarpState kind) {
  if (scoreboard >= kScoreboards) return;
  SubPartition& s = sub_;
  const auto bit = static_cast<std::uint8_t>(1U << scoreboard);
  s.pending[slot] |= bit;
  ++s.unresolved[slot][scoreboard];
  const auto mark = [&](std::uint8_t& mask, bool on) {
    mask = static_cast<std::uint8_t>(on ? mask | bit : mask & ~bit);
  };
  mark(s.long_kind[slot], kind == WarpState::long_scoreboard);
  mark(s.gmma_kind[slot], kind == WarpState::gmma);
}

bool Stepper::act_where_true(std::uint8_t slot, const Op& op) {
  SubPartition& s = sub_;
  const std::uint8_t acting = lanes_where(context_.program, context_.shape, s.flow[slot],
                                          tickets_[s.block_slot[slot]], op.predicate);
  const bool queued = op.action == Action::memory || op.action == Action::mio;
  if (acting == 0 && !(queued && context_.machine.gpu.mio.queue_when_off)) return true;
  return act(slot, op, acting);
}

bool Stepper::act(std::uint8_t slot, const Op& op, std::uint8_t lanes) {
  SubPartition& s = sub_;
  switch (op.action) {
    case Action::complete_later:
      set_scoreboard(slot, op.write_scoreboard, op.scoreboard_kind);
      set_scoreboard(slot, op.read_scoreboard, WarpState::short_scoreboard);
      complete(slot, op.write_scoreboard, s.now + op.latency);
      complete(slot, op.read_scoreboard, s.now + 2);
      return true;
    case Action::mio:
    case Action::memory:
    case Action::mbarrier_arrive:
      enqueue(slot, op, lanes);
      return true;
    case Action::sleep:
      move_on(slot, s.now + op.next_delay);
      s.book(slot, WarpState::wait, s.now + 1, op.next_delay - 1U);
      s.earliest[slot] = s.now + op.next_delay;
      s.release(context_, slot, WarpState::sleeping, s.now + op.latency);
      return false;
    case Action::fence:
      fence(slot, op);
      return false;
    case Action::barrier:
      synchronise(slot, op, SmEvent::Kind::barrier, Parked::barrier,
                  context_.program.barriers[op.operand].wait);
      return !context_.program.barriers[op.operand].wait;
    case Action::mbarrier_wait:
      synchronise(slot, op, SmEvent::Kind::mbarrier_wait, Parked::mbarrier, true);
      return false;
    case Action::cluster_arrive:
      log(SmEvent::Kind::cluster_arrive, slot, op.operand);
      return true;
    case Action::cluster_wait:
      synchronise(slot, op, SmEvent::Kind::cluster_wait, Parked::cluster, true);
      return false;
    case Action::none:
    case Action::exit:
      return true;
  }
  return true;
}

void Stepper::complete(std::uint8_t slot, std::uint8_t scoreboard, Cycle cycle) {
  if (scoreboard < kScoreboards) sub_.resolve(context_, slot, scoreboard, cycle);
}

void Stepper::move_on(std::uint8_t slot, Cycle next) {
  if (ops_[sub_.pc[slot]].flow == Flow::recorded) {
    follow_flow(slot);
  } else {
    ++sub_.pc[slot];
  }
  sub_.hazard[slot] = ops_[sub_.pc[slot]].hazard;
  sub_.fetched_at[slot] = sub_.fetch(context_, sub_.pc[slot], next);
}

void Stepper::enqueue(std::uint8_t slot, const Op& op, std::uint8_t lanes) {
  SubPartition& s = sub_;
  const Queue which = op.hazard == Hazard::lg_queue ? kLgQueue : kMioQueue;
  MioQueue& queue = s.queue[which];
  set_scoreboard(slot, op.write_scoreboard, op.scoreboard_kind);
  set_scoreboard(slot, op.read_scoreboard, WarpState::short_scoreboard);
  if (queue.waiting == 0) {
    limit_ =
        std::min(limit_, std::max(s.now + context_.machine.dispatch_latency, queue.next_accept));
  }
  const WarpFlow& flow = s.flow[slot];
  const std::uint32_t number =
      flow.recorded != nullptr ? flow.recorded->steps[flow.step].access : s.accesses[slot]++;
  queue.push({s.now, s.pc[slot], number, slot, lanes}, context_.machine.dispatch_latency);
  ++s.queued[slot];
  refuse_until(op.hazard, queue.room_at());
}

void Stepper::synchronise(std::uint8_t slot, const Op& op, SmEvent::Kind kind, Parked parked,
                          bool waits) {
  SubPartition& s = sub_;
  log(kind, slot, op.operand);
  if (!waits) return;
  move_on(slot, s.now + 1);
  s.earliest[slot] = s.now + 1;
  s.parked |= bit_of(slot);
  s.parked_for[slot] = parked;
  s.sync_parked |= bit_of(slot);
  limit_ = std::min(limit_, s.now + context_.machine.sync_lookahead);
}

void Stepper::fence(std::uint8_t slot, const Op& op) {
  SubPartition& s = sub_;
  const BarrierSpec& spec = context_.machine.gpu.barrier;
  const auto scope = static_cast<FenceScope>(op.operand);
  const int cycles = scope == FenceScope::cta      ? spec.membar_cta_cycles
                     : scope == FenceScope::gpu    ? spec.membar_gpu_cycles
                     : scope == FenceScope::system ? spec.membar_system_cycles
                                                   : spec.error_barrier_cycles;
  move_on(slot, s.now + 1);
  s.earliest[slot] = s.now + 1;
  const auto takes = std::max<Cycle>(static_cast<Cycle>(cycles), op.next_delay);
  if (scope == FenceScope::cta || scope == FenceScope::errors) {
    s.release(context_, slot, WarpState::membar, s.now + takes);
  } else {
    s.fence_cycles[slot] = takes;
    s.try_fence(context_, slot);
  }
}

}  // namespace smsim::engine
