// Work queues of persistent kernels, ticket counters, compare-and-swap loops.
#include <fmt/format.h>

#include <algorithm>

#include "sim/kernel/lowering.hpp"

namespace smsim::sass {

namespace {

constexpr const char* kTicketSlot = "ticket slot";

}  // namespace

// The atomic that takes the next ticket of a queue, as nvcc writes an atomic of one active lane:
// the active lanes elect a leader, which adds for all of them; each finds its own number from that.
Operand Lowering::pop(std::uint16_t queue, std::uint32_t batch, bool for_block) {
  MemoryAccess access = one_word(AccessKind::atomic, QueueOp::pop);
  access.distinct_addresses = 1;
  access.queue = queue;
  access.pop_for_block = for_block;
  const Operand where = pointer("queue");
  const Operand elected = elect_lane();
  const Operand first{new_value("ticket")};
  Draft made = draft("ATOMG.E.ADD.STRONG.GPU", "", {first});
  std::string text = "%d0, ";
  add_address(made, text, ArraySource{}, {where, 0});
  made.operands = text + fmt::format(", {:#x}", batch);
  made.sources.push_back({elected.value, kWhole, Role::guard});
  made.action = Action::memory;
  made.operand = add_access(access);
  made.reads_late = true;
  made.effect = MemoryEffect::fence;
  emit(std::move(made));
  const Operand below{new_value("below")};
  const Operand rank{new_value("rank")};
  const Operand shared{new_value("ticket")};
  const Operand ticket{new_value("ticket")};
  emit(draft("S2R", "%d0, SR_LTMASK", {below}));
  emit(draft("LOP3", "%d0, %s0, UR4, RZ, 0xc0, !PT", {below}, {below}));
  emit(draft("POPC", "%d0, %s0", {rank}, {below}));
  emit(
      draft("SHFL.IDX", "PT, %d0, %s0, RZ, 0x1f", {shared}, {{first.value, kWhole, Role::memory}}));
  emit(draft("IADD3", "%d0, %s0, %s1, RZ", {ticket}, {shared, rank}));
  return ticket;
}

// One thread takes the ticket and hands it to its block through shared memory.
Operand Lowering::take_for_block(std::uint16_t queue, std::uint32_t batch) {
  const auto shared = [this](AccessKind kind) {
    MemoryAccess access;
    access.space = Space::shared;
    access.kind = kind;
    access.sectors = 1;
    access.scales_with_lanes = false;
    return add_access(access);
  };
  std::optional<Operand> base;
  if (dialect_.shared_window) {
    base = shared_base();
  }
  ArraySource slot;
  slot.space = Space::shared;
  slot.array.name = kTicketSlot;
  begin_first_thread();
  const Operand taken = pop(queue, batch, true);
  Draft store = draft("STS", "");
  add_address(store, store.operands, slot, {base, 0});
  store.operands += fmt::format(", %s{}", store.sources.size());
  store.sources.push_back({taken.value, kWhole, Role::memory});
  store.action = Action::memory;
  store.operand = shared(AccessKind::store);
  store.reads_late = true;
  store.effect = MemoryEffect::fence;
  emit(std::move(store));
  end_branch();
  block_barrier();
  const Operand ticket{new_value("task")};
  Draft load = draft("LDS", "%d0, ", {ticket});
  add_address(load, load.operands, slot, {base, 0});
  load.action = Action::memory;
  load.operand = shared(AccessKind::load);
  load.reads_late = true;
  load.effect = MemoryEffect::fence;
  emit(std::move(load));
  return ticket;
}

// Lane 0 takes the ticket; a shuffle gives it to the others.
Operand Lowering::take_for_warp(std::uint16_t queue, std::uint32_t batch) {
  const Operand taken = pop(queue, batch, false);
  const Operand ticket{new_value("task")};
  emit(
      draft("SHFL.IDX", "PT, %d0, %s0, RZ, 0x1f", {ticket}, {{taken.value, kWhole, Role::memory}}));
  return ticket;
}

void Lowering::lower(const TasksStatement& tasks, SourcePosition at) {
  if (!source_.tasks) {
    problem(at, "found a loop over tasks, expected 'tasks:' to say how many there are");
    return;
  }
  if (loop_depth_ >= kMaxLoopDepth) {
    problem(at, "found a loop over tasks inside other loops, expected fewer nested loops");
    return;
  }
  TaskLoop loop;
  loop.dynamic = tasks.dynamic;
  loop.per_block = tasks.per_block;
  loop.batch = tasks.batch;
  loop.fetch_pc = new_label();
  loop.body_pc = new_label();
  loop.end_pc = new_label();
  program_.tables.task_loops.push_back(loop);
  const auto number = static_cast<std::uint32_t>(program_.tables.task_loops.size() - 1);
  const double outer_weight = weight_;
  const double workers =
      static_cast<double>(source_.launch.grid.count()) *
      (tasks.per_block ? 1.0 : static_cast<double>(source_.launch.block.count()) / 32);
  weight_ *= static_cast<double>(source_.tasks->tasks) / std::max(1.0, workers);

  Operand task;
  if (!tasks.dynamic) {  // the first task: the number of the block or warp
    task = {new_value("task")};
    emit(draft("MOV", "%d0, %s0", {task}, {builtin(tasks.per_block ? "bid" : "i")}));
  }
  Buffer* const outer = current_;
  Buffer body;
  enter_scope("", tasks.body, true);
  ++loop_depth_;
  current_ = &body;
  place(loop.fetch_pc);
  if (tasks.dynamic) {
    task = tasks.per_block ? take_for_block(0, tasks.batch) : take_for_warp(0, tasks.batch);
  }
  lower_task_body(tasks, number, task);
  --loop_depth_;
  current_ = outer;
  append(loops_.back().preheader);
  append(body);
  leave_scope();
  weight_ = outer_weight;
}

// Check, body, and back for the next one.
void Lowering::lower_task_body(const TasksStatement& tasks, std::uint32_t number, Operand task) {
  const TaskLoop& loop = program_.tables.task_loops[number];
  const LabelId body_label = loop.body_pc;
  const LabelId end_label = loop.end_pc;
  const Operand none{new_value("none", RegisterFile::predicate)};
  emit(draft("ISETP.GE.AND", "%d0, PT, %s0, %s1, PT", {none}, {task, items_bound()}));
  Draft check = draft("BRA", "%L", {}, {{none.value, kWhole, Role::guard}});
  check.flow = Flow::task_check;
  check.flow_operand = number;
  emit(std::move(check));
  place(body_label);
  const std::string name = tasks.index.empty() ? "task" : tasks.index;
  const auto hidden = values_.find(name);
  const std::optional<ValueId> old =
      hidden == values_.end() ? std::nullopt : std::optional(hidden->second);
  values_[name] = task.value;
  loops_.back().assigned.insert(task.value);
  lower_body(tasks.body);
  values_.erase(name);
  if (old) {
    values_[name] = *old;
  }
  if (tasks.dynamic && tasks.per_block) {
    block_barrier();  // nobody may overwrite the ticket while others still read it
  }
  if (!tasks.dynamic) {
    emit(draft("IADD3", "%d0, %s0, %s1, RZ", {task}, {task, grid_stride()}));
  } else if (tasks.batch > 1) {
    emit(draft("IADD3", "%d0, %s0, 0x1, RZ", {task}, {task}));
  }
  Draft back = draft("BRA", "%L");
  back.flow = Flow::task_back;
  back.flow_operand = number;
  emit(std::move(back));
  place(end_label);
}

// A counter that tells each block how many came before it.
void Lowering::lower(const TicketStatement& ticket, SourcePosition at) {
  std::vector<std::string> names;
  std::optional<std::uint16_t> queue;
  for (std::size_t index = 0; index < source_.counters.size(); ++index) {
    names.push_back(source_.counters[index].name);
    if (source_.counters[index].name == ticket.counter) {
      queue = static_cast<std::uint16_t>(index + (source_.tasks ? 1 : 0));
    }
  }
  if (!queue) {
    problem(at, fmt::format("found '{}', expected a counter of 'counters:'", ticket.counter),
            ticket.counter, names);
    return;
  }
  const Operand number = take_for_block(*queue, 1);
  values_[ticket.result.value_or("ticket")] = number.value;
}

// old = *p; do { new = f(old); } while (compare-and-swap fails).
void Lowering::lower(const CasStatement& cas, SourcePosition at) {
  const ArraySource* array = find_array(cas.access.array, at);
  if (array == nullptr) {
    return;
  }
  const bool shared = array->space == Space::shared;
  OperationStatement read;
  read.op = shared ? "LDS" : "LDG";
  read.result = ValueSource{"old", at};
  read.access = cas.access;
  lower(read, at);

  ForStatement loop;
  loop.trips.kind = TripCount::Kind::distribution;
  loop.trips.scope = Scope::thread;
  loop.trips.distribution = cas.attempts;
  loop.at_least_once = true;
  loop.body = cas.body;
  Statement swap;
  swap.at = at;
  OperationStatement exchange;
  exchange.op = shared ? "ATOMS.CAST.SPIN" : "ATOMG.E.CAS.STRONG.GPU";
  exchange.result = ValueSource{"old", at};
  exchange.access = cas.access;
  exchange.sources.push_back({"old", at});
  exchange.sources.push_back({"new", at});
  swap.what = exchange;
  loop.body.push_back(swap);
  loop.bound = ValueSource{"old", at};
  lower(loop, at);
}

}  // namespace smsim::sass
