#include "sim/metrics/breakdown.hpp"

#include <numeric>

namespace smsim {
namespace {

std::optional<double> per(std::uint64_t amount, std::uint64_t cycles, double scale = 1) {
  if (cycles == 0) {
    return std::nullopt;
  }
  return scale * static_cast<double>(amount) / static_cast<double>(cycles);
}

SchedulerBreakdown break_down(const SubPartitionCounters& sub) {
  const std::uint64_t eligible = sub.state[static_cast<std::size_t>(WarpState::selected)] +
                                 sub.state[static_cast<std::size_t>(WarpState::not_selected)];
  SchedulerBreakdown row;
  row.active_cycles = sub.active_cycles;
  row.issued = sub.issued;
  row.active_warps = per(sub.warps_active, sub.active_cycles);
  row.eligible_warps = per(eligible, sub.active_cycles);
  row.issue_pct = per(sub.issued, sub.active_cycles, 100);
  return row;
}

SmBreakdown break_down(const SmCounters& sm) {
  SmBreakdown row;
  row.blocks = sm.blocks;
  row.active_cycles = sm.active_cycles;
  row.last_block_end = sm.last_block_end;
  std::uint64_t warps = 0;
  std::uint64_t issued = 0;
  for (const SubPartitionCounters& sub : sm.sub) {
    warps += sub.warps_active;
    issued += sub.issued;
    row.schedulers.push_back(break_down(sub));
  }
  row.active_warps = per(warps, sm.active_cycles);
  row.issue_pct = per(issued, sm.active_cycles, 100.0 / static_cast<double>(sm.sub.size()));
  return row;
}

}  // namespace

std::vector<SmBreakdown> break_down_by_sm(const Counters& counters) {
  std::vector<SmBreakdown> rows;
  for (const SmCounters& sm : counters.sm) {
    rows.push_back(break_down(sm));
    rows.back().sm = static_cast<int>(rows.size()) - 1;
  }
  return rows;
}

std::vector<InstructionBreakdown> break_down_by_instruction(const Program& program,
                                                            const Counters& counters) {
  std::vector<InstructionBreakdown> rows;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    const InstructionCounters counted =
        pc < counters.instruction.size() ? counters.instruction[pc] : InstructionCounters{};
    InstructionBreakdown row;
    row.pc = static_cast<std::uint32_t>(pc);
    row.source_line = pc < program.source_line.size() ? program.source_line[pc] : 0;
    row.text = pc < program.text.size() ? program.text[pc] : "";
    row.issued = counted.issued;
    row.state = counted.state;
    row.warp_cycles = std::accumulate(counted.state.begin(), counted.state.end(), std::uint64_t{0});
    rows.push_back(row);
  }
  return rows;
}

}  // namespace smsim
