#include "sim/study/tune_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/config/config_paths.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/config/kernel_overrides.hpp"
#include "sim/config/lesson_file.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tune_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/study/tune_paths.hpp"
#include "smsim/kernel_file.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kMostPoints = 1'000'000'000'000;
constexpr std::uint64_t kMostTried = 1000;  // points, to find one where a condition has a value

class Planner {
 public:
  Planner(const std::string& kernel, const TuneOptions& options, Diagnostics& problems)
      : kernel_(kernel), options_(options), problems_(problems) {}

  std::optional<TunePlan> run() {
    changes_ = parse_overrides(options_.set, problems_);
    check_scheduler();
    const std::string path = kernel_path(kernel_, problems_);
    read_over();
    load_gpu_figures();
    if (path.empty()) return std::nullopt;
    const auto text = read_file(path, problems_);
    if (!text) return std::nullopt;
    document_ = load_yaml_text(*text, path, problems_);
    if (!document_) return std::nullopt;
    file_axes({path, problems_});
    for (const Override& change : changes_)
      check_tune_path(*document_, "--set", change.path, problems_);
    for (const TuneAxis& axis : axes_) check_tune_path(*document_, "--over", axis.path, problems_);
    check_repeats();
    if (!problems_.empty()) return std::nullopt;
    return complete(path, *text);
  }

 private:
  void problem(const std::string& message) { problems_.add("", message); }

  void check_scheduler() {
    const std::vector<std::string> known = scheduler_names();
    const std::string& name = options_.scheduler;
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    problem(fmt::format("--scheduler: found '{}', expected one of {}{}", name,
                        fmt::join(known, ", "), did_you_mean(name, known)));
  }

  void load_gpu_figures() {
    try {
      gpu_ = load_gpu(options_.gpu).spec;
      const std::string product = gpu_.reference_product;
      if (gpu_.topology.sms == 0 && !product.empty()) gpu_ = load_gpu(product).spec;
      if (gpu_.topology.sms == 0 || gpu_.clocks.sm_mhz <= 0) {
        problem(
            fmt::format("--gpu: found no topology.sms or clocks.sm_mhz of '{}', which a run "
                        "needs",
                        options_.gpu));
      }
    } catch (const InputError& error) {
      for (const Diagnostic& one : error.diagnostics()) {
        YAML::Mark mark;
        mark.line = one.line - 1;
        mark.column = one.column - 1;
        if (one.file.empty()) {
          problem("--gpu: " + one.message);
        } else {
          problems_.add(one.file, mark, one.message);
        }
      }
    }
  }

  void read_over() {
    for (const std::string& text : options_.over) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        problem(
            fmt::format("--over: found '{}', expected PATH=LIST or PATH=RANGE, such as "
                        "launch.block=64,128 or params.tile=8:64:*2",
                        text));
        continue;
      }
      TuneAxis axis{text.substr(0, equals), {}};
      std::string wrong;
      if (auto values = parse_tune_values(text.substr(equals + 1), wrong)) {
        axis.values = std::move(*values);
      } else {
        problem(fmt::format("--over {}: {}", axis.path, wrong));
      }
      axes_.push_back(std::move(axis));
    }
    plan_.axes_from = options_.over.empty() ? "" : "--over";
  }

  // The file's own axes count where the command line has none, its conditions with them.
  void file_axes(const ReadContext& context) {
    if (plan_.axes_from.empty()) {
      if (auto file = read_tune(context, *document_)) {
        for (TuneFileAxis& axis : file->axes) axes_.push_back({axis.path, std::move(axis.values)});
        plan_.conditions = std::move(file->conditions);
        plan_.axes_from = axes_.empty() ? "" : "the kernel file";
        drop_axes_that_are_set();
      }
    }
    for (const std::string& text : options_.where) plan_.conditions.push_back({"", text, 0, 0});
  }

  // `--set params.block=128` on a file whose `tune` varies it: it is to be 128.
  void drop_axes_that_are_set() {
    const auto is_set = [this](const TuneAxis& axis) {
      return std::any_of(changes_.begin(), changes_.end(),
                         [&axis](const Override& change) { return change.path == axis.path; });
    };
    axes_.erase(std::remove_if(axes_.begin(), axes_.end(), is_set), axes_.end());
  }

  void check_repeats() {
    std::set<std::string> seen;
    for (const TuneAxis& axis : axes_) {
      if (!seen.insert(axis.path).second) {
        problem(fmt::format("--over: found {} twice, expected each path once", axis.path));
      }
    }
    for (const Override& change : changes_) {
      if (seen.count(change.path) > 0) {
        problem(
            fmt::format("found {} in --set and --over, expected it in one of them", change.path));
      }
    }
  }

  std::optional<TunePlan> complete(const std::string& path, const std::string& text) {
    plan_.present.inputs = {{kKernelAxis, path}, {kGpuAxis, options_.gpu}};
    if (!options_.scheduler.empty()) {
      plan_.present.inputs.emplace_back(kSchedulerAxis, options_.scheduler);
    }
    for (const Override& change : changes_) {
      plan_.present.fixed.emplace_back(change.path, change.value);
    }
    const auto kernel = load_kernel_text(text, path, options_.set, gpu_, problems_);
    if (!kernel) return std::nullopt;
    plan_.loader = std::make_shared<PointLoader>(std::vector<StudyPoint>{plan_.present});
    OverriddenNodes ignored;
    for (const Override& change : changes_) {
      apply_override(*document_, change, ignored, problems_);
    }
    plan_.scope = TuneScope(*document_, gpu_);
    if (axes_.empty()) {
      axes_ = default_axes(plan_.scope, gpu_, *kernel);
      keep_what_can_change();
      plan_.axes_from = "default";
    }
    if (axes_.empty()) {
      problem(
          "found nothing to vary by itself (a trace, or a block of several dimensions and no "
          "register limit that admits another block), expected --over PATH=LIST, or 'tune' in the "
          "kernel file");
      return std::nullopt;
    }
    std::uint64_t size = 1;
    for (const TuneAxis& axis : axes_) size = std::min(kMostPoints + 1, size * axis.values.size());
    if (size > kMostPoints) {
      problem(fmt::format("--over: found more than {} configurations, expected fewer values",
                          kMostPoints));
      return std::nullopt;
    }
    plan_.space = TuneSpace(axes_);
    for (const StudyFormula& condition : plan_.conditions) check_condition(condition, path);
    if (!problems_.empty()) return std::nullopt;
    plan_.present_number = present_number_of(plan_);
    return std::move(plan_);
  }

  // Machine code needs the registers that it names, and a trace has the blocks that were traced.
  void keep_what_can_change() {
    const bool listing = value_of(*document_, "sass").has_value();
    const bool trace = value_of(*document_, "trace").has_value();
    const auto is_given = [&](const TuneAxis& axis) {
      return trace || (listing && axis.path == "launch.registers");
    };
    axes_.erase(std::remove_if(axes_.begin(), axes_.end(), is_given), axes_.end());
  }

  // It must have a value somewhere; where it has none, the point is left out.
  void check_condition(const StudyFormula& condition, const std::string& path) {
    ExpressionError error;
    const std::uint64_t size = plan_.space.size();
    const std::uint64_t tried = std::min(size, kMostTried);
    for (std::uint64_t i = 0; i < tried; ++i) {
      const std::uint64_t number = size / tried * i;
      if (evaluate(condition.text, plan_.scope.at(plan_.space.values(number)), error)) return;
    }
    if (condition.line == 0) {
      problem(fmt::format("--where '{}': {}", condition.text, error.message));
      return;
    }
    YAML::Mark mark;
    mark.line = condition.line - 1;
    mark.column = condition.column - 1 + error.column;
    problems_.add(path, mark, error.message);
  }

  const std::string& kernel_;
  const TuneOptions& options_;
  Diagnostics& problems_;
  TunePlan plan_;
  std::vector<Override> changes_;
  std::vector<TuneAxis> axes_;
  std::optional<YAML::Node> document_;
  GpuSpec gpu_;
};

}  // namespace

StudyPoint TunePlan::point(std::uint64_t number) const {
  StudyPoint point = present;
  point.number = number;
  for (const auto& [path, value] : space.values(number)) {
    if (value != kTuneDefault) point.inputs.emplace_back(path, value);
  }
  return point;
}

bool TunePlan::allowed(std::uint64_t number) const {
  if (conditions.empty()) return true;
  const ExpressionScope values = scope.at(space.values(number));
  return std::all_of(conditions.begin(), conditions.end(), [&](const StudyFormula& condition) {
    ExpressionError ignored;
    const auto value = evaluate(condition.text, values, ignored);
    return value && value->constant != 0;
  });
}

std::optional<TunePlan> make_tune_plan(const std::string& kernel, const TuneOptions& options,
                                       Diagnostics& problems) {
  return Planner(kernel, options, problems).run();
}

}  // namespace smsim
