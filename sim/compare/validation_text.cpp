//                            measured  predicted   error  occup   elig issue   top
//                              cycles     cycles       % points  warps   pts stall
// saxpy_small                  10,666     10,012    -6.1   -6.3  -0.07  +0.2 right
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

constexpr std::size_t kName = 24;

// Columns stay apart: what is too wide for its own loses decimals, then digits.
std::string fitted(const std::string& text, double value, std::size_t width, bool sign) {
  if (text.size() < width) {
    return text;
  }
  const std::string whole = sign ? fmt::format("{:+.0f}", value) : fmt::format("{:.0f}", value);
  return whole.size() < width ? whole
         : sign               ? fmt::format("{:+.0e}", value)
                              : fmt::format("{:.0e}", value);
}

std::string signed_number(std::optional<double> value, double factor, int decimals,
                          std::size_t width) {
  if (!value) {
    return "-";
  }
  const double scaled = *value * factor;
  const bool zero = std::abs(scaled) < 0.5 * std::pow(10, -decimals);
  return zero ? fmt::format("{:.{}f}", 0.0, decimals)
              : fitted(fmt::format("{:+.{}f}", scaled, decimals), scaled, width, true);
}

std::string plain(std::optional<double> value, int decimals, const char* unit = "") {
  return value ? fmt::format("{:.{}f}{}", *value, decimals, unit) : "-";
}

constexpr std::size_t kGroupColumn = 7;

std::string column(std::optional<double> value, int decimals) {
  return value ? fitted(plain(value, decimals), *value, kGroupColumn, false) : "-";
}

std::string count(std::optional<double> value) {
  constexpr std::size_t kColumn = 11;
  return value ? fitted(format_number(*value), *value, kColumn, false) : "-";
}

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
  const ComparedMetric* found = find_metric(*one.comparison, kCyclesMetric);
  const ComparedMetric cycles = found == nullptr ? ComparedMetric{} : *found;
  out.line(fmt::format(
      "{:<{}}{:>11}{:>11}{:>8}{:>7}{:>7}{:>6}{:>6}", name, kName, count(cycles.measured),
      count(cycles.predicted), signed_number(cycles.error, 100, 1, 8),
      signed_number(error_of(one, kOccupancyMetric), 1, 1, 7),
      signed_number(error_of(one, kEligibleMetric), 1, 2, 7),
      signed_number(error_of(one, kIssueMetric), 1, 1, 6), stall_cell(*one.comparison)));
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
                     column(a.cycles_mape, 1), column(a.cycles_median, 1), column(a.cycles_p90, 1),
                     column(a.cycles_worst, 1), column(a.occupancy_error_points, 1),
                     column(a.eligible_error_warps, 2), column(a.issue_error_points, 1),
                     column(a.top_stall_right_pct, 0));
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
                         signed_number(pair.measured_change, 100, 1, 8),
                         signed_number(pair.predicted_change, 100, 1, 9), mark));
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
                  all.cycles_worst_reference.empty() ? "none" : cut(all.cycles_worst_reference, 60),
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
        out.section(cut(one.reference.name, 70));
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
  summary(out, references);
  return out.take();
}

}  // namespace smsim
