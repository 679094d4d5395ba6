#include <algorithm>

#include "sim/metrics/bounds.hpp"

namespace smsim {
namespace {

// Little's law: all warps' time, spread over the slots that can hold a warp at once. A block's slot
// also stays empty between two blocks.
void add_latency(const MetricInputs& in, std::vector<Bound>& bounds, const UnloadedPath& path) {
  const auto slots = static_cast<double>(in.residency.blocks_per_sm) * in.gpu.topology.sms;
  if (slots <= 0 || in.residency.warps_per_block == 0) {
    return;
  }
  const auto blocks = static_cast<double>(in.run.counters.blocks_done);
  const double replaced = std::max(0.0, blocks - slots) * in.gpu.dispatch.replacement_cycles;
  const double cycles = (path.total / in.residency.warps_per_block + replaced) / slots;
  bounds.push_back(make_bound("latency", cycles, cycles,
                              "unloaded latency of all warps / warps resident at once"));
}

// Every warp issues the first instruction; more often only if a loop begins there.
double warps_started(const MetricInputs& in) {
  const auto done = in.total.blocks * static_cast<std::uint64_t>(in.residency.warps_per_block);
  const auto& counted = in.run.counters.instruction;
  return static_cast<double>(counted.empty() ? done : std::max(done, counted.front().issued));
}

void add_one_warp(const MetricInputs& in, std::vector<Bound>& bounds, const UnloadedPath& path) {
  const double warps = warps_started(in);
  if (warps > 0) {
    bounds.push_back(make_bound("one_warp", path.total / warps, path.total / warps,
                                "the average warp with the machine to itself"));
  }
}

void add_barriers(const MetricInputs& in, std::vector<Bound>& bounds, const UnloadedPath& path) {
  const auto slots = static_cast<double>(in.residency.warps_per_sm) * in.gpu.topology.sms;
  if (slots <= 0 || path.barriers <= 0) {
    return;
  }
  const double cycles = path.barriers / slots;
  bounds.push_back(make_bound("barriers", cycles, cycles,
                              "passing the block barriers, with every warp arriving at once"));
}

void add_block_launch(const MetricInputs& in, std::vector<Bound>& bounds) {
  const auto blocks = static_cast<double>(in.total.blocks);
  const auto most = static_cast<double>(in.total.sm_blocks_max);
  const double cycles =
      std::max((blocks - 1) * rounded_as_simulated(in.gpu.dispatch.gpu_interval_cycles),
               (most - 1) * rounded_as_simulated(in.gpu.dispatch.sm_interval_cycles));
  bounds.push_back(
      make_bound("block_launch", cycles, cycles, "starting the blocks, one after the other"));
}

}  // namespace

void add_latency_bounds(const MetricInputs& in, std::vector<Bound>& bounds) {
  const UnloadedPath path = unloaded_path(in);
  add_latency(in, bounds, path);
  add_one_warp(in, bounds, path);
  add_barriers(in, bounds, path);
  add_block_launch(in, bounds);
  const double outside = outside_cycles(in);
  bounds.push_back(make_bound("launch_overhead", outside, outside,
                              "before the first block starts and after the last has ended"));
}

}  // namespace smsim
