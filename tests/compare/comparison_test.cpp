#include "sim/compare/comparison.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/compare/comparison_report.hpp"
#include "tests/catch.hpp"

using namespace smsim;

namespace {

Prediction prediction(Prediction::Values metrics, Prediction::Values stalls = {}) {
  Prediction out;
  out.file = "p.json";
  out.status = "completed";
  out.gpu = "h200";
  out.kernel = "saxpy";
  out.metrics = std::move(metrics);
  out.stalls = std::move(stalls);
  return out;
}

NcuLaunch launch(std::map<std::string, double, std::less<>> numbers) {
  NcuLaunch out;
  out.kernel_name = "saxpy(int, float *)";
  out.device = "NVIDIA H200";
  out.numbers = std::move(numbers);
  return out;
}

Comparison compared(const Prediction& ours, const NcuLaunch& theirs) {
  return compare(ours, "raw.csv", theirs);
}

std::string stall(const std::string& reason) {
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

const std::string kCycles = "gpc__cycles_elapsed.max";
const std::string kInstructions = "smsp__inst_executed.sum";

}  // namespace

TEST_CASE("cycles and counts have relative errors, percent and warps differences") {
  const Comparison c = compared(prediction({{kCycles, 90.0},
                                            {"l1tex__t_sector_hit_rate.pct", 40.0},
                                            {"smsp__warps_active.avg.per_cycle_active", 11.0},
                                            {"launch__block_size", 256.0}}),
                                launch({{kCycles, 100},
                                        {"l1tex__t_sector_hit_rate.pct", 50},
                                        {"smsp__warps_active.avg.per_cycle_active", 12.5},
                                        {"launch__block_size", 256}}));
  CHECK(find_metric(c, kCycles)->kind == ErrorKind::relative);
  CHECK(find_metric(c, kCycles)->error == Approx(-0.1));
  CHECK(find_metric(c, "l1tex__t_sector_hit_rate.pct")->kind == ErrorKind::difference);
  CHECK(find_metric(c, "l1tex__t_sector_hit_rate.pct")->error == Approx(-10));
  CHECK(find_metric(c, "smsp__warps_active.avg.per_cycle_active")->error == Approx(-1.5));
  CHECK(find_metric(c, "launch__block_size")->kind == ErrorKind::input);
  CHECK(find_metric(c, "nothing") == nullptr);
  CHECK(differing_inputs(c).empty());
}

TEST_CASE("what one side lacks has no error") {
  const Comparison c =
      compared(prediction({{kCycles, std::nullopt},
                           {"dram__bytes_read.sum", 5.0},
                           {"dram__bytes_write.sum", 0.0},
                           {"lts__t_sectors_srcunit_tex.sum", 1.0},
                           {"smsim__tail_cycles", 3.0},
                           {stall("wait"), 1.0}}),
               launch({{kCycles, 100}, {"dram__bytes_read.sum", 0}, {"dram__bytes_write.sum", 0}}));
  CHECK(!find_metric(c, kCycles)->error);
  CHECK(!find_metric(c, "dram__bytes_read.sum")->error);  // relative to 0
  CHECK(find_metric(c, "dram__bytes_write.sum")->error == 0.0);
  CHECK(!find_metric(c, "lts__t_sectors_srcunit_tex.sum")->measured);
  CHECK(find_metric(c, "smsim__tail_cycles") == nullptr);  // Nsight has no such metric
  CHECK(find_metric(c, stall("wait")) == nullptr);         // among the warp states
  CHECK(c.verdict == "Cycles cannot be compared: one side has none.");
}

TEST_CASE("warp states are sorted by size") {
  const Comparison c =
      compared(prediction({}, {{"wait", 1.0}, {"barrier", 0.0}, {"long_scoreboard", 2.0}}),
               launch({{stall("wait"), 9}, {stall("long_scoreboard"), 3}}));
  REQUIRE(c.stalls.size() == 3);
  CHECK(c.stalls[0].reason == "wait");
  CHECK(c.stalls[0].error == -8.0);
  CHECK(c.stalls[1].reason == "long_scoreboard");
  CHECK(!c.stalls[2].error);
}

TEST_CASE("the sentence names what differs most, and a cause") {
  const auto verdict = [](Prediction::Values metrics, Prediction::Values stalls,
                          std::map<std::string, double, std::less<>> measured) {
    return compared(prediction(std::move(metrics), std::move(stalls)), launch(std::move(measured)))
        .verdict;
  };
  CHECK(verdict({{kCycles, 100.0}, {"launch__grid_size", 8.0}}, {},
                {{kCycles, 200}, {"launch__grid_size", 16}}) ==
        "This is not the launch that was profiled: Grid Size is 8 here and 16 in the profile.");
  CHECK(verdict({{kCycles, 150.0}, {kInstructions, 200.0}}, {},
                {{kCycles, 100}, {kInstructions, 100}}) ==
        "Cycles are 50.0 % too many, and 100.0 % more instructions run than were profiled: it may "
        "be other code, other trip counts or other data.");
  CHECK(
      verdict({{kCycles, 80.0}}, {{"wait", 2.0}, {"barrier", 5.0}},
              {{kCycles, 100}, {stall("wait"), 2.5}, {stall("barrier"), 9}}) ==
      "Cycles are 20.0 % too few; the warp state that differs most is barrier, 5.00 warps instead "
      "of 9.00: it may be that the warps of a block reach the barrier less or more evenly.");
  CHECK(
      verdict(
          {{kCycles, 80.0}, {"lts__t_sector_hit_rate.pct", 90.0}}, {{"long_scoreboard", 2.0}},
          {{kCycles, 100}, {"lts__t_sector_hit_rate.pct", 60}, {stall("long_scoreboard"), 9}}) ==
      "Cycles are 20.0 % too few; the warp state that differs most is long_scoreboard, 2.00 warps "
      "instead of 9.00: it may be that the L2 hit rate is 30 points higher.");
  CHECK(verdict({{kCycles, 101.0}}, {{"wait", 2.0}}, {{kCycles, 100}, {stall("wait"), 2.5}}) ==
        "Cycles are 1.0 % too many: prediction and profile agree; the warp state that differs most "
        "is wait, 2.00 warps instead of 2.50.");
  CHECK(verdict({{kCycles, 101.0}}, {}, {{kCycles, 100}}) ==
        "Cycles are 1.0 % too many; the profile has no warp states that would say why.");
}

TEST_CASE("notes on what the numbers do not show") {
  Prediction ours = prediction({{kCycles, 1.0}});
  ours.status = "max_cycles";
  ours.kernel = "triad";
  ours.grid = {4, 1, 1};
  NcuLaunch theirs = launch({{kCycles, 1}});
  theirs.rounded = true;
  const Comparison c = compared(ours, theirs);
  REQUIRE(c.notes.size() == 4);
  CHECK(c.notes[0] == "the prediction did not run to its end: max_cycles");
  CHECK(c.notes[1] == "the kernels have different names: triad and saxpy(int, float *)");
  CHECK(c.notes[2] ==
        "the prediction is of grid 4x1x1, block 1x1x1, the profile of grid 1x1x1, block 1x1x1");
  CHECK(c.notes[3].find("--print-units base") != std::string::npos);
}

TEST_CASE("text fits 80 columns, whatever the names and numbers") {
  Prediction ours = prediction({{kCycles, 1e18},
                                {"dram__bytes.sum.per_second", 3.4e12},
                                {std::string(100, 'm'), 1e-9},
                                {"launch__shared_mem_per_block_allocated", 1024.0}},
                               {{std::string(90, 's'), 12345678.0}});
  ours.kernel = std::string(200, 'k');
  NcuLaunch theirs = launch({{kCycles, 1}, {std::string(100, 'm'), 1e9}});
  theirs.kernel_name = std::string(300, 'n');
  std::istringstream lines(comparison_text(compared(ours, theirs)));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("JSON and CSV carry every number") {
  const Comparison c = compared(prediction({{kCycles, 90.0}, {"launch__grid_size", 8.0}},
                                           {{"wait", 1.5}, {"barrier", std::nullopt}}),
                                launch({{kCycles, 100}, {stall("wait"), 2}}));
  const auto json = nlohmann::json::parse(comparison_json(c));
  CHECK(json["prediction"]["kernel"] == "saxpy");
  CHECK(json["profile"]["launch"] == 0);
  CHECK(json["metrics"][kCycles]["predicted"] == 90);
  CHECK(json["metrics"][kCycles]["measured"] == 100);
  CHECK(json["metrics"][kCycles]["error"] == Approx(-0.1));
  CHECK(json["metrics"]["launch__grid_size"]["kind"] == "input");
  CHECK(json["metrics"]["launch__grid_size"]["measured"].is_null());
  CHECK(json["stalls"]["wait"]["error"] == -0.5);
  CHECK(json["stalls"]["barrier"]["predicted"].is_null());
  CHECK(json["verdict"].is_string());
  const std::string csv = comparison_csv(c);
  CHECK(csv.find("metric,unit,kind,predicted,measured,error\n") == 0);
  CHECK(csv.find(kCycles + ",cycle,relative,90,100,-0.1\n") != std::string::npos);
  CHECK(csv.find(stall("wait") + ",warp,difference,1.5,2,-0.5\n") != std::string::npos);
  CHECK(csv.find("launch__grid_size,block,input,8,,\n") != std::string::npos);
}
