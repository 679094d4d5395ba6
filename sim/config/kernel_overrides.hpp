// --set path=value: changes to a kernel file before it is read.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/config/diagnostics.hpp"

namespace smsim {

struct Override {
  std::string text;  // "launch.block=128", for messages
  std::string path;
  std::string value;
};

/// Nodes that came from an override, so that problems with them name it and not a line.
using OverriddenNodes = std::vector<std::pair<YAML::Node, std::string>>;

/// "path=value" taken apart; problems are reported.
std::vector<Override> parse_overrides(const std::vector<std::string>& texts, Diagnostics& problems);

/// Sets one value in the document. The last name of the path may be new, those before it must
/// exist; list items are numbered from 0.
void apply_override(const YAML::Node& document, const Override& change, OverriddenNodes& overridden,
                    Diagnostics& problems);

}  // namespace smsim
