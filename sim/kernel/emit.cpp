#include "sim/kernel/emit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace smsim::sass {

namespace {

class Emitter {
 public:
  Emitter(const DraftProgram& drafts, const Allocation& allocation)
      : drafts_(drafts), allocation_(allocation), program_(drafts.tables) {}

  Program run() {
    find_labels();
    resolve_tables();
    for (const Draft& draft : drafts_.code) {
      if (!draft.is_label()) {
        program_.code.push_back(instruction(draft));
        program_.text.push_back(text(draft));
        program_.source_line.push_back(static_cast<std::uint32_t>(std::max(0, draft.line)));
      }
    }
    return std::move(program_);
  }

 private:
  void find_labels() {
    pc_of_.assign(drafts_.labels, 0);
    std::uint32_t pc = 0;
    for (const Draft& draft : drafts_.code) {
      if (draft.is_label()) {
        pc_of_[static_cast<std::size_t>(draft.label)] = pc;
      } else {
        ++pc;
      }
    }
  }

  void resolve_tables() {
    for (Loop& loop : program_.loops) {
      loop.begin_pc = pc_of_[loop.begin_pc];
      loop.end_pc = pc_of_[loop.end_pc];
    }
    for (Branch& branch : program_.branches) {
      branch.else_pc = pc_of_[branch.else_pc];
      branch.end_pc = pc_of_[branch.end_pc];
    }
    for (TaskLoop& loop : program_.task_loops) {
      loop.fetch_pc = pc_of_[loop.fetch_pc];
      loop.body_pc = pc_of_[loop.body_pc];
      loop.end_pc = pc_of_[loop.end_pc];
    }
    for (SpinWait& spin : program_.spins) {
      spin.poll_pc = pc_of_[spin.poll_pc];
    }
    for (Route& route : program_.routes) {
      if (route.target_pc != kExitPc) route.target_pc = pc_of_[route.target_pc];
    }
  }

  Instruction instruction(const Draft& draft) const {
    Instruction made;
    made.stall_cycles = static_cast<std::uint8_t>(draft.stall);
    made.yield = draft.yield;
    made.write_scoreboard = draft.write_scoreboard;
    made.read_scoreboard = draft.read_scoreboard;
    made.wait_mask = draft.wait_mask;
    made.pipe = draft.timing.pipe;
    made.issue_interval_cycles =
        static_cast<std::uint8_t>(std::clamp(draft.timing.issue_interval_cycles, 1, 255));
    made.action = draft.action;
    made.flow = draft.flow;
    made.latency_cycles = static_cast<std::uint16_t>(draft.timing.latency_cycles);
    made.operand = draft.operand;
    const bool to_label = draft.flow == Flow::jump || draft.flow == Flow::call;
    made.flow_operand = to_label ? pc_of_[draft.flow_operand] : draft.flow_operand;
    made.predicate = draft.predicate;
    made.bank_reads = draft.bank_reads;
    return made;
  }

  std::string text(const Draft& draft) const {
    std::string line = guard(draft) + draft.mnemonic;
    const std::string operands = fill_in(draft);
    return operands.empty() ? line : line + " " + operands;
  }

  std::string guard(const Draft& draft) const {
    for (const Operand& source : draft.sources) {
      if (source.role == Role::guard) {
        return fmt::format("@{}{} ", draft.negated_guard ? "!" : "", name(source));
      }
    }
    return "";
  }

  // Replaces %d0, %s1 and %L in the operand template.
  std::string fill_in(const Draft& draft) const {
    std::string filled;
    const std::string& form = draft.operands;
    for (std::size_t at = 0; at < form.size(); ++at) {
      if (form[at] != '%' || at + 1 >= form.size()) {
        filled += form[at];
        continue;
      }
      const char kind = form[++at];
      if (kind == 'L') {
        filled += fmt::format("{:#x}", target(draft) * 16);
        continue;
      }
      std::size_t number = 0;
      while (at + 1 < form.size() && form[at + 1] >= '0' && form[at + 1] <= '9') {
        number = number * 10 + static_cast<std::size_t>(form[++at] - '0');
      }
      filled += name(kind == 'd' ? draft.results.at(number) : draft.sources.at(number));
    }
    return filled;
  }

  std::uint32_t target(const Draft& draft) const {
    switch (draft.flow) {
      case Flow::jump:
        return pc_of_[draft.flow_operand];
      case Flow::loop_enter:
        return program_.loops[draft.flow_operand].end_pc;
      case Flow::loop_back:
        return program_.loops[draft.flow_operand].begin_pc;
      case Flow::branch_if:
        return program_.branches[draft.flow_operand].else_pc;
      case Flow::branch_else:
        return program_.branches[draft.flow_operand].end_pc;
      case Flow::task_check:
        return program_.task_loops[draft.flow_operand].end_pc;
      case Flow::task_back:
        return program_.task_loops[draft.flow_operand].fetch_pc;
      case Flow::spin_back:
        return program_.spins[draft.flow_operand].poll_pc;
      default:
        return 0;
    }
  }

  std::string name(const Operand& operand) const {
    constexpr const char* kPrefix[] = {"R", "UR", "P"};
    const Value& value = drafts_.values[operand.value];
    const int first = allocation_.first[operand.value];
    return fmt::format("{}{}", kPrefix[static_cast<std::size_t>(value.file)],
                       first + std::max(operand.component, 0));
  }

  const DraftProgram& drafts_;
  const Allocation& allocation_;
  Program program_;
  std::vector<std::uint32_t> pc_of_;  // by label
};

}  // namespace

Program emit_program(const DraftProgram& drafts, const Allocation& allocation) {
  return Emitter(drafts, allocation).run();
}

}  // namespace smsim::sass
