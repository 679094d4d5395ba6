// Barriers, fences, flags in global memory, the grid barrier.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

void Lowering::block_barrier() {
  lower(BarrierStatement{}, {line_, 0});
}

void Lowering::lower(const BarrierStatement& barrier, SourcePosition /*at*/) {
  BarrierUse use;
  use.id = static_cast<std::uint8_t>(barrier.id);
  use.expected_warps = static_cast<std::uint16_t>((barrier.threads + 31) / 32);
  use.wait = barrier.wait;
  program_.tables.barriers.push_back(use);
  std::string text = fmt::format("{:#x}", barrier.id);
  if (barrier.threads > 0) {
    text += fmt::format(", {:#x}", barrier.threads);
  }
  Draft made = draft(barrier.wait ? "BAR.SYNC.DEFER_BLOCKING" : "BAR.ARV", text);
  made.action = Action::barrier;
  made.operand = static_cast<std::uint16_t>(program_.tables.barriers.size() - 1);
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
}

void Lowering::lower(const FenceStatement& fence, SourcePosition /*at*/) {
  const char* const scope = fence.scope == FenceScope::cta   ? "MEMBAR.ALL.CTA"
                            : fence.scope == FenceScope::gpu ? "MEMBAR.SC.GPU"
                                                             : "MEMBAR.SC.SYS";
  Draft made = draft(scope, "");
  made.action = Action::fence;
  made.operand = static_cast<std::uint16_t>(fence.scope);
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
  if (fence.scope != FenceScope::cta) {  // as nvcc: check for errors, forget what L1 holds
    emit(draft("ERRBAR", ""));
    if (dialect_.shared_window) {
      Draft errors = draft("CGAERRBAR", "");
      errors.action = Action::fence;
      errors.operand = static_cast<std::uint16_t>(FenceScope::errors);
      emit(std::move(errors));
    }
    emit(draft("CCTL.IVALL", ""));
  }
}

// A warp that is together needs nothing to synchronise: nvcc leaves a NOP.
void Lowering::lower(const SyncWarpStatement& /*sync*/, SourcePosition /*at*/) {
  const bool diverged = std::any_of(branches_.begin(), branches_.end(),
                                    [](const OpenBranch& open) { return open.diverges; });
  Draft made = diverged ? draft("WARPSYNC", "0xffffffff") : draft("NOP", "");
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
}

MemoryAccess Lowering::flag_access(const FlagSource& flag, QueueOp op) {
  const AccessKind kind = op == QueueOp::signal ? AccessKind::reduction : AccessKind::load;
  MemoryAccess access = one_word(kind, op);
  std::uint32_t first = 0;
  bool found = false;
  std::vector<std::string> names;
  names.reserve(source_.flags.size());
  for (const FlagsSource& flags : source_.flags) {
    names.push_back(flags.name);
    if (flags.name == flag.flag) {
      access.queue = static_cast<std::uint16_t>(first);
      found = true;
    }
    first += flags.count;
  }
  if (!found) {
    problem(flag.at, fmt::format("found '{}', expected a flag of 'flags:'", flag.flag), flag.flag,
            names);
  }
  access.flag_per_block = static_cast<std::int32_t>(flag.per_block);
  access.flag_offset = static_cast<std::int32_t>(flag.offset);
  return access;
}

// One warp adds to a flag once, whatever the number of its lanes.
void Lowering::add_flag(const MemoryAccess& access) {
  const Operand where = pointer("flags");
  Draft made = draft("RED.E.ADD.STRONG.GPU", "", {}, {});
  std::string text;
  ArraySource flags;
  add_address(made, text, flags, {where, access.flag_offset * 4});
  made.operands = text + fmt::format(", {:#x}", access.amount);
  made.action = Action::memory;
  made.operand = add_access(access);
  made.reads_late = true;
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
}

// Reads a flag over and over until it is high enough.
void Lowering::poll_flag(const MemoryAccess& access, SourcePosition at) {
  if (program_.tables.spins.size() >= kMaxSpinWaits) {
    problem(at, fmt::format("found more than {} waits for flags, expected at most that many",
                            kMaxSpinWaits));
    return;
  }
  const Operand where = pointer("flags");
  const Operand seen{new_value("seen")};
  const Operand low{new_value("low", RegisterFile::predicate)};
  SpinWait spin;
  spin.access = add_access(access);
  spin.poll_pc = new_label();
  program_.tables.spins.push_back(spin);
  place(spin.poll_pc);
  Draft poll = draft("LDG.E.STRONG.GPU", "", {seen}, {});
  std::string text = "%d0, ";
  ArraySource flags;
  add_address(poll, text, flags, {where, access.flag_offset * 4});
  poll.operands = text;
  poll.action = Action::memory;
  poll.operand = spin.access;
  poll.reads_late = true;
  poll.effect = MemoryEffect::fence;
  emit(std::move(poll));
  emit(draft("ISETP.LT.AND", fmt::format("%d0, PT, %s0, {:#x}, PT", access.amount), {low}, {seen}));
  Draft again = draft("BRA", "%L", {}, {{low.value, kWhole, Role::guard}});
  again.flow = Flow::spin_back;
  again.flow_operand = static_cast<std::uint32_t>(program_.tables.spins.size() - 1);
  emit(std::move(again));
}

void Lowering::lower(const SignalStatement& signal, SourcePosition /*at*/) {
  MemoryAccess access = flag_access(signal.flag, QueueOp::signal);
  access.amount = signal.amount;
  add_flag(access);
}

void Lowering::lower(const WaitStatement& wait, SourcePosition at) {
  MemoryAccess access = flag_access(wait.flag, QueueOp::poll);
  access.amount = wait.value;
  access.amount_per_epoch = wait.per_visit;
  poll_flag(access, at);
}

// Opens a branch that only thread 0 of the block takes.
void Lowering::begin_first_thread() {
  ConditionSource first;
  first.condition.kind = Condition::Kind::thread_range;
  first.condition.first = 0;
  first.condition.last = 1;
  const std::optional<Operand> predicate = condition_predicate(first);
  begin_branch(first.condition, predicate, false);
}

// Every block: barrier, one thread makes its block's writes visible, reports and waits for all
// blocks, barrier.
void Lowering::lower(const GridSyncStatement& /*sync*/, SourcePosition at) {
  MemoryAccess access = one_word(AccessKind::reduction, QueueOp::signal);
  access.queue = static_cast<std::uint16_t>(program_.tables.flags++);
  const auto blocks = static_cast<std::uint32_t>(source_.launch.grid.count());
  block_barrier();
  begin_first_thread();
  lower(FenceStatement{}, at);
  add_flag(access);
  access.kind = AccessKind::load;
  access.queue_op = QueueOp::poll;
  access.amount = blocks;
  access.amount_per_epoch = blocks;
  poll_flag(access, at);
  end_branch();
  block_barrier();
}

}  // namespace smsim::sass
