#include "sim/engine/decoded_program.hpp"

#include <algorithm>

namespace smsim::engine {
namespace {

std::uint32_t at_least(int cycles, int minimum) {
  return static_cast<std::uint32_t>(std::max(cycles, minimum));
}

bool is_global(const MemoryAccess& access) {
  return access.space == Space::global || access.space == Space::local;
}

Hazard hazard_of_pipe(Pipe pipe) {
  switch (pipe) {
    case Pipe::alu:
      return Hazard::alu;
    case Pipe::fma:
      return Hazard::fma;
    case Pipe::fma_heavy:
      return Hazard::fma_heavy;
    case Pipe::fma_both:
      return Hazard::fma_both;
    case Pipe::fp64:
      return Hazard::fp64;
    case Pipe::xu:
      return Hazard::xu;
    case Pipe::tensor:
      return Hazard::tensor;
    case Pipe::uniform:
      return Hazard::uniform;
    case Pipe::branch:
      return Hazard::branch;
    case Pipe::tma:
      return Hazard::tma;
    default:
      return Hazard::none;
  }
}

Hazard hazard_of(const Instruction& instruction, const Program& program) {
  switch (instruction.action) {
    case Action::mio:
    case Action::mbarrier_arrive:
      return Hazard::mio_queue;
    case Action::memory: {
      const MemoryAccess& access = program.accesses[instruction.operand];
      return is_global(access) || access.space == Space::dsmem ? Hazard::lg_queue
                                                               : Hazard::mio_queue;
    }
    case Action::barrier:
    case Action::fence:
    case Action::mbarrier_wait:
    case Action::cluster_arrive:
    case Action::cluster_wait:
      return Hazard::none;
    default:
      return hazard_of_pipe(instruction.pipe);
  }
}

WarpState scoreboard_kind_of(const Instruction& instruction, const Program& program) {
  if (instruction.action == Action::memory) {
    const MemoryAccess& access = program.accesses[instruction.operand];
    return access.space == Space::shared ? WarpState::short_scoreboard : WarpState::long_scoreboard;
  }
  const bool async_tensor =
      instruction.action == Action::complete_later && instruction.pipe == Pipe::tensor;
  return async_tensor ? WarpState::gmma : WarpState::short_scoreboard;
}

Op decode(const Instruction& in, const Program& program, const Machine& machine) {
  Op op;
  const int yield_delay = in.yield ? 2 : 1;
  op.next_delay = static_cast<std::uint8_t>(std::max<int>(in.stall_cycles, yield_delay));
  op.interval = std::max<std::uint8_t>(in.issue_interval_cycles, 1);
  op.wait_mask = in.wait_mask & 0x3f;
  op.write_scoreboard = in.write_scoreboard;
  op.read_scoreboard = in.read_scoreboard;
  op.hazard = hazard_of(in, program);
  op.action = in.action;
  op.flow = in.flow;
  op.scoreboard_kind = scoreboard_kind_of(in, program);
  op.uses_port = in.action == Action::memory || in.action == Action::mbarrier_arrive ||
                 (in.action == Action::mio && in.pipe == Pipe::lsu);
  op.operand = in.operand;
  op.predicate = in.predicate;
  op.latency = in.latency_cycles;
  if (in.action == Action::mio) {
    op.latency = at_least(in.latency_cycles - static_cast<int>(machine.dispatch_latency), 1);
  }
  return op;
}

// Plain instructions one cycle apart on pipes that take one a cycle: the warp needs nobody else for
// them.
bool extends_run(const Op& op) {
  const bool full_rate =
      op.hazard == Hazard::none || (op.hazard == Hazard::fma && op.interval == 1);
  return full_rate && op.action == Action::none && op.flow == Flow::next && op.next_delay == 1;
}

void find_runs(std::vector<Op>& ops) {
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (!extends_run(ops[i]) || i + 1 == ops.size()) continue;
    const Op& next = ops[i + 1];
    const bool joins = extends_run(next) && next.wait_mask == 0;
    ops[i].run = joins ? static_cast<std::uint16_t>(std::min(next.run + 1, 60)) : std::uint16_t{1};
  }
}

}  // namespace

DecodedProgram::DecodedProgram(const Program& program, const Machine& machine) {
  ops.reserve(program.code.size());
  for (const Instruction& instruction : program.code) {
    ops.push_back(decode(instruction, program, machine));
    has_fences |= instruction.action == Action::fence;
    used_hazards |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(ops.back().hazard));
  }
  find_runs(ops);
  for (const MemoryAccess& access : program.accesses) {
    const bool loaded = std::any_of(program.accesses.begin(), program.accesses.end(),
                                    [&access](const MemoryAccess& other) {
                                      return other.kind == AccessKind::load &&
                                             other.array != kNoArray && other.array == access.array;
                                    });
    store_hits.push_back(access.kind == AccessKind::store && loaded);
  }
  const auto per_line =
      static_cast<std::size_t>(std::max(machine.gpu.front_end.icache_line_instructions, 1));
  lines = static_cast<std::uint32_t>((ops.size() + per_line - 1) / per_line);
}

}  // namespace smsim::engine
