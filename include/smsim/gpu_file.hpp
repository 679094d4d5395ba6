// GPUs as data: the files of configs/gpus, and your own. See configs/gpus/README.md for the format.
#pragma once

#include <string>
#include <vector>

#include "smsim/gpu_spec.hpp"

namespace smsim {

/// How well a figure is known.
enum class SourceStatus {
  verified,    // read in a primary source, or measured
  secondary,   // read in somebody's page or report
  derived,     // computed from other figures
  unverified,  // nobody has measured it, or the file names no source
};

/// Where one figure of a loaded GPU comes from.
struct FieldSource {
  std::string path;   // "l2.slices", "operations.FFMA"
  std::string value;  // as it would stand in a file
  SourceStatus status = SourceStatus::unverified;
  std::string source;  // in words; "" when the file names none
  std::string file;    // that set it; "" for a default of the program
  int line = 0;
};

struct LoadedGpu {
  GpuSpec spec;
  std::vector<FieldSource> sources;  // every field of the spec, in the order of its header
};

/// Loads a GPU by name ("h200") or by file ("my/gpu.yaml": anything with a slash or this ending).
/// Throws InputError with every problem of the file and of those it extends.
LoadedGpu load_gpu(const std::string& name_or_file);

/// Names that load_gpu knows, sorted: products and compute capabilities.
std::vector<std::string> gpu_names();

const char* to_string(SourceStatus status);

}  // namespace smsim
