// What a lesson prints, as text and JSON, and that host threads do not change it.
#include <nlohmann/json.hpp>

#include "sim/config/lesson_file.hpp"
#include "sim/study/lesson.hpp"
#include "sim/study/lesson_report.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

// A small lesson: two lengths of a loop, one of them expected wrongly.
const char* const kSmall =
    "name: small\n"
    "params: {trips: 10}\n"
    "launch: {grid: 1, block: 32}\n"
    "program:\n"
    "  - x: {op: MOV, src: 1}\n"
    "  - for: {trips: trips, body: [x: {op: FFMA, src: [x, x, x]}]}\n"
    "lesson:\n"
    "  title: Loops\n"
    "  question: Do longer loops take longer?\n"
    "  change: the trips\n"
    "  sweep: {path: params.trips, values: [100, 1000]}\n"
    "  columns: [{metric: smsp__inst_executed.sum, title: instructions},\n"
    "            {metric: gpc__cycles_elapsed.max, title: elapsed}]\n"
    "  chart: {y: elapsed}\n"
    "  look_at: the time\n"
    "  reason: each trip takes time\n"
    "  ask: By how much?\n"
    "  answer: By nine tenths.\n"
    "  measured: [{at: trips=100, metric: gpc__cycles_elapsed.max, value: 4000, source: "
    "validate/reference/h200/none}]\n"
    "  expect:\n"
    "    - {metric: gpc__cycles_elapsed.max, monotone: rising, seen: longer loops take longer}\n"
    "    - {metric: gpc__cycles_elapsed.max, of: trips=1000, over: trips=100, between: [99, "
    "100]}\n";

struct Run {
  Lesson lesson;
  LessonOutcome outcome;
};

Run run(int threads, const char* gpu_name = "h200") {
  Diagnostics problems;
  const GpuSpec gpu = load_gpu(gpu_name).spec;
  std::optional<Lesson> lesson = load_lesson_text(kSmall, "small.yaml", problems);
  problems.throw_if_any();
  const std::vector<KernelSpec> kernels = load_variants(*lesson, gpu, problems);
  problems.throw_if_any();
  LessonOutcome outcome = run_variants(*lesson, kernels, gpu, threads);
  return {std::move(*lesson), std::move(outcome)};
}

bool has(const std::string& all, const std::string& part) {
  return all.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the text has question, kernel, table, chart, checks and no answer") {
  const Run made = run(1);
  const std::string text = lesson_text(made.lesson, made.outcome, false);
  for (const char* part : {"Do longer loops take longer?", "program:", "trips=1000", "####",
                           "seen: longer loops take longer", "NOT SEEN: elapsed of 'trips=1000'",
                           "O measured on the real GPU", "--answer"}) {
    INFO(part);
    CHECK(has(text, part));
  }
  CHECK_FALSE(has(text, "nine tenths"));
  CHECK(has(lesson_text(made.lesson, made.outcome, true), "nine tenths"));
}

TEST_CASE("measured points are shown for the GPU that they are from") {
  const Run other = run(1, "a100");
  CHECK_FALSE(has(lesson_text(other.lesson, other.outcome, false), "Measured on the real GPU"));
}

TEST_CASE("the JSON has everything that a page needs") {
  const Run made = run(1);
  const auto json = nlohmann::json::parse(lesson_json(made.lesson, made.outcome));
  CHECK(json["gpu"] == "h200");
  CHECK(json["answer"] == "By nine tenths.");
  REQUIRE(json["variants"].size() == 2);
  CHECK(json["variants"][0]["label"] == "trips=100");
  CHECK(json["variants"][0]["values"].size() == json["columns"].size());
  CHECK(json["variants"][0]["set"][0] == "params.trips=100");
  CHECK(json["charts"][0]["column"] == 1);
  CHECK(json["measured"][0]["variant"] == 0);
  CHECK(json["expect"][0]["holds"] == true);
  CHECK(json["expect"][1]["holds"] == false);
  CHECK(json["kernel"].get<std::string>().find("lesson") == std::string::npos);
}

TEST_CASE("host threads do not change a lesson") {
  const Run one = run(1);
  const Run four = run(4);
  CHECK(lesson_json(one.lesson, one.outcome) == lesson_json(four.lesson, four.outcome));
}
