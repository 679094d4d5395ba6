// Reads one GPU file and those it extends into a GpuSpec, and remembers who set what.
#pragma once

#include <yaml-cpp/yaml.h>

#include <map>
#include <string>

#include "sim/config/diagnostics.hpp"
#include "smsim/gpu_file.hpp"

namespace smsim {

/// Who set a field last, and on what authority.
struct Origin {
  std::string file;
  YAML::Mark mark;
  SourceStatus status = SourceStatus::unverified;
  std::string source;
};
using Origins = std::map<std::string, Origin>;  // by field path

/// Applies `file` to `gpu`, the file it extends first. Problems are reported, not thrown.
void read_gpu_file(const std::string& file, GpuSpec& gpu, Origins& origins, Diagnostics& problems);

}  // namespace smsim
