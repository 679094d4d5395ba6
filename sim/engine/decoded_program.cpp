#include "sim/engine/decoded_program.hpp"

#include <algorithm>

#include "sim/kernel/random.hpp"

namespace smsim::engine {

namespace {

std::uint32_t at_least(int cycles, int minimum) {
  return static_cast<std::uint32_t>(std::max(cycles, minimum));
}

std::uint32_t at_least_one(int cycles) {
  return static_cast<std::uint32_t>(std::max(cycles, 1));
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

// Lines, sectors or wavefronts that fewer than 32 lanes ask for.
std::uint32_t scaled(std::uint32_t amount, const MemoryAccess& access, std::uint8_t lanes) {
  if (!access.scales_with_lanes || lanes >= 32) return amount;
  return std::max(1U, ((amount * lanes) + 31U) / 32U);
}

bool uses_port(const Instruction& in) {
  return in.action == Action::memory || in.action == Action::mbarrier_arrive ||
         (in.action == Action::mio && in.pipe == Pipe::lsu);
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
  op.pipe = op.hazard;
  op.action = in.action;
  op.flow = in.flow;
  op.scoreboard_kind = scoreboard_kind_of(in, program);
  op.uses_port = uses_port(in);
  if (op.hazard == Hazard::lg_queue || op.hazard == Hazard::mio_queue) {
    Footprint touched;
    if (in.action == Action::memory) {
      const MemoryAccess& access = program.accesses[in.operand];
      touched = footprint(access, 32, 0);
      op.varies = access.mean_lines > 0 || access.mean_wavefronts > 0 || in.flow == Flow::recorded;
    }
    op.entry_interval = static_cast<std::uint16_t>(entry_interval(in, program, machine, touched));
    op.port_cycles = static_cast<std::uint16_t>(port_cycles(in, program, machine, touched));
  }
  if (machine.gpu.register_file.bank_conflicts) {
    op.even_reads = in.bank_reads[0];
    op.odd_reads = in.bank_reads[1];
    op.crowds_bank = op.even_reads > 1 || op.odd_reads > 1;
  }
  op.operand = in.operand;
  op.predicate = in.predicate;
  op.latency = in.latency_cycles;
  if (in.action == Action::mio) {
    op.latency = at_least(in.latency_cycles - static_cast<int>(machine.dispatch_latency), 1);
  }
  return op;
}

// A pipe that takes one instruction a cycle from its sub-partition never refuses; the two halves of
// the FMA pipe never do either when nobody needs a particular one.
void drop_idle_hazards(DecodedProgram& decoded) {
  const auto bit = [](Hazard hazard) { return 1U << static_cast<unsigned>(hazard); };
  const bool halves =
      (decoded.used_hazards & (bit(Hazard::fma_heavy) | bit(Hazard::fma_both))) != 0;
  std::uint32_t slow = 0;
  for (const Op& op : decoded.ops) {
    if (op.interval > 1) slow |= bit(op.hazard);
  }
  for (Op& op : decoded.ops) {
    const bool queue = op.hazard == Hazard::lg_queue || op.hazard == Hazard::mio_queue;
    const bool half =
        op.hazard == Hazard::fma || op.hazard == Hazard::fma_heavy || op.hazard == Hazard::fma_both;
    const bool refuses = queue || (slow & bit(op.hazard)) != 0 || (half && halves);
    if (!refuses) op.hazard = Hazard::none;
  }
}

// Plain instructions one cycle apart on pipes that take one a cycle: the warp needs nobody else for
// them.
bool extends_run(const Op& op) {
  const bool full_rate =
      op.hazard == Hazard::none || (op.hazard == Hazard::fma && op.interval == 1);
  return full_rate && !op.crowds_bank && op.action == Action::none && op.flow == Flow::next &&
         op.next_delay == 1;
}

void find_runs(std::vector<Op>& ops) {
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (!extends_run(ops[i]) || i + 1 == ops.size()) continue;
    const Op& next = ops[i + 1];
    const bool joins = extends_run(next) && next.wait_mask == 0 && next.hazard == ops[i].hazard;
    ops[i].run = joins ? static_cast<std::uint16_t>(std::min(next.run + 1, 60)) : std::uint16_t{1};
  }
}

}  // namespace

Footprint footprint(const MemoryAccess& access, std::uint8_t lanes, std::uint64_t key) {
  if (lanes == 0) return {0, 0, 1};
  const double part = unit_interval(key);
  const auto rounded = [part](double mean) { return static_cast<std::uint32_t>(mean + part); };
  Footprint touched;
  if (access.mean_lines > 0) {
    touched.lines = std::max(1U, rounded(access.mean_lines));
    touched.sectors = std::clamp(rounded(access.mean_sectors), touched.lines, 4 * touched.lines);
  } else {
    touched.lines = scaled(access.lines, access, lanes);
    touched.sectors = std::max(touched.lines, scaled(access.sectors, access, lanes));
  }
  touched.passes = access.mean_wavefronts > 0 ? std::max(1U, rounded(access.mean_wavefronts))
                                              : scaled(access.wavefronts, access, lanes);
  if (is_atomic(access.kind)) {
    touched.passes = std::max<std::uint32_t>(
        touched.passes, std::min<std::uint32_t>(access.lanes_per_address, lanes));
  }
  return touched;
}

std::uint32_t entry_interval(const Instruction& in, const Program& program, const Machine& machine,
                             const Footprint& touched) {
  const MioSpec& mio = machine.gpu.mio;
  if (!uses_port(in)) return at_least_one(mio.adu_interval_cycles);
  if (in.action != Action::memory) return at_least_one(mio.shared_interval_cycles);
  const MemoryAccess& access = program.accesses[in.operand];
  if (access.space == Space::shared) {
    return at_least_one(mio.shared_interval_cycles) * touched.passes;
  }
  return at_least_one(access.kind == AccessKind::store ? mio.store_interval_cycles
                                                       : mio.load_interval_cycles);
}

std::uint32_t port_cycles(const Instruction& in, const Program& program, const Machine& machine,
                          const Footprint& touched) {
  const GpuSpec& gpu = machine.gpu;
  const std::uint32_t interval = at_least_one(gpu.mio.port_interval_cycles);
  if (in.action != Action::memory) return interval;
  const MemoryAccess& access = program.accesses[in.operand];
  if (access.space == Space::shared) {
    const auto replay = static_cast<std::uint32_t>(gpu.shared_memory.cycles_per_extra_wavefront);
    return interval + ((touched.passes - 1U) * replay);
  }
  if (access.kind == AccessKind::bulk_copy) return interval;
  const std::uint32_t tags =
      touched.lines * static_cast<std::uint32_t>(std::max(gpu.l1.cycles_per_tag, 0));
  const std::uint32_t data = touched.sectors / at_least_one(gpu.l1.sectors_per_cycle);
  const std::uint32_t store =
      access.kind == AccessKind::store ? at_least_one(gpu.mio.store_port_cycles) : 1U;
  return std::max({interval, tags, data, store});
}

DecodedProgram::DecodedProgram(const Program& program, const Machine& machine) {
  ops.reserve(program.code.size());
  for (const Instruction& instruction : program.code) {
    ops.push_back(decode(instruction, program, machine));
    has_fences |= instruction.action == Action::fence;
    has_cluster_barrier |= instruction.action == Action::cluster_wait;
    used_hazards |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(ops.back().hazard));
  }
  drop_idle_hazards(*this);
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
