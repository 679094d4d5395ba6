// A metric is one row: its name, unit and meaning beside the formula that computes it.
#pragma once

#include <optional>
#include <span>

#include "sim/metrics/totals.hpp"
#include "smsim/result.hpp"

namespace smsim {

/// What formulas may use.
struct MetricInputs {
  const GpuSpec& gpu;
  const KernelSpec& kernel;
  const SimulationResult& run;
  const Totals& total;
  const Residency& residency;
  const Roofline& roofline;
};

/// A number, or why there is none.
struct MetricValue {
  std::optional<double> number;
  const char* why = nullptr;
};

struct MetricDefinition {
  const char* name;
  const char* unit;
  const char* label;
  const char* definition;
  MetricValue (*compute)(const MetricInputs&);
};

inline MetricValue number(double value) {
  return {value, nullptr};
}
inline MetricValue number(std::uint64_t value) {
  return {static_cast<double>(value), nullptr};
}
inline MetricValue missing(const char* why) {
  return {std::nullopt, why};
}

/// Why a run has no numbers of its own.
inline constexpr const char* kNothingRan = "nothing ran";
inline constexpr const char* kNothingIssued = "no instruction was issued";

/// scale * part / whole; missing for an empty whole.
inline MetricValue ratio(std::uint64_t part, std::uint64_t whole, const char* why,
                         double scale = 1) {
  if (whole == 0) {
    return missing(why);
  }
  return number(scale * static_cast<double>(part) / static_cast<double>(whole));
}

/// Simulated time in seconds.
inline double seconds(const MetricInputs& in) {
  return in.gpu.clocks.sm_mhz > 0
             ? static_cast<double>(in.run.counters.elapsed_cycles) / (in.gpu.clocks.sm_mhz * 1e6)
             : 0;
}

std::span<const MetricDefinition> launch_metrics();
std::span<const MetricDefinition> occupancy_metrics();
std::span<const MetricDefinition> scheduler_metrics();
std::span<const MetricDefinition> memory_metrics();
std::span<const MetricDefinition> own_metrics();

/// One ratio per warp state: its name and meaning (kWarpStateNames gives the reason itself).
const char* stall_definition(WarpState state);
std::string stall_metric_name(WarpState state);

}  // namespace smsim
