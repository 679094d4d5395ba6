#include "sim/study/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "sim/arch/gpu_fields.hpp"
#include "sim/config/config_paths.hpp"
#include "sim/config/expression.hpp"
#include "sim/config/kernel_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/import/trace_kernel.hpp"
#include "smsim/kernel_file.hpp"
#include "smsim/simulate.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

constexpr std::uint64_t kMostPoints = 10'000'000;
constexpr const char* kDefaultGpu = "h200";
constexpr std::string_view kGpuPrefix = "gpu.";

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string text_of(double value) {
  return value == std::round(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

class Expander {
 public:
  Expander(const StudySpec& study, Diagnostics& problems) : study_(study), problems_(problems) {}

  std::vector<StudyPoint> run() {
    std::uint64_t all = 1;
    for (const StudyAxis& axis : study_.axes) {
      all *= axis.values.size();
      if (all > kMostPoints) {
        problems_.add(study_.file,
                      fmt::format("found more than {} points, expected fewer values", kMostPoints));
        return {};
      }
    }
    std::vector<StudyPoint> points;
    for (std::uint64_t number = 0; number < all && problems_.empty(); ++number) {
      StudyPoint point = combination(number);
      if (!complete(point)) continue;
      point.number = points.size();
      points.push_back(std::move(point));
    }
    return points;
  }

 private:
  [[nodiscard]] StudyPoint combination(std::uint64_t number) const {
    StudyPoint point;
    point.fixed = study_.fixed;
    std::uint64_t rest = number;
    std::vector<std::size_t> steps(study_.axes.size());
    for (std::size_t i = study_.axes.size(); i-- > 0;) {
      steps[i] = rest % study_.axes[i].values.size();
      rest /= study_.axes[i].values.size();
    }
    for (std::size_t i = 0; i < study_.axes.size(); ++i) {
      const StudyAxis& axis = study_.axes[i];
      for (std::size_t k = 0; k < axis.names.size(); ++k) {
        point.inputs.emplace_back(axis.names[k], axis.values[steps[i]][k]);
      }
    }
    return point;
  }

  // Adds the derived values; false where a condition leaves the point out.
  bool complete(StudyPoint& point) {
    ExpressionScope scope;
    const auto define = [&scope](const std::string& name, const std::string& text) {
      if (const auto value = as_number(text)) scope.values[name] = *value;
    };
    for (const auto& [name, value] : point.fixed) define(name, value);
    for (const auto& [name, value] : point.inputs) define(name, value);
    // What is left out by the axes alone need not make sense for the derived values; but a wrong
    // condition does not hide what else is wrong.
    if (!holds(scope, false) && problems_.empty()) return false;
    for (const StudyFormula& formula : study_.derived) {
      const auto value = evaluated(formula, scope);
      // A wrong value does not hide what else is wrong.
      scope.values[formula.name] = value.value_or(1);
      if (!value) continue;
      point.inputs.emplace_back(formula.name, text_of(*value));
    }
    return holds(scope, true);
  }

  // Whether all conditions hold that do, or do not, look at derived values. Any of them may be
  // wrong: each is looked at.
  bool holds(const ExpressionScope& scope, bool with_derived) {
    bool all = true;
    for (const StudyFormula& condition : study_.conditions) {
      if (mentions_derived(condition) != with_derived) continue;
      all &= evaluated(condition, scope).value_or(0) != 0;
    }
    return all;
  }

  [[nodiscard]] bool mentions_derived(const StudyFormula& condition) const {
    const std::set<std::string> names = names_in(condition.text);
    return std::any_of(
        study_.derived.begin(), study_.derived.end(),
        [&names](const StudyFormula& formula) { return names.count(formula.name) > 0; });
  }

  std::optional<double> evaluated(const StudyFormula& formula, const ExpressionScope& scope) {
    ExpressionError error;
    const auto value = evaluate(formula.text, scope, error);
    if (value) return value->constant;
    YAML::Mark mark;
    mark.line = formula.line - 1;
    mark.column = formula.column - 1 + error.column;
    problems_.add(study_.file, mark, error.message);
    return std::nullopt;
  }

  const StudySpec& study_;
  Diagnostics& problems_;
};

// FNV-1a: the same on every machine.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) mix_in(static_cast<unsigned char>(c));
    mix_in(0x1f);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  void mix_in(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

// Of the bytes of the trace file that a kernel names; "" where it names none.
std::string hash_of_trace(const std::string& path, const std::string& text) {
  Diagnostics ignored;
  const auto document = load_yaml_text(text, path, ignored);
  const auto trace = document ? value_of(*document, "trace") : std::nullopt;
  if (!trace || !trace->IsScalar()) return "";
  std::ifstream file(std::filesystem::path(path).parent_path() / trace->Scalar(), std::ios::binary);
  Hash hash;
  std::string part(1 << 20, '\0');
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    hash.add(std::string_view(part).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return hash.text();
}

bool is_gpu_path(const std::string& name) {
  return name.rfind(kGpuPrefix, 0) == 0;
}

// Names that are no path into the kernel file.
bool is_special(const std::string& name) {
  return name == kKernelAxis || name == kGpuAxis || name == kSchedulerAxis || name == kSeedAxis;
}

std::vector<std::string> overrides_of(const StudyPoint& point) {
  std::vector<std::string> overrides;
  for (const auto* list : {&point.fixed, &point.inputs}) {
    for (const auto& [name, value] : *list) {
      if (!is_special(name) && !is_gpu_path(name)) overrides.push_back(name + "=" + value);
    }
  }
  return overrides;
}

// Each message once: a value that is used twice is wrong in both places.
std::string in_one_line(const std::vector<Diagnostic>& problems) {
  std::string text;
  std::set<std::string> said;
  for (const Diagnostic& one : problems) {
    if (!said.insert(one.message).second) continue;
    text += (text.empty() ? "" : "; ") + one.message;
  }
  return text;
}

}  // namespace

std::string StudyPoint::value_of(const std::string& name) const {
  for (const auto* list : {&inputs, &fixed}) {
    for (const auto& [known, value] : *list) {
      if (known == name) return value;
    }
  }
  return "";
}

std::vector<StudyPoint> points_of(const StudySpec& study, Diagnostics& problems) {
  return Expander(study, problems).run();
}

PointLoader::PointLoader(const std::vector<StudyPoint>& points) {
  Diagnostics problems;
  std::vector<Diagnostic> bad_gpus;
  for (const StudyPoint& point : points) {
    const std::string kernel = point.value_of(kKernelAxis);
    if (kernels_.count(kernel) == 0) {
      const std::string path = kernel_path(kernel, problems);
      const std::string text = path.empty() ? "" : read_file(path, problems).value_or("");
      kernels_[kernel] = {path, text, hash_of_trace(path, text)};
    }
    std::string gpu = point.value_of(kGpuAxis);
    if (gpu.empty()) gpu = kDefaultGpu;
    if (gpus_.count(gpu) > 0) continue;
    LoadedGpu& loaded = gpus_[gpu];
    try {
      loaded = load_gpu(gpu);
      if (loaded.spec.topology.sms == 0 && !loaded.spec.reference_product.empty()) {
        loaded = load_gpu(loaded.spec.reference_product);
      }
    } catch (const InputError& error) {
      bad_gpus.insert(bad_gpus.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  problems.throw_if_any();
  if (!bad_gpus.empty()) throw InputError(bad_gpus);
}

const PointLoader::ChangedGpu& PointLoader::gpu_of(const StudyPoint& point) {
  std::string name = point.value_of(kGpuAxis);
  if (name.empty()) name = kDefaultGpu;
  std::string key = name;
  std::vector<std::string> changes;
  for (const auto* list : {&point.fixed, &point.inputs}) {
    for (const auto& [path, value] : *list) {
      if (!is_gpu_path(path)) continue;
      changes.push_back(path.substr(kGpuPrefix.size()) + "=" + value);
      key += "\n" + changes.back();
    }
  }
  const std::lock_guard guard(lock_);
  const auto [known, is_new] = changed_gpus_.try_emplace(key);
  if (!is_new) return known->second;
  auto changed = std::make_shared<LoadedGpu>(gpus_.at(name));
  std::string& refusal = known->second.refusal;
  for (const std::string& change : changes) {
    const std::string wrong = change_field(changed->spec, change);
    if (!wrong.empty()) refusal += (refusal.empty() ? "" : "; ") + wrong;
  }
  Hash hash;
  for (const GpuField& field : gpu_fields(changed->spec)) hash.add(field_text(field));
  for (const auto& [operation, figures] : changed->spec.operations) {
    hash.add(operation + operation_text(figures));
  }
  known->second.figures = hash.text();
  known->second.gpu = std::move(changed);
  return known->second;
}

PreparedPoint PointLoader::prepare(const StudyPoint& point) {
  PreparedPoint out;
  const ChangedGpu& gpu = gpu_of(point);
  out.gpu = gpu.gpu;
  out.refusal = gpu.refusal;
  out.scheduler = point.value_of(kSchedulerAxis);
  if (!out.refusal.empty()) return out;
  const KernelFile& file = kernels_.at(point.value_of(kKernelAxis));
  Diagnostics problems;
  auto kernel =
      load_kernel_text(file.text, file.path, overrides_of(point), out.gpu->spec, problems);
  if (!kernel) {
    out.refusal = in_one_line(problems.all());
    return out;
  }
  try {
    attach_trace_file(*kernel, out.gpu->spec);
  } catch (const InputError& error) {
    out.refusal = in_one_line(error.diagnostics());
    return out;
  }
  out.kernel = std::move(*kernel);
  const std::string seed = point.value_of(kSeedAxis);
  if (seed.empty()) return out;
  const char* end = seed.data() + seed.size();
  const auto [stop, error] = std::from_chars(seed.data(), end, out.kernel.launch.seed);
  if (error != std::errc() || stop != end) {
    out.refusal = fmt::format("{}: found '{}', expected a whole number from 0", kSeedAxis, seed);
  }
  return out;
}

std::string PointLoader::fingerprint(const StudyPoint& point, const StudySpec& study) {
  const KernelFile& kernel = kernels_.at(point.value_of(kKernelAxis));
  Hash hash;
  hash.add(version());
  hash.add(kernel.text);
  hash.add(kernel.trace);
  hash.add(gpu_of(point).figures);
  for (const std::string& change : overrides_of(point)) hash.add(change);
  hash.add(point.value_of(kSchedulerAxis));
  hash.add(point.value_of(kSeedAxis));
  hash.add(std::to_string(study.max_cycles));
  for (const std::string& metric : study.keep) hash.add(metric);
  return hash.text();
}

Result run_point(const PreparedPoint& point, std::uint64_t max_cycles,
                 const std::atomic<bool>* interrupt) {
  SimulateOptions how;
  how.scheduler = point.scheduler;
  how.count_instructions = true;  // the verdict needs them
  how.max_cycles = max_cycles;
  how.interrupt = interrupt;
  return make_result(point.gpu->spec, point.kernel, simulate(point.gpu->spec, point.kernel, how));
}

}  // namespace smsim
