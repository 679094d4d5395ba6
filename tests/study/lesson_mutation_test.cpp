// Damaged lesson files: diagnostics or a lesson, never a crash.
#include <fstream>
#include <random>
#include <sstream>

#include "sim/config/lesson_file.hpp"
#include "sim/study/lesson.hpp"
#include "smsim/gpu_file.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

std::string text_of(const LessonName& name) {
  std::ifstream input(name.file);
  std::ostringstream text;
  text << input.rdbuf();
  return text.str();
}

// Replaces, removes or doubles a few bytes of the lesson's part.
std::string damaged(std::string text, std::mt19937& random) {
  static const std::vector<std::string> kWords{"[]",  "{}", "null", "-1", ": ",     "\n  - ",
                                               "~",   "x",  "'",    "{a", "1e999",  "*a",
                                               "&a ", "? ", "\t",   "|",  "status", "\xff"};
  for (int change = 0; change < 3; ++change) {
    const std::size_t begin = text.find("\nlesson:");
    const std::size_t from = begin == std::string::npos ? 0 : begin + 9;
    if (text.size() <= from + 1) {
      break;
    }
    const std::size_t place = from + random() % (text.size() - from);
    const std::string& word = kWords[random() % kWords.size()];
    switch (random() % 3) {
      case 0:
        text.replace(place, random() % 12, word);
        break;
      case 1:
        text.erase(place, random() % 40);
        break;
      default:
        text.insert(place, text.substr(place, random() % 40));
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("damaged lessons are refused with a place, or are lessons") {
  const GpuSpec gpu = load_gpu("h200").spec;
  std::mt19937 random(7);
  int refused = 0;
  for (const LessonName& name : lesson_names()) {
    const std::string text = text_of(name);
    for (int round = 0; round < 40; ++round) {
      Diagnostics problems;
      const std::string broken = damaged(text, random);
      INFO(broken);
      const auto lesson = load_lesson_text(broken, "l.yaml", problems);
      if (lesson) {
        CHECK_FALSE(lesson->variants.empty());
        CHECK_FALSE(lesson->expectations.empty());
        if (round < 5) load_variants(*lesson, gpu, problems);
      } else {
        ++refused;
        CHECK_FALSE(problems.empty());
      }
      for (const Diagnostic& problem : problems.all()) {
        CHECK(problem.message.size() < 20000);
      }
    }
  }
  CHECK(refused > 100);
}
