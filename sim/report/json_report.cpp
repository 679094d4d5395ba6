#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/json_parts.hpp"
#include "sim/report/timeline_json.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;

// Whole numbers are written without a fraction.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kExact && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json size(const Dim3& dim) {
  return Json::array({dim.x, dim.y, dim.z});
}

Json launch(const LaunchSummary& l) {
  return {{"grid", size(l.grid)},
          {"block", size(l.block)},
          {"registers", l.registers},
          {"smem_static", l.smem_static_bytes},
          {"smem_dynamic", l.smem_dynamic_bytes},
          {"cluster", l.cluster},
          {"seed", l.seed},
          {"scheduler", l.scheduler}};
}

Json metrics(const Result& result) {
  Json object = Json::object();
  for (const Metric& metric : result.metrics) {
    object[metric.name] = number(metric.value);
  }
  return object;
}

Json stalls(const std::array<std::optional<double>, kWarpStates>& ratios) {
  Json object = Json::object();
  for (std::size_t i = 0; i < kWarpStates; ++i) {
    object[kWarpStateNames[i]] = number(ratios[i]);
  }
  return object;
}

Json roofline(const Roofline& r) {
  return {{"precision", r.precision.empty() ? Json(nullptr) : Json(r.precision)},
          {"flops", number(r.flops)},
          {"dram_bytes", number(r.dram_bytes)},
          {"intensity", number(r.intensity)},
          {"ridge", number(r.ridge)},
          {"flops_per_second", number(r.flops_per_second)},
          {"bytes_per_second", number(r.bytes_per_second)},
          {"peak_flops_per_second", number(r.peak_flops_per_second)},
          {"peak_bytes_per_second", number(r.peak_bytes_per_second)},
          {"side", r.side.empty() ? Json(nullptr) : Json(r.side)}};
}

Json verdict(const Verdict& v) {
  Json bounds = Json::array();
  for (const Bound& bound : v.bounds) {
    bounds.push_back({{"name", bound.name},
                      {"cycles", number(bound.cycles)},
                      {"share", number(bound.share)},
                      {"balanced_cycles", number(bound.balanced_cycles)},
                      {"meaning", bound.meaning}});
  }
  Json suggestions = Json::array();
  for (const Suggestion& s : v.suggestions) {
    suggestions.push_back({{"text", s.text}, {"evidence", s.evidence}});
  }
  return {{"bound", v.bound},
          {"bounds", bounds},
          {"near", v.near},
          {"roofline", roofline(v.roofline)},
          {"suggestions", suggestions},
          {"summary", v.summary}};
}

Json deadlock(const Result& result) {
  const Deadlock& d = *result.deadlock;
  Json warps = Json::array();
  for (const BlockedWarp& w : d.warps) {
    const bool known = w.pc < result.instructions.size();
    warps.push_back({{"block", w.block},
                     {"warp", w.warp},
                     {"sm", w.sm},
                     {"instruction", w.pc},
                     {"text", known ? Json(result.instructions[w.pc].text) : Json(nullptr)},
                     {"line", known ? Json(result.instructions[w.pc].source_line) : Json(nullptr)},
                     {"waits_for", w.waits_for}});
  }
  return {{"cycle", d.cycle},
          {"blocked_warps", d.blocked_warps},
          {"blocks_not_started", d.blocks_not_started},
          {"waits", warps},
          {"wait_for_cycle", d.wait_for_cycle},
          {"explanation", d.explanation}};
}

Json scheduler(const SchedulerBreakdown& row) {
  return {{"active_cycles", row.active_cycles},
          {"issued", row.issued},
          {"active_warps", number(row.active_warps)},
          {"eligible_warps", number(row.eligible_warps)},
          {"issue_pct", number(row.issue_pct)}};
}

Json sms(const std::vector<SmBreakdown>& rows) {
  Json array = Json::array();
  for (const SmBreakdown& row : rows) {
    Json schedulers = Json::array();
    for (const SchedulerBreakdown& s : row.schedulers) {
      schedulers.push_back(scheduler(s));
    }
    array.push_back({{"sm", row.sm},
                     {"blocks", row.blocks},
                     {"active_cycles", row.active_cycles},
                     {"last_block_end", row.last_block_end},
                     {"active_warps", number(row.active_warps)},
                     {"issue_pct", number(row.issue_pct)},
                     {"schedulers", schedulers}});
  }
  return array;
}

Json instructions(const std::vector<InstructionBreakdown>& rows) {
  Json array = Json::array();
  for (const InstructionBreakdown& row : rows) {
    Json states = Json::object();
    for (std::size_t i = 0; i < kWarpStates; ++i) {
      if (row.state[i] > 0) {
        states[kWarpStateNames[i]] = row.state[i];
      }
    }
    array.push_back({{"pc", row.pc},
                     {"line", row.source_line},
                     {"text", row.text},
                     {"issued", row.issued},
                     {"warp_cycles", row.warp_cycles},
                     {"states", states}});
  }
  return array;
}

Json definitions() {
  Json object = Json::object();
  for (const MetricInfo& info : metric_infos()) {
    object[info.name] = {
        {"label", info.label}, {"unit", info.unit}, {"definition", info.definition}};
  }
  return object;
}

Json to_json(const Result& result, const ReportOptions& options) {
  std::vector<std::string> notes = result.notes;
  notes.insert(notes.end(), result.missing.begin(), result.missing.end());
  Json object = {{"smsim_version", result.smsim_version},
                 {"status", to_string(result.status)},
                 {"gpu", result.gpu},
                 {"kernel", result.kernel},
                 {"launch", launch(result.launch)},
                 {"metrics", metrics(result)},
                 {"stalls", stalls(result.stalls)},
                 {"verdict", verdict(result.verdict)},
                 {"notes", notes}};
  if (result.deadlock) {
    object["deadlock"] = deadlock(result);
  }
  if (result.launch_failure) {
    object["launch_failure"] = launch_failure_json(*result.launch_failure);
  }
  if (options.per_sm) {
    object["sms"] = sms(result.sms);
  }
  if (options.instructions) {
    object["instructions"] = instructions(result.instructions);
  }
  if (options.explain) {
    object["definitions"] = definitions();
  }
  return object;
}

// Names come from files: what is no UTF-8 is replaced, not fatal.
std::string write(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

nlohmann::ordered_json launch_failure_json(const LaunchFailure& failure) {
  return {{"resource", failure.resource},
          {"need", failure.need},
          {"limit", failure.limit},
          {"explanation", failure.explanation},
          {"what_fits", failure.what_fits}};
}

std::string json_report(const std::vector<Result>& results, const ReportOptions& options,
                        bool several) {
  if (!several && results.size() == 1) {
    return json_report(results.front(), options);
  }
  Json array = Json::array();
  for (const Result& result : results) {
    array.push_back(to_json(result, options));
  }
  return write(array);
}

std::string json_report(const Result& result, const ReportOptions& options) {
  return write(to_json(result, options));
}

Json report_document(const Result& result, const RunSources& sources) {
  Json object = to_json(result, {.explain = true, .per_sm = true, .instructions = true});
  object["gpu_title"] = result.gpu_title;
  object["sm_mhz"] = number(result.sm_mhz);
  object["occupancy"] = occupancy_details_json(result.residency, sources);
  object["configuration"] = configuration_json(sources);
  if (result.timeline) object["timeline"] = timeline_json(*result.timeline);
  return object;
}

std::string json_document(const Result& result, const RunSources& sources) {
  return write(report_document(result, sources), -1);
}

}  // namespace smsim
