// Runs a lesson: its variants are simulated, and what should be seen is checked.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/config/lesson.hpp"
#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"
#include "smsim/result.hpp"

namespace smsim {

/// Whether an expectation of the lesson holds.
struct Observation {
  bool holds = false;
  std::string text;             // the effect in words
  std::string found;            // "56.7, expected 50 to 64"
  std::optional<double> value;  // of expectations that are one number
};

struct LessonOutcome {
  std::vector<Result> results;            // one per variant
  std::vector<Observation> observations;  // one per expectation
  bool interrupted = false;               // by the user: what is missing was not simulated
};

/// The kernels of a lesson's variants for a GPU, ready to run. What is wrong with one is reported
/// at the variant's place in the lesson's file.
std::vector<KernelSpec> load_variants(const Lesson& lesson, const GpuSpec& gpu,
                                      Diagnostics& problems);

/// Simulates every variant. `threads` share the variants; they never change a result.
LessonOutcome run_variants(const Lesson& lesson, const std::vector<KernelSpec>& kernels,
                           const GpuSpec& gpu, int threads,
                           const std::atomic<bool>* interrupt = nullptr);

/// A metric of one variant; empty where it has no meaning.
std::optional<double> metric_value(const LessonVariant& variant, const Result& result,
                                   const LessonMetric& metric);

/// The state in which warps spend most of their time, other than issuing; empty when nothing ran.
std::string largest_stall(const Result& result);

}  // namespace smsim
