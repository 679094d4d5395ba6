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

void write_measured(TextWriter& out, const Lesson& lesson, const LessonOutcome& outcome) {
  bool headed = false;
  for (const MeasuredPoint& point : lesson.measured) {
    const auto simulated = metric_value(outcome.results[point.variant], point.metric);
    if (!same_gpu(point, outcome) || !simulated || point.value == 0) {
      continue;
    }
    if (!headed) {
      out.section("Measured");
      out.line(fmt::format("  {:<17}{:<16}{:>9}{:>9}{:>8}   {}", "", "", "smsim", "GPU", "error",
                           "launch"));
      headed = true;
    }
    const std::string unit = metric_unit(lesson, point.metric);
    const double factor = scale_factor(std::max(point.value, *simulated), unit);
    out.line(fmt::format("  {:<17}{:<16}{:>9}{:>9}{:>+7.1f}%   {}",
                         cut(lesson.variants[point.variant].label, 16),
                         cut(title_of(lesson, point.metric), 15), short_number(*simulated / factor),
                         short_number(point.value / factor), 100 * (*simulated / point.value - 1),
                         point.source.substr(point.source.rfind('/') + 1)));
  }
  if (headed) {
    const std::string& source = lesson.measured.front().source;
    out.paragraph("The profiles are in " + source.substr(0, source.rfind('/')) + ".", "  ", "  ");
  }
}

void write_observations(TextWriter& out, const LessonOutcome& outcome) {
  out.section("Seen");
  for (const Observation& seen : outcome.observations) {
    out.paragraph(
        fmt::format("{}: {} ({})", seen.holds ? "seen" : "NOT SEEN", seen.text, seen.found), "  ",
        "    ");
  }
}

void write_student_part(TextWriter& out, const Lesson& lesson, bool with_answer) {
  if (!lesson.commands.empty()) {
    out.section("Try it yourself");
  }
  for (const LessonCommand& command : lesson.commands) {
    out.line("  " + command.run);
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
