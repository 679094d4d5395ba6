#include "sim/study/lesson_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/text_writer.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using Values = std::vector<std::optional<double>>;

Values values_of(const Lesson& lesson, const Expectation& expectation,
                 const std::vector<Result>& results) {
  Values values;
  for (const std::size_t variant : expectation.of) {
    values.push_back(metric_value(lesson.variants[variant], results[variant], expectation.metric));
  }
  return values;
}

// One number between two bounds: of a variant, or of one over another.
Observation observe_number(const Lesson& lesson, const Expectation& expectation,
                           const std::vector<Result>& results) {
  Observation seen;
  seen.value = values_of(lesson, expectation, results).front();
  if (expectation.kind == Expectation::Kind::ratio) {
    const auto over = metric_value(lesson.variants[expectation.over], results[expectation.over],
                                   expectation.metric);
    seen.value = seen.value && over && *over != 0 ? std::optional<double>(*seen.value / *over)
                                                  : std::nullopt;
  }
  seen.holds = seen.value && *seen.value >= expectation.low && *seen.value <= expectation.high;
  seen.found =
      fmt::format("{}, expected {} to {}", seen.value ? short_number(*seen.value) : "no value",
                  short_number(expectation.low), short_number(expectation.high));
  return seen;
}

// Values that rise, or fall, from each variant to the next.
Observation observe_sequence(const Lesson& lesson, const Expectation& expectation,
                             const std::vector<Result>& results) {
  const Values values = values_of(lesson, expectation, results);
  Observation seen;
  seen.holds = true;
  double most = 0;
  for (const auto& value : values) {
    most = std::max(most, value.value_or(0));
  }
  const std::string unit = metric_unit(lesson, expectation.metric);
  const double factor = scale_factor(most, unit);
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < values.size(); ++i) {
    shown.push_back(values[i] ? short_number(*values[i] / factor) : "no value");
    seen.holds = seen.holds && values[i];
    if (i > 0 && seen.holds) {
      seen.holds = expectation.rising ? *values[i] > *values[i - 1] : *values[i] < *values[i - 1];
    }
  }
  seen.found = fmt::format("{} {}", fmt::join(shown, expectation.rising ? " < " : " > "),
                           scale(most, unit).unit);
  seen.found.erase(seen.found.find_last_not_of(' ') + 1);
  return seen;
}

Observation observe_word(const Expectation& expectation, const std::vector<Result>& results) {
  const Result& result = results[expectation.of.front()];
  const std::string word = expectation.kind == Expectation::Kind::status ? to_string(result.status)
                                                                         : largest_stall(result);
  Observation seen;
  seen.holds = word == expectation.word;
  seen.found = seen.holds ? word : fmt::format("{}, expected {}", word, expectation.word);
  return seen;
}

const LessonColumn* column_of(const Lesson& lesson, const LessonMetric& metric) {
  for (const LessonColumn& column : lesson.columns) {
    if (column.kind == LessonColumn::Kind::number && same(column.metric, metric)) {
      return &column;
    }
  }
  return nullptr;
}

std::string words_of(const Lesson& lesson, const Expectation& expectation) {
  const std::string title = title_of(lesson, expectation.metric);
  const auto label = [&](std::size_t i) { return lesson.variants[i].label; };
  switch (expectation.kind) {
    case Expectation::Kind::value:
      return fmt::format("{} of '{}'", title, label(expectation.of.front()));
    case Expectation::Kind::ratio:
      return fmt::format("{} of '{}' over '{}'", title, label(expectation.of.front()),
                         label(expectation.over));
    case Expectation::Kind::monotone:
      return fmt::format("{} {} from variant to variant", title,
                         expectation.rising ? "rises" : "falls");
    case Expectation::Kind::order:
      return title + " in this order";
    case Expectation::Kind::status:
      return fmt::format("how '{}' ends", label(expectation.of.front()));
    case Expectation::Kind::largest_stall:
      return fmt::format("what '{}' waits for most", label(expectation.of.front()));
  }
  return "";
}

}  // namespace

Observation observe(const Lesson& lesson, const Expectation& expectation,
                    const std::vector<Result>& results) {
  Observation seen;
  switch (expectation.kind) {
    case Expectation::Kind::value:
    case Expectation::Kind::ratio:
      seen = observe_number(lesson, expectation, results);
      break;
    case Expectation::Kind::monotone:
    case Expectation::Kind::order:
      seen = observe_sequence(lesson, expectation, results);
      break;
    case Expectation::Kind::status:
    case Expectation::Kind::largest_stall:
      seen = observe_word(expectation, results);
      break;
  }
  seen.text = expectation.seen.empty() ? words_of(lesson, expectation) : expectation.seen;
  return seen;
}

std::string title_of(const Lesson& lesson, const LessonMetric& metric) {
  const LessonColumn* column = column_of(lesson, metric);
  return column != nullptr ? column->title
                           : metric.name + (metric.per.empty() ? "" : " / " + metric.per);
}

std::string metric_unit(const Lesson& lesson, const LessonMetric& metric) {
  const LessonColumn* column = column_of(lesson, metric);
  if (column != nullptr) {
    return column->unit;
  }
  const auto& infos = metric_infos();
  const auto info = std::find_if(infos.begin(), infos.end(), [&](const MetricInfo& known) {
    return known.name == metric.name;
  });
  return info == infos.end() || !metric.per.empty() ? "" : info->unit;
}

double scale_factor(double most, const std::string& unit) {
  const double scaled = scale(most, unit).value;
  return scaled != 0 ? most / scaled : 1;
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 100 || value == 0 || (value == std::round(value) && size >= 1)) {
    return format_number(std::round(value));
  }
  return fmt::format("{:.{}f}", value, size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

}  // namespace smsim
