#include "sim/study/tune_paths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/kernel_overrides.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tune_file.hpp"
#include "sim/config/yaml_reader.hpp"

namespace smsim {
namespace {

constexpr const char* kLaunchKeys[] = {"grid",         "block",       "registers", "smem_static",
                                       "smem_dynamic", "smem_config", "cluster",   "cooperative",
                                       "caches",       "seed"};

std::vector<std::string> known_paths(const YAML::Node& document) {
  std::vector<std::string> known;
  const auto params = value_of(document, "params");
  if (params && params->IsMap()) {
    for (const auto& entry : *params) known.push_back("params." + entry.first.Scalar());
  }
  for (const char* key : kLaunchKeys) known.push_back(std::string("launch.") + key);
  return known;
}

// Anything but parameters and the launch: by walking there.
void walk(const YAML::Node& document, const std::string& option, const std::string& path,
          Diagnostics& problems) {
  Diagnostics wrong;
  OverriddenNodes ignored;
  YAML::Node copy = YAML::Clone(document);
  apply_override(copy, {path, path, "1"}, ignored, wrong);
  const std::string_view otherwise = "--set";  // what its messages begin with
  for (const Diagnostic& one : wrong.all()) {
    problems.add("", option + one.message.substr(std::min(one.message.size(), otherwise.size())));
  }
}

// Whether the file has this value of an axis.
bool is_present(const TuneScope& scope, const std::string& path, const std::string& value) {
  std::string text = scope.text_at(path);
  if (value == kTuneDefault) return text.empty();
  if (text.empty() && path == "launch.smem_dynamic") text = "0";
  if (text == value) return true;
  const auto wanted = plain_number(value);
  const ExpressionScope names = scope.at({});
  const auto found = names.values.find(path);
  return wanted && found != names.values.end() && found->second == *wanted;
}

}  // namespace

void check_tune_path(const YAML::Node& document, const std::string& option, const std::string& path,
                     Diagnostics& problems) {
  const std::vector<std::string> known = known_paths(document);
  if (std::find(known.begin(), known.end(), path) != known.end()) return;
  const std::string first = path.substr(0, path.find('.'));
  const bool walked = first != "params" && first != "launch" && first != path &&
                      value_of(document, first).has_value();
  if (walked) return walk(document, option, path, problems);
  problems.add("", fmt::format("{}: found no '{}' in the kernel file, expected a parameter or part "
                               "of the launch{}",
                               option, path, did_you_mean(path, known)));
}

std::optional<std::uint64_t> present_number_of(const TunePlan& plan) {
  std::vector<std::size_t> steps;
  for (const TuneAxis& axis : plan.space.axes()) {
    const auto found = std::find_if(
        axis.values.begin(), axis.values.end(),
        [&](const std::string& value) { return is_present(plan.scope, axis.path, value); });
    if (found == axis.values.end()) return std::nullopt;
    steps.push_back(static_cast<std::size_t>(found - axis.values.begin()));
  }
  const std::uint64_t number = number_of(plan.space.extents(), steps);
  return plan.allowed(number) ? std::optional(number) : std::nullopt;
}

}  // namespace smsim
