// GPUs for the tests of occupancy, from the files that users get.
#pragma once

#include <map>
#include <string>

#include "smsim/gpu_file.hpp"

namespace smsim::test {

inline const GpuSpec& gpu(const std::string& name) {
  static std::map<std::string, GpuSpec> loaded;
  const auto found = loaded.find(name);
  return found != loaded.end() ? found->second
                               : loaded.emplace(name, load_gpu(name).spec).first->second;
}

/// 90 -> sm_90
inline const GpuSpec& compute_capability(int number) {
  return gpu("sm_" + std::to_string(number));
}

}  // namespace smsim::test
