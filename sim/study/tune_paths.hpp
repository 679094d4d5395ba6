// Paths into a kernel file, as --set and --over name them.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>

#include "sim/study/tune_plan.hpp"

namespace smsim {

/// Reports a path that leads nowhere in the file: for parameters and the launch with the nearest
/// one that does. `option` is what named it.
void check_tune_path(const YAML::Node& document, const std::string& option, const std::string& path,
                     Diagnostics& problems);

/// The point where every axis has the value that the file has; nullopt when it is no point.
std::optional<std::uint64_t> present_number_of(const TunePlan& plan);

}  // namespace smsim
