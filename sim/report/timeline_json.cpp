#include "sim/report/timeline_json.hpp"

#include <string>

#include "smsim/diagnostic.hpp"

namespace smsim {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::array<std::uint64_t, kWarpStates>;

// By state the warp-cycles of every bin; states that never occur are left out, and zeros at the
// end.
Json states_json(const std::vector<Row>& bins) {
  Json object = Json::object();
  for (std::size_t state = 0; state < kWarpStates; ++state) {
    std::size_t size = bins.size();
    while (size > 0 && bins[size - 1][state] == 0) --size;
    if (size == 0) continue;
    Json values = Json::array();
    for (std::size_t bin = 0; bin < size; ++bin) values.push_back(bins[bin][state]);
    object[kWarpStateNames[state]] = std::move(values);
  }
  return object;
}

std::vector<Row> sum_of(const SmTimeline& sm) {
  std::vector<Row> sum;
  for (const SchedulerTimeline& scheduler : sm.scheduler) {
    if (sum.size() < scheduler.bins.size()) sum.resize(scheduler.bins.size());
    for (std::size_t bin = 0; bin < scheduler.bins.size(); ++bin) {
      for (std::size_t state = 0; state < kWarpStates; ++state) {
        sum[bin][state] += scheduler.bins[bin][state];
      }
    }
  }
  return sum;
}

Json sms_json(const Timeline& timeline) {
  Json array = Json::array();
  for (std::size_t i = 0; i < timeline.sms.size(); ++i) {
    const SmTimeline& sm = timeline.sms[i];
    array.push_back({{"sm", i}, {"states", states_json(sum_of(sm))}, {"requests", sm.requests}});
  }
  return array;
}

Json schedulers_json(const SmTimeline& sm) {
  Json array = Json::array();
  for (std::size_t i = 0; i < sm.scheduler.size(); ++i) {
    array.push_back({{"scheduler", i},
                     {"states", states_json(sm.scheduler[i].bins)},
                     {"eligible_cycles", sm.scheduler[i].eligible_cycles}});
  }
  return array;
}

Json eligible_json(const Timeline& timeline) {
  std::array<std::uint64_t, 17> sum{};
  for (const SmTimeline& sm : timeline.sms) {
    for (const SchedulerTimeline& scheduler : sm.scheduler) {
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += scheduler.eligible_cycles[n];
    }
  }
  return sum;
}

Json intervals_json(const std::vector<WarpInterval>& intervals) {
  Json chunks = Json::array();
  std::uint64_t reached = 0;
  for (const WarpInterval& one : intervals) {
    if (chunks.empty() || one.from != reached) chunks.push_back(Json::array({one.from}));
    Json& chunk = chunks.back();
    chunk.push_back(one.until - one.from);
    chunk.push_back(static_cast<int>(one.state));
    chunk.push_back(one.pc);
    reached = one.until;
  }
  return chunks;
}

Json warps_json(const std::vector<WarpStay>& stays) {
  Json array = Json::array();
  for (const WarpStay& stay : stays) {
    array.push_back({{"scheduler", stay.scheduler},
                     {"slot", stay.slot},
                     {"block", stay.block},
                     {"warp", stay.warp},
                     {"from", stay.from},
                     {"until", stay.until},
                     {"intervals", intervals_json(stay.intervals)}});
  }
  return array;
}

Json flights_json(const std::vector<MemoryFlight>& flights) {
  Json array = Json::array();
  for (const MemoryFlight& one : flights) {
    array.push_back({one.from, one.until,
                     one.stay == kNoStay ? std::int64_t{-1} : std::int64_t{one.stay}, one.pc,
                     one.sectors});
  }
  return array;
}

std::vector<WarpInterval> intervals_from(const Json& chunks) {
  std::vector<WarpInterval> intervals;
  for (const Json& chunk : chunks) {
    auto from = chunk.at(0).get<std::uint64_t>();
    for (std::size_t i = 1; i < chunk.size(); i += 3) {
      const auto length = chunk.at(i).get<std::uint64_t>();
      const auto state = chunk.at(i + 1).get<std::uint64_t>();
      if (state >= kWarpStates) {
        throw InputError("timeline: found state " + std::to_string(state) + ", expected 0 to 18");
      }
      intervals.push_back({from, from + length, chunk.at(i + 2).get<std::uint32_t>(),
                           static_cast<WarpState>(state)});
      from += length;
    }
  }
  return intervals;
}

WarpStay stay_from(const Json& json) {
  WarpStay stay;
  stay.scheduler = json.at("scheduler").get<std::uint8_t>();
  stay.slot = json.at("slot").get<std::uint8_t>();
  if (stay.scheduler >= 4 || stay.slot >= 16) {
    throw InputError("timeline: found a warp outside the 4 schedulers with 16 slots each");
  }
  stay.block = json.at("block").get<std::uint64_t>();
  stay.warp = json.at("warp").get<std::uint32_t>();
  stay.from = json.at("from").get<std::uint64_t>();
  stay.until = json.at("until").get<std::uint64_t>();
  stay.intervals = intervals_from(json.at("intervals"));
  return stay;
}

std::vector<Row> bins_from(const Json& states) {
  std::vector<Row> bins;
  for (std::size_t state = 0; state < kWarpStates; ++state) {
    const auto found = states.find(kWarpStateNames[state]);
    if (found == states.end()) continue;
    if (bins.size() < found->size()) bins.resize(found->size());
    for (std::size_t bin = 0; bin < found->size(); ++bin) {
      bins[bin][state] = found->at(bin).get<std::uint64_t>();
    }
  }
  return bins;
}

MemoryFlight flight_from(const Json& json) {
  const auto warp = json.at(2).get<std::int64_t>();
  return {json.at(0).get<std::uint64_t>(), json.at(1).get<std::uint64_t>(),
          warp < 0 ? kNoStay : static_cast<std::uint32_t>(warp), json.at(3).get<std::uint32_t>(),
          json.at(4).get<std::uint8_t>()};
}

Timeline read(const Json& json) {
  Timeline timeline;
  timeline.sm = json.at("sm").get<std::uint32_t>();
  timeline.bin_cycles = std::max<std::uint64_t>(json.at("bin_cycles").get<std::uint64_t>(), 1);
  for (const Json& window : json.at("windows")) {
    timeline.windows.push_back(
        {window.at(0).get<std::uint64_t>(), window.at(1).get<std::uint64_t>()});
  }
  for (const Json& warp : json.at("warps")) timeline.stays.push_back(stay_from(warp));
  for (const Json& flight : json.at("flights")) timeline.flights.push_back(flight_from(flight));
  if (timeline.sm >= json.at("sms").size()) throw InputError("timeline: its SM is missing");
  timeline.sms.resize(json.at("sms").size());
  for (const Json& one : json.at("schedulers")) {
    SchedulerTimeline& scheduler =
        timeline.sms[timeline.sm].scheduler.at(one.at("scheduler").get<std::size_t>());
    scheduler.bins = bins_from(one.at("states"));
    scheduler.eligible_cycles = one.at("eligible_cycles").get<std::array<std::uint64_t, 17>>();
  }
  return timeline;
}

}  // namespace

Json timeline_json(const Timeline& timeline) {
  Json windows = Json::array();
  for (const TimelineWindow& one : timeline.windows) windows.push_back({one.from, one.until});
  return {
      {"sm", timeline.sm},
      {"states", kWarpStateNames},
      {"bin_cycles", timeline.bin_cycles},
      {"windows", windows},
      {"eligible_cycles", eligible_json(timeline)},
      {"schedulers", timeline.sm < timeline.sms.size() ? schedulers_json(timeline.sms[timeline.sm])
                                                       : Json::array()},
      {"sms", sms_json(timeline)},
      {"warps", warps_json(timeline.stays)},
      {"flights", flights_json(timeline.flights)}};
}

Timeline timeline_from_json(const Json& json) {
  try {
    return read(json);
  } catch (const nlohmann::json::exception& wrong) {
    throw InputError(std::string("timeline: ") + wrong.what());
  } catch (const std::out_of_range&) {
    throw InputError("timeline: found a scheduler beyond the four of an SM");
  }
}

}  // namespace smsim
