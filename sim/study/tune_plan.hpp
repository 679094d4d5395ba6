// The inputs of tuning, read and checked: which kernel, which points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/diagnostics.hpp"
#include "sim/config/study.hpp"
#include "sim/study/points.hpp"
#include "sim/study/tune_scope.hpp"
#include "sim/study/tune_space.hpp"

namespace smsim {

struct TunePlan {
  TuneSpace space;
  std::string axes_from;  // "--over", "the kernel file", "default"
  std::vector<StudyFormula> conditions;
  TuneScope scope;
  StudyPoint present;                           // the file with the changes of every point
  std::optional<std::uint64_t> present_number;  // where it stands in the space
  std::shared_ptr<PointLoader> loader;

  /// The configuration as an input of the simulator.
  [[nodiscard]] StudyPoint point(std::uint64_t number) const;
  /// Whether every condition holds at a point; one that cannot be computed there does not.
  [[nodiscard]] bool allowed(std::uint64_t number) const;
};

/// Nullopt when anything is wrong; `problems` says what, everything at once.
std::optional<TunePlan> make_tune_plan(const std::string& kernel, const TuneOptions& options,
                                       Diagnostics& problems);

/// Axes for a file that names none: block sizes, and register limits at which another block fits.
std::vector<TuneAxis> default_axes(const TuneScope& scope, const GpuSpec& gpu,
                                   const KernelSpec& kernel);

}  // namespace smsim
