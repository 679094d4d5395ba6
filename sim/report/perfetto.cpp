// Trace events for ui.perfetto.dev and chrome://tracing.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/report/timeline_view.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;
using Changes = std::map<std::uint64_t, std::int64_t>;  // by cycle

constexpr int kSmProcess = 1;
constexpr int kFirstScheduler = 2;

bool is_eligible(WarpState state) {
  return state == WarpState::selected || state == WarpState::not_selected;
}

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const Result& result) : result_(result), timeline_(*result.timeline) {}

  std::string write() {
    name_process(kSmProcess, fmt::format("SM {}", timeline_.sm));
    for (int i = 0; i < 4; ++i) {
      name_process(kFirstScheduler + i, fmt::format("SM {} scheduler {}", timeline_.sm, i));
    }
    name_slots();
    for (const WarpStay& stay : timeline_.stays) write_stay(stay);
    for (int i = 0; i < 4; ++i) write_counters(i);
    write_requests();
    write_gap();
    const Json trace = {{"displayTimeUnit", "ns"},
                        {"otherData",
                         {{"smsim_version", result_.smsim_version},
                          {"kernel", result_.kernel},
                          {"gpu", result_.gpu},
                          {"unit", "one microsecond of this trace is one SM cycle"}}},
                        {"traceEvents", std::move(events_)}};
    return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  void name_process(int process, const std::string& name) {
    events_.push_back({{"ph", "M"},
                       {"pid", process},
                       {"tid", 0},
                       {"name", "process_name"},
                       {"args", {{"name", name}}}});
    events_.push_back({{"ph", "M"},
                       {"pid", process},
                       {"tid", 0},
                       {"name", "process_sort_index"},
                       {"args", {{"sort_index", process}}}});
  }

  // Thread numbers are unique over all schedulers, as the viewer wants them.
  static int thread_of(const WarpStay& stay) { return 1 + (stay.scheduler * 16) + stay.slot; }

  void name_slots() {
    std::map<int, const WarpStay*> slots;
    for (const WarpStay& stay : timeline_.stays) slots[thread_of(stay)] = &stay;
    for (const auto& [thread, stay] : slots) {
      events_.push_back({{"ph", "M"},
                         {"pid", kFirstScheduler + stay->scheduler},
                         {"tid", thread},
                         {"name", "thread_name"},
                         {"args", {{"name", fmt::format("warp slot {}", stay->slot)}}}});
    }
  }

  void slice(const WarpStay& stay, std::uint64_t from, std::uint64_t until, const std::string& name,
             const char* category, Json arguments) {
    events_.push_back({{"ph", "X"},
                       {"pid", kFirstScheduler + stay.scheduler},
                       {"tid", thread_of(stay)},
                       {"ts", from},
                       {"dur", until - from},
                       {"name", name},
                       {"cat", category},
                       {"args", std::move(arguments)}});
  }

  [[nodiscard]] std::string text_of(std::uint32_t pc) const {
    return pc < result_.instructions.size() ? result_.instructions[pc].text : std::to_string(pc);
  }

  void write_stay(const WarpStay& stay) {
    slice(stay, stay.from, stay.until, fmt::format("block {} warp {}", stay.block, stay.warp),
          "warp", {{"block", stay.block}, {"warp", stay.warp}});
    for (const WarpInterval& one : stay.intervals) {
      const bool issues = one.state == WarpState::selected;
      const std::string text = text_of(one.pc);
      slice(stay, one.from, one.until,
            issues ? text : kWarpStateNames[static_cast<std::size_t>(one.state)],
            issues ? "issue" : "wait", {{"pc", one.pc}, {"instruction", text}});
    }
  }

  // Counters know nothing outside the windows.
  void change(Changes& changes, std::uint64_t from, std::uint64_t until) const {
    for (const TimelineWindow& window : timeline_.windows) {
      const std::uint64_t begin = std::max(from, window.from);
      const std::uint64_t end = std::min(until, window.until);
      if (begin >= end) continue;
      ++changes[begin];
      --changes[end];
    }
  }

  void write_counter(int process, const char* name, const char* unit, const Changes& changes) {
    std::int64_t value = 0;
    for (const auto& [cycle, by] : changes) {
      if (by == 0) continue;
      value += by;
      events_.push_back({{"ph", "C"},
                         {"pid", process},
                         {"ts", cycle},
                         {"name", name},
                         {"args", {{unit, value}}}});
    }
  }

  void write_counters(int scheduler) {
    Changes active;
    Changes eligible;
    Changes issued;
    for (const WarpStay& stay : timeline_.stays) {
      if (stay.scheduler != scheduler) continue;
      change(active, stay.from, stay.until);
      for (const WarpInterval& one : stay.intervals) {
        if (is_eligible(one.state)) change(eligible, one.from, one.until);
        if (one.state == WarpState::selected) change(issued, one.from, one.until);
      }
    }
    write_counter(kFirstScheduler + scheduler, "active warps", "warps", active);
    write_counter(kFirstScheduler + scheduler, "eligible warps", "warps", eligible);
    write_counter(kFirstScheduler + scheduler, "issued warps", "warps", issued);
  }

  void write_requests() {
    Changes requests;
    for (const MemoryFlight& one : timeline_.flights) change(requests, one.from, one.until);
    write_counter(kSmProcess, "memory requests under way", "requests", requests);
  }

  void write_gap() {
    if (timeline_.windows.size() < 2) return;
    events_.push_back({{"ph", "X"},
                       {"pid", kSmProcess},
                       {"tid", 0},
                       {"ts", timeline_.windows[0].until},
                       {"dur", timeline_.windows[1].from - timeline_.windows[0].until},
                       {"name", "not kept (smsim run --window A:B keeps other cycles)"},
                       {"cat", "gap"},
                       {"args", Json::object()}});
  }

  const Result& result_;
  const Timeline& timeline_;
  Json events_ = Json::array();
};

}  // namespace

std::string perfetto_trace(const Result& result) {
  return PerfettoWriter(result).write();
}

}  // namespace smsim
