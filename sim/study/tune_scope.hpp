// What the conditions of a tuning space may name: parameters of the kernel file, as they are at a
// point.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/expression.hpp"
#include "smsim/gpu_spec.hpp"

namespace smsim {

/// Reads the file once; may be used by several threads afterwards.
class TuneScope {
 public:
  TuneScope() = default;
  /// `document`: the kernel file with the changes that hold at every point.
  TuneScope(const YAML::Node& document, const GpuSpec& gpu);

  /// Names and numbers with the given values in place of the file's: parameters as `tile` and
  /// `params.tile`, the launch as `launch.block`, and about the GPU what kernel files may use.
  [[nodiscard]] ExpressionScope at(
      const std::vector<std::pair<std::string, std::string>>& values) const;

  /// The text of the file at a path of two names; "" where it has none.
  [[nodiscard]] std::string text_at(const std::string& path) const;
  /// Names of parameters, in the file's order.
  [[nodiscard]] std::vector<std::string> parameters() const;

 private:
  using Entry = std::pair<std::string, std::string>;
  ExpressionScope machine_;
  std::vector<Entry> parameters_;
  std::vector<Entry> launch_;
};

}  // namespace smsim
