// Kernels as YAML: see configs/README.md for the language.
#pragma once

#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"
#include "smsim/kernel_spec.hpp"

namespace smsim {

/// Loads a kernel by name ("saxpy", of configs/kernels) or by file ("my/kernel.yaml": anything with
/// a slash or this ending) for a GPU, whose latencies decide the control codes. `overrides` are
/// "path=value" ("params.n=1024", "launch.block=128"). Throws InputError with every problem.
KernelSpec load_kernel(const std::string& name_or_file, const std::vector<std::string>& overrides,
                       const GpuSpec& gpu);

/// Names that load_kernel knows, sorted.
std::vector<std::string> kernel_names();

}  // namespace smsim
