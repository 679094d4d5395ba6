// What a kernel file says about its own tuning, the key `tune`; and lists of values as text.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/config/study.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {

/// The value of an axis that leaves what the kernel file says.
inline constexpr const char* kTuneDefault = "default";

struct TuneFileAxis {
  std::string path;
  std::vector<std::string> values;  // numbers rise
};

struct TuneFile {
  std::vector<TuneFileAxis> axes;
  std::vector<StudyFormula> conditions;
};

/// The mapping under `tune` of a kernel file; nullopt when there is none. Problems are reported.
std::optional<TuneFile> read_tune(const ReadContext& context, const YAML::Node& document);

/// "64,128", "8:64:*2", "8:64:+8", "[32, 8],[16, 16]" taken apart, numbers in rising order; nullopt
/// and "found ..., expected ..." in `wrong` when it cannot be.
std::optional<std::vector<std::string>> parse_tune_values(const std::string& text,
                                                          std::string& wrong);

/// The number that a text is; nullopt for anything else.
std::optional<double> plain_number(const std::string& text);

}  // namespace smsim
