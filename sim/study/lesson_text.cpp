// A lesson on the terminal: question, kernel, table, charts, reason.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/study/lesson_checks.hpp"
#include "sim/study/lesson_report.hpp"

namespace smsim {
namespace {

// Paragraphs are parted by line breaks.
void write_text(TextWriter& out, const std::string& text, const std::string& indent = "  ") {
  std::istringstream input(text);
  for (std::string paragraph; std::getline(input, paragraph);) {
    out.paragraph(paragraph, indent, indent);
  }
}

void write_section(TextWriter& out, const char* title, const std::string& text) {
  if (!text.empty()) {
    out.section(title);
    write_text(out, text);
  }
}

void write_head(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  const std::string number = lesson.number > 0 ? fmt::format("Lesson {}: ", lesson.number) : "";
  out.line(number + lesson.title);
  out.line(std::string((number + lesson.title).size(), '='));
  out.line();
  write_text(out, lesson.question, "");
  if (!outcome.results.empty()) {
    const Result& first = outcome.results.front();
    out.section("Kernel, as for 'smsim run " + lesson.name + "'");
    out.line(fmt::format("  # {}, {}", first.gpu, first.gpu_title));
  }
  std::istringstream kernel(lesson.kernel_text);
  for (std::string line; std::getline(kernel, line);) {
    out.line("  " + line);
  }
  write_section(out, "What is changed", lesson.change);
  write_section(out, "Predict first", lesson.predict);
}

// Why a variant did not get to its end.
void write_failures(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const Result& result = outcome.results[i];
    if (!result.deadlock && !result.launch_failure) {
      continue;
    }
    out.line();
    out.line(fmt::format("  {}:", lesson.variants[i].label));
    if (result.deadlock) {
      out.paragraph(result.deadlock->explanation, "    ", "    ");
      for (const std::string& wait : result.deadlock->wait_for_cycle) {
        out.paragraph(wait, "    ", "      ");
      }
    } else {
      out.paragraph(result.launch_failure->explanation, "    ", "    ");
      out.paragraph(result.launch_failure->what_fits, "    ", "    ");
    }
  }
}

std::string launch_name(const MeasuredPoint& point) {
  return point.source.substr(point.source.rfind('/') + 1);
}

// The points of one metric beside what was simulated.
void write_points(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome,
                  const LessonMetric& metric) {
  const std::string unit = metric_unit(lesson, metric);
  double most = 0;
  for (const MeasuredPoint& point : lesson.measured) {
    most = std::max(most, point.variant && same(point.metric, metric) ? point.value : 0);
  }
  const std::string scaled = scale(most, unit).unit;
  const std::string head =
      title_of(lesson, metric) + (scaled.empty() ? "" : fmt::format(" [{}]", scaled));
  out.line(fmt::format("  {:<31}{:>9}{:>9}{:>8}   {}", cut(head, 30), "smsim", "GPU", "error",
                       "launch"));
  const double factor = scale_factor(most, unit);
  for (const MeasuredPoint& point : lesson.measured) {
    if (!point.variant || !same(point.metric, metric) || point.value == 0) {
      continue;
    }
    const LessonVariant& variant = lesson.variants[*point.variant];
    const auto simulated = metric_value(variant, outcome.results[*point.variant], metric);
    out.line(fmt::format(
        "    {:<29}{:>9}{:>9}{:>8}   {}", cut(variant.label, 28),
        simulated ? short_number(*simulated / factor) : "-", short_number(point.value / factor),
        simulated ? fmt::format("{:+.1f} %", 100 * (*simulated / point.value - 1)) : "",
        launch_name(point)));
  }
}

void write_related(TextWriter& out, const Lesson& lesson, const MeasuredPoint& point) {
  const Scaled value = scale(point.value, metric_unit(lesson, point.metric));
  const std::string unit = value.unit.empty() ? "" : " " + value.unit;
  out.paragraph(
      fmt::format("{}: {}{} ({})", point.note, short_number(value.value), unit, launch_name(point)),
      "  ", "    ");
}

void write_measured(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  const auto& points = lesson.measured;
  if (std::none_of(points.begin(), points.end(),
                   [&](const MeasuredPoint& p) { return same_gpu(p, outcome); })) {
    return;
  }
  out.section("Measured on the real GPU");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool first = std::none_of(
        points.begin(), points.begin() + static_cast<long>(i),
        [&](const MeasuredPoint& p) { return p.variant && same(p.metric, points[i].metric); });
    if (points[i].variant && first) {
      write_points(out, lesson, outcome, points[i].metric);
    }
  }
  for (const MeasuredPoint& point : points) {
    if (!point.variant) {
      write_related(out, lesson, point);
    }
  }
  const std::string& source = points.front().source;
  out.line("  The profiles are in " + source.substr(0, source.rfind('/')) + ".");
}

void write_observations(TextWriter& out, const LessonOutcome& outcome) {
  out.section("Checked by the simulator");
  for (const Observation& seen : outcome.observations) {
    out.paragraph(
        fmt::format("{}: {} ({})", seen.holds ? "seen" : "NOT SEEN", seen.text, seen.found), "  ",
        "    ");
  }
}

// A long command goes on after a backslash, so that a shell takes it as it is printed.
void write_command(TextWriter& out, std::string command) {
  std::string indent = "  ";
  while (indent.size() + command.size() > kReportWidth) {
    const std::size_t room = kReportWidth - indent.size() - 2;
    const std::size_t end = command.rfind(" --", room);
    if (end == std::string::npos || end == 0) {
      break;
    }
    out.line(indent + command.substr(0, end) + " \\");
    command.erase(0, end + 1);
    indent = "      ";
  }
  out.line(indent + command);
}

void write_student_part(TextWriter& out, const Lesson& lesson, bool with_answer) {
  if (!lesson.commands.empty()) {
    out.section("Try it yourself");
  }
  for (const LessonCommand& command : lesson.commands) {
    write_command(out, command.run);
    if (!command.why.empty()) {
      out.paragraph(command.why, "      ", "      ");
    }
  }
  write_section(out, "A question for you", lesson.ask);
  if (lesson.answer.empty()) {
    return;
  }
  if (with_answer) {
    write_section(out, "Answer", lesson.answer);
  } else {
    const std::string name = lesson.number > 0 ? std::to_string(lesson.number) : lesson.file;
    out.line(fmt::format("  The answer: smsim lesson {} --answer", name));
  }
}

}  // namespace

bool same_gpu(const MeasuredPoint& point, const LessonOutcome& outcome) {
  return !outcome.results.empty() &&
         point.source.find("/" + outcome.results.front().gpu + "/") != std::string::npos;
}

std::string lesson_text(const Lesson& lesson, const LessonOutcome& outcome, bool with_answer) {
  TextWriter out;
  write_head(out, lesson, outcome);
  out.section("Result");
  write_table(out, lesson, outcome);
  write_failures(out, lesson, outcome);
  write_charts(out, lesson, outcome);
  write_section(out, "Look at", lesson.look_at);
  write_section(out, "Why", lesson.reason);
  write_observations(out, outcome);
  write_measured(out, lesson, outcome);
  write_student_part(out, lesson, with_answer);
  return out.take();
}

}  // namespace smsim
