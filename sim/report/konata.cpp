// A log for Konata in its Kanata format, version 4.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/report/timeline_view.hpp"

namespace smsim {
namespace {

// One instruction of one warp: from the cycle after the one before it to its issue.
struct Executed {
  const WarpStay* stay = nullptr;
  const WarpInterval* first = nullptr;
  const WarpInterval* last = nullptr;
};

std::vector<Executed> instructions_of(const Timeline& timeline) {
  std::vector<Executed> all;
  for (const WarpStay& stay : timeline.stays) {
    const WarpInterval* first = nullptr;
    for (const WarpInterval& one : stay.intervals) {
      if (first == nullptr) first = &one;
      const bool ends = one.state == WarpState::selected || &one == &stay.intervals.back();
      if (!ends) continue;
      all.push_back({&stay, first, &one});
      first = nullptr;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Executed& a, const Executed& b) {
    return a.first->from < b.first->from;
  });
  return all;
}

struct Event {
  std::uint64_t cycle = 0;
  std::string text;
};

void add_events(std::size_t id, const Executed& one, const std::string& text,
                std::vector<Event>& events) {
  const WarpStay& stay = *one.stay;
  const std::uint64_t thread = (std::uint64_t{stay.scheduler} * 16) + stay.slot;
  events.push_back({one.first->from, fmt::format("I\t{}\t{}\t{}\nL\t{}\t0\tb{}.w{} {}\n", id, id,
                                                 thread, id, stay.block, stay.warp, text)});
  for (const WarpInterval* at = one.first; at <= one.last; ++at) {
    const char* stage = kWarpStateNames[static_cast<std::size_t>(at->state)];
    events.push_back({at->from, fmt::format("S\t{}\t0\t{}\n", id, stage)});
    events.push_back({at->until, fmt::format("E\t{}\t0\t{}\n", id, stage)});
  }
  events.push_back({one.last->until, fmt::format("R\t{}\t{}\t0\n", id, id)});
}

}  // namespace

std::string konata_log(const Result& result) {
  const std::vector<Executed> all = instructions_of(*result.timeline);
  std::vector<Event> events;
  for (std::size_t id = 0; id < all.size(); ++id) {
    const std::uint32_t pc = all[id].last->pc;
    const bool issues = all[id].last->state == WarpState::selected;
    const std::string text = !issues                           ? "(leaves)"
                             : pc < result.instructions.size() ? result.instructions[pc].text
                                                               : std::to_string(pc);
    add_events(id, all[id], text, events);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.cycle < b.cycle; });
  std::uint64_t now = events.empty() ? 0 : events.front().cycle;
  std::string log = fmt::format("Kanata\t0004\nC=\t{}\n", now);
  for (const Event& event : events) {
    if (event.cycle != now) log += fmt::format("C\t{}\n", event.cycle - now);
    now = event.cycle;
    log += event.text;
  }
  return log;
}

}  // namespace smsim
