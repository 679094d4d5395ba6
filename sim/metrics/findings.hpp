// What the verdict and its suggestions look at.
#pragma once

#include "sim/metrics/metric_definition.hpp"

namespace smsim {

/// Below this share of every limit a kernel is bound by latency, not by a unit.
inline constexpr double kUsedShare = 0.6;

struct Findings {
  const MetricInputs& in;
  const std::vector<Bound>& bounds;  // largest first

  /// Bound::share by name: of the elapsed cycles, as everything that is printed; 0 if there is no
  /// such bound.
  [[nodiscard]] double share_of(std::string_view name) const;
  /// Share of the cycles in which blocks can run: what decides whether a limit matters, so that a
  /// short kernel is not bound by latency just because its launch takes long. Never printed.
  [[nodiscard]] double used(const Bound& bound) const;
  /// Largest share among the units of the machine: not latency, launch or imbalance.
  [[nodiscard]] const Bound* most_used_unit() const;
  /// The memory unit with the largest bound, when loads queue for it: they take several times as
  /// long as on an idle machine. Null otherwise.
  [[nodiscard]] const Bound* queued_memory() const;
  [[nodiscard]] double load_latency() const;  // cycles, mean
  [[nodiscard]] double unloaded_load_latency()
      const;  // cycles, the slowest load of an idle machine
  /// Share of resident warp-cycles in a state.
  [[nodiscard]] double state_share(WarpState state) const;
  /// State with the most warp-cycles, leaving out those that are no waiting.
  [[nodiscard]] WarpState top_wait() const;
  [[nodiscard]] double sm_idle() const;             // share of SM cycles without a block
  [[nodiscard]] double sm_idle_inside() const;      // same, launch overhead aside
  [[nodiscard]] double achieved_occupancy() const;  // resident warps / slots of active SMs, 0..1
  [[nodiscard]] double theoretical_occupancy() const;
  [[nodiscard]] double eligible() const;     // warps per active scheduler cycle
  [[nodiscard]] double issue_share() const;  // of active scheduler cycles
  [[nodiscard]] double waves() const;
  [[nodiscard]] double tail_share() const;  // of elapsed cycles
};

/// A suggestion and the share of the run that it may save, by which suggestions are ranked.
struct RankedSuggestion {
  double gain = 0;
  Suggestion suggestion;
};

void suggest_parallelism(const Findings& findings, std::vector<RankedSuggestion>& out);
void suggest_memory(const Findings& findings, std::vector<RankedSuggestion>& out);
void suggest_synchronisation(const Findings& findings, std::vector<RankedSuggestion>& out);

/// "-1234567.5" -> "-1,234,567.5"
std::string with_separators(std::string digits);

/// "1,234,567"
std::string grouped(double value);

/// A bound in words: "DRAM bandwidth".
std::string bound_title(std::string_view name);

}  // namespace smsim
