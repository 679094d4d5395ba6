// Timelines as people see them, and that they say the same as the metrics.
#include "sim/report/timeline_view.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sim/report/timeline_json.hpp"
#include "tests/report/golden.hpp"
#include "tests/report/simulated.hpp"

using namespace smsim;
using namespace smsim::test;
using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::uint64_t sum(const json& values) {
  std::uint64_t all = 0;
  for (const json& value : values) all += value.get<std::uint64_t>();
  return all;
}

}  // namespace

TEST_CASE("the terminal timeline of a small kernel reads as kept") {
  const Simulated small = simulated(kLoadAndAdd);
  const std::string text = timeline_text(small.result, {});
  CHECK(text == golden("report", "timeline.txt", text));
  for (const std::string& line : lines_of(text)) CHECK(line.size() <= 80);
}

TEST_CASE("single cycles: every letter is the warp's state in that cycle") {
  const Simulated small = simulated(kLoadAndAdd);
  const Timeline& timeline = *small.result.timeline;
  REQUIRE_FALSE(timeline.stays.empty());
  const WarpStay& stay = timeline.stays.front();
  TimelineView view;
  view.from = stay.from + 1;
  view.until = view.from + 64;
  view.scheduler = stay.scheduler;
  const std::vector<std::string> lines = lines_of(timeline_text(small.result, view));
  const auto row = std::find_if(lines.begin(), lines.end(),
                                [](const std::string& line) { return line.rfind(" 0 ", 0) == 0; });
  REQUIRE(row != lines.end());
  const std::map<char, WarpState> letters{
      {'*', WarpState::selected},       {'w', WarpState::wait},
      {'i', WarpState::no_instruction}, {'s', WarpState::short_scoreboard},
      {'m', WarpState::mio_throttle},   {'n', WarpState::not_selected}};
  for (std::size_t column = 0; column < 64; ++column) {
    const std::uint64_t cycle = view.from + column;
    for (const WarpInterval& one : stay.intervals) {
      if (cycle < one.from || cycle >= one.until) continue;
      INFO("cycle " << cycle);
      CHECK(letters.at(row->at(15 + column)) == one.state);
    }
  }
}

TEST_CASE("a timeline survives JSON") {
  const Simulated small = simulated(kLoadAndAdd);
  const Timeline& timeline = *small.result.timeline;
  const nlohmann::ordered_json written = timeline_json(timeline);
  const Timeline read = timeline_from_json(written);
  REQUIRE(read.stays.size() == timeline.stays.size());
  for (std::size_t i = 0; i < read.stays.size(); ++i) {
    CHECK(read.stays[i].block == timeline.stays[i].block);
    CHECK(read.stays[i].from == timeline.stays[i].from);
    CHECK(read.stays[i].intervals == timeline.stays[i].intervals);
  }
  CHECK(read.flights.size() == timeline.flights.size());
  CHECK(read.sms[read.sm].scheduler[2].bins == timeline.sms[timeline.sm].scheduler[2].bins);
  Result again = small.result;
  again.timeline = std::make_shared<const Timeline>(read);
  CHECK(timeline_text(again, {}) == timeline_text(small.result, {}));
}

TEST_CASE("a damaged timeline is refused") {
  const nlohmann::ordered_json good = timeline_json(*simulated(kLoadAndAdd).result.timeline);
  const auto without = [&good](const char* key) {
    nlohmann::ordered_json bad = good;
    bad.erase(key);
    return bad;
  };
  for (const char* key : {"sm", "bin_cycles", "windows", "schedulers", "sms", "warps", "flights"}) {
    INFO(key);
    CHECK_THROWS_AS(timeline_from_json(without(key)), InputError);
  }
  nlohmann::ordered_json bad = good;
  bad["warps"][0]["intervals"][0][2] = 19;
  CHECK_THROWS_AS(timeline_from_json(bad), InputError);
  bad = good;
  bad["warps"][0]["intervals"][0].push_back(7);
  CHECK_THROWS_AS(timeline_from_json(bad), InputError);
  bad = good;
  bad["warps"][0]["slot"] = 16;
  CHECK_THROWS_AS(timeline_from_json(bad), InputError);
  bad = good;
  bad["schedulers"][0]["scheduler"] = 4;
  CHECK_THROWS_AS(timeline_from_json(bad), InputError);
}

TEST_CASE("the bins of the document, added up, are its metrics") {
  for (const int bins : {2, 8, 128}) {
    TimelineOptions options;
    options.most_bins = static_cast<std::size_t>(bins);
    const Simulated small = simulated(kLoadAndAdd, options);
    const json document = json::parse(json_document(small.result, small.sources));
    const json& timeline = document["timeline"];
    const auto metric = [&document](const char* name) {
      return document["metrics"][name].get<double>();
    };
    std::map<std::string, std::uint64_t> states;
    std::uint64_t resident = 0;
    for (const json& sm : timeline["sms"]) {
      for (const auto& [name, values] : sm["states"].items()) {
        states[name] += sum(values);
        resident += sum(values);
      }
    }
    CHECK(static_cast<double>(states["selected"]) == metric("smsp__inst_issued.sum"));
    const auto issued = static_cast<double>(states["selected"]);
    for (const auto& [name, ratio] : document["stalls"].items()) {
      INFO(name);
      CHECK(ratio.get<double>() ==
            Approx(static_cast<double>(states[name]) / issued).margin(1e-12));
    }
    CHECK(metric("smsp__average_warp_latency_per_inst_issued.ratio") ==
          Approx(static_cast<double>(resident) / issued));
    // By scheduler of the watched SM, and by its warps.
    std::map<std::string, std::uint64_t> watched;
    for (const json& scheduler : timeline["schedulers"]) {
      for (const auto& [name, values] : scheduler["states"].items()) watched[name] += sum(values);
    }
    std::map<std::string, std::uint64_t> of_sm;
    for (const auto& [name, values] : timeline["sms"][0]["states"].items()) {
      of_sm[name] = sum(values);
    }
    CHECK(watched == of_sm);
    std::map<std::string, std::uint64_t> of_warps;
    for (const WarpStay& stay : small.result.timeline->stays) {
      for (const WarpInterval& one : stay.intervals) {
        of_warps[kWarpStateNames[static_cast<std::size_t>(one.state)]] += one.until - one.from;
      }
    }
    CHECK(of_warps == of_sm);
    // Cycles by number of eligible warps: their mean is the metric.
    double eligible = 0;
    for (std::size_t n = 0; n < timeline["eligible_cycles"].size(); ++n) {
      eligible += static_cast<double>(n) * timeline["eligible_cycles"][n].get<double>();
    }
    CHECK(eligible == static_cast<double>(states["selected"] + states["not_selected"]));
  }
}

TEST_CASE("a Perfetto trace has nested slices, named tracks and counters that end at nothing") {
  const Simulated small = simulated(kLoadAndAdd);
  const json trace = json::parse(perfetto_trace(small.result));
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, std::vector<std::pair<std::uint64_t, std::uint64_t>>> slices;
  std::map<std::pair<int, std::string>, std::int64_t> last;
  std::uint64_t issues = 0;
  for (const json& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    REQUIRE((phase == "M" || phase == "X" || phase == "C"));
    const int process = event.at("pid");
    if (phase == "C") {
      const json& value = *event.at("args").begin();
      CHECK(value.get<std::int64_t>() >= 0);
      last[{process, event.at("name")}] = value;
      continue;
    }
    const std::pair<int, int> track{process, event.at("tid")};
    if (phase == "M") {
      named.insert(track);
      continue;
    }
    CHECK(named.count(track) == 1);
    const std::uint64_t from = event.at("ts");
    const std::uint64_t until = from + event.at("dur").get<std::uint64_t>();
    CHECK(until > from);
    slices[track].push_back({from, until});
    issues += event.at("cat") == "issue" ? 1 : 0;
  }
  CHECK(last.size() == 4 * 3 + 1);
  for (const auto& [counter, value] : last) CHECK(value == 0);
  std::uint64_t issued = 0;
  for (const SubPartitionCounters& sub : small.run.counters.sm[0].sub) issued += sub.issued;
  CHECK(issues == issued);
  // Two slices of a track are apart, or one holds the other.
  for (const auto& [track, all] : slices) {
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto& [from, until] = all[i];
      const auto& [before_from, before_until] = all[i - 1];
      const bool apart = from >= before_until || until <= before_from;
      const bool inside = from >= before_from && until <= before_until;
      CHECK((apart || inside));
    }
  }
}

TEST_CASE("a Konata log has every instruction once, in order, with all its cycles") {
  const Simulated small = simulated(kLoadAndAdd);
  const std::vector<std::string> lines = lines_of(konata_log(small.result));
  REQUIRE(lines.size() > 2);
  CHECK(lines[0] == "Kanata\t0004");
  CHECK(lines[1].rfind("C=\t", 0) == 0);
  std::uint64_t next_id = 0;
  std::uint64_t cycle = 0;
  std::uint64_t cycles_in_stages = 0;
  std::map<std::string, std::uint64_t> began;
  std::set<std::string> open;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    std::istringstream in(lines[i]);
    std::string kind;
    std::string id;
    in >> kind >> id;
    if (kind == "C") {
      cycle += std::stoull(id);
    } else if (kind == "I") {
      CHECK(id == std::to_string(next_id++));
      open.insert(id);
    } else if (kind == "S") {
      CHECK(open.count(id) == 1);
      began[id] = cycle;
    } else if (kind == "E") {
      cycles_in_stages += cycle - began.at(id);
    } else if (kind == "R") {
      CHECK(open.erase(id) == 1);
    } else {
      CHECK(kind == "L");
    }
  }
  CHECK(open.empty());
  std::uint64_t resident = 0;
  for (const SubPartitionCounters& sub : small.run.counters.sm[0].sub) {
    resident += sub.warps_active;
  }
  CHECK(cycles_in_stages == resident);
}
