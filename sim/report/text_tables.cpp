// Tables: warp states, SMs, instructions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/report/text_parts.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostInstructions = 20;

std::vector<std::size_t> states_by_size(const Result& result) {
  std::vector<std::size_t> order(kWarpStates);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return result.stalls[a].value_or(0) > result.stalls[b].value_or(0);
  });
  return order;
}

const MetricInfo& stall_info(std::size_t state) {
  const std::string ending = std::string("stalled_") + kWarpStateNames[state] + "_per_issue";
  const auto& infos = metric_infos();
  return *std::find_if(infos.begin(), infos.end(), [&](const MetricInfo& info) {
    return info.name.find(ending) != std::string::npos;
  });
}

void write_state(TextWriter& out, const Result& result, std::size_t state, double latency,
                 bool explain) {
  const double ratio = result.stalls[state].value_or(0);
  const double share = latency > 0 ? ratio / latency : 0;
  out.line(fmt::format("    {:<20}{:>10.2f} {:>7.1f} %  {}", kWarpStateNames[state], ratio,
                       100 * share, bar(share, 34)));
  if (explain) {
    const std::string& definition = stall_info(state).definition;
    out.paragraph(definition.substr(0, definition.find(';')), "      ", "      ");
  }
}

std::string optional_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

// The state in which warps spend most of their time before this instruction.
std::string_view mostly(const InstructionBreakdown& row) {
  const auto top = std::max_element(row.state.begin(), row.state.end()) - row.state.begin();
  return row.warp_cycles == 0 ? "" : kWarpStateNames[static_cast<std::size_t>(top)];
}

}  // namespace

void write_warp_states(TextWriter& out, const Result& result, const ReportOptions& options) {
  out.section("Warp State");
  static constexpr const char* kLatency[] = {"smsp__average_warp_latency_per_inst_issued.ratio"};
  write_metrics(out, result, options, kLatency);
  const double latency = result.value(kLatency[0]).value_or(0);
  std::size_t zeros = 0;
  for (const std::size_t state : states_by_size(result)) {
    if (result.stalls[state].value_or(0) > 0 || options.explain) {
      write_state(out, result, state, latency, options.explain);
    } else {
      ++zeros;
    }
  }
  if (zeros > 0) {
    out.line(fmt::format("    the other {} states: 0", zeros));
  }
}

void write_sms(TextWriter& out, const Result& result) {
  out.section("SMs");
  out.line("   SM   blocks active cycles     last end  warps issue %     by scheduler, %");
  for (const SmBreakdown& sm : result.sms) {
    std::string schedulers;
    for (const SchedulerBreakdown& row : sm.schedulers) {
      schedulers += fmt::format(" {:>5}", optional_number(row.issue_pct));
    }
    out.line(fmt::format("  {:>3} {:>8} {:>13} {:>12} {:>6} {:>6} {}", sm.sm,
                         format_number(static_cast<double>(sm.blocks)),
                         format_number(static_cast<double>(sm.active_cycles)),
                         format_number(static_cast<double>(sm.last_block_end)),
                         optional_number(sm.active_warps), optional_number(sm.issue_pct),
                         schedulers));
  }
}

void write_instructions(TextWriter& out, const Result& result) {
  out.section("Instructions that warps spend most time on");
  std::vector<const InstructionBreakdown*> rows;
  double all = 0;
  for (const InstructionBreakdown& row : result.instructions) {
    rows.push_back(&row);
    all += static_cast<double>(row.warp_cycles);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->warp_cycles > b->warp_cycles; });
  // Columns are as wide as what stands in them: what is left belongs to the operands.
  const std::size_t shown = std::min(rows.size(), kMostInstructions);
  std::size_t issued_width = std::string_view("issued").size();
  std::size_t state_width = std::string_view("mostly").size();
  for (std::size_t i = 0; i < shown; ++i) {
    issued_width =
        std::max(issued_width, format_number(static_cast<double>(rows[i]->issued)).size());
    state_width = std::max(state_width, mostly(*rows[i]).size());
  }
  const std::string heading = fmt::format("{:>5} {:>4} {:>{}} time %  cycles {:<{}} ", "pc", "line",
                                          "issued", issued_width, "mostly", state_width);
  out.line(heading + "instruction");
  for (std::size_t i = 0; i < shown; ++i) {
    const InstructionBreakdown& row = *rows[i];
    const auto cycles = static_cast<double>(row.warp_cycles);
    const auto issued = static_cast<double>(row.issued);
    const std::string line =
        fmt::format("{:>5} {:>4} {:>{}} {:>6.1f} {:>7.1f} {:<{}} ", row.pc,
                    row.source_line == 0 ? "" : std::to_string(row.source_line),
                    format_number(issued), issued_width, all > 0 ? 100 * cycles / all : 0,
                    issued > 0 ? cycles / issued : 0, mostly(row), state_width);
    out.paragraph(row.text, line, std::string(line.size() + 2, ' '));
  }
  if (rows.size() > shown) {
    out.line(fmt::format("  and {} more", rows.size() - shown));
  }
}

}  // namespace smsim
