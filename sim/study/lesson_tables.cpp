// The numbers of a lesson on the terminal: the table of variants, and the charts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/study/lesson_checks.hpp"
#include "sim/study/lesson_report.hpp"
#include "smsim/counters.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostLabel = 28;
constexpr std::size_t kChartWidth = 40;

// One column as it is printed.
struct Printed {
  std::vector<std::string> head;  // its title, a word or two a line, then the unit
  std::vector<std::string> cells;
  std::size_t width = 0;
};

std::vector<std::string> words_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string word; input >> word;) {
    const bool fits = !lines.empty() && lines.back().size() + 1 + word.size() <= width;
    fits ? lines.back() += " " + word : lines.emplace_back(word);
  }
  return lines;
}

std::string text_cell(const LessonColumn& column, const Result& result) {
  return column.kind == LessonColumn::Kind::status ? to_string(result.status)
                                                   : largest_stall(result);
}

double most_of(const Lesson& lesson, const LessonColumn& column, const LessonOutcome& outcome) {
  double most = 0;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const auto value = metric_value(lesson.variants[i], outcome.results[i], column.metric);
    most = std::max(most, value.value_or(0));
  }
  return most;
}

Printed print_column(const Lesson& lesson, const LessonColumn& column,
                     const LessonOutcome& outcome) {
  constexpr std::size_t kTitleWidth = 11;
  Printed printed;
  printed.head = words_of(column.title, kTitleWidth);
  if (column.kind == LessonColumn::Kind::number) {
    const double most = most_of(lesson, column, outcome);
    const double factor = scale_factor(most, column.unit);
    for (std::size_t i = 0; i < outcome.results.size(); ++i) {
      const auto value = metric_value(lesson.variants[i], outcome.results[i], column.metric);
      printed.cells.push_back(value ? short_number(*value / factor) : "-");
    }
    printed.head.push_back(scale(most, column.unit).unit);
  } else {
    for (const Result& result : outcome.results) {
      printed.cells.push_back(text_cell(column, result));
    }
    printed.head.emplace_back();
  }
  for (const std::vector<std::string>* part : {&printed.head, &printed.cells}) {
    for (const std::string& text : *part) {
      printed.width = std::max(printed.width, text.size());
    }
  }
  return printed;
}

std::size_t label_width(const Lesson& lesson) {
  std::size_t width = 0;
  for (const LessonVariant& variant : lesson.variants) {
    width = std::max(width, variant.label.size());
  }
  return std::min(width, kMostLabel);
}

// Marks what a GPU measured on a bar.
std::string with_mark(std::string bar_text, double share) {
  const auto place = static_cast<std::size_t>(
      std::lround(std::max(0.0, share * static_cast<double>(kChartWidth) - 1)));
  if (bar_text.size() <= place) {
    bar_text.resize(place + 1, ' ');
  }
  bar_text[place] = 'O';
  return bar_text;
}

std::optional<double> measured_in(const Lesson& lesson, const LessonOutcome& outcome,
                                  std::size_t variant, const LessonMetric& metric) {
  for (const MeasuredPoint& point : lesson.measured) {
    if (point.variant == variant && same(point.metric, metric) && same_gpu(point, outcome)) {
      return point.value;
    }
  }
  return std::nullopt;
}

void write_bars(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome,
                const LessonColumn& column, const std::string& title) {
  std::vector<std::optional<double>> measured;
  double most = most_of(lesson, column, outcome);
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    measured.push_back(measured_in(lesson, outcome, i, column.metric));
    most = std::max(most, measured.back().value_or(0));
  }
  const std::string unit = scale(most, column.unit).unit;
  const bool marks = std::any_of(measured.begin(), measured.end(), [](auto m) { return !!m; });
  out.line(fmt::format("  {}{}", title.empty() ? column.title : title,
                       unit.empty() ? "" : " [" + unit + "]"));
  if (marks) {
    out.line("    # simulated   O measured on the real GPU");
  }
  const Printed values = print_column(lesson, column, outcome);
  std::size_t width = 0;
  for (const std::string& cell : values.cells) {
    width = std::max(width, cell.size());
  }
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const double value =
        metric_value(lesson.variants[i], outcome.results[i], column.metric).value_or(0);
    std::string drawn = bar(most > 0 ? value / most : 0, kChartWidth);
    if (measured[i]) {
      drawn = with_mark(std::move(drawn), *measured[i] / most);
    }
    out.line(fmt::format("    {:<{}}  {:>{}}  {}", cut(lesson.variants[i].label, kMostLabel - 4),
                         std::min(label_width(lesson), kMostLabel - 4), values.cells[i], width,
                         drawn));
  }
}

// One letter for each warp state, in the order of WarpState.
constexpr const char* kLetters = "BbdDgitLpMm?n=#SzxW";

// Where the warps' time goes: each state's share of the bar.
std::string states_bar(const Result& result, std::string& used) {
  double total = 0;
  for (const auto& stall : result.stalls) {
    total += stall.value_or(0);
  }
  std::string drawn;
  double end = 0;
  for (std::size_t i = 0; total > 0 && i < kWarpStates; ++i) {
    end += result.stalls[i].value_or(0) / total * static_cast<double>(kChartWidth);
    const auto until = static_cast<std::size_t>(std::lround(end));
    if (until > drawn.size()) {
      drawn.append(until - drawn.size(), kLetters[i]);
      used += kLetters[i];
    }
  }
  return drawn;
}

void write_states(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome,
                  const std::string& title) {
  out.line("  " + (title.empty() ? "where the warps' time goes" : title));
  std::string used;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    out.line(fmt::format("    {:<{}} {}", cut(lesson.variants[i].label, kMostLabel),
                         label_width(lesson), states_bar(outcome.results[i], used)));
  }
  std::string legend;
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    if (used.find(kLetters[i]) != std::string::npos) {
      legend += fmt::format("{}{} {}", legend.empty() ? "" : ", ", kLetters[i], kWarpStateNames[i]);
    }
  }
  out.paragraph(legend, "    ", "    ");
}

}  // namespace

void write_table(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  std::vector<Printed> columns;
  std::size_t head = 0;
  for (const LessonColumn& column : lesson.columns) {
    columns.push_back(print_column(lesson, column, outcome));
    head = std::max(head, columns.back().head.size());
  }
  const std::size_t first = label_width(lesson);
  for (std::size_t row = 0; row < head; ++row) {
    std::string text(first + 2, ' ');
    for (const Printed& column : columns) {
      const std::size_t above = head - column.head.size();  // titles stand on the table
      text += fmt::format("  {:>{}}", row < above ? "" : column.head[row - above], column.width);
    }
    out.line(text);
  }
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    std::string text = fmt::format("  {:<{}}", cut(lesson.variants[i].label, first), first);
    for (const Printed& column : columns) {
      text += fmt::format("  {:>{}}", column.cells[i], column.width);
    }
    out.line(text);
  }
}

void write_charts(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  for (const LessonChart& chart : lesson.charts) {
    out.line();
    if (chart.kind == LessonChart::Kind::bars) {
      write_bars(out, lesson, outcome, lesson.columns[chart.column], chart.title);
    } else {
      write_states(out, lesson, outcome, chart.title);
    }
  }
}

}  // namespace smsim
