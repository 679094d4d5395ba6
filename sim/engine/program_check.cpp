#include "sim/engine/program_check.hpp"

#include <stdexcept>
#include <string>

namespace smsim::engine {
namespace {

class Checker {
 public:
  explicit Checker(const KernelSpec& kernel) : kernel_(kernel), program_(kernel.program) {}

  void run() {
    require(kernel_.launch.grid.count() > 0, "the grid has no blocks");
    require(kernel_.launch.block.count() > 0, "the block has no threads");
    require(!program_.code.empty(), "the program is empty");
    for (pc_ = 0; pc_ < program_.code.size(); ++pc_) check_instruction(program_.code[pc_]);
    check_tables();
  }

 private:
  void require(bool holds, const std::string& what) const {
    if (!holds) throw std::invalid_argument(kernel_.name + ": " + what);
  }

  void require_here(bool holds, const std::string& what) const {
    require(holds, "instruction " + std::to_string(pc_) + ": " + what);
  }

  void check_pc(std::uint32_t pc) const {
    require_here(pc < program_.code.size(), "jumps outside the program");
  }

  void check_instruction(const Instruction& in) const {
    require_here(in.predicate == kNoPredicate || in.predicate < program_.conditions.size(),
                 "unknown predicate");
    check_action(in);
    check_flow(in);
  }

  void check_action(const Instruction& in) const {
    const std::size_t operand = in.operand;
    switch (in.action) {
      case Action::memory:
        require_here(operand < program_.accesses.size(), "unknown memory access");
        break;
      case Action::barrier:
        require_here(operand < program_.barriers.size(), "unknown barrier");
        break;
      case Action::mbarrier_arrive:
      case Action::mbarrier_wait:
        require_here(operand < program_.mbarriers.size(), "unknown mbarrier");
        break;
      case Action::fence:
        require_here(operand <= static_cast<std::size_t>(FenceScope::errors), "unknown scope");
        break;
      default:
        break;
    }
    const bool waits = in.action == Action::barrier || in.action == Action::mbarrier_wait ||
                       in.action == Action::cluster_wait || in.action == Action::fence ||
                       in.action == Action::sleep;
    require_here(!waits || in.flow == Flow::next || in.flow == Flow::recorded,
                 "waits and branches at once");
  }

  void check_flow(const Instruction& in) const {
    const std::size_t operand = in.flow_operand;
    switch (in.flow) {
      case Flow::next:
        check_next();
        break;
      case Flow::jump:
        check_pc(in.flow_operand);
        break;
      case Flow::loop_enter:
      case Flow::loop_back:
        require_here(operand < program_.loops.size(), "unknown loop");
        check_pc(program_.loops[operand].begin_pc);
        check_pc(program_.loops[operand].end_pc);
        break;
      case Flow::branch_if:
      case Flow::branch_else:
      case Flow::branch_end:
        require_here(operand < program_.branches.size(), "unknown branch");
        check_pc(program_.branches[operand].else_pc);
        check_pc(program_.branches[operand].end_pc);
        break;
      case Flow::guard:
        require_here(operand < program_.conditions.size(), "unknown condition");
        break;
      case Flow::task_check:
      case Flow::task_back:
        require_here(operand < program_.task_loops.size(), "unknown task loop");
        check_pc(program_.task_loops[operand].fetch_pc);
        check_pc(program_.task_loops[operand].body_pc);
        check_pc(program_.task_loops[operand].end_pc);
        break;
      case Flow::spin_back:
        require_here(operand < program_.spins.size(), "unknown spin wait");
        check_pc(program_.spins[operand].poll_pc);
        break;
      case Flow::route:
        require_here(operand < program_.routes.size(), "unknown route");
        check_route(program_.routes[operand]);
        check_next();
        break;
      case Flow::call:
        check_pc(in.flow_operand);
        check_next();
        break;
      case Flow::converge_open:
      case Flow::converge:
        check_next();
        break;
      case Flow::recorded:
        require_here(kernel_.trace != nullptr, "follows a trace, and there is none");
        break;
      case Flow::ret:
      case Flow::exit:
        break;
    }
  }

  void check_next() const {
    require_here(pc_ + 1 < program_.code.size(), "runs off the end of the program");
  }

  void check_route(const Route& route) const {
    if (route.target_pc != kExitPc) check_pc(route.target_pc);
    require_here(route.taken >= 0 && route.taken <= 1, "jumps more or less often than it is met");
    require_here(route.split >= 0 && route.split <= route.taken, "splits without a jump");
    require_here(route.split == 0 || route.target_pc != kExitPc, "splits to exit");
  }

  void check_tables() const {
    for (const Loop& loop : program_.loops) {
      require(loop.depth < kMaxLoopDepth, "loops are nested too deeply");
      require(loop.trips.kind != TripCount::Kind::list || !loop.trips.list.empty(),
              "a loop has an empty list of trip counts");
    }
    for (const Branch& branch : program_.branches) {
      require(branch.depth < kMaxBranchDepth, "branches are nested too deeply");
      require(branch.condition < program_.conditions.size(), "unknown condition of a branch");
    }
    for (const BarrierUse& barrier : program_.barriers) {
      require(barrier.id < kMaxNamedBarriers, "named barrier number above 15");
    }
    for (const TaskLoop& loop : program_.task_loops) {
      require(loop.queue < program_.queues.size() && loop.batch > 0, "broken task loop");
    }
    for (const MemoryAccess& access : program_.accesses) {
      require(access.lines > 0 && access.sectors > 0 && access.wavefronts > 0,
              "a memory access touches nothing");
      require(access.mean_lines >= 0 && access.mean_lines <= 32 && access.mean_wavefronts >= 0 &&
                  access.mean_wavefronts <= 1024,
              "a memory access touches more than a warp can");
      require(access.sectors <= 4 * access.lines, "more than four sectors in a line");
      require(access.kind != AccessKind::bulk_copy || access.mbarrier < program_.mbarriers.size(),
              "a bulk copy without mbarrier");
    }
    require(program_.mbarriers.size() <= kMaxMbarriers, "too many mbarriers");
    require(program_.mean_lanes.empty() || program_.mean_lanes.size() == program_.code.size(),
            "mean lanes for some instructions only");
    require(program_.spins.size() <= kMaxSpinWaits, "too many spin waits");
  }

  const KernelSpec& kernel_;
  const Program& program_;
  std::size_t pc_ = 0;
};

}  // namespace

void check_program(const KernelSpec& kernel) {
  Checker(kernel).run();
}

}  // namespace smsim::engine
