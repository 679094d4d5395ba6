#include "sim/compare/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/compare/accuracy.hpp"

namespace smsim {

namespace {

constexpr double kSmallestChange = 0.05;

using ByName = std::map<std::string, const ValidatedReference*>;

const ComparedMetric* cycles_of(const ValidatedReference& reference) {
  if (!reference.completed()) {
    return nullptr;
  }
  const ComparedMetric* cycles = find_metric(*reference.comparison, kCyclesMetric);
  const bool usable =
      cycles != nullptr && cycles->predicted.value_or(0) > 0 && cycles->measured.value_or(0) > 0;
  return usable ? cycles : nullptr;
}

std::optional<WhatIfPair> pair_of(const ValidatedReference& from, const ValidatedReference& to) {
  const ComparedMetric* before = cycles_of(from);
  const ComparedMetric* after = cycles_of(to);
  if (before == nullptr || after == nullptr) {
    return std::nullopt;
  }
  const double predicted = *after->predicted / *before->predicted;
  const double measured = *after->measured / *before->measured;
  return WhatIfPair{from.reference.name,         to.reference.name, to.reference.family,
                    to_string(to.reference.use), predicted - 1,     measured - 1,
                    predicted / measured - 1};
}

// A `pair` is looked for beside its reference first: names are paths when folders are nested.
const ValidatedReference* partner(const ValidatedReference& reference, const ByName& names) {
  const std::string& name = reference.reference.name;
  const std::string folder = name.substr(0, name.rfind('/') + 1);
  for (const std::string& wanted : {folder + reference.reference.pair, reference.reference.pair}) {
    const auto found = names.find(wanted);
    if (found != names.end() && found->second != &reference) {
      return found->second;
    }
  }
  return nullptr;
}

}  // namespace

bool WhatIfPair::counts() const {
  return std::abs(measured_change) > kSmallestChange;
}

bool WhatIfPair::sign_right() const {
  return (predicted_change > 0) == (measured_change > 0) &&
         (predicted_change < 0) == (measured_change < 0);
}

std::vector<WhatIfPair> what_if_pairs(const std::vector<ValidatedReference>& references) {
  ByName names;
  for (const ValidatedReference& reference : references) {
    names[reference.reference.name] = &reference;
  }
  std::map<std::string, const ValidatedReference*> first_with_label;
  std::vector<WhatIfPair> pairs;
  const auto add = [&](const ValidatedReference& from, const ValidatedReference& to) {
    if (const auto pair = pair_of(from, to)) {
      pairs.push_back(*pair);
    }
  };
  for (const auto& [name, reference] : names) {
    if (reference->reference.pair.empty()) {
      continue;
    }
    if (const ValidatedReference* base = partner(*reference, names)) {
      const bool mutual = partner(*base, names) == reference;  // then once is enough
      if (!mutual || base->reference.name < name) {
        add(*base, *reference);
      }
      continue;
    }
    if (cycles_of(*reference) == nullptr) {
      continue;  // the others have each other still
    }
    const auto [first, is_first] = first_with_label.emplace(reference->reference.pair, reference);
    if (!is_first) {
      add(*first->second, *reference);
    }
  }
  return pairs;
}

WhatIfSummary summarise(const std::vector<WhatIfPair>& pairs) {
  WhatIfSummary summary;
  double size_error = 0;
  for (const WhatIfPair& pair : pairs) {
    ++summary.pairs;
    size_error += 100 * std::abs(pair.size_error);
    if (pair.counts()) {
      ++summary.counted;
      summary.sign_right += pair.sign_right() ? 1 : 0;
    }
  }
  if (summary.pairs > 0) {
    summary.mean_size_error_pct = size_error / static_cast<double>(summary.pairs);
  }
  if (summary.counted > 0) {
    summary.sign_right_pct =
        100 * static_cast<double>(summary.sign_right) / static_cast<double>(summary.counted);
  }
  return summary;
}

}  // namespace smsim
