#include "tests/engine/program_builder.hpp"

namespace smsim::test {

Instruction ProgramBuilder::op(Pipe pipe, int stall, int interval) {
  Instruction in;
  in.pipe = pipe;
  in.stall_cycles = static_cast<std::uint8_t>(stall);
  in.issue_interval_cycles = static_cast<std::uint8_t>(interval);
  return in;
}

Instruction ProgramBuilder::act(Action action, std::uint16_t operand, int stall) {
  Instruction in = op(Pipe::none, stall);
  in.action = action;
  in.operand = operand;
  return in;
}

Instruction ProgramBuilder::access(const MemoryAccess& memory, int stall) {
  program.accesses.push_back(memory);
  Instruction in =
      act(Action::memory, static_cast<std::uint16_t>(program.accesses.size() - 1), stall);
  in.pipe = Pipe::lsu;
  return in;
}

Instruction ProgramBuilder::flow(Flow kind, std::uint32_t operand, int stall) const {
  Instruction in = op(Pipe::branch, stall);
  in.flow = kind;
  in.flow_operand = operand;
  return in;
}

std::uint16_t ProgramBuilder::condition(const Condition& condition) {
  program.conditions.push_back(condition);
  return static_cast<std::uint16_t>(program.conditions.size() - 1);
}

std::uint16_t ProgramBuilder::mbarrier(int arrivals, int initial) {
  Mbarrier mbarrier;
  mbarrier.name = "m" + std::to_string(program.mbarriers.size());
  mbarrier.arrivals_per_phase = static_cast<std::uint16_t>(arrivals);
  mbarrier.initial_phases = static_cast<std::uint16_t>(initial);
  program.mbarriers.push_back(mbarrier);
  return static_cast<std::uint16_t>(program.mbarriers.size() - 1);
}

std::uint16_t ProgramBuilder::barrier_use(int id, int expected, bool wait) {
  program.barriers.push_back(
      {static_cast<std::uint8_t>(id), static_cast<std::uint16_t>(expected), wait});
  return static_cast<std::uint16_t>(program.barriers.size() - 1);
}

void ProgramBuilder::loop(const TripCount& trips, const Body& body) {
  const auto index = static_cast<std::uint32_t>(program.loops.size());
  program.loops.emplace_back();
  program.loops[index].trips = trips;
  program.loops[index].depth = loop_depth_++;
  add(flow(Flow::loop_enter, index));
  program.loops[index].begin_pc = here();
  body();
  add(flow(Flow::loop_back, index));
  program.loops[index].end_pc = here();
  --loop_depth_;
}

void ProgramBuilder::loop(std::uint64_t trips, const Body& body) {
  TripCount count;
  count.count = trips;
  loop(count, body);
}

void ProgramBuilder::branch(const Condition& where, const Body& then, const Body& otherwise) {
  const auto index = static_cast<std::uint32_t>(program.branches.size());
  program.branches.emplace_back();
  program.branches[index].condition = condition(where);
  program.branches[index].depth = branch_depth_++;
  add(flow(Flow::branch_if, index));
  then();
  if (otherwise) {
    add(flow(Flow::branch_else, index));
    program.branches[index].else_pc = here();
    otherwise();
  } else {
    program.branches[index].else_pc = here();
  }
  program.branches[index].end_pc = here();
  add(flow(Flow::branch_end, index));
  --branch_depth_;
}

void ProgramBuilder::tasks(TaskLoop loop, const Body& take, const Body& body) {
  const auto index = static_cast<std::uint32_t>(program.task_loops.size());
  program.task_loops.push_back(loop);
  program.task_loops[index].fetch_pc = here();
  take();
  Instruction check = flow(Flow::task_check, index);
  check.wait_mask = 0x3f;
  add(check);
  program.task_loops[index].body_pc = here();
  body();
  add(flow(Flow::task_back, index));
  program.task_loops[index].end_pc = here();
}

void ProgramBuilder::spin(const MemoryAccess& poll, int scoreboard, int sleep) {
  const auto index = static_cast<std::uint32_t>(program.spins.size());
  const std::uint32_t poll_pc = here();
  Instruction read = access(poll);
  read.write_scoreboard = static_cast<std::uint8_t>(scoreboard);
  read.stall_cycles = 2;
  program.spins.push_back({read.operand, poll_pc});
  add(read);
  if (sleep > 0) {
    Instruction pause = act(Action::sleep);
    pause.latency_cycles = static_cast<std::uint16_t>(sleep);
    add(pause);
  }
  Instruction back = flow(Flow::spin_back, index);
  back.wait_mask = static_cast<std::uint8_t>(1U << static_cast<unsigned>(scoreboard));
  add(back);
}

void ProgramBuilder::barrier(int id, int expected, bool wait) {
  add(act(Action::barrier, barrier_use(id, expected, wait)));
}

void ProgramBuilder::exit() {
  Instruction in = flow(Flow::exit);
  in.action = Action::exit;
  add(in);
}

KernelSpec kernel_of(const ProgramBuilder& builder, std::uint64_t blocks, std::uint64_t threads) {
  KernelSpec kernel;
  kernel.name = "test";
  kernel.program = builder.program;
  kernel.launch.grid.x = blocks;
  kernel.launch.block.x = threads;
  kernel.launch.barriers = 16;
  return kernel;
}

Condition warps(std::uint64_t first, std::uint64_t last) {
  Condition condition;
  condition.kind = Condition::Kind::warp_range;
  condition.first = first;
  condition.last = last;
  return condition;
}

}  // namespace smsim::test
