// The GPU that a run uses, and what a reader should know about its figures.
#pragma once

#include <string>
#include <vector>

#include "smsim/gpu_file.hpp"
#include "smsim/result.hpp"

namespace smsim::cli {

struct GpuForRun {
  std::string name;  // or file: what 'smsim gpus' prints it by
  LoadedGpu gpu;
  std::vector<std::string> notes;
};

/// A compute capability is no product: its reference product is simulated in its place, and a note
/// says so. Throws InputError when the GPU cannot be loaded, or lacks what a run needs.
GpuForRun load_gpu_for_run(const std::string& name_or_file);

/// How many figures this kernel leans on that nobody has measured; "" if none.
std::string unmeasured_note(const GpuForRun& gpu, const KernelSpec& kernel,
                            const Counters& counters);

}  // namespace smsim::cli
