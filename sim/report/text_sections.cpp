// Header, metric rows, occupancy, scheduler funnel, notes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/report/text_parts.hpp"

namespace smsim {
namespace {

const MetricInfo& info_of(std::string_view name) {
  const auto& infos = metric_infos();
  return *std::find_if(infos.begin(), infos.end(),
                       [&](const MetricInfo& info) { return info.name == name; });
}

void explain(TextWriter& out, const MetricInfo& info) {
  out.paragraph(info.definition, "      ", "      ");
  out.line("      " + info.name);
}

std::string dimensions(const Dim3& size) {
  if (size.y == 1 && size.z == 1) {
    return format_number(static_cast<double>(size.x));
  }
  return fmt::format("{} x {} x {}", size.x, size.y, size.z);
}

const char* partial_reason(Status status) {
  switch (status) {
    case Status::max_cycles:
      return "PARTIAL RESULT: the cycle limit ended the run before the kernel was done.";
    case Status::interrupted:
      return "PARTIAL RESULT: the run was interrupted before the kernel was done.";
    case Status::deadlock:
      return "PARTIAL RESULT: the numbers below end where the deadlock was found.";
    default:
      return nullptr;
  }
}

void funnel_row(TextWriter& out, const char* label, std::optional<double> warps, double slots) {
  constexpr std::size_t kBar = 40;
  const std::string value = warps ? fmt::format("{:.2f}", *warps) : "n/a";
  const double share = warps && slots > 0 ? *warps / slots : 0;
  out.line(fmt::format("    {:<24}{:>8}  {}", label, value, bar(share, kBar)));
}

}  // namespace

void write_metrics(TextWriter& out, const Result& result, const ReportOptions& options,
                   std::span<const char* const> names) {
  for (const char* name : names) {
    const MetricInfo& info = info_of(name);
    out.row(info.label, result.value(name), info.unit);
    if (options.explain) {
      explain(out, info);
    }
  }
}

void write_header(TextWriter& out, const Result& result) {
  const LaunchSummary& launch = result.launch;
  out.paragraph(fmt::format("{} on {} ({}), smsim {}", result.kernel, result.gpu, result.gpu_title,
                            result.smsim_version));
  out.paragraph(fmt::format("{} {} of {} {}, {} registers, scheduler {}, seed {}",
                            dimensions(launch.grid), launch.grid.count() == 1 ? "block" : "blocks",
                            dimensions(launch.block),
                            launch.block.count() == 1 ? "thread" : "threads", launch.registers,
                            launch.scheduler.empty() ? "none" : launch.scheduler, launch.seed));
  out.line();
  if (const char* reason = partial_reason(result.status)) {
    out.line(reason);
  }
  out.paragraph(result.verdict.summary);
}

void write_occupancy(TextWriter& out, const Result& result, const ReportOptions& options) {
  struct Limit {
    const char* metric;
    const char* resource;
  };
  static constexpr Limit kLimits[] = {{"launch__occupancy_limit_warps", "warps"},
                                      {"launch__occupancy_limit_registers", "registers"},
                                      {"launch__occupancy_limit_shared_mem", "shared_mem"},
                                      {"launch__occupancy_limit_blocks", "blocks"},
                                      {"launch__occupancy_limit_barriers", "barriers"}};
  static constexpr const char* kTheoretical[] = {"sm__maximum_warps_avg_per_active_cycle",
                                                 "sm__maximum_warps_per_active_cycle_pct"};
  static constexpr const char* kAchieved[] = {"sm__warps_active.avg.per_cycle_active",
                                              "sm__warps_active.avg.pct_of_peak_sustained_active",
                                              "smsim__achieved_occupancy_elapsed.pct"};
  out.section("Occupancy");
  const auto& limiters = result.residency.limiters;
  for (const Limit& limit : kLimits) {
    const MetricInfo& info = info_of(limit.metric);
    const bool limits =
        std::find(limiters.begin(), limiters.end(), limit.resource) != limiters.end();
    out.row(info.label, result.value(limit.metric), info.unit, limits ? "<- limits" : "");
    if (options.explain) {
      explain(out, info);
    }
  }
  write_metrics(out, result, options, kTheoretical);
  if (result.status != Status::launch_failure) {
    write_metrics(out, result, options, kAchieved);
  }
  for (const std::string& step : result.residency.next_steps) {
    out.paragraph(step, "  Next step: ", "             ");
  }
}

void write_scheduler(TextWriter& out, const Result& result, const ReportOptions& options) {
  static constexpr const char* kRows[] = {"smsp__cycles_active.avg",
                                          "smsp__issue_active.avg.pct_of_peak_sustained_active",
                                          "smsp__thread_inst_executed_per_inst_executed.ratio"};
  static constexpr const char* kFunnel[] = {
      "smsp__maximum_warps_avg_per_active_cycle", "smsp__warps_active.avg.per_cycle_active",
      "smsp__warps_eligible.avg.per_cycle_active", "smsp__issue_active.avg.per_cycle_active"};
  out.section("Scheduler");
  write_metrics(out, result, options, kRows);
  const double schedulers =
      result.sms.empty() ? 4 : static_cast<double>(result.sms.front().schedulers.size());
  const double slots = result.residency.max_warps_per_sm / schedulers;
  out.line("  Warps per scheduler and active cycle");
  funnel_row(out, "Slots", slots, slots);
  static constexpr const char* kLabels[] = {"Theoretical", "Active", "Eligible", "Issued"};
  for (std::size_t i = 0; i < std::size(kFunnel); ++i) {
    funnel_row(out, kLabels[i], result.value(kFunnel[i]), slots);
    if (options.explain) {
      explain(out, info_of(kFunnel[i]));
    }
  }
}

void write_notes(TextWriter& out, const Result& result, const ReportOptions& options) {
  const bool with_missing = options.explain && !result.missing.empty();
  if (result.notes.empty() && !with_missing) {
    return;
  }
  out.section("Notes");
  for (const std::string& note : result.notes) {
    out.paragraph(note, "  - ", "    ");
  }
  if (with_missing) {
    for (const std::string& why : result.missing) {
      out.paragraph(why, "  - ", "    ");
    }
  }
}

}  // namespace smsim
