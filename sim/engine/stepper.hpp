// The hot loop of one sub-partition: pick, issue, next wake-up. Included by advance.cpp only, which
// compiles it once per policy; what happens rarely is in stepper.cpp, out of the loop's way.
#pragma once

#include <algorithm>
#include <bit>

#include "sim/engine/sub_partition.hpp"

namespace smsim::engine {

constexpr std::uint16_t hazard_bit(Hazard hazard) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(hazard));
}

constexpr std::size_t index_of(Hazard hazard) {
  return static_cast<std::size_t>(hazard);
}

// The XU sits behind the MIO: Nsight Compute on H200 books waiting for it as mio_throttle
// (validate/reference/h200/ mufu_heavy: 13.1 cycles per issue, math_pipe_throttle none).
inline WarpState throttle_state(Hazard hazard) {
  if (hazard == Hazard::lg_queue) return WarpState::lg_throttle;
  if (hazard == Hazard::mio_queue || hazard == Hazard::xu) return WarpState::mio_throttle;
  return WarpState::math_pipe_throttle;
}

class Stepper {
 public:
  Stepper(const Context& context, SubPartition& sub, Cycle limit, std::uint64_t* tickets)
      : context_(context),
        ops_(context.decoded.ops.data()),
        sub_(sub),
        limit_(limit),
        tickets_(tickets),
        both_halves_used_((context.decoded.used_hazards & hazard_bit(Hazard::fma_both)) != 0) {}

  template <class Policy>
  void run() {
    SubPartition& s = sub_;
    while (s.now < limit_) {
      if (s.now >= s.far_due) s.pull_far();
      if ((s.occupied & 1U) != 0) wake();
      if (s.ready == 0) {
        s.wanted = 0;
        s.skip_to(next_wake());
        continue;
      }
      if (s.now < s.issue_free) [[unlikely]] {
        const Cycle until = std::min(next_wake(), s.issue_free);
        book_dispatch_stall(s.ready, until - s.now);
        s.skip_to(until);
        continue;
      }
      const WarpMask blocked = (s.busy & s.wanted) != 0 ? blocked_warps() : WarpMask{0};
      const auto eligible = static_cast<WarpMask>(s.ready & ~blocked);
      if (eligible == 0) {
        const Cycle until = std::min(next_wake(), next_free(blocked));
        book_throttled(blocked, until - s.now);
        s.skip_to(until);
        continue;
      }
      const std::uint8_t slot = (eligible & (eligible - 1)) == 0
                                    ? static_cast<std::uint8_t>(std::countr_zero(eligible))
                                    : Policy::pick(eligible, s.view);
      s.view.issues(slot);
      if (ops_[s.pc[slot]].run > 1 && blocked == 0 && s.bank_free_max <= s.now) {
        const Cycle length = run_length(slot, Policy::kGreedy);
        if (length > 1) {
          issue_run(slot, length, eligible);
          continue;
        }
      }
      if (blocked != 0) book_throttled(blocked, 1);
      issue(slot, eligible);
      ++s.now;
      s.occupied >>= 1U;
    }
  }

 private:
  void wake() {
    SubPartition& s = sub_;
    WarpMask& due = s.wheel[s.now % 64];
    WarpMask woken = due;
    due = 0;
    s.occupied &= ~std::uint64_t{1};
    const auto gone = static_cast<WarpMask>(woken & s.leaving);
    if (gone != 0) {
      s.leave(gone);
      woken = static_cast<WarpMask>(woken & ~gone);
    }
    s.ready |= woken;
    for (std::uint32_t bits = woken; bits != 0; bits &= bits - 1) {
      s.wanted |= hazard_bit(s.hazard[static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  }

  // Next cycle after `now` at which something wakes, at most the limit.
  [[nodiscard]] Cycle next_wake() const {
    const SubPartition& s = sub_;
    const std::uint64_t later = s.occupied & ~std::uint64_t{1};
    const Cycle wheel = later != 0 ? s.now + static_cast<Cycle>(std::countr_zero(later)) : kNever;
    return std::min({limit_, s.far_due, wheel});
  }

  WarpMask blocked_warps() {
    SubPartition& s = sub_;
    for (std::uint32_t bits = s.busy; bits != 0; bits &= bits - 1) {
      const auto hazard = static_cast<std::size_t>(std::countr_zero(bits));
      if (s.free_at[hazard] <= s.now) s.busy = static_cast<std::uint16_t>(s.busy & ~(1U << hazard));
    }
    if ((s.busy & s.wanted) == 0) return 0;
    std::uint32_t blocked = 0;
    s.wanted = 0;
    for (std::uint32_t bits = s.ready; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(bits));
      s.wanted |= hazard_bit(s.hazard[slot]);
      blocked |= ((s.busy >> index_of(s.hazard[slot])) & 1U) << slot;
    }
    return static_cast<WarpMask>(blocked);
  }

  [[nodiscard]] Cycle next_free(WarpMask blocked) const {
    Cycle next = kNever;
    for (std::uint32_t bits = blocked; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(bits));
      next = std::min(next, sub_.free_at[index_of(sub_.hazard[slot])]);
    }
    return next;
  }

  void book_throttled(WarpMask blocked, Cycle cycles) {
    for (std::uint32_t bits = blocked; bits != 0; bits &= bits - 1) {
      const auto slot = static_cast<std::uint8_t>(std::countr_zero(bits));
      sub_.book_held(slot, throttle_state(sub_.hazard[slot]), cycles);
    }
  }

  void book_dispatch_stall(WarpMask warps, Cycle cycles);

  void count_issue(std::uint8_t slot, std::uint64_t instructions, WarpMask eligible) {
    SubPartition& s = sub_;
    s.issued += instructions;
    if (s.lanes[slot] != 32) [[unlikely]]
      s.idle_lanes += instructions * (32U - s.lanes[slot]);
    const Cycle waited = s.now - s.ready_at[slot];
    s.ready_wait += waited;
    if (s.by_pc != nullptr) count_by_pc(slot, instructions, waited, eligible);
  }

  void count_by_pc(std::uint8_t slot, std::uint64_t instructions, Cycle waited, WarpMask eligible);
  void occupy_pipe(const Op& op) {
    SubPartition& s = sub_;
    s.pipe_cycles[index_of(op.pipe)] += op.interval;
    switch (op.hazard) {
      case Hazard::none:
      case Hazard::lg_queue:
      case Hazard::mio_queue:
        return;
      case Hazard::fma:
        (s.fma_lite_free <= s.now ? s.fma_lite_free : s.fma_heavy_free) =
            s.now + (2U * op.interval);
        break;
      case Hazard::fma_heavy:
        s.fma_heavy_free = s.now + op.interval;
        break;
      case Hazard::fma_both:
        s.fma_lite_free = s.now + op.interval;
        s.fma_heavy_free = s.now + op.interval;
        break;
      default:
        refuse_until(op.hazard, s.now + op.interval);
        return;
    }
    note_fma_halves();
  }

  void note_fma_halves() {
    SubPartition& s = sub_;
    const bool lite = s.fma_lite_free > s.now + 1;
    const bool heavy = s.fma_heavy_free > s.now + 1;
    if (heavy) refuse_until(Hazard::fma_heavy, s.fma_heavy_free);
    if (lite && heavy) refuse_until(Hazard::fma, std::min(s.fma_lite_free, s.fma_heavy_free));
    if (both_halves_used_ && (lite || heavy)) {
      refuse_until(Hazard::fma_both, std::max(s.fma_lite_free, s.fma_heavy_free));
    }
  }

  void refuse_until(Hazard hazard, Cycle cycle) {
    sub_.free_at[index_of(hazard)] = cycle;
    if (cycle > sub_.now + 1) {
      sub_.busy |= static_cast<std::uint16_t>(hazard_bit(hazard) & context_.decoded.used_hazards);
    }
  }

  void issue(std::uint8_t slot, WarpMask eligible) {
    SubPartition& s = sub_;
    const Op& op = ops_[s.pc[slot]];
    count_issue(slot, 1, eligible);
    s.ready = static_cast<WarpMask>(s.ready & ~bit_of(slot));
    occupy_pipe(op);
    if (op.action != Action::none) [[unlikely]] {
      if (op.predicate == kNoPredicate) {
        if (!act(slot, op, s.lanes[slot])) return;
      } else if (!act_where_true(slot, op)) {
        return;
      }
    }
    const Cycle next = s.now + op.next_delay;
    if (op.flow == Flow::next) {
      ++s.pc[slot];
      if (op.crowds_bank || s.bank_free_max > s.now) [[unlikely]] {
        const Cycle delay = read_operands(op);
        after_issue(slot, next + delay, op.next_delay - 1U + delay);
        return;
      }
      after_issue(slot, next, op.next_delay - 1U);
    } else {
      branch(slot, op, next);
    }
  }

  // The warp's next instruction may issue from `next` on if its scoreboards allow it.
  void after_issue(std::uint8_t slot, Cycle next, Cycle waited) {
    SubPartition& s = sub_;
    const Op& op = ops_[s.pc[slot]];
    s.hazard[slot] = op.hazard;
    if (waited != 0) s.book(slot, WarpState::wait, s.now + 1, waited);
    if (s.cold_lines != 0) next = wait_for_fetch(slot, next);
    if ((op.wait_mask & s.pending[slot]) == 0) {
      s.wake_at(slot, next);
      return;
    }
    s.earliest[slot] = next;
    s.settle(context_, slot);
  }

  Cycle wait_for_fetch(std::uint8_t slot, Cycle next);
  void branch(std::uint8_t slot, const Op& op, Cycle next) {
    SubPartition& s = sub_;
    const FlowStep step = op.flow == Flow::loop_back ? close_loop(slot) : follow_flow(slot);
    if (step == FlowStep::exited) {
      exit(slot, op);
      return;
    }
    const Cycle waited = op.next_delay - 1U;
    if (step == FlowStep::fell_through && op.flow != Flow::converge) {
      after_issue(slot, next, waited);
      return;
    }
    const auto resolve = static_cast<Cycle>(context_.machine.gpu.front_end.branch_resolve_cycles);
    s.book(slot, WarpState::branch_resolving, next, resolve);
    s.resolved_at[slot] = next + resolve;
    after_issue(slot, next + resolve, waited);
  }

  // The most frequent branch; the same as `follow` does.
  FlowStep close_loop(std::uint8_t slot) {
    SubPartition& s = sub_;
    const Loop& loop = context_.program.loops[context_.program.code[s.pc[slot]].flow_operand];
    if (trips_differ_by_lane(loop)) [[unlikely]]
      return follow_flow(slot);
    if (--s.flow[slot].trips_left[loop.depth] > 0) {
      s.pc[slot] = loop.begin_pc;
      return FlowStep::jumped;
    }
    ++s.pc[slot];
    return FlowStep::fell_through;
  }

  // How long the banks hold up the issue of an instruction that follows others closely.
  Cycle read_operands(const Op& op);
  FlowStep follow_flow(std::uint8_t slot);
  void exit(std::uint8_t slot, const Op& op);
  void log(SmEvent::Kind kind, std::uint8_t slot, std::uint16_t operand);
  void set_scoreboard(std::uint8_t slot, std::uint8_t scoreboard, WarpState kind);
  // Only lanes whose predicate is true act; without any, the instruction has no effect.
  bool act_where_true(std::uint8_t slot, const Op& op);
  // Starts the instruction's action. False: the warp is parked or asleep and its next issue is
  // arranged already.
  bool act(std::uint8_t slot, const Op& op, std::uint8_t lanes);
  void complete(std::uint8_t slot, std::uint8_t scoreboard, Cycle cycle);
  // Steps over an instruction after which the warp waits; such instructions never branch.
  void move_on(std::uint8_t slot, Cycle next);
  void enqueue(std::uint8_t slot, const Op& op, std::uint8_t lanes);
  void synchronise(std::uint8_t slot, const Op& op, SmEvent::Kind kind, Parked parked, bool waits);
  void fence(std::uint8_t slot, const Op& op);
  // How many instructions of the run at the warp's pc can issue in one step: until another warp
  // wakes, and only while nobody who is ready would be refused meanwhile.
  [[nodiscard]] Cycle run_length(std::uint8_t slot, bool greedy) const {
    constexpr std::uint16_t kFmaHalves =
        hazard_bit(Hazard::fma_heavy) | hazard_bit(Hazard::fma_both);
    const SubPartition& s = sub_;
    if (s.cold_lines != 0) return 1;
    if (s.ready != bit_of(slot) && (!greedy || (s.wanted & kFmaHalves) != 0)) return 1;
    const Op& first = ops_[s.pc[slot]];
    const bool half_busy = std::max(s.fma_lite_free, s.fma_heavy_free) > s.now + 1;
    if (first.hazard == Hazard::fma && half_busy) return 1;
    return std::min<Cycle>(next_wake() - s.now, first.run);
  }

  // A run on the FMA pipe takes its halves in turn, beginning as a single instruction would.
  void occupy_halves_in_turn(Cycle length) {
    SubPartition& s = sub_;
    const bool lite_first = s.fma_lite_free <= s.now;
    const bool lite_last = ((length - 1) % 2 == 0) == lite_first;
    s.pipe_cycles[index_of(Hazard::fma)] += length;
    s.now += length;
    Cycle& last = lite_last ? s.fma_lite_free : s.fma_heavy_free;
    Cycle& before = lite_last ? s.fma_heavy_free : s.fma_lite_free;
    last = s.now + 1;
    if (length > 1) before = s.now;
    --s.now;
    note_fma_halves();
    ++s.now;
  }

  void issue_run(std::uint8_t slot, Cycle length, WarpMask eligible) {
    SubPartition& s = sub_;
    count_issue(slot, length, eligible);
    s.ready = static_cast<WarpMask>(s.ready & ~bit_of(slot));
    const Op* op = ops_ + s.pc[slot];
    if (op->hazard == Hazard::none) {
      for (Cycle i = 0; i < length; ++i) ++s.pipe_cycles[index_of(op[i].pipe)];
      s.now += length;
    } else {
      occupy_halves_in_turn(length);
    }
    s.pc[slot] += static_cast<std::uint32_t>(length);
    s.occupied = length < 64 ? s.occupied >> length : 0;
    const Op& next = ops_[s.pc[slot]];
    s.hazard[slot] = next.hazard;
    if ((next.wait_mask & s.pending[slot]) == 0) {
      s.wake_at(slot, s.now);
      return;
    }
    s.earliest[slot] = s.now;
    s.settle(context_, slot);
  }

  const Context& context_;
  const Op* ops_;
  SubPartition& sub_;
  Cycle limit_;
  std::uint64_t* tickets_;
  bool both_halves_used_;
};

}  // namespace smsim::engine
