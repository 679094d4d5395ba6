// What differs most between a prediction and a profile, and what it may come from.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/compare/comparison.hpp"
#include "smsim/report.hpp"

namespace smsim {

namespace {

constexpr double kOtherCode = 0.02;     // of the instructions
constexpr double kAgreeing = 0.03;      // of the cycles
constexpr double kOtherTraffic = 0.05;  // of bytes and sectors
constexpr double kOtherHits = 3;        // percentage points

struct Cause {
  std::string_view reason;
  const char* may_be;
};

constexpr std::array<Cause, 18> kCauses{{
    {"barrier", "the warps of a block reach the barrier less or more evenly"},
    {"branch_resolving", "the code branches more or less often, or a branch takes another time"},
    {"dispatch_stall", "the dispatcher holds instructions back, which is not modelled"},
    {"drain", "the last stores of a warp take another time to leave the SM"},
    {"gmma", "asynchronous matrix multiplies take another time"},
    {"imc_miss", "constants hit or miss their cache otherwise"},
    {"lg_throttle", "there are more or fewer global requests, or the LSU takes another time"},
    {"long_scoreboard", "memory answers sooner or later under this load"},
    {"math_pipe_throttle", "the mix of instructions or the rate of a pipe differs"},
    {"membar", "fences take another time"},
    {"mio_throttle", "there are more or fewer shared-memory instructions or bank conflicts"},
    {"misc", "it is something that no model knows"},
    {"no_instruction", "the code fits the instruction caches otherwise"},
    {"not_selected", "more or fewer warps are ready at a time"},
    {"short_scoreboard", "shared memory or special functions answer sooner or later"},
    {"sleeping", "warps sleep for another time"},
    {"tex_throttle", "there are more or fewer texture requests"},
    {"wait", "fixed latencies differ: the stall counts of the code"},
}};

std::string may_be(const std::string& reason) {
  for (const Cause& cause : kCauses) {
    if (cause.reason == reason) {
      return cause.may_be;
    }
  }
  return "it has a cause without a name";
}

std::string signed_percent(double share) {
  return fmt::format("{:.1f} % {}", std::abs(100 * share), share < 0 ? "fewer" : "more");
}

std::optional<double> error_of(const Comparison& comparison, std::string_view name) {
  const ComparedMetric* metric = find_metric(comparison, name);
  return metric == nullptr ? std::nullopt : metric->error;
}

const ComparedStall* largest_stall_error(const Comparison& comparison) {
  const ComparedStall* largest = nullptr;
  for (const ComparedStall& stall : comparison.stalls) {
    if (stall.error && (largest == nullptr || std::abs(*stall.error) > std::abs(*largest->error))) {
      largest = &stall;
    }
  }
  return largest;
}

// What memory traffic says about a wait for memory.
std::string memory_evidence(const Comparison& comparison) {
  std::vector<std::string> found;
  const auto hits = [&](const char* name, const char* cache) {
    const auto error = error_of(comparison, name);
    if (error && std::abs(*error) > kOtherHits) {
      found.push_back(fmt::format("the {} hit rate is {:.0f} points {}", cache, std::abs(*error),
                                  *error < 0 ? "lower" : "higher"));
    }
  };
  hits("l1tex__t_sector_hit_rate.pct", "L1");
  hits("lts__t_sector_hit_rate.pct", "L2");
  const auto traffic = [&](const char* name, const char* what) {
    const auto error = error_of(comparison, name);
    if (error && std::abs(*error) > kOtherTraffic) {
      found.push_back(fmt::format("{} {}", signed_percent(*error), what));
    }
  };
  traffic("lts__t_sectors_srcunit_tex.sum", "sectors go to L2");
  traffic("dram__bytes_read.sum", "bytes come from DRAM");
  traffic("dram__bytes_write.sum", "bytes go to DRAM");
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string cause_of(const Comparison& comparison, const ComparedStall& stall) {
  const bool of_memory = stall.reason == "long_scoreboard" || stall.reason == "lg_throttle" ||
                         stall.reason == "drain" || stall.reason == "membar";
  const std::string evidence = of_memory ? memory_evidence(comparison) : "";
  return "it may be that " + (evidence.empty() ? may_be(stall.reason) : evidence);
}

std::string other_launch(const std::vector<const ComparedMetric*>& inputs) {
  std::vector<std::string> found;
  for (const ComparedMetric* input : inputs) {
    if (found.size() == 3) {
      found.push_back(fmt::format("and {} more", inputs.size() - found.size()));
      break;
    }
    found.push_back(fmt::format("{} is {} here and {} in the profile", input->label,
                                format_number(*input->predicted), format_number(*input->measured)));
  }
  return fmt::format("This is not the launch that was profiled: {}.", fmt::join(found, ", "));
}

}  // namespace

std::string explain_difference(const Comparison& comparison) {
  if (!comparison.status.empty() && comparison.status != "completed") {
    return fmt::format("The prediction did not run to its end ({}): totals cannot be compared.",
                       comparison.status);
  }
  if (const auto inputs = differing_inputs(comparison); !inputs.empty()) {
    return other_launch(inputs);
  }
  const auto cycles = error_of(comparison, "gpc__cycles_elapsed.max");
  if (!cycles) {
    return "Cycles cannot be compared: one side has none.";
  }
  const std::string first = fmt::format("Cycles are {:.1f} % {}", std::abs(100 * *cycles),
                                        *cycles < 0 ? "too few" : "too many");
  const auto instructions = error_of(comparison, "smsp__inst_executed.sum");
  if (instructions && std::abs(*instructions) > kOtherCode) {
    return fmt::format(
        "{}, and {} instructions run than were profiled: it may be other code, "
        "other trip counts or other data.",
        first, signed_percent(*instructions));
  }
  const ComparedStall* stall = largest_stall_error(comparison);
  if (stall == nullptr) {
    return first + "; the profile has no warp states that would say why.";
  }
  const std::string second =
      fmt::format("the warp state that differs most is {}, {:.2f} warps instead of {:.2f}",
                  stall->reason, *stall->predicted, *stall->measured);
  if (std::abs(*cycles) < kAgreeing && std::abs(*stall->error) < 1) {
    return fmt::format("{}: prediction and profile agree; {}.", first, second);
  }
  return fmt::format("{}; {}: {}.", first, second, cause_of(comparison, *stall));
}

}  // namespace smsim
