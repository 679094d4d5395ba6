#include "sim/metrics/bounds.hpp"

#include <algorithm>

#include "sim/arch/time.hpp"

namespace smsim {

double outside_cycles(const MetricInputs& inputs) {
  const Counters& c = inputs.run.counters;
  const auto before = static_cast<double>(std::min(c.first_block_start, c.elapsed_cycles));
  if (inputs.run.status != Status::completed) {
    return before;
  }
  return before +
         static_cast<double>(c.elapsed_cycles - std::min(c.elapsed_cycles, c.last_block_end));
}

double rounded_as_simulated(double cycles) {
  return static_cast<double>(to_ticks(cycles)) / static_cast<double>(kTicksPerCycle);
}

Bound make_bound(const char* name, double busiest, double mean, const char* meaning) {
  Bound bound;
  bound.name = name;
  bound.cycles = std::max(busiest, 0.0);
  bound.balanced_cycles = std::clamp(mean, 0.0, bound.cycles);
  bound.meaning = meaning;
  return bound;
}

bool is_near(const MetricInputs& inputs, const Bound& bound) {
  const auto elapsed = static_cast<double>(inputs.run.counters.elapsed_cycles);
  const double outside = bound.name == "launch_overhead" ? 0 : outside_cycles(inputs);
  return bound.cycles + outside >= kNearShare * elapsed;
}

std::vector<Bound> compute_bounds(const MetricInputs& inputs) {
  std::vector<Bound> bounds;
  if (inputs.run.status == Status::launch_failure || inputs.run.counters.elapsed_cycles == 0) {
    return bounds;
  }
  add_issue_bounds(inputs, bounds);
  add_memory_bounds(inputs, bounds);
  add_latency_bounds(inputs, bounds);
  std::erase_if(bounds, [](const Bound& b) { return b.cycles <= 0; });
  for (Bound& bound : bounds) {
    bound.share = bound.cycles / static_cast<double>(inputs.run.counters.elapsed_cycles);
  }
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const Bound& a, const Bound& b) { return a.cycles > b.cycles; });
  return bounds;
}

}  // namespace smsim
