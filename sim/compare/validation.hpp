// Predictions of many measured launches, each beside its measurement.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/compare/comparison.hpp"
#include "sim/compare/reference.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim {

struct ValidatedReference {
  Reference reference;
  /// As of a run ("completed", "deadlock", "interrupted", ...), or "import_failed".
  std::string status;
  std::string failure;  // why the import failed
  std::optional<Comparison> comparison;

  bool completed() const { return status == "completed"; }
};

struct ValidateOptions {
  int threads = 1;  // one reference each; never changes the result
  /// Changes the GPU before a run, for studies of the model; may be empty.
  std::function<void(GpuSpec& gpu)> change_gpu;
  std::function<void(std::size_t done, std::size_t all)> progress;  // may be empty
  const std::atomic<bool>* interrupt = nullptr;  // references not yet begun are "interrupted" too
};

/// Imports and simulates every reference. Counts and launch configurations go into the
/// simulation, and the clocks that the run had; no measured time, stall or occupancy. Throws
/// InputError for a GPU that cannot be loaded; a reference that cannot be imported is a result.
std::vector<ValidatedReference> validate(const std::vector<Reference>& references,
                                         const ValidateOptions& options);

}  // namespace smsim
