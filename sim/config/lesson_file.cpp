#include "sim/config/lesson_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "sim/config/config_paths.hpp"
#include "sim/config/lesson_reader.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;  // of a file

// "02_littles_law" -> 2, "littles_law"; no number: 0 and all of it.
LessonName split_name(const std::string& stem, const std::string& file) {
  const std::size_t digits = stem.find_first_not_of("0123456789");
  LessonName name{0, stem, file};
  if (digits != std::string::npos && digits > 0 && digits <= 3 && stem[digits] == '_') {
    std::from_chars(stem.data(), stem.data() + digits, name.number);
    name.name = stem.substr(digits + 1);
  }
  return name;
}

bool is_called(const LessonName& lesson, const std::string& word) {
  int number = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  const bool by_number = error == std::errc() && stop == end && lesson.number > 0;
  return word == lesson.name || (by_number && number == lesson.number) ||
         word == std::filesystem::path(lesson.file).stem().string();
}

// The lines of a file that are the kernel: all but those from `lesson:` to the next key.
std::string without_lesson(const std::string& text, const YAML::Node& document) {
  int begin = -1;
  int end = -1;
  for (const auto& entry : document) {
    const int line = entry.first.Mark().line;
    if (entry.first.IsScalar() && entry.first.Scalar() == "lesson") {
      begin = line;
    }
  }
  for (const auto& entry : document) {
    const int line = entry.first.Mark().line;
    if (line > begin && (end < 0 || line < end)) {
      end = line;
    }
  }
  std::istringstream input(text);
  std::string kept;
  int number = 0;
  for (std::string line; std::getline(input, line); ++number) {
    if (number < begin || (end >= 0 && number >= end)) {
      kept += line + "\n";
    }
  }
  return kept.substr(0, kept.find_last_not_of('\n') + 1) + "\n";
}

}  // namespace

std::vector<LessonName> lesson_names() {
  std::vector<LessonName> lessons;
  for (const std::string& stem : config_names("lessons")) {
    lessons.push_back(split_name(stem, config_file("lessons", stem)));
  }
  std::stable_sort(lessons.begin(), lessons.end(),
                   [](const LessonName& a, const LessonName& b) { return a.number < b.number; });
  return lessons;
}

std::optional<LessonName> find_lesson(const std::string& name_or_number) {
  for (const LessonName& lesson : lesson_names()) {
    if (is_called(lesson, name_or_number)) {
      return lesson;
    }
  }
  return std::nullopt;
}

std::optional<Lesson> load_lesson_text(const std::string& text, const std::string& file,
                                       Diagnostics& problems) {
  const auto document = load_small_yaml_text(text, file, kMostBytes, problems);
  if (!document) {
    return std::nullopt;
  }
  const auto node = value_of(*document, "lesson");
  if (!node) {
    problems.add(file, document->Mark(),
                 "found no 'lesson', expected a kernel file with one (configs/lessons/README.md)");
    return std::nullopt;
  }
  const std::size_t before = problems.all().size();
  Lesson lesson = LessonReader(file, problems).read(*node);
  const LessonName name = split_name(std::filesystem::path(file).stem().string(), file);
  lesson.number = name.number;
  lesson.name = name.name;
  lesson.file = file;
  lesson.text = text;
  lesson.kernel_text = without_lesson(text, *document);
  return problems.all().size() == before ? std::optional<Lesson>(std::move(lesson)) : std::nullopt;
}

std::optional<Lesson> load_lesson(const std::string& name, Diagnostics& problems) {
  std::string path = name;
  if (!names_a_file(name)) {
    const std::optional<LessonName> found = find_lesson(name);
    if (!found) {
      std::vector<std::string> known;
      for (const LessonName& lesson : lesson_names()) {
        known.push_back(lesson.name);
      }
      problems.add(
          "", fmt::format("found unknown lesson '{}', expected a file, a number from 1 to "
                          "{}, or one of {}{}",
                          name, known.size(), fmt::join(known, ", "), did_you_mean(name, known)));
      return std::nullopt;
    }
    path = found->file;
  }
  const std::optional<std::string> text = read_file(path, problems);
  return text ? load_lesson_text(*text, path, problems) : std::nullopt;
}

}  // namespace smsim
