// What each limit of the machine alone would allow: lower bounds on the cycles of a run.
//
// A bound counts what was done and divides by the fastest that the machine can do it. It must never
// exceed the simulated cycles; check_identities() holds every run to that.
#pragma once

#include "sim/metrics/metric_definition.hpp"
#include "sim/metrics/unloaded_path.hpp"

namespace smsim {

/// A bound this close to the simulated cycles binds.
inline constexpr double kNearShare = 0.98;

/// Whether a bound explains all but 2 % of the run, launch overhead aside.
bool is_near(const MetricInputs& inputs, const Bound& bound);

/// All bounds that this run has any work for, largest first.
std::vector<Bound> compute_bounds(const MetricInputs& inputs);

/// Issue slots, pipes and the load/store port.
void add_issue_bounds(const MetricInputs& inputs, std::vector<Bound>& bounds);
/// SM to L2, L2, DRAM, atomics and work queues.
void add_memory_bounds(const MetricInputs& inputs, std::vector<Bound>& bounds);
/// Latency times parallelism, the average warp alone, barriers, block launch.
void add_latency_bounds(const MetricInputs& inputs, std::vector<Bound>& bounds);

/// Cycles of the run in which no block can have been resident: before the first and, when the
/// kernel ran to its end, after the last.
double outside_cycles(const MetricInputs& inputs);

/// A rate's interval as the simulation keeps it: in whole fractions of a cycle.
double rounded_as_simulated(double cycles);

/// A bound for work that takes `busiest` cycles where it is most and `mean` cycles on average.
Bound make_bound(const char* name, double busiest, double mean, const char* meaning);

}  // namespace smsim
