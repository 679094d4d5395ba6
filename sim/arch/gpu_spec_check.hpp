// Is a GpuSpec a machine that can exist? Ranges of single figures, and figures that must agree.
#pragma once

#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"

namespace smsim {

struct GpuProblem {
  std::string path;     // of the field to blame, "limits.smem_splits_kb"
  std::string message;  // "found ..., expected ..."
};

/// Everything wrong with `gpu`, in the order of its fields; empty when it can be used. Fields that
/// are 0 because nobody knows them are accepted where the occupancy rules do not need them.
std::vector<GpuProblem> check(const GpuSpec& gpu);

}  // namespace smsim
