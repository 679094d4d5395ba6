// Lessons as YAML: a kernel file with one more key, `lesson`. The format is in
// configs/lessons/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/config/lesson.hpp"

namespace smsim {

/// A lesson that comes with smsim: configs/lessons/02_littles_law.yaml is 2, littles_law.
struct LessonName {
  int number = 0;
  std::string name;
  std::string file;
};

/// All of them, by number.
std::vector<LessonName> lesson_names();

/// "02_littles_law", "littles_law", "2" or "02"; nullopt when there is no such lesson.
std::optional<LessonName> find_lesson(const std::string& name_or_number);

/// Reads a lesson, by name, number or file. Nullopt when anything is wrong; `problems` says what.
/// The kernel itself is read by load_kernel, which needs a GPU.
std::optional<Lesson> load_lesson(const std::string& name, Diagnostics& problems);

/// Same from a text; `file` stands for the file in messages.
std::optional<Lesson> load_lesson_text(const std::string& text, const std::string& file,
                                       Diagnostics& problems);

}  // namespace smsim
