#include "sim/compare/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace smsim {

namespace {

constexpr std::string_view kSelected = "selected";  // such a warp issues: no stall

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) {
    return std::nullopt;
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Between two values it lies where their distance is shared (as numpy does).
std::optional<double> percentile(std::vector<double> values, double percent) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  const double position = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2) {
    return std::nullopt;
  }
  const double mean_x = *mean(x);
  const double mean_y = *mean(y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? std::optional(xy / std::sqrt(xx * yy)) : std::nullopt;
}

// Equal values share the mean of their places.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> places(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double smaller = 0;
    double equal = 0;
    for (const double other : values) {
      smaller += other < values[i] ? 1 : 0;
      equal += other == values[i] ? 1 : 0;
    }
    places[i] = smaller + (equal + 1) / 2;
  }
  return places;
}

std::optional<double> rank_agreement(const Comparison& comparison) {
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const ComparedStall& stall : comparison.stalls) {
    if (stall.reason != kSelected && stall.predicted && stall.measured &&
        (*stall.predicted > 0 || *stall.measured > 0)) {
      predicted.push_back(*stall.predicted);
      measured.push_back(*stall.measured);
    }
  }
  return pearson(ranks(predicted), ranks(measured));
}

template <class Key>
std::map<std::string, Accuracy> grouped(const std::vector<ValidatedReference>& references,
                                        const Key& key) {
  std::map<std::string, std::vector<const ValidatedReference*>> groups;
  for (const ValidatedReference& reference : references) {
    groups[key(reference.reference)].push_back(&reference);
  }
  std::map<std::string, Accuracy> accuracies;
  for (const auto& [name, group] : groups) {
    accuracies[name] = accuracy_of(group);
  }
  return accuracies;
}

// What is averaged, collected reference by reference.
struct Collected {
  std::vector<double> predicted_cycles, measured_cycles, cycle_errors_pct;
  std::vector<double> occupancy, eligible, issue;
  std::vector<double> top_right, two_right, agreement;

  void add_cycles(const ValidatedReference& one, Accuracy& accuracy) {
    const ComparedMetric* cycles = find_metric(*one.comparison, kCyclesMetric);
    if (cycles == nullptr || !cycles->error) {
      return;
    }
    predicted_cycles.push_back(*cycles->predicted);
    measured_cycles.push_back(*cycles->measured);
    cycle_errors_pct.push_back(100 * std::abs(*cycles->error));
    if (!accuracy.cycles_worst || cycle_errors_pct.back() > *accuracy.cycles_worst) {
      accuracy.cycles_worst = cycle_errors_pct.back();
      accuracy.cycles_worst_reference = one.reference.name;
    }
  }

  void add_error(const ValidatedReference& one, const char* metric, std::vector<double>& errors) {
    if (const auto error = error_of(one, metric)) {
      errors.push_back(std::abs(*error));
    }
  }

  void add_stalls(const Comparison& comparison) {
    std::vector<std::string> ours = ranked_stalls(comparison, false);
    std::vector<std::string> theirs = ranked_stalls(comparison, true);
    if (ours.size() < 2 || theirs.size() < 2) {
      return;
    }
    top_right.push_back(ours[0] == theirs[0] ? 100 : 0);
    const bool same_two = (ours[0] == theirs[0] && ours[1] == theirs[1]) ||
                          (ours[0] == theirs[1] && ours[1] == theirs[0]);
    two_right.push_back(same_two ? 100 : 0);
    if (const auto agreeing = rank_agreement(comparison)) {
      agreement.push_back(*agreeing);
    }
  }
};

}  // namespace

std::vector<std::string> ranked_stalls(const Comparison& comparison, bool measured) {
  std::vector<const ComparedStall*> stalls;
  const auto size = [&](const ComparedStall* stall) {
    return measured ? stall->measured : stall->predicted;
  };
  for (const ComparedStall& stall : comparison.stalls) {
    if (stall.reason != kSelected && size(&stall)) {
      stalls.push_back(&stall);
    }
  }
  std::stable_sort(stalls.begin(), stalls.end(), [&](const auto* a, const auto* b) {
    return *size(a) != *size(b) ? *size(a) > *size(b) : a->reason < b->reason;
  });
  std::vector<std::string> names;
  for (const ComparedStall* stall : stalls) {
    names.push_back(stall->reason);
  }
  return names;
}

std::optional<double> error_of(const ValidatedReference& reference, std::string_view metric) {
  if (!reference.comparison) {
    return std::nullopt;
  }
  const ComparedMetric* found = find_metric(*reference.comparison, metric);
  return found == nullptr ? std::nullopt : found->error;
}

Accuracy accuracy_of(const std::vector<const ValidatedReference*>& references) {
  Accuracy accuracy;
  Collected all;
  for (const ValidatedReference* one : references) {
    if (!one->completed()) {
      ++accuracy.failed;
      continue;
    }
    ++accuracy.references;
    all.add_cycles(*one, accuracy);
    all.add_error(*one, kOccupancyMetric, all.occupancy);
    all.add_error(*one, kEligibleMetric, all.eligible);
    all.add_error(*one, kIssueMetric, all.issue);
    all.add_stalls(*one->comparison);
  }
  accuracy.cycles_mape = mean(all.cycle_errors_pct);
  accuracy.cycles_median = percentile(all.cycle_errors_pct, 50);
  accuracy.cycles_p90 = percentile(all.cycle_errors_pct, 90);
  accuracy.cycles_pearson = pearson(all.predicted_cycles, all.measured_cycles);
  accuracy.occupancy_error_points = mean(all.occupancy);
  accuracy.eligible_error_warps = mean(all.eligible);
  accuracy.issue_error_points = mean(all.issue);
  accuracy.top_stall_right_pct = mean(all.top_right);
  accuracy.top_two_right_pct = mean(all.two_right);
  accuracy.stall_rank_agreement = mean(all.agreement);
  return accuracy;
}

Accuracy accuracy_of(const std::vector<ValidatedReference>& references) {
  std::vector<const ValidatedReference*> all;
  for (const ValidatedReference& one : references) {
    all.push_back(&one);
  }
  return accuracy_of(all);
}

std::map<std::string, Accuracy> accuracy_by_family(
    const std::vector<ValidatedReference>& references) {
  return grouped(references, [](const Reference& one) { return one.family; });
}

std::map<std::string, Accuracy> accuracy_by_use(const std::vector<ValidatedReference>& references) {
  return grouped(references, [](const Reference& one) { return std::string(to_string(one.use)); });
}

}  // namespace smsim
