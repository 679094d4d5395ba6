// name                        measured  predicted   error   occ elig issue stall
#include <fmt/format.h>

#include <cmath>

#include "sim/compare/accuracy.hpp"
#include "sim/compare/comparison_report.hpp"
#include "sim/compare/validation_report.hpp"
#include "sim/compare/what_if.hpp"
#include "sim/report/text_writer.hpp"
#include "smsim/report.hpp"

namespace smsim {

namespace {

constexpr std::size_t kName = 25;

std::string signed_number(std::optional<double> value, double factor, int decimals) {
  if (!value) {
    return "-";
  }
  const double scaled = *value * factor;
  const bool zero = std::abs(scaled) < 0.5 * std::pow(10, -decimals);
  return zero ? fmt::format("{:.{}f}", 0.0, decimals) : fmt::format("{:+.{}f}", scaled, decimals);
}

std::string plain(std::optional<double> value, int decimals, const char* unit = "") {
  return value ? fmt::format("{:.{}f}{}", *value, decimals, unit) : "-";
}

std::string count(std::optional<double> value) {
  return value ? format_number(*value) : "-";
}

// What was measured, and what was predicted where that differs.
std::string stall_cell(const Comparison& comparison) {
  const std::vector<std::string> ours = ranked_stalls(comparison, false);
  const std::vector<std::string> theirs = ranked_stalls(comparison, true);
  if (ours.empty() || theirs.empty()) {
    return "-";
  }
  return ours[0] == theirs[0] ? "right" : "wrong";
}

void reference_row(TextWriter& out, const ValidatedReference& one) {
  const std::string name = cut(one.reference.name, kName);
  if (!one.completed()) {
    out.line(fmt::format("{:<{}} {}", name, kName, one.status));
    return;
  }
  const ComparedMetric* cycles = find_metric(*one.comparison, kCyclesMetric);
  out.line(fmt::format(
      "{:<{}}{:>11}{:>11}{:>8}{:>7}{:>7}{:>6}{:>6}", name, kName, count(cycles->measured),
      count(cycles->predicted), signed_number(cycles->error, 100, 1),
      signed_number(error_of(one, kOccupancyMetric), 1, 1),
      signed_number(error_of(one, kEligibleMetric), 1, 2),
      signed_number(error_of(one, kIssueMetric), 1, 1), stall_cell(*one.comparison)));
}

void references_table(TextWriter& out, const std::vector<ValidatedReference>& references) {
  out.section("References");
  out.line(fmt::format("{:<{}}{:>11}{:>11}{:>8}{:>7}{:>7}{:>6}{:>6}", "", kName, "measured",
                       "predicted", "error", "occup", "elig", "issue", "top"));
  out.line(fmt::format("{:<{}}{:>11}{:>11}{:>8}{:>7}{:>7}{:>6}{:>6}", "", kName, "cycles", "cycles",
                       "%", "points", "warps", "pts", "stall"));
  for (const ValidatedReference& one : references) {
    reference_row(out, one);
  }
}

constexpr const char* kGroupLayout = "{:<18}{:>5}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}";

std::string group_row(const std::string& name, const Accuracy& a) {
  return fmt::format(fmt::runtime(kGroupLayout), cut(name, 18), a.references,
                     plain(a.cycles_mape, 1), plain(a.cycles_median, 1), plain(a.cycles_p90, 1),
                     plain(a.cycles_worst, 1), plain(a.occupancy_error_points, 1),
                     plain(a.eligible_error_warps, 2), plain(a.issue_error_points, 1),
                     plain(a.top_stall_right_pct, 0));
}

void groups_table(TextWriter& out, const std::string& title,
                  const std::map<std::string, Accuracy>& groups) {
  out.section(title);
  out.line(fmt::format(fmt::runtime(kGroupLayout), "absolute errors", "", "mean", "median", "p90",
                       "worst", "occup", "elig", "issue", "top"));
  out.line(fmt::format(fmt::runtime(kGroupLayout), "", "", "cyc %", "cyc %", "cyc %", "cyc %",
                       "points", "warps", "points", "% ok"));
  for (const auto& [name, accuracy] : groups) {
    out.line(group_row(name, accuracy));
  }
}

void what_if_table(TextWriter& out, const std::vector<WhatIfPair>& pairs) {
  out.section("What if: change of the elapsed cycles");
  out.line(
      fmt::format("{:<29}   {:<25}{:>9}{:>10}{:>4}", "from", "to", "measured", "predicted", ""));
  for (const WhatIfPair& pair : pairs) {
    const char* mark = !pair.counts() ? "" : pair.sign_right() ? "ok" : "!!";
    out.line(fmt::format("{:<29} > {:<25}{:>8}%{:>9}%{:>4}", cut(pair.from, 29), cut(pair.to, 25),
                         signed_number(pair.measured_change, 100, 1),
                         signed_number(pair.predicted_change, 100, 1), mark));
  }
}

void what_if_line(TextWriter& out, const WhatIfSummary& summary) {
  if (summary.pairs == 0) {
    out.line("  no two references are marked as a pair");
    return;
  }
  out.paragraph(fmt::format("{} pairs; of the {} whose measured cycles differ by more than 5 %, "
                            "the sign of the change is right in {} ({}); the ratio is off by {} "
                            "on average.",
                            summary.pairs, summary.counted, summary.sign_right,
                            plain(summary.sign_right_pct, 1, " %"),
                            plain(summary.mean_size_error_pct, 1, " %")),
                "  ", "  ");
}

void failures(TextWriter& out, const std::vector<ValidatedReference>& references) {
  for (const ValidatedReference& one : references) {
    if (!one.failure.empty()) {
      out.line(fmt::format("{}: {}", one.reference.name, one.failure));
    }
  }
}

void summary(TextWriter& out, const std::vector<ValidatedReference>& references) {
  const Accuracy all = accuracy_of(references);
  std::map<std::string, Accuracy> uses = accuracy_by_use(references);
  uses.emplace("all", all);
  groups_table(out, "Summary", uses);
  out.line();
  out.paragraph(
      fmt::format("{} references simulated, {} not. Cycles: worst {} ({}), Pearson correlation {}. "
                  "Stall reasons: the two largest right as a set in {}, rank agreement {}.",
                  all.references, all.failed, plain(all.cycles_worst, 1, " %"),
                  all.cycles_worst_reference.empty() ? "none" : all.cycles_worst_reference,
                  plain(all.cycles_pearson, 4), plain(all.top_two_right_pct, 0, " %"),
                  plain(all.stall_rank_agreement, 2)),
      "  ", "  ");
  what_if_line(out, summarise(what_if_pairs(references)));
}

}  // namespace

std::string validation_text(const std::vector<ValidatedReference>& references, ValidationView view,
                            bool details) {
  TextWriter out;
  if (details) {
    for (const ValidatedReference& one : references) {
      if (one.comparison) {
        out.section(one.reference.name);
        out.line(comparison_text(*one.comparison));
      }
    }
  }
  if (view == ValidationView::references) {
    references_table(out, references);
  } else if (view == ValidationView::families) {
    groups_table(out, "Families", accuracy_by_family(references));
  } else {
    what_if_table(out, what_if_pairs(references));
  }
  out.line();
  summary(out, references);
  failures(out, references);
  return out.take();
}

}  // namespace smsim
