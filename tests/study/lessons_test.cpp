// Every lesson that ships: it loads, shows what it promises, and fits on a terminal.
#include <sstream>

#include "sim/config/lesson_file.hpp"
#include "sim/study/lesson.hpp"
#include "sim/study/lesson_report.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

// Worth five seconds of one core; most lessons are far below.
constexpr double kMostInstructions = 70e6;

Lesson lesson(const LessonName& name) {
  Diagnostics problems;
  std::optional<Lesson> loaded = load_lesson(name.file, problems);
  problems.throw_if_any();
  return std::move(*loaded);
}

LessonOutcome run(const Lesson& lesson, int threads) {
  const GpuSpec gpu = load_gpu("h200").spec;
  Diagnostics problems;
  const std::vector<KernelSpec> kernels = load_variants(lesson, gpu, problems);
  problems.throw_if_any();
  return run_variants(lesson, kernels, gpu, threads);
}

// Without optimisation only the short ones are run.
std::vector<LessonName> lessons_to_run() {
  std::vector<LessonName> names = lesson_names();
#ifndef NDEBUG
  const std::vector<int> kShort{1, 4, 10, 15};
  std::erase_if(names, [&](const LessonName& name) {
    return std::find(kShort.begin(), kShort.end(), name.number) == kShort.end();
  });
#endif
  return names;
}

void fits(const std::string& text) {
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

double instructions(const LessonOutcome& outcome) {
  double sum = 0;
  for (const Result& result : outcome.results) {
    sum += result.value("smsp__inst_executed.sum").value_or(0);
  }
  return sum;
}

}  // namespace

TEST_CASE("the lessons are numbered from 1, and each says what it must") {
  const std::vector<LessonName> names = lesson_names();
  CHECK(names.size() >= 15);
  for (std::size_t i = 0; i < names.size(); ++i) {
    INFO(names[i].file);
    CHECK(names[i].number == static_cast<int>(i) + 1);
    const Lesson read = lesson(names[i]);
    CHECK(read.name == names[i].name);
    CHECK(read.variants.size() >= 2);
    CHECK(read.commands.size() >= 2);
    CHECK((!read.charts.empty() || read.number == 15));
    for (const std::string* text : {&read.predict, &read.ask, &read.answer}) {
      CHECK_FALSE(text->empty());
    }
    CHECK(read.kernel_text.find("lesson:") == std::string::npos);
  }
}

TEST_CASE("every lesson shows what it promises, within 80 columns and a few seconds") {
  for (const LessonName& name : lessons_to_run()) {
    INFO(name.name);
    const Lesson read = lesson(name);
    const LessonOutcome outcome = run(read, 2);
    REQUIRE(outcome.observations.size() == read.expectations.size());
    for (const Observation& seen : outcome.observations) {
      INFO(seen.text << ": " << seen.found);
      CHECK(seen.holds);
    }
    CHECK(instructions(outcome) <= kMostInstructions);
    fits(lesson_text(read, outcome, true));
    fits(lesson_text(read, outcome, false));
  }
}
