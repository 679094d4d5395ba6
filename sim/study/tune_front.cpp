#include "sim/study/tune_front.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "smsim/report.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostRows = 12;  // of the Pareto front
constexpr std::size_t kBarWidth = 12;
constexpr std::size_t kAxesWidth = 30;  // room for values beside the bars

// "params.tile" -> "tile"
std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

// Values of the axes as columns of their own.
std::vector<std::size_t> axis_widths(const TuneOutcome& outcome) {
  std::vector<std::size_t> widths;
  for (const TuneAxis& axis : outcome.axes) {
    std::size_t width = last_part(axis.path).size();
    for (const std::string& value : axis.values) width = std::max(width, value.size());
    widths.push_back(width + 2);
  }
  return widths;
}

// Without widths the values have no room beside the bars, and stand below them.
void write_row(TextWriter& out, const TunePoint& point, double best,
               const std::vector<std::size_t>& widths) {
  std::string values;
  for (std::size_t axis = 0; axis < widths.size(); ++axis) {
    values += fmt::format("{:>{}}", point.values[axis].second, widths[axis]);
  }
  out.line(fmt::format("  {:>11} {:>7.3f}  {:<{}} {:>6.1f} {:>6.1f} {}",
                       format_number(*point.cycles), *point.cycles / best,
                       bar(point.achieved_pct / 100, kBarWidth), kBarWidth, point.achieved_pct,
                       point.theoretical_pct, values));
  if (widths.empty()) out.paragraph(in_words(point), "    ", "    ");
}

}  // namespace

std::string in_words(const TunePoint& point) {
  std::vector<std::string> parts;
  for (const auto& [path, value] : point.values) parts.push_back(fmt::format("{}={}", path, value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void write_front(TextWriter& out, const TuneOutcome& outcome) {
  if (!outcome.best) return;
  out.section("Cycles against occupancy");
  out.paragraph(
      "No other simulated configuration is both faster and better occupied than one of "
      "these (the Pareto front):",
      "  ", "  ");
  std::vector<std::size_t> widths = axis_widths(outcome);
  std::size_t room = 0;
  for (const std::size_t width : widths) room += width;
  if (room > kAxesWidth) widths.clear();
  std::string names;
  for (std::size_t axis = 0; axis < widths.size(); ++axis) {
    names += fmt::format("{:>{}}", last_part(outcome.axes[axis].path), widths[axis]);
  }
  out.line(fmt::format("  {:>11} {:>7}  {:^{}}", "", "", "occupancy, %", kBarWidth + 15));
  out.line(fmt::format("  {:>11} {:>7}  {:<{}} {:>6} {:>6} {}", "cycles", "x best", "achieved",
                       kBarWidth, "", "theor.", names));
  const double best = *outcome.evaluated[*outcome.best].cycles;
  for (std::size_t i = 0; i < std::min(outcome.pareto.size(), kMostRows); ++i) {
    write_row(out, outcome.evaluated[outcome.pareto[i]], best, widths);
  }
  if (outcome.pareto.size() > kMostRows) {
    out.line(fmt::format("  and {} more", outcome.pareto.size() - kMostRows));
  }
}

}  // namespace smsim
