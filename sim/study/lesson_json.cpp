// A lesson as JSON: a page can be made from it alone.
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/json_parts.hpp"
#include "sim/study/lesson_checks.hpp"
#include "sim/study/lesson_report.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (!value) {
    return nullptr;
  }
  return std::abs(*value) < kExact && *value == std::floor(*value)
             ? Json(static_cast<std::int64_t>(*value))
             : Json(*value);
}

std::string written(const LessonMetric& metric) {
  return metric.name + (metric.per.empty() ? "" : " / " + metric.per);
}

// What a column means; "" where it is no single metric.
std::string definition_of(const LessonColumn& column) {
  for (const MetricInfo& info : metric_infos()) {
    if (info.name == column.metric.name && column.metric.per.empty()) {
      return info.definition;
    }
  }
  return "";
}

Json columns(const Lesson& lesson) {
  Json list = Json::array();
  for (const LessonColumn& column : lesson.columns) {
    const bool numbers = column.kind == LessonColumn::Kind::number;
    const bool status = column.kind == LessonColumn::Kind::status;
    list.push_back({{"title", column.title},
                    {"metric", numbers ? written(column.metric)
                                       : std::string(status ? "status" : "largest_stall")},
                    {"unit", column.unit},
                    {"definition", definition_of(column)}});
  }
  return list;
}

Json values(const Lesson& lesson, const LessonVariant& variant, const Result& result) {
  Json list = Json::array();
  for (const LessonColumn& column : lesson.columns) {
    switch (column.kind) {
      case LessonColumn::Kind::number:
        list.push_back(number(metric_value(variant, result, column.metric)));
        break;
      case LessonColumn::Kind::status:
        list.push_back(to_string(result.status));
        break;
      case LessonColumn::Kind::largest_stall:
        list.push_back(largest_stall(result));
        break;
    }
  }
  return list;
}

Json stalls(const Result& result) {
  Json object = Json::object();
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    object[kWarpStateNames[i]] = number(result.stalls[i]);
  }
  return object;
}

Json variant(const Lesson& lesson, const LessonVariant& variant, const Result& result) {
  Json object = {{"label", variant.label},
                 {"set", variant.overrides},
                 {"kernel", variant.kernel.empty() ? lesson.name : variant.kernel},
                 {"scheduler", result.launch.scheduler},
                 {"status", to_string(result.status)},
                 {"values", values(lesson, variant, result)},
                 {"stalls", stalls(result)},
                 {"summary", result.verdict.summary}};
  if (result.deadlock) {
    object["deadlock"] = {{"cycle", result.deadlock->cycle},
                          {"wait_for_cycle", result.deadlock->wait_for_cycle},
                          {"explanation", result.deadlock->explanation}};
  }
  if (result.launch_failure) {
    object["launch_failure"] = launch_failure_json(*result.launch_failure);
  }
  return object;
}

Json charts(const Lesson& lesson) {
  Json list = Json::array();
  for (const LessonChart& chart : lesson.charts) {
    const bool bars = chart.kind == LessonChart::Kind::bars;
    list.push_back({{"kind", bars ? "bars" : "states"},
                    {"column", bars ? Json(chart.column) : Json(nullptr)},
                    {"title", chart.title}});
  }
  return list;
}

Json measured(const Lesson& lesson) {
  Json list = Json::array();
  for (const MeasuredPoint& point : lesson.measured) {
    list.push_back(
        {{"variant", point.variant ? Json(*point.variant) : Json(nullptr)},
         {"label", point.variant ? Json(lesson.variants[*point.variant].label) : Json(nullptr)},
         {"note", point.note},
         {"metric", written(point.metric)},
         {"value", number(point.value)},
         {"source", point.source}});
  }
  return list;
}

Json expectations(const LessonOutcome& outcome) {
  Json list = Json::array();
  for (const Observation& seen : outcome.observations) {
    list.push_back({{"text", seen.text},
                    {"holds", seen.holds},
                    {"found", seen.found},
                    {"value", number(seen.value)}});
  }
  return list;
}

Json commands(const Lesson& lesson) {
  Json list = Json::array();
  for (const LessonCommand& command : lesson.commands) {
    list.push_back({{"run", command.run}, {"why", command.why}});
  }
  return list;
}

}  // namespace

nlohmann::ordered_json lesson_document(const Lesson& lesson, const LessonOutcome& outcome) {
  Json variants = Json::array();
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    variants.push_back(variant(lesson, lesson.variants[i], outcome.results[i]));
  }
  const bool any = !outcome.results.empty();
  return {{"smsim_version", version()},
          {"gpu", any ? outcome.results.front().gpu : ""},
          {"gpu_title", any ? outcome.results.front().gpu_title : ""},
          {"number", lesson.number},
          {"name", lesson.name},
          {"title", lesson.title},
          {"question", lesson.question},
          {"kernel", lesson.kernel_text},
          {"change", lesson.change},
          {"predict", lesson.predict},
          {"columns", columns(lesson)},
          {"variants", variants},
          {"charts", charts(lesson)},
          {"look_at", lesson.look_at},
          {"reason", lesson.reason},
          {"expect", expectations(outcome)},
          {"measured", measured(lesson)},
          {"try", commands(lesson)},
          {"ask", lesson.ask},
          {"answer", lesson.answer}};
}

std::string lesson_json(const Lesson& lesson, const LessonOutcome& outcome) {
  return lesson_document(lesson, outcome).dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace smsim
