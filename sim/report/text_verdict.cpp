// Bounds, roofline and suggestions; failures.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "sim/report/text_parts.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostBounds = 8;
constexpr std::size_t kMostWaits = 12;

void write_bounds(TextWriter& out, const Verdict& verdict, const ReportOptions& options) {
  if (verdict.bounds.empty()) {
    return;
  }
  out.line("  What each limit alone would allow        cycles   of run");
  std::size_t shown = 0;
  for (const Bound& bound : verdict.bounds) {
    if (shown == kMostBounds && !options.explain) {
      out.line(fmt::format("    and {} smaller ones", verdict.bounds.size() - shown));
      break;
    }
    ++shown;
    const double share = bound.share.value_or(0);
    out.line(fmt::format("    {:<24}{:>19} {:>6.1f} %  {}", bound.name,
                         format_number(std::round(bound.cycles)), 100 * share, bar(share, 22)));
    if (options.explain) {
      out.paragraph(fmt::format("{}; {} cycles if spread evenly", bound.meaning,
                                format_number(bound.balanced_cycles)),
                    "      ", "      ");
    }
  }
  if (!verdict.near.empty()) {
    out.paragraph(fmt::format("{}", fmt::join(verdict.near, ", ")),
                  "  Within 2 % of the run, launch overhead aside: ", "    ");
  }
}

std::string rate(std::optional<double> per_second, const char* unit) {
  const Scaled scaled = scale(per_second.value_or(0), "hz");
  const std::string prefix = scaled.unit.substr(0, scaled.unit.size() - 2);
  return fmt::format("{:.2f} {}{}", scaled.value, prefix, unit);
}

void write_roofline(TextWriter& out, const Roofline& r) {
  if (!r.flops) {
    out.paragraph("no arithmetic is known in this program", "  Roofline: ", "    ");
    return;
  }
  if (!r.peak_flops_per_second || *r.peak_flops_per_second <= 0) {
    out.paragraph("no arithmetic was done", "  Roofline: ", "    ");
    return;
  }
  std::string text = fmt::format("{} of {} {} reached", rate(r.flops_per_second, "flop/s"),
                                 rate(r.peak_flops_per_second, "flop/s"), r.precision);
  if (r.intensity && r.ridge) {
    text += fmt::format("; {:.3g} flop/byte against a ridge point of {:.3g}: on the {} side",
                        *r.intensity, *r.ridge, r.side);
  } else {
    text += "; nothing went through DRAM";
  }
  out.paragraph(text, "  Roofline: ", "    ");
}

// "instruction 6 (BAR.SYNC 0x0, line 8)"
std::string describe_instruction(const Result& result, std::uint32_t pc) {
  std::string text = fmt::format("instruction {}", pc);
  if (pc < result.instructions.size() && !result.instructions[pc].text.empty()) {
    const InstructionBreakdown& row = result.instructions[pc];
    text += row.source_line == 0 ? fmt::format(" ({})", row.text)
                                 : fmt::format(" ({}, line {})", row.text, row.source_line);
  }
  return text;
}

void write_warp(TextWriter& out, const Result& result, const BlockedWarp& warp) {
  out.paragraph(fmt::format("block {} warp {} on SM {} at {} waits for {}", warp.block, warp.warp,
                            warp.sm, describe_instruction(result, warp.pc), warp.waits_for),
                "    ", "      ");
}

}  // namespace

void write_verdict(TextWriter& out, const Result& result, const ReportOptions& options) {
  const Verdict& verdict = result.verdict;
  out.section("Verdict");
  write_bounds(out, verdict, options);
  write_roofline(out, verdict.roofline);
  int number = 0;
  for (const Suggestion& suggestion : verdict.suggestions) {
    ++number;
    out.paragraph(suggestion.text, fmt::format("  {}. ", number), "     ");
    out.paragraph("(" + suggestion.evidence + ")", "     ", "     ");
  }
}

void write_launch_failure(TextWriter& out, const LaunchFailure& failure) {
  out.section("Launch failure");
  out.paragraph(fmt::format("{}: {} needed, {} at most", failure.resource,
                            format_number(static_cast<double>(failure.need)),
                            format_number(static_cast<double>(failure.limit))),
                "  ", "  ");
  if (!failure.explanation.empty()) {
    out.paragraph(failure.explanation, "  ", "  ");
  }
  if (!failure.what_fits.empty()) {
    out.paragraph(failure.what_fits, "  What would fit: ", "    ");
  }
}

void write_deadlock(TextWriter& out, const Result& result) {
  const Deadlock& deadlock = *result.deadlock;
  out.section("Deadlock");
  // Warps that poll go on issuing until the end of the run, which is no progress.
  out.paragraph(fmt::format("No warp can go on: {} warps wait or poll in vain, {} blocks have not "
                            "started. The last progress (where warps poll: the last change of a "
                            "flag) was at cycle {}, the run ended at {}.",
                            format_number(static_cast<double>(deadlock.blocked_warps)),
                            format_number(static_cast<double>(deadlock.blocks_not_started)),
                            format_number(static_cast<double>(deadlock.cycle)),
                            format_number(result.value("gpc__cycles_elapsed.max").value_or(0))),
                "  ", "  ");
  if (!deadlock.explanation.empty()) {
    out.paragraph(deadlock.explanation, "  ", "  ");
  }
  if (!deadlock.wait_for_cycle.empty()) {
    out.line("  Who waits for whom:");
    for (const std::string& edge : deadlock.wait_for_cycle) {
      out.paragraph(edge, "    ", "      ");
    }
  }
  if (!deadlock.warps.empty()) {
    out.line("  Warps that wait:");
  }
  for (std::size_t i = 0; i < std::min(deadlock.warps.size(), kMostWaits); ++i) {
    write_warp(out, result, deadlock.warps[i]);
  }
  if (deadlock.blocked_warps > kMostWaits) {
    out.line(fmt::format("    and {} more",
                         format_number(static_cast<double>(deadlock.blocked_warps - kMostWaits))));
  }
}

}  // namespace smsim
