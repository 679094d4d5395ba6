// The page for teachers: what it shows is what the lessons print, and its example is a lesson.
#include <fstream>
#include <sstream>

#include "sim/config/lesson_file.hpp"
#include "sim/study/lesson.hpp"
#include "sim/study/lesson_report.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

// The fenced blocks of a kind ("" or "yaml").
std::vector<std::string> blocks(const std::string& kind) {
  std::ifstream input(SMSIM_SOURCE_DIR "/configs/lessons/README.md");
  std::vector<std::string> found;
  bool inside = false;
  bool wanted = false;
  for (std::string line; std::getline(input, line);) {
    if (line.rfind("```", 0) == 0) {
      wanted = !inside && line.substr(3) == kind;
      inside = !inside;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += line + "\n";
    }
  }
  return found;
}

struct Shown {
  std::string text;
  bool all_seen = true;
};

Shown show(const Lesson& lesson) {
  const GpuSpec gpu = load_gpu("h200").spec;
  Diagnostics problems;
  const std::vector<KernelSpec> kernels = load_variants(lesson, gpu, problems);
  problems.throw_if_any();
  const LessonOutcome outcome = run_variants(lesson, kernels, gpu, 2);
  Shown shown{lesson_text(lesson, outcome, true)};
  for (const Observation& seen : outcome.observations) {
    shown.all_seen = shown.all_seen && seen.holds;
  }
  return shown;
}

}  // namespace

TEST_CASE("the example of a lesson is one, and shows what it promises") {
  const std::vector<std::string> examples = blocks("yaml");
  REQUIRE(examples.size() == 1);
  Diagnostics problems;
  const auto lesson = load_lesson_text(examples[0], "my/lesson.yaml", problems);
  problems.throw_if_any();
  CHECK(show(*lesson).all_seen);
}

TEST_CASE("what the teacher's page shows is what the lessons print") {
#ifdef NDEBUG
  std::string printed;
  for (const char* number : {"1", "2", "3"}) {
    Diagnostics problems;
    printed += show(*load_lesson(number, problems)).text;
  }
  const std::vector<std::string> shown = blocks("");
  CHECK(shown.size() == 3);
  for (const std::string& block : shown) {
    INFO(block);
    CHECK(printed.find(block) != std::string::npos);
  }
#endif
}
