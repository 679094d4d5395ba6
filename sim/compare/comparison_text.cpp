// Elapsed Cycles [cycle]                      442,852       457,609      -3.2 %
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/compare/comparison_report.hpp"
#include "sim/report/text_writer.hpp"
#include "smsim/report.hpp"

namespace smsim {

namespace {

constexpr std::size_t kLabel = 37;
constexpr std::size_t kNumber = 14;
constexpr std::size_t kError = 11;

std::string table_row(std::string_view label, std::string_view predicted, std::string_view measured,
                      std::string_view error) {
  return fmt::format("  {:<{}}{:>{}}{:>{}}{:>{}}", cut(label, kLabel), kLabel, predicted, kNumber,
                     measured, kNumber, error, kError);
}

// Both numbers in the unit that suits the larger one.
struct Shown {
  std::string unit;
  double factor = 1;
};

Shown shown_unit(const ComparedMetric& metric) {
  const double largest =
      std::max(std::abs(metric.predicted.value_or(0)), std::abs(metric.measured.value_or(0)));
  const bool exact = metric.kind == ErrorKind::input && metric.unit != "hz";  // 1,024, not 1.02 K
  if (largest == 0 || exact) {
    return {metric.unit.substr(0, exact ? metric.unit.find('/') : std::string::npos), 1};
  }
  const Scaled scaled = scale(largest, metric.unit);
  return {scaled.unit, scaled.value / largest};
}

std::string spell(const std::optional<double>& value, double factor = 1) {
  if (!value) {
    return "n/a";
  }
  const std::string text = format_number(*value * factor);
  return text.size() < kNumber ? text : fmt::format("{:.4e}", *value * factor);
}

// With its sign, but no "-0.00".
std::string spell_signed(double value, int decimals) {
  const double half = 0.5 * std::pow(10, -decimals);
  return std::abs(value) < half ? fmt::format("{:.{}f}", 0.0, decimals)
                                : fmt::format("{:+.{}f}", value, decimals);
}

std::string spell_error(const ComparedMetric& metric) {
  if (!metric.error) {
    return "-";
  }
  if (metric.kind == ErrorKind::difference) {
    return spell_signed(*metric.error, 2) + (metric.unit == "warp" ? " wrp" : " pp");
  }
  const double percent = 100 * *metric.error;
  return std::abs(percent) < 1e5 ? spell_signed(percent, 1) + " %"
                                 : fmt::format("{:+.0e} %", percent);
}

// A unit with a prefix must be read, another one only where there is room.
std::string labelled(const std::string& label, const Shown& shown) {
  const std::string suffix = shown.unit.empty() ? "" : fmt::format(" [{}]", shown.unit);
  const bool fits = label.size() + suffix.size() <= kLabel;
  return fits || shown.factor != 1 ? cut(label, kLabel - suffix.size()) + suffix : label;
}

void metric_row(TextWriter& out, const ComparedMetric& metric, const std::string& error) {
  const Shown shown = shown_unit(metric);
  out.line(table_row(labelled(metric.label, shown), spell(metric.predicted, shown.factor),
                     spell(metric.measured, shown.factor), error));
}

void write_inputs(TextWriter& out, const Comparison& comparison) {
  const auto differing = differing_inputs(comparison);
  out.section("Inputs: the launch, and what follows from it");
  out.line(table_row("", "prediction", "profile", ""));
  for (const ComparedMetric& metric : comparison.metrics) {
    if (metric.kind == ErrorKind::input) {
      const bool differs =
          std::find(differing.begin(), differing.end(), &metric) != differing.end();
      metric_row(out, metric, differs ? "DIFFERS" : "input");
    }
  }
}

void write_metrics(TextWriter& out, const Comparison& comparison) {
  out.section("Metrics (pp: percentage points, wrp: warps)");
  out.line(table_row("", "prediction", "profile", "error"));
  for (const ComparedMetric& metric : comparison.metrics) {
    if (metric.kind != ErrorKind::input) {
      metric_row(out, metric, spell_error(metric));
    }
  }
}

void write_stalls(TextWriter& out, const Comparison& comparison) {
  constexpr double kSmall = 0.005;
  out.section("Warp states: warps per issued instruction");
  out.line(table_row("", "prediction", "profile", "error"));
  std::size_t small = 0;
  for (const ComparedStall& stall : comparison.stalls) {
    if (stall.predicted.value_or(0) < kSmall && stall.measured.value_or(0) < kSmall) {
      ++small;
      continue;
    }
    out.line(table_row(stall.reason,
                       stall.predicted ? fmt::format("{:.2f}", *stall.predicted) : "n/a",
                       stall.measured ? fmt::format("{:.2f}", *stall.measured) : "n/a",
                       stall.error ? spell_signed(*stall.error, 2) + " wrp" : "-"));
  }
  if (small > 0) {
    out.line(fmt::format("  the other {} states: 0 in both", small));
  }
}

// A word longer than a line would break the width.
std::string name(const std::string& text) {
  return cut(text, kReportWidth - 4);
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  TextWriter out;
  out.paragraph(fmt::format(
      "{} on {} (predicted) and {} on {} (profiled, launch {})", name(comparison.kernel),
      comparison.gpu, name(comparison.profiled_kernel), comparison.device, comparison.launch_id));
  out.line();
  out.paragraph(comparison.verdict);
  write_inputs(out, comparison);
  write_metrics(out, comparison);
  write_stalls(out, comparison);
  if (!comparison.notes.empty()) {
    out.section("Notes");
    for (const std::string& note : comparison.notes) {
      out.paragraph(note, "  - ", "    ");
    }
  }
  return out.take();
}

}  // namespace smsim
