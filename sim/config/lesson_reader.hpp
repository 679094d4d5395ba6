// Reads the `lesson` of a file; what is wrong with it goes to the diagnostics, all at once.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/lesson.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

class LessonReader {
 public:
  LessonReader(std::string file, Diagnostics& problems) : context_{std::move(file), problems} {}

  Lesson read(const YAML::Node& node);

 private:
  // lesson_reader.cpp: texts, variants, what is shown.
  void read_texts(MappingReader& keys);
  void read_variants(MappingReader& keys);
  void read_variant(const YAML::Node& node);
  void read_sweep(const YAML::Node& node);
  void read_column(const YAML::Node& node);
  void read_chart(const YAML::Node& node);
  void read_command(const YAML::Node& node);

  // lesson_checks.cpp: what is measured, what is expected.
  void read_measured(const YAML::Node& node);
  void read_expectation(const YAML::Node& node);
  void read_ratio_or_value(MappingReader& keys, Expectation& expectation);
  void read_sequence(MappingReader& keys, const YAML::Node& node, Expectation& expectation);
  void read_word(MappingReader& keys, Expectation& expectation);

  std::string text(const std::optional<YAML::Node>& node);
  std::optional<LessonMetric> metric(const std::optional<YAML::Node>& node);
  std::vector<std::string> labels() const;
  std::optional<std::size_t> variant(const std::optional<YAML::Node>& node);
  std::vector<std::size_t> variants(const YAML::Node& node);
  void each(const std::optional<YAML::Node>& list, const char* what,
            const std::function<void(const YAML::Node&)>& read);

  ReadContext context_;
  Lesson lesson_;
};

}  // namespace smsim
