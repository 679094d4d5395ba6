// Every message that the lesson part of a file can draw, with its place.
#include "sim/config/lesson_file.hpp"

#include "sim/config/config_paths.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/study/lesson.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

const std::string kKernel = "params: {n: 1}\nlaunch: {grid: 1, block: 32}\nprogram: [barrier]\n";

// `more` are lines of the lesson, from line 10 of the file on.
std::string with_lesson(const std::string& more) {
  return kKernel + "lesson:\n  title: t\n  question: q\n  change: c\n  look_at: l\n  reason: r\n" +
         more;
}

const std::string kVariants = "  variants: [{label: a}, {label: b, set: {params.n: 2}}]\n";
const std::string kColumns = "  columns: [{metric: gpc__cycles_elapsed.max, title: time}]\n";
const std::string kExpect = "  expect: [{metric: gpc__cycles_elapsed.max, monotone: rising}]\n";

std::string problems_of(const std::string& text) {
  Diagnostics problems;
  load_lesson_text(text, "l.yaml", problems);
  std::string all;
  for (const Diagnostic& problem : problems.all()) {
    all += to_string(problem) + "\n";
  }
  return all;
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a complete lesson has no problems, and its kernel can be run") {
  const std::string text = with_lesson(kVariants + kColumns + kExpect);
  CHECK(problems_of(text).empty());
  Diagnostics problems;
  CHECK(load_kernel_text(text, "l.yaml", {}, load_gpu("h200").spec, problems).has_value());
}

TEST_CASE("a file without a lesson, a lesson without its parts") {
  has(problems_of(kKernel),
      "l.yaml:1:1: error: found no 'lesson', expected a kernel file with one");
  const std::string all = problems_of(kKernel + "lesson: {title: t}\n");
  for (const char* part :
       {"'question'", "'change'", "'look_at'", "'reason'", "'variants'", "'columns'", "'expect'"}) {
    has(all, std::string("l.yaml:4:9: error: found no ") + part + ", expected one");
  }
  has(problems_of(kKernel + "lesson: 3\n"), "l.yaml:4:9: error: found '3', expected a mapping");
}

TEST_CASE("misspelt keys, metrics, labels, policies and stalls are suggested, all at once") {
  const std::string all =
      problems_of(with_lesson("  variants: [{label: fast, scheduler: gt}, {label: slow}]\n"
                              "  columns: [{metric: gpc__cycles_elapsed.mx, title: time}]\n"
                              "  chrat: {y: time}\n"
                              "  expect:\n"
                              "    - {of: fats, status: deadlock}\n"
                              "    - {of: fast, largest_stall: long_scorebord}\n"
                              "    - {of: slow, status: deadlok}\n"));
  has(all, "l.yaml:10:39: error: found 'gt', expected one of");
  has(all, "l.yaml:11:22: error: found unknown metric 'gpc__cycles_elapsed.mx'");
  has(all, "did you mean 'gpc__cycles_elapsed.max'?");
  has(all, "l.yaml:12:3: error: found unknown key 'chrat'");
  has(all, "did you mean 'chart'?");
  has(all, "l.yaml:14:12: error: found 'fats', expected one of fast, slow; did you mean 'fast'?");
  has(all, "did you mean 'long_scoreboard'?");
  has(all, "did you mean 'deadlock'?");
}

TEST_CASE("expectations, charts and measured points that cannot be") {
  const std::string begin = with_lesson(kVariants + kColumns);
  has(problems_of(begin + "  expect: []\n"),
      "l.yaml:12:11: error: found a list of 0, expected a list of 1 to 64 expectations");
  has(problems_of(begin + "  expect: [{metric: gpc__cycles_elapsed.max, of: a}]\n"),
      "found no 'between', expected one");
  has(problems_of(begin + "  expect: [{metric: gpc__cycles_elapsed.max, of: a, between: 3}]\n"),
      "found '3', expected two numbers: [least, most]");
  has(problems_of(begin +
                  "  expect: [{metric: gpc__cycles_elapsed.max, of: a, between: [2, 1]}]\n"),
      "found the larger number first");
  has(problems_of(begin + kExpect + "  chart: {y: tmie}\n"), "did you mean 'time'?");
  has(problems_of(begin + kExpect + "  chart: {y: time, kind: pie}\n"),
      "found 'pie', expected one of bars, states");
  has(problems_of(begin + kExpect + "  measured: [{at: c, metric: work, value: x, source: s}]\n"),
      "found 'c', expected one of a, b");
}

TEST_CASE("labels are there once, and sets are mappings") {
  has(problems_of(with_lesson("  variants: [{label: a}, {label: a}]\n" + kColumns + kExpect)),
      "l.yaml:10:34: error: found 'a' a second time, expected each label once");
  has(problems_of(with_lesson("  variants: [{label: a, set: 3}]\n" + kColumns + kExpect)),
      "l.yaml:10:30: error: found '3', expected a mapping from paths to values");
}

TEST_CASE("what a variant changes is held against the kernel, and placed in the lesson") {
  Diagnostics problems;
  const auto lesson = load_lesson_text(
      with_lesson("  variants: [{label: a, set: {params.m: 2}}, {label: b, kernel: saxpi}]\n" +
                  kColumns + kExpect),
      "l.yaml", problems);
  REQUIRE(lesson);
  load_variants(*lesson, load_gpu("h200").spec, problems);
  REQUIRE(problems.all().size() == 2);
  has(to_string(problems.all()[0]),
      "l.yaml:10:14: error: in variant 'a': --set params.m=2: found no parameter 'm'");
  has(to_string(problems.all()[1]), "l.yaml:10:46: error: in variant 'b': found unknown kernel");
  has(to_string(problems.all()[1]), "did you mean 'saxpy'?");
}

TEST_CASE("lessons are found by number, name and file name") {
  for (const char* word : {"2", "02", "littles_law", "02_littles_law"}) {
    INFO(word);
    const auto found = find_lesson(word);
    REQUIRE(found);
    CHECK(found->number == 2);
    CHECK(found->name == "littles_law");
  }
  CHECK_FALSE(find_lesson("0"));
  CHECK_FALSE(find_lesson("littles"));
}
