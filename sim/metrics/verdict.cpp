#include "sim/metrics/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/metrics/bounds.hpp"
#include "sim/metrics/findings.hpp"

namespace smsim {
namespace {

constexpr double kIdleMatters = 0.2;     // share of SM cycles
constexpr double kLaunchMatters = 0.5;   // share of elapsed cycles
constexpr double kBarrierMatters = 0.3;  // share of resident warp-cycles
constexpr double kUneven = 0.87;         // mean work against the busiest unit's
constexpr std::size_t kMostSuggestions = 3;

// Launch overhead where most of the time is that; else the largest bound that binds; else the
// largest.
const Bound& main_bound(const Findings& f) {
  const Bound* largest = nullptr;
  for (const Bound& bound : f.bounds) {
    const bool launch = bound.name == "launch_overhead";
    if (launch ? bound.share.value_or(0) >= kLaunchMatters : is_near(f.in, bound)) {
      return bound;
    }
    if (!launch && largest == nullptr) {
      largest = &bound;
    }
  }
  return largest != nullptr ? *largest : f.bounds.front();
}

std::string decide(const Findings& f) {
  if (f.bounds.empty() || f.in.total.issued == 0) {
    return "nothing";
  }
  const Bound& top = main_bound(f);
  if (is_near(f.in, top) || top.name == "launch_overhead") {
    return top.name;
  }
  if (f.sm_idle_inside() >= kIdleMatters) {
    return "tail";
  }
  if (f.state_share(WarpState::barrier) >= kBarrierMatters && f.top_wait() == WarpState::barrier) {
    return "barrier";
  }
  if (f.used(top) >= kUsedShare) {
    return top.name;
  }
  const Bound* queued = f.queued_memory();
  return queued != nullptr ? queued->name : "latency";
}

std::string waiting(const Findings& f) {
  const WarpState top = f.top_wait();
  return fmt::format("{:.0f} % of warp time is {}", 100 * f.state_share(top),
                     kWarpStateNames[static_cast<std::size_t>(top)]);
}

std::string summarise_unused(const Findings& f) {
  const Bound* unit = f.most_used_unit();
  const std::string used =
      unit == nullptr ? "no unit does any work"
                      : fmt::format("no unit is needed more than {:.0f} % of the time ({})",
                                    100 * unit->share.value_or(0), unit->name);
  return fmt::format("Latency bounds the kernel: {}, and {}.", used, waiting(f));
}

std::string summarise_bound(const Findings& f, const Bound& bound) {
  if (bound.name == "launch_overhead") {
    return fmt::format("Launch overhead takes most of the time: {} of {} cycles ({:.0f} %).",
                       grouped(bound.cycles),
                       grouped(static_cast<double>(f.in.run.counters.elapsed_cycles)),
                       100 * bound.share.value_or(0));
  }
  std::string cycles =
      fmt::format("alone it needs {} of {} cycles ({:.0f} %)", grouped(bound.cycles),
                  grouped(static_cast<double>(f.in.run.counters.elapsed_cycles)),
                  100 * bound.share.value_or(0));
  if (f.share_of("launch_overhead") >= 0.02) {
    cycles += fmt::format(", launch overhead takes {} more", grouped(outside_cycles(f.in)));
  }
  if (bound.balanced_cycles < kUneven * bound.cycles) {
    cycles += fmt::format("; spread evenly {} would do", grouped(bound.balanced_cycles));
  }
  if (is_near(f.in, bound)) {
    return fmt::format("{} bounds the kernel: {}.", bound_title(bound.name), cycles);
  }
  const std::string why =
      &bound == f.queued_memory()
          ? fmt::format("a load takes {} cycles, at most {} on an idle machine",
                        grouped(f.load_latency()), grouped(f.unloaded_load_latency()))
          : waiting(f);
  return fmt::format("{} comes closest to bounding the kernel: {}; {}.", bound_title(bound.name),
                     cycles, why);
}

std::string summarise(const Findings& f, const std::string& bound) {
  if (f.in.run.status == Status::launch_failure) {
    return "The kernel cannot be launched.";
  }
  if (f.in.run.status == Status::deadlock) {
    return "The program deadlocks: some warps can never go on.";
  }
  if (bound == "nothing") {
    return "Nothing ran, so nothing bounds the kernel.";
  }
  if (bound == "tail") {
    return fmt::format("Idle SMs cost the most: {:.0f} % of all SM cycles have no block to run.",
                       100 * f.sm_idle());
  }
  if (bound == "barrier") {
    return fmt::format("Waiting at barriers costs the most: {}.", waiting(f));
  }
  if (const Bound* queued = f.queued_memory(); queued != nullptr && queued->name == bound) {
    return summarise_bound(f, *queued);
  }
  const Bound& top = main_bound(f);
  return bound == top.name ? summarise_bound(f, top) : summarise_unused(f);
}

std::vector<Suggestion> suggest(const Findings& f) {
  std::vector<RankedSuggestion> ranked;
  if (f.in.total.issued > 0 && f.in.run.status != Status::deadlock) {
    suggest_parallelism(f, ranked);
    suggest_memory(f, ranked);
    suggest_synchronisation(f, ranked);
  }
  std::stable_sort(
      ranked.begin(), ranked.end(),
      [](const RankedSuggestion& a, const RankedSuggestion& b) { return a.gain > b.gain; });
  std::vector<Suggestion> suggestions;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMostSuggestions); ++i) {
    suggestions.push_back(ranked[i].suggestion);
  }
  return suggestions;
}

}  // namespace

Verdict make_verdict(const MetricInputs& inputs) {
  Verdict verdict;
  verdict.bounds = compute_bounds(inputs);
  verdict.roofline = inputs.roofline;
  for (const Bound& bound : verdict.bounds) {
    if (is_near(inputs, bound)) {
      verdict.near.push_back(bound.name);
    }
  }
  const Findings findings{inputs, verdict.bounds};
  verdict.bound = decide(findings);
  verdict.suggestions = suggest(findings);
  verdict.summary = summarise(findings, verdict.bound);
  return verdict;
}

}  // namespace smsim
