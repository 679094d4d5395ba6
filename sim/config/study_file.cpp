#include "sim/config/study_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "sim/config/config_paths.hpp"
#include "sim/config/expression.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/yaml_reader.hpp"
#include "smsim/gpu_file.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/result.hpp"
#include "smsim/simulate.hpp"

namespace smsim {
namespace {

constexpr std::size_t kMostSteps = 100'000;  // of one axis
constexpr std::size_t kMostBytes = 1 << 20;
constexpr const char* kAll = "all";

std::string in_small_letters(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

class StudyReader {
 public:
  StudyReader(std::string file, Diagnostics& problems) : context_{std::move(file), problems} {}

  StudySpec read(const YAML::Node& document) {
    MappingReader keys(context_, document);
    study_.file = context_.file;
    study_.name = std::filesystem::path(context_.file).stem().string();
    if (const auto name = keys.find("name")) {
      study_.name = read_text(context_, *name).value_or(study_.name);
    }
    read_choices(keys, kKernelAxis, "kernels", true);
    read_choices(keys, kGpuAxis, "gpus", false);
    read_choices(keys, kSchedulerAxis, "schedulers", false);
    read_seeds(keys);
    if (const auto set = keys.find("set")) read_fixed(*set);
    if (const auto axes = keys.find("axes")) read_axes(*axes);
    if (const auto zip = keys.find("zip")) read_zips(*zip);
    if (const auto derive = keys.find("derive")) read_derived(*derive);
    if (const auto where = keys.find("where")) read_conditions(*where);
    if (const auto keep = keys.find("keep")) read_keep(*keep);
    if (const auto most = keys.find("max_cycles")) {
      const auto cycles = read_integer(context_, *most, 1, std::int64_t{1'000'000'000'000'000});
      study_.max_cycles = static_cast<std::uint64_t>(cycles.value_or(0));
    }
    keys.finish();
    check_names(document);
    return std::move(study_);
  }

 private:
  // A value as --set takes it.
  static std::string on_one_line(const YAML::Node& node) {
    if (node.IsScalar()) return node.Scalar();
    YAML::Emitter out;
    out << YAML::Flow << node;
    return out.c_str();
  }

  // Files are looked for beside the study.
  [[nodiscard]] std::string beside(const std::string& name) const {
    if (!names_a_file(name) || std::filesystem::path(name).is_absolute()) return name;
    return (std::filesystem::path(context_.file).parent_path() / name).lexically_normal().string();
  }

  [[nodiscard]] static std::vector<std::string> known_names(const std::string& axis) {
    if (axis == kKernelAxis) return kernel_names();
    if (axis == kGpuAxis) return gpu_names();
    return scheduler_names();
  }

  void check_choice(const std::string& axis, const std::string& name, const YAML::Node& node) {
    if (axis != kSchedulerAxis && names_a_file(name)) return;
    const std::vector<std::string> known = known_names(axis);
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    Diagnostics ignored;
    if (axis == kKernelAxis && !kernel_path(name, ignored).empty()) return;
    context_.error(node, fmt::format("found {} '{}', expected {}one of {}{}", axis, name,
                                     axis == kSchedulerAxis ? "" : "a file or ",
                                     fmt::join(known, ", "), did_you_mean(name, known)));
  }

  // "gpu: h200", "gpus: [h200, a100]", "schedulers: [gob, all]".
  void read_choices(MappingReader& keys, const std::string& one, const std::string& many,
                    bool required) {
    const auto single = keys.find(one);
    const auto several = keys.find(many);
    if (single && several) {
      context_.error(*several,
                     fmt::format("found '{}' besides '{}', expected one of them", many, one));
    }
    if (!single && !several) {
      if (required)
        context_.problems.add(context_.file, fmt::format("found no '{}', expected one", one));
      return;
    }
    const YAML::Node& node = several ? *several : *single;
    StudyAxis axis{{one}, {}};
    for (const YAML::Node& item : items_of(node)) {
      const auto name = read_text(context_, item);
      if (!name) continue;
      if (several && *name == kAll) {
        add_all(axis, one);
        continue;
      }
      check_choice(one, *name, item);
      axis.values.push_back({one == kSchedulerAxis ? *name : beside(*name)});
    }
    add_axis(std::move(axis));
  }

  // All that have not been named before.
  static void add_all(StudyAxis& axis, const std::string& kind) {
    for (const std::string& name : known_names(kind)) {
      const std::vector<std::string> row{name};
      const bool there =
          std::find(axis.values.begin(), axis.values.end(), row) != axis.values.end();
      if (!there) axis.values.push_back(row);
    }
  }

  void read_seeds(MappingReader& keys) {
    const auto seeds = keys.find("seeds");
    if (!seeds) return;
    add_axis({{kSeedAxis}, rows_of(*seeds, kSeedAxis)});
  }

  static std::vector<YAML::Node> items_of(const YAML::Node& node) {
    if (!node.IsSequence()) return {node};
    return {node.begin(), node.end()};
  }

  void add_axis(StudyAxis axis) {
    if (!axis.values.empty()) study_.axes.push_back(std::move(axis));
  }

  void read_fixed(const YAML::Node& node) {
    if (!is_mapping(node, "set")) return;
    for (const auto& entry : node) {
      if (entry.first.Scalar() == kSeedAxis) read_integer(context_, entry.second, 0, INT64_MAX);
      study_.fixed.emplace_back(entry.first.Scalar(), on_one_line(entry.second));
    }
  }

  bool is_mapping(const YAML::Node& node, const std::string& key) {
    if (node.IsMap()) return true;
    context_.error(node, fmt::format("found {} as '{}', expected a mapping of names and values",
                                     describe(node), key));
    return false;
  }

  void read_axes(const YAML::Node& node) {
    if (!is_mapping(node, "axes")) return;
    for (const auto& entry : node) {
      const std::string name = entry.first.Scalar();
      add_axis({{name}, rows_of(entry.second, name)});
    }
  }

  // Several names that change together.
  void read_zips(const YAML::Node& node) {
    for (const YAML::Node& zip : items_of(node)) {
      if (!is_mapping(zip, "zip")) continue;
      StudyAxis axis;
      for (const auto& entry : zip) {
        const auto column = rows_of(entry.second, entry.first.Scalar());
        if (!axis.names.empty() && column.size() != axis.values.size()) {
          context_.error(
              entry.second,
              fmt::format("found {} values of '{}', expected {} as of '{}'", column.size(),
                          entry.first.Scalar(), axis.values.size(), axis.names.front()));
          continue;
        }
        axis.names.push_back(entry.first.Scalar());
        axis.values.resize(column.size());
        for (std::size_t i = 0; i < column.size(); ++i) axis.values[i].push_back(column[i].front());
      }
      add_axis(std::move(axis));
    }
  }

  // "[1, 2, 4]", "{from: 32, to: 1024, step: 32}", "{from: 1, to: 64, times: 2}".
  std::vector<std::vector<std::string>> rows_of(const YAML::Node& node, const std::string& name) {
    if (node.IsMap()) return range_of(node, name);
    std::vector<std::vector<std::string>> rows;
    std::set<std::string> seen;
    for (const YAML::Node& item : items_of(node)) {
      const std::string text = on_one_line(item);
      if (name == kSeedAxis) read_integer(context_, item, 0, INT64_MAX);
      if (!seen.insert(text).second) {
        context_.error(item,
                       fmt::format("found {} twice for '{}', expected each once", text, name));
      }
      rows.push_back({text});
    }
    if (rows.empty() || rows.size() > kMostSteps) {
      context_.error(node, fmt::format("found {} values for '{}', expected 1 to {}", rows.size(),
                                       name, kMostSteps));
      rows.clear();
    }
    return rows;
  }

  std::vector<std::vector<std::string>> range_of(const YAML::Node& node, const std::string& name) {
    constexpr double kMost = 1e15;
    MappingReader keys(context_, node);
    const auto number = [&](const char* key, double least) -> std::optional<double> {
      const auto value = keys.find(key);
      return value ? read_number(context_, *value, least, kMost) : std::nullopt;
    };
    const auto from = number("from", -kMost);
    const auto to = number("to", -kMost);
    const auto step = number("step", 1e-9);
    const auto times = number("times", 1.000001);
    keys.finish();
    if (!from || !to || *to < *from || (step && times) || (times && *from <= 0)) {
      context_.error(node,
                     "found no range, expected {from: A, to: B, step: S} with B at least A, or "
                     "{from: A, to: B, times: F}");
      return {};
    }
    std::vector<std::vector<std::string>> rows;
    double value = *from;
    for (std::size_t i = 0; value <= *to * (1 + 1e-12); ++i) {
      if (i == kMostSteps) {
        context_.error(node, fmt::format("found a range of more than {} values", kMostSteps));
        return {};
      }
      rows.push_back({text_of(value)});
      if (name == kSeedAxis && (value < 0 || value != std::round(value))) {
        context_.error(node, fmt::format("found {} for '{}', expected whole numbers from 0",
                                         rows.back().front(), name));
        return {};
      }
      value = times ? *from * std::pow(*times, static_cast<double>(i + 1))
                    : *from + (step.value_or(1) * static_cast<double>(i + 1));
    }
    return rows;
  }

  static std::string text_of(double value) {
    return value == std::round(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
  }

  void read_derived(const YAML::Node& node) {
    if (!is_mapping(node, "derive")) return;
    for (const auto& entry : node) {
      const auto text = read_text(context_, entry.second);
      if (!text) continue;
      study_.derived.push_back({entry.first.Scalar(), *text, entry.second.Mark().line + 1,
                                entry.second.Mark().column + 1});
    }
  }

  void read_conditions(const YAML::Node& node) {
    for (const YAML::Node& item : items_of(node)) {
      const auto text = read_text(context_, item);
      if (!text) continue;
      study_.conditions.push_back({"", *text, item.Mark().line + 1, item.Mark().column + 1});
    }
  }

  void read_keep(const YAML::Node& node) {
    std::vector<std::string> known;
    for (const MetricInfo& info : metric_infos()) known.push_back(info.name);
    for (const YAML::Node& item : items_of(node)) {
      const auto name = read_choice(context_, item, known);
      if (name) study_.keep.push_back(*name);
    }
  }

  // Columns of the database, which has no capital letters.
  void check_names(const YAML::Node& document) {
    std::set<std::string> seen;
    std::set<std::string> taken(std::begin(kPointColumns), std::end(kPointColumns));
    for (const MetricInfo& info : metric_infos()) taken.insert(in_small_letters(info.name));
    const auto add = [&](const std::string& written) {
      const std::string name = in_small_letters(written);
      if (taken.count(name) > 0) {
        context_.error(document, fmt::format("found '{}' among what is varied, set or derived, "
                                             "expected no name of a result",
                                             written));
      }
      if (!seen.insert(name).second) {
        context_.error(document,
                       fmt::format("found '{}' more than once among what is varied, set or "
                                   "derived, expected it once",
                                   written));
      }
    };
    for (const StudyAxis& axis : study_.axes)
      std::for_each(axis.names.begin(), axis.names.end(), add);
    for (const auto& [name, value] : study_.fixed) add(name);
    for (const StudyFormula& formula : study_.derived) add(formula.name);
  }

  ReadContext context_;
  StudySpec study_;
};

}  // namespace

std::optional<StudySpec> load_study_text(const std::string& text, const std::string& file,
                                         Diagnostics& problems) {
  const auto document = load_small_yaml_text(text, file, kMostBytes, problems);
  if (!document) return std::nullopt;
  const std::size_t before = problems.all().size();
  StudySpec study = StudyReader(file, problems).read(*document);
  return problems.all().size() == before ? std::optional<StudySpec>(std::move(study))
                                         : std::nullopt;
}

std::optional<StudySpec> load_study(const std::string& name_or_file, Diagnostics& problems) {
  std::string path = name_or_file;
  if (!names_a_file(name_or_file)) {
    const std::vector<std::string> known = config_names("sweeps");
    if (std::find(known.begin(), known.end(), name_or_file) == known.end()) {
      problems.add(
          "", fmt::format("found unknown study '{}', expected a file or one of {}{}", name_or_file,
                          fmt::join(known, ", "), did_you_mean(name_or_file, known)));
      return std::nullopt;
    }
    path = config_file("sweeps", name_or_file);
  }
  const std::optional<std::string> text = read_file(path, problems);
  return text ? load_study_text(*text, path, problems) : std::nullopt;
}

}  // namespace smsim
