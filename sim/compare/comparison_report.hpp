// A comparison as text, JSON or CSV.
#pragma once

#include <string>

#include "sim/compare/comparison.hpp"

namespace smsim {

/// Two tables and a sentence, at most 80 columns wide.
std::string comparison_text(const Comparison& comparison);

/// {"prediction", "profile", "verdict", "metrics": {name: {"predicted", "measured", "error",
/// "kind"}}, "stalls": {reason: {"predicted", "measured", "error"}}, "notes"}
std::string comparison_json(const Comparison& comparison);

/// Columns metric, unit, kind, predicted, measured, error; stalls are among the rows.
std::string comparison_csv(const Comparison& comparison);

}  // namespace smsim
