// JSON that comparisons and validations share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/compare/comparison.hpp"

namespace smsim {

/// {name: {"predicted", "measured", "error", "kind"}}
nlohmann::ordered_json metrics_json(const Comparison& comparison);
/// {reason: {"predicted", "measured", "error"}}
nlohmann::ordered_json stalls_json(const Comparison& comparison);
/// A whole number without ".0"; null without a value.
nlohmann::ordered_json number_json(const std::optional<double>& value);
/// A cell of a CSV row, empty without a value.
std::string csv_number(const std::optional<double>& value);

}  // namespace smsim
