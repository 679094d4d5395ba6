#include "sim/metrics/unloaded_path.hpp"

#include <algorithm>

namespace smsim {
namespace {

// What is left out of a path's time, to see what it contributes.
enum class LeaveOut { nothing, global_memory, barriers };

class PathReader {
 public:
  explicit PathReader(const MetricInputs& in)
      : in_(in),
        l1_hits_(in.total.l1_load_hit_sectors > 0),
        l2_hits_(in.run.counters.memory.l2_read_hit_sectors > 0) {}

  // From the issue of `begin` to the earliest issue of what follows `end` - 1.
  [[nodiscard]] double time(std::size_t begin, std::size_t end, LeaveOut leave_out) const {
    std::array<double, kScoreboards> clear{};
    double now = 0;
    for (std::size_t pc = begin; pc < end; ++pc) {
      const Instruction& code = in_.kernel.program.code[pc];
      for (std::size_t s = 0; s < clear.size(); ++s) {
        if ((code.wait_mask >> s & 1U) != 0) {
          now = std::max(now, clear[s]);
        }
      }
      if (code.write_scoreboard < clear.size() && code.predicate == kNoPredicate) {
        double& slot = clear[code.write_scoreboard];
        slot = std::max(slot, now + latency(code, leave_out));
      }
      now += pause(code, leave_out);
    }
    return now;
  }

 private:
  // Issue to the result being there.
  [[nodiscard]] double latency(const Instruction& code, LeaveOut leave_out) const {
    const double queue = in_.gpu.mio.dispatch_latency_cycles;
    switch (code.action) {
      case Action::complete_later:
        return code.latency_cycles;
      case Action::mio:
        return std::max<double>(code.latency_cycles, queue);
      case Action::memory:
        return std::max(memory_latency(in_.kernel.program.accesses[code.operand], leave_out),
                        queue);
      default:
        return 0;
    }
  }

  [[nodiscard]] double memory_latency(const MemoryAccess& access, LeaveOut leave_out) const {
    if (access.space == Space::shared) {
      return access.kind == AccessKind::load ? in_.gpu.shared_memory.load_latency_cycles : 0;
    }
    const bool global = access.space == Space::global || access.space == Space::local;
    if (!global || leave_out == LeaveOut::global_memory) {
      return 0;
    }
    const bool past_l1 = access.kind != AccessKind::load || access.l1_hit == 0 || !l1_hits_;
    if (access.kind == AccessKind::load && past_l1 && (access.l2_hit == 0 || !l2_hits_)) {
      return in_.gpu.l2.hit_latency_cycles + in_.gpu.dram.latency_cycles;
    }
    const bool may_be_short = access.kind == AccessKind::async_copy;
    return past_l1 && !may_be_short ? in_.gpu.l2.hit_latency_cycles : in_.gpu.l1.hit_latency_cycles;
  }

  // Issue to the warp's next issue, results aside.
  [[nodiscard]] double pause(const Instruction& code, LeaveOut leave_out) const {
    const double stall = std::max<double>(code.stall_cycles, code.yield ? 2 : 1);
    if (code.predicate != kNoPredicate) {
      return stall;
    }
    if (code.action == Action::sleep) {
      return std::max<double>(stall, code.latency_cycles);
    }
    if (code.action == Action::fence) {
      return std::max<double>(stall, fence_cycles(static_cast<FenceScope>(code.operand)));
    }
    if (code.action == Action::barrier && in_.kernel.program.barriers[code.operand].wait &&
        leave_out != LeaveOut::barriers) {
      return std::max<double>(stall, in_.gpu.barrier.latency_cycles);
    }
    return stall;
  }

  [[nodiscard]] double fence_cycles(FenceScope scope) const {
    switch (scope) {
      case FenceScope::cta:
        return in_.gpu.barrier.membar_cta_cycles;
      case FenceScope::gpu:
        return in_.gpu.barrier.membar_gpu_cycles;
      case FenceScope::system:
        return in_.gpu.barrier.membar_system_cycles;
      case FenceScope::errors:
        return in_.gpu.barrier.error_barrier_cycles;
    }
    return 0;
  }

  const MetricInputs& in_;
  bool l1_hits_;
  bool l2_hits_;
};

void mark(std::vector<bool>& leaders, std::size_t pc) {
  if (pc < leaders.size()) {
    leaders[pc] = true;
  }
}

// Where control can arrive other than from the instruction before, or leave.
std::vector<bool> find_leaders(const Program& program) {
  std::vector<bool> leaders(program.code.size() + 1, false);
  mark(leaders, 0);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& code = program.code[pc];
    if (code.flow != Flow::next) {
      mark(leaders, pc + 1);
    }
    if (code.flow == Flow::jump) {
      mark(leaders, code.flow_operand);
    }
  }
  for (const Loop& loop : program.loops) {
    mark(leaders, loop.begin_pc);
    mark(leaders, loop.end_pc);
  }
  for (const Branch& branch : program.branches) {
    mark(leaders, branch.else_pc);
    mark(leaders, branch.end_pc);
  }
  for (const TaskLoop& loop : program.task_loops) {
    mark(leaders, loop.fetch_pc);
    mark(leaders, loop.body_pc);
    mark(leaders, loop.end_pc);
  }
  for (const SpinWait& spin : program.spins) {
    mark(leaders, spin.poll_pc);
  }
  mark(leaders, program.code.size());
  return leaders;
}

// What a warp of a block that is done spent before its first and after its last instruction.
double start_and_exit(const MetricInputs& in) {
  const auto warps =
      static_cast<double>(in.total.blocks) * static_cast<double>(in.residency.warps_per_block);
  return warps * (in.gpu.front_end.warp_start_cycles + in.gpu.front_end.exit_cycles);
}

// Taken branches back to a loop's begin: every run of its first instruction but those that fell in.
double loop_branches(const MetricInputs& in) {
  const auto& code = in.kernel.program.code;
  const auto& counted = in.run.counters.instruction;
  double taken = 0;
  for (const Loop& loop : in.kernel.program.loops) {
    if (loop.begin_pc == 0 || code[loop.begin_pc - 1].flow != Flow::loop_enter) {
      continue;
    }
    const std::uint64_t runs = counted[loop.begin_pc].issued;
    taken += static_cast<double>(runs - std::min(runs, counted[loop.begin_pc - 1].issued));
  }
  return taken * in.gpu.front_end.branch_resolve_cycles;
}

}  // namespace

UnloadedPath unloaded_path(const MetricInputs& inputs) {
  UnloadedPath path;
  const std::vector<InstructionCounters>& counted = inputs.run.counters.instruction;
  if (counted.size() != inputs.kernel.program.code.size()) {
    return path;
  }
  const std::vector<bool> leaders = find_leaders(inputs.kernel.program);
  const PathReader reader(inputs);
  std::size_t begin = 0;
  for (std::size_t end = 1; end < leaders.size(); ++end) {
    if (!leaders[end]) {
      continue;
    }
    std::uint64_t runs = counted[begin].issued;
    for (std::size_t pc = begin; pc < end; ++pc) {
      runs = std::min(runs, counted[pc].issued);  // a run that was cut short does not count
    }
    const double times = static_cast<double>(runs);
    const double all = reader.time(begin, end, LeaveOut::nothing);
    path.total += times * all;
    path.memory += times * (all - reader.time(begin, end, LeaveOut::global_memory));
    path.barriers += times * (all - reader.time(begin, end, LeaveOut::barriers));
    begin = end;
  }
  path.total += start_and_exit(inputs) + loop_branches(inputs);
  return path;
}

}  // namespace smsim
