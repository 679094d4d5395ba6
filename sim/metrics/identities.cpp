// What must hold in every run, whatever the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/metrics/totals.hpp"
#include "smsim/result.hpp"

namespace smsim {
namespace {

constexpr double kTolerance = 1e-9;  // relative; covers rounding of sums only

bool close(double a, double b) {
  return std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

class Checker {
 public:
  void equal(const std::string& what, double found, double expected) {
    if (!close(found, expected)) {
      violations_.push_back(fmt::format("{}: found {}, expected {}", what, found, expected));
    }
  }
  void at_most(const std::string& what, double found, double limit) {
    if (found > limit && !close(found, limit)) {
      violations_.push_back(fmt::format("{}: found {}, at most {}", what, found, limit));
    }
  }
  void finite(const std::string& what, const std::optional<double>& value) {
    if (value && !std::isfinite(*value)) {
      violations_.push_back(fmt::format("{}: not finite", what));
    }
  }
  std::vector<std::string> take() { return std::move(violations_); }

 private:
  std::vector<std::string> violations_;
};

void check_scheduler(Checker& check, const std::string& where, const SubPartitionCounters& sub,
                     std::uint64_t elapsed) {
  const auto sum = std::accumulate(sub.state.begin(), sub.state.end(), std::uint64_t{0});
  check.equal(where + ": resident warp-cycles are the sum over states",
              static_cast<double>(sub.warps_active), static_cast<double>(sum));
  check.equal(where + ": every issue is a selected warp-cycle", static_cast<double>(sub.issued),
              static_cast<double>(sub.state[static_cast<std::size_t>(WarpState::selected)]));
  check.at_most(where + ": issued", static_cast<double>(sub.issued),
                static_cast<double>(sub.active_cycles));
  check.at_most(where + ": active cycles", static_cast<double>(sub.active_cycles),
                static_cast<double>(elapsed));
}

void check_counters(Checker& check, const Counters& counters) {
  for (std::size_t i = 0; i < counters.sm.size(); ++i) {
    const SmCounters& sm = counters.sm[i];
    const std::string where = fmt::format("SM {}", i);
    check.at_most(where + ": active cycles", static_cast<double>(sm.active_cycles),
                  static_cast<double>(counters.elapsed_cycles));
    for (std::size_t s = 0; s < sm.sub.size(); ++s) {
      check_scheduler(check, fmt::format("{} scheduler {}", where, s), sm.sub[s],
                      counters.elapsed_cycles);
    }
  }
}

void check_instructions(Checker& check, const Counters& counters, const Totals& total) {
  if (counters.instruction.empty()) {
    return;
  }
  std::uint64_t issued = 0;
  for (const InstructionCounters& instruction : counters.instruction) {
    issued += instruction.issued;
  }
  check.equal("issues by instruction add up", static_cast<double>(issued),
              static_cast<double>(total.issued));
}

void check_ratios(Checker& check, const Result& result) {
  const auto latency = result.value("smsp__average_warp_latency_per_inst_issued.ratio");
  if (!latency) {
    return;
  }
  double sum = 0;
  for (const auto& stall : result.stalls) {
    sum += stall.value_or(0);
  }
  check.equal("stall ratios add up to the latency per issued instruction", sum, *latency);
  const auto eligible = result.value("smsp__warps_eligible.avg.per_cycle_active");
  const auto issue = result.value("smsp__issue_active.avg.per_cycle_active");
  const double ready = result.stalls[static_cast<std::size_t>(WarpState::selected)].value_or(0) +
                       result.stalls[static_cast<std::size_t>(WarpState::not_selected)].value_or(0);
  if (eligible && issue) {
    check.equal("eligible is issue_active x (selected + not_selected)", *eligible, *issue * ready);
  }
  check.at_most("achieved occupancy",
                result.value("sm__warps_active.avg.per_cycle_active").value_or(0),
                result.residency.warps_per_sm);
}

}  // namespace

std::vector<std::string> check_identities(const Counters& counters, const Result& result) {
  Checker check;
  for (const Metric& metric : result.metrics) {
    check.finite(metric.name, metric.value);
  }
  if (result.status == Status::launch_failure) {
    return check.take();
  }
  check_counters(check, counters);
  check_instructions(check, counters, add_up(counters));
  check_ratios(check, result);
  const double overhead = result.value("smsim__launch_overhead_cycles").value_or(0);
  for (const Bound& bound : result.verdict.bounds) {
    const double with_launch = bound.cycles + (bound.name == "launch_overhead" ? 0 : overhead);
    check.at_most("elapsed cycles against bound " + bound.name + " and launch overhead",
                  with_launch, static_cast<double>(counters.elapsed_cycles));
    check.at_most("bound " + bound.name + " if balanced", bound.balanced_cycles, bound.cycles);
  }
  return check.take();
}

}  // namespace smsim
