// Scatter plots as SVG and the tables as HTML: readable without scripts, network or colour.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/compare/accuracy.hpp"
#include "sim/compare/validation_report.hpp"
#include "sim/compare/what_if.hpp"
#include "smsim/report.hpp"

namespace smsim {

namespace {

constexpr double kSide = 320;    // of a plot's area
constexpr double kMargin = 48;   // left and below
constexpr double kPadding = 12;  // right and above

struct Plot {
  const char* title;
  const char* metric;
  const char* unit;
  bool logarithmic;
};

constexpr std::array<Plot, 4> kPlots{{
    {"Elapsed cycles", kCyclesMetric, "cycles", true},
    {"Achieved occupancy", kOccupancyMetric, "%", false},
    {"Eligible warps per scheduler", kEligibleMetric, "warps", false},
    {"Issue slots used", kIssueMetric, "%", false},
}};

struct Point {
  const ValidatedReference* reference;
  double measured;
  double predicted;
};

// One axis; both are the same, so that right predictions lie on the diagonal.
struct Axis {
  bool logarithmic;
  double low;
  double high;

  double place(double value) const {
    const double share =
        logarithmic ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                    : (value - low) / (high - low);
    return share * kSide;
  }

  std::vector<double> ticks() const {
    std::vector<double> values;
    if (logarithmic) {
      for (double tick = low; tick <= high * 1.001; tick *= 10) {
        values.push_back(tick);
      }
      return values;
    }
    for (int i = 0; i <= 4; ++i) {
      values.push_back(low + (high - low) * i / 4);
    }
    return values;
  }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

std::vector<Point> points_of(const std::vector<ValidatedReference>& references, const Plot& plot) {
  std::vector<Point> points;
  for (const ValidatedReference& one : references) {
    const ComparedMetric* metric =
        one.completed() ? find_metric(*one.comparison, plot.metric) : nullptr;
    if (metric == nullptr || !metric->predicted || !metric->measured) {
      continue;
    }
    if (!plot.logarithmic || (*metric->predicted > 0 && *metric->measured > 0)) {
      points.push_back({&one, *metric->measured, *metric->predicted});
    }
  }
  return points;
}

Axis axis_of(const std::vector<Point>& points, const Plot& plot) {
  double low = 1e300;
  double high = 0;
  for (const Point& point : points) {
    low = std::min({low, point.measured, point.predicted});
    high = std::max({high, point.measured, point.predicted});
  }
  if (!plot.logarithmic) {
    const double step = high > 10 ? 20 : 0.4;
    return {false, 0, std::max(step, std::ceil(high / step) * step)};
  }
  const double first = std::floor(std::log10(low));
  return {true, std::pow(10, first),
          std::pow(10, std::max(first + 1, std::ceil(std::log10(high))))};
}

// Uses differ by shape, not by colour alone.
std::string marker(const Point& point, double x, double y) {
  const Use use = point.reference->reference.use;
  const std::string title = fmt::format(
      "<title>{}: measured {}, predicted {}</title>", escaped(point.reference->reference.name),
      format_number(point.measured), format_number(point.predicted));
  switch (use) {
    case Use::held_out:
      return fmt::format("<circle class='held_out' cx='{:.1f}' cy='{:.1f}' r='4'>{}</circle>", x, y,
                         title);
    case Use::develop:
      return fmt::format(
          "<rect class='develop' x='{:.1f}' y='{:.1f}' width='7' height='7'>{}</rect>", x - 3.5,
          y - 3.5, title);
    case Use::fit:
      break;
  }
  return fmt::format("<path class='fit' d='M{:.1f} {:.1f}l4 7h-8z'>{}</path>", x, y - 4, title);
}

std::string tick_marks(const Axis& axis) {
  std::string svg;
  for (const double tick : axis.ticks()) {
    const double at = axis.place(tick);
    const std::string label = tick >= 1e6   ? fmt::format("{:g} M", tick / 1e6)
                              : tick >= 1e3 ? fmt::format("{:g} k", tick / 1e3)
                                            : fmt::format("{:g}", tick);
    svg += fmt::format(
        "<path class='grid' d='M{0:.1f} {1:.1f}v-{2}M{3} {4:.1f}h{2}'/>"
        "<text x='{0:.1f}' y='{5:.1f}' text-anchor='middle'>{6}</text>"
        "<text x='{7}' y='{8:.1f}' text-anchor='end'>{6}</text>",
        kMargin + at, kPadding + kSide, kSide, kMargin, kPadding + kSide - at,
        kPadding + kSide + 16, label, kMargin - 6, kPadding + kSide - at + 4);
  }
  return svg;
}

std::string plot_svg(const std::vector<ValidatedReference>& references, const Plot& plot) {
  const std::vector<Point> points = points_of(references, plot);
  if (points.empty()) {
    return "";
  }
  const Axis axis = axis_of(points, plot);
  const double size = kMargin + kSide + kPadding;
  std::string svg = fmt::format(
      "<figure><figcaption>{} [{}]</figcaption><svg viewBox='0 0 {} {}' role='img' "
      "aria-label='{}: predicted against measured'>",
      plot.title, plot.unit, size, size, plot.title);
  svg += tick_marks(axis);
  svg += fmt::format("<path class='diagonal' d='M{} {}L{} {}'/>", kMargin, kPadding + kSide,
                     kMargin + kSide, kPadding);
  for (const Point& point : points) {
    svg += marker(point, kMargin + axis.place(point.measured),
                  kPadding + kSide - axis.place(point.predicted));
  }
  svg += fmt::format(
      "<text x='{:.0f}' y='{:.0f}' text-anchor='middle'>measured</text>"
      "<text x='12' y='{:.0f}' transform='rotate(-90 12 {:.0f})' text-anchor='middle'>"
      "predicted</text></svg></figure>\n",
      kMargin + kSide / 2, kPadding + kSide + 34, kPadding + kSide / 2, kPadding + kSide / 2);
  return svg;
}

std::string cell(std::optional<double> value, double factor, int decimals) {
  return value ? fmt::format("<td>{:.{}f}</td>", *value * factor, decimals) : "<td>-</td>";
}

std::string signed_cell(std::optional<double> value, double factor, int decimals) {
  return value ? fmt::format("<td>{:+.{}f}</td>", *value * factor, decimals) : "<td>-</td>";
}

std::string groups_html(const std::map<std::string, Accuracy>& groups, const char* title) {
  std::string html = fmt::format(
      "<h2>{}</h2><table><tr><th>group<th>launches<th>cycles: mean error %<th>median<th>90th "
      "percentile<th>worst<th>occupancy: mean error, points<th>eligible: mean error, "
      "warps<th>issue:"
      " mean error, points<th>largest stall right %<th>two largest right %</tr>\n",
      title);
  for (const auto& [name, a] : groups) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>", escaped(name), a.references);
    html += cell(a.cycles_mape, 1, 1) + cell(a.cycles_median, 1, 1) + cell(a.cycles_p90, 1, 1) +
            cell(a.cycles_worst, 1, 1) + cell(a.occupancy_error_points, 1, 1) +
            cell(a.eligible_error_warps, 1, 2) + cell(a.issue_error_points, 1, 1) +
            cell(a.top_stall_right_pct, 1, 0) + cell(a.top_two_right_pct, 1, 0) + "</tr>\n";
  }
  return html + "</table>\n";
}

std::string stall_html(const Comparison& comparison) {
  const std::vector<std::string> ours = ranked_stalls(comparison, false);
  const std::vector<std::string> theirs = ranked_stalls(comparison, true);
  if (ours.empty() || theirs.empty()) {
    return "<td>-</td>";
  }
  return ours[0] == theirs[0] ? fmt::format("<td>{}</td>", ours[0])
                              : fmt::format("<td>{}, predicted {}</td>", theirs[0], ours[0]);
}

std::string references_html(const std::vector<ValidatedReference>& references) {
  std::string html =
      "<h2>References</h2><table><tr><th>reference<th>family<th>use<th>cycles measured"
      "<th>predicted<th>error %<th>occupancy, points<th>eligible, warps<th>issue, "
      "points<th>largest "
      "stall</tr>\n";
  for (const ValidatedReference& one : references) {
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>", escaped(one.reference.name),
                        escaped(one.reference.family), to_string(one.reference.use));
    if (!one.completed()) {
      html += fmt::format("<td colspan='7'>{}{}{}</td></tr>\n", one.status,
                          one.failure.empty() ? "" : ": ", escaped(one.failure));
      continue;
    }
    const ComparedMetric* found = find_metric(*one.comparison, kCyclesMetric);
    const ComparedMetric cycles = found == nullptr ? ComparedMetric{} : *found;
    html += cell(cycles.measured, 1, 0) + cell(cycles.predicted, 1, 0) +
            signed_cell(cycles.error, 100, 1) + signed_cell(error_of(one, kOccupancyMetric), 1, 1) +
            signed_cell(error_of(one, kEligibleMetric), 1, 2) +
            signed_cell(error_of(one, kIssueMetric), 1, 1) + stall_html(*one.comparison) +
            "</tr>\n";
  }
  return html + "</table>\n";
}

std::string what_if_html(const std::vector<WhatIfPair>& pairs) {
  if (pairs.empty()) {
    return "";
  }
  std::string html =
      "<h2>What if</h2><table><tr><th>from<th>to<th>measured change %<th>predicted change %"
      "<th>sign</tr>\n";
  for (const WhatIfPair& pair : pairs) {
    html += fmt::format("<tr><td>{}</td><td>{}</td>{}{}<td>{}</td></tr>\n", escaped(pair.from),
                        escaped(pair.to), signed_cell(pair.measured_change, 100, 1),
                        signed_cell(pair.predicted_change, 100, 1),
                        !pair.counts()      ? "too small"
                        : pair.sign_right() ? "right"
                                            : "wrong");
  }
  return html + "</table>\n";
}

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #ccc; --held: #0072b2;
  --dev: #d55e00; --fit: #777; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #181818; --faint: #444;
  --held: #56b4e9; --dev: #e69f00; --fit: #999; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--ink); }
.grid { stroke: var(--faint); stroke-width: .5; } .diagonal { stroke: var(--ink); }
.held_out { fill: var(--held); } .develop { fill: none; stroke: var(--dev); stroke-width: 1.5; }
.fit { fill: none; stroke: var(--fit); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block;
  overflow-x: auto; }
th { text-align: left; vertical-align: bottom; font-weight: 600; }
td, th { padding: .15rem .6rem; border-bottom: 1px solid var(--faint); }
td { text-align: right; } td:first-child { text-align: left; }
)css";

}  // namespace

std::string validation_page(const std::vector<ValidatedReference>& references) {
  std::string html = fmt::format(
      "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>smsim against "
      "measurements</title><meta name='viewport' content='width=device-width'><style>{}</style>"
      "</head><body><h1>smsim against measurements</h1><p>Each point is one launch, predicted from "
      "its counts: on the line it is right. Circles: held out; squares: looked at while the model "
      "was made; triangles: used to set its figures.</p><div class='plots'>\n",
      kStyle);
  for (const Plot& plot : kPlots) {
    html += plot_svg(references, plot);
  }
  std::map<std::string, Accuracy> uses = accuracy_by_use(references);
  uses.emplace("all", accuracy_of(references));
  html += "</div>\n" + groups_html(uses, "Summary") +
          groups_html(accuracy_by_family(references), "Families") +
          what_if_html(what_if_pairs(references)) + references_html(references);
  return html + "</body></html>\n";
}

}  // namespace smsim
