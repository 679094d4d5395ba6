// smsim lesson: short experiments that teach how a GPU schedules.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/gpu_for_run.hpp"
#include "sim/cli/interrupt.hpp"
#include "sim/cli/run_views.hpp"
#include "sim/cli/write_file.hpp"
#include "sim/config/lesson_file.hpp"
#include "sim/report/html_page.hpp"
#include "sim/report/html_text.hpp"
#include "sim/report/text_writer.hpp"
#include "sim/study/lesson.hpp"
#include "sim/study/lesson_report.hpp"

namespace smsim::cli {
namespace {

constexpr int kMostThreads = 1024;

struct LessonOptions {
  std::string lesson;  // empty: list them
  int threads = 1;
  std::string format;
  bool answer = false;
  std::string page;  // file to write; empty: none
};

CommandLine make_line() {
  CommandLine line(
      "lesson [NAME|NUMBER|FILE] [options]",
      "Without a name: lists the lessons. With one: shows a kernel, simulates it a few "
      "times with one thing changed, and explains what is to be seen.",
      "  smsim lesson\n"
      "  smsim lesson 2\n"
      "  smsim lesson littles_law --answer\n"
      "  smsim lesson my/lesson.yaml --gpu a100\n");
  line.inputs(1)
      .value("gpu", "NAME|FILE", "GPU (default h200, which the texts speak of)")
      .value("threads", "N", "host threads; they never change a result")
      .value("format", "F", "text (default) or json")
      .value("html", "FILE", "write a page that a browser opens, the answer included")
      .flag("answer", "print the answer to the lesson's question, too");
  return line;
}

int default_threads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 4);
}

LessonOptions read_options(CommandLine& line) {
  LessonOptions options;
  options.lesson = line.inputs().empty() ? "" : line.inputs().front();
  options.threads = static_cast<int>(line.integer("threads", default_threads(), 1, kMostThreads));
  options.format = line.choice("format", "text", {"text", "json"});
  options.answer = line.has("answer");
  options.page = line.text("html", "");
  refuse_html_unless_built(line, line.has("html"));
  if (options.lesson.empty()) {
    line.refuse({"gpu", "threads", "answer", "html"}, "the name of a lesson");
  }
  line.finish();
  return options;
}

// Every lesson that ships; problems of all of them at once.
std::vector<Lesson> load_all() {
  Diagnostics problems;
  std::vector<Lesson> lessons;
  for (const LessonName& name : lesson_names()) {
    if (auto lesson = load_lesson(name.file, problems)) {
      lessons.push_back(std::move(*lesson));
    }
  }
  problems.throw_if_any();
  return lessons;
}

void print_list() {
  TextWriter out;
  for (const Lesson& lesson : load_all()) {
    out.paragraph(lesson.question, fmt::format("{:>2}  {:<26}", lesson.number, lesson.name),
                  std::string(30, ' '));
  }
  out.line();
  out.line("'smsim lesson 2' runs one; 'smsim lesson 2 --answer' answers its question, too.");
  fmt::print("{}", out.take());
}

void print_json_list() {
  auto list = nlohmann::ordered_json::array();
  for (const Lesson& lesson : load_all()) {
    list.push_back({{"number", lesson.number},
                    {"name", lesson.name},
                    {"title", lesson.title},
                    {"question", lesson.question}});
  }
  fmt::print("{}\n", list.dump(2));
}

// Without scripts the page shows what the terminal would.
void write_lesson_page(const std::string& path, const Lesson& lesson,
                       const LessonOutcome& outcome) {
  const std::string text = "<pre>" + html_escaped(lesson_text(lesson, outcome, true)) + "</pre>\n";
  const std::string page = html_page(
      HtmlContent{"lesson", lesson.title + " - smsim", lesson_document(lesson, outcome), text});
  write_file(path, [&page](std::ostream& out) { out << page; });
}

int run(const LessonOptions& options, const GpuSpec& gpu) {
  Diagnostics problems;
  const std::optional<Lesson> lesson = load_lesson(options.lesson, problems);
  std::vector<KernelSpec> kernels;
  if (lesson) {
    kernels = load_variants(*lesson, gpu, problems);
  }
  problems.throw_if_any();
  const InterruptGuard guard;
  const LessonOutcome outcome =
      run_variants(*lesson, kernels, gpu, options.threads, &InterruptGuard::flag());
  if (outcome.interrupted) {
    return kInterrupted;
  }
  if (!options.page.empty()) {
    write_lesson_page(options.page, *lesson, outcome);
  }
  fmt::print("{}", options.format == "json" ? lesson_json(*lesson, outcome)
                                            : lesson_text(*lesson, outcome, options.answer));
  if (options.format == "text" && outcome.results.front().gpu != "h200") {
    fmt::print("\nThe texts and what is expected are about the H200, and this is another GPU.\n");
  }
  return kDone;
}

}  // namespace

int run_lesson(const Arguments& arguments) {
  CommandLine line = make_line();
  if (!line.parse(arguments)) {
    return kDone;
  }
  const LessonOptions options = read_options(line);
  if (options.lesson.empty()) {
    options.format == "json" ? print_json_list() : print_list();
    return kDone;
  }
  const GpuForRun gpu = load_gpu_for_run(line.text("gpu", "h200"));
  return run(options, gpu.gpu.spec);
}

}  // namespace smsim::cli
