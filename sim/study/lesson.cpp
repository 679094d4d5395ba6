#include "sim/study/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/config/kernel_file.hpp"
#include "sim/study/lesson_checks.hpp"
#include "sim/study/parallel.hpp"
#include "smsim/simulate.hpp"

namespace smsim {
namespace {

std::optional<KernelSpec> load_variant(const Lesson& lesson, const LessonVariant& variant,
                                       const GpuSpec& gpu, Diagnostics& problems) {
  if (!variant.kernel.empty()) {
    return load_kernel(variant.kernel, variant.overrides, gpu, problems);
  }
  return load_kernel_text(lesson.text, lesson.file, variant.overrides, gpu, problems);
}

// Places a problem that names no file ("--set params.x=1: found no ...") at the variant.
void report(const Lesson& lesson, const LessonVariant& variant, const Diagnostic& found,
            Diagnostics& problems) {
  const auto& known = problems.all();
  const bool again = std::any_of(known.begin(), known.end(), [&](const Diagnostic& d) {
    return d.file == found.file && d.line == found.line && d.column == found.column &&
           d.message == found.message;
  });
  YAML::Mark mark;
  if (found.file.empty()) {
    mark.line = variant.place.line - 1;
    mark.column = variant.place.column - 1;
    problems.add(lesson.file, mark,
                 fmt::format("in variant '{}': {}", variant.label, found.message));
  } else if (!again) {  // the kernel is read once for each variant
    mark.line = found.line - 1;
    mark.column = found.column - 1;
    problems.add(found.file, mark, found.message);
  }
}

Result run_variant(const KernelSpec& kernel, const LessonVariant& variant, const GpuSpec& gpu,
                   const std::atomic<bool>* interrupt) {
  SimulateOptions how;
  how.scheduler = variant.scheduler;
  how.count_instructions = true;  // the roofline needs them
  how.interrupt = interrupt;
  return make_result(gpu, kernel, simulate(gpu, kernel, how));
}

}  // namespace

std::vector<KernelSpec> load_variants(const Lesson& lesson, const GpuSpec& gpu,
                                      Diagnostics& problems) {
  std::vector<KernelSpec> kernels;
  for (const LessonVariant& variant : lesson.variants) {
    Diagnostics found;
    std::optional<KernelSpec> kernel = load_variant(lesson, variant, gpu, found);
    for (const Diagnostic& problem : found.all()) {
      report(lesson, variant, problem, problems);
    }
    if (kernel) {
      kernels.push_back(std::move(*kernel));
    }
  }
  return kernels;
}

LessonOutcome run_variants(const Lesson& lesson, const std::vector<KernelSpec>& kernels,
                           const GpuSpec& gpu, int threads, const std::atomic<bool>* interrupt) {
  LessonOutcome outcome;
  outcome.results.resize(kernels.size());
  for_each_index(kernels.size(), threads, [&](std::size_t i) {
    outcome.results[i] = run_variant(kernels[i], lesson.variants[i], gpu, interrupt);
  });
  outcome.interrupted =
      std::any_of(outcome.results.begin(), outcome.results.end(),
                  [](const Result& r) { return r.status == Status::interrupted; });
  for (const Expectation& expectation : lesson.expectations) {
    outcome.observations.push_back(observe(lesson, expectation, outcome.results));
  }
  return outcome;
}

std::optional<double> metric_value(const LessonVariant& variant, const Result& result,
                                   const LessonMetric& metric) {
  const auto value_of = [&](const std::string& name) {
    return name == "work" ? variant.work : result.value(name);
  };
  const std::optional<double> value = value_of(metric.name);
  if (metric.per.empty() || !value) {
    return value;
  }
  const std::optional<double> per = value_of(metric.per);
  return per && *per != 0 ? std::optional<double>(*value / *per) : std::nullopt;
}

std::string largest_stall(const Result& result) {
  std::string name;
  double most = 0;
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    const bool issues = i == static_cast<std::size_t>(WarpState::selected);
    if (!issues && result.stalls[i].value_or(0) > most) {
      most = *result.stalls[i];
      name = kWarpStateNames[i];
    }
  }
  return name;
}

}  // namespace smsim
