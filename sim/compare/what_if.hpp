// Pairs of references that differ in one thing: is the predicted change the measured one?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compare/validation.hpp"

namespace smsim {

/// The change of the elapsed cycles from `from` to `to`, as a share: 0.2 is 20 % more cycles.
struct WhatIfPair {
  std::string from;
  std::string to;
  std::string family;
  std::string use;  // of `to`
  double predicted_change = 0;
  double measured_change = 0;
  double size_error = 0;  // predicted ratio against measured ratio, as a share

  /// Whether the change is large enough (5 %) for its sign to mean something.
  bool counts() const;
  bool sign_right() const;
};

struct WhatIfSummary {
  std::size_t pairs = 0;
  std::size_t counted = 0;
  std::size_t sign_right = 0;
  std::optional<double> sign_right_pct;       // of the counted
  std::optional<double> mean_size_error_pct;  // of all, absolute
};

/// A reference's `pair` names another reference, or is a label that two or more share: then the
/// first of them (by name) is compared with each of the others. Only those that completed count.
std::vector<WhatIfPair> what_if_pairs(const std::vector<ValidatedReference>& references);

WhatIfSummary summarise(const std::vector<WhatIfPair>& pairs);

}  // namespace smsim
