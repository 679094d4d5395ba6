// The measured figures of the lessons, held against the profiles that they are from.
#include <filesystem>

#include "sim/config/lesson_file.hpp"
#include "sim/import/ncu_raw.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

std::string raw_page(const std::string& source) {
  const std::string plain = std::string(SMSIM_SOURCE_DIR) + "/" + source + "/raw.csv";
  return std::filesystem::exists(plain) ? plain : plain + ".gz";
}

}  // namespace

TEST_CASE("each measured point of a lesson is what its profile says") {
#ifndef SMSIM_HAVE_ZLIB
  WARN("skipped: no zlib");
#else
  int points = 0;
  for (const LessonName& name : lesson_names()) {
    Diagnostics problems;
    const std::optional<Lesson> lesson = load_lesson(name.file, problems);
    problems.throw_if_any();
    for (const MeasuredPoint& point : lesson->measured) {
      INFO(name.name << ": " << point.source);
      REQUIRE(point.source.rfind("validate/reference/h200/", 0) == 0);
      const NcuLaunch launch = read_ncu_raw(raw_page(point.source)).at(0);
      double value = launch.number(point.metric.name).value();
      if (!point.metric.per.empty()) {
        value /= launch.number(point.metric.per).value();
      }
      CHECK(point.value == Approx(value).epsilon(1e-6));
      ++points;
    }
  }
  CHECK(points > 20);
#endif
}
