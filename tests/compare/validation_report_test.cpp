// A validation as text, JSON and CSV.
#include "sim/compare/validation_report.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/compare/validated.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

// Two that make a pair, and one that was not imported.
std::vector<ValidatedReference> sample() {
  ValidatedReference base = validated(
      "base",
      {{kCyclesMetric, {110, 100}}, {"launch__block_size", {256, 256}}, {kIssueMetric, {30, 34}}},
      {{"wait", {2, 3}}, {"barrier", {1, 1}}});
  base.reference.family = "streaming";
  ValidatedReference variant = cycles("variant", 330, 400);
  variant.reference.family = "streaming";
  variant.reference.pair = "base";
  variant.reference.use = Use::held_out;
  return {base, import_failed("broken"), variant};
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

void has(const std::string& all, const std::string& part) {
  INFO("found: " << all << "\nwanted: " << part);
  CHECK(all.find(part) != std::string::npos);
}

constexpr ValidationView kViews[] = {ValidationView::references, ValidationView::families,
                                     ValidationView::what_if};

}  // namespace

TEST_CASE("JSON: each reference with its metrics") {
  const auto json = nlohmann::json::parse(validation_json(sample()));
  REQUIRE(json["references"].size() == 3);
  const auto& base = json["references"][0];
  CHECK(base["name"] == "base");
  CHECK(base["family"] == "streaming");
  CHECK(base["use"] == "develop");
  CHECK(base["status"] == "completed");
  CHECK(base["pair"].is_null());
  CHECK(base["metrics"][kCyclesMetric]["predicted"] == 110);
  CHECK(base["metrics"][kCyclesMetric]["measured"] == 100);
  CHECK(base["metrics"][kCyclesMetric]["error"].get<double>() == Approx(0.1));
  CHECK(base["metrics"]["launch__block_size"]["kind"] == "input");
  CHECK(base["metrics"][kIssueMetric]["error"].get<double>() == Approx(-4));
  CHECK(base["stalls"]["wait"]["error"] == -1);
  CHECK(!base.contains("failure"));
}

TEST_CASE("JSON: a reference that was not imported has a reason and no numbers") {
  const auto json = nlohmann::json::parse(validation_json(sample()));
  const auto& broken = json["references"][1];
  CHECK(broken["status"] == "import_failed");
  CHECK(broken["failure"] == "error: found no raw.csv, expected one");
  CHECK(broken["metrics"].empty());
  CHECK(broken["metrics"].is_object());
  CHECK(broken["stalls"].is_object());
}

TEST_CASE("JSON: the summary, also for each use and family") {
  const auto json = nlohmann::json::parse(validation_json(sample()));
  const auto& summary = json["summary"];
  CHECK(summary["references"] == 2);
  CHECK(summary["failed"] == 1);
  CHECK(summary["cycles_mape"].get<double>() == Approx(13.75));
  CHECK(summary["cycles_median"].get<double>() == Approx(13.75));
  CHECK(summary["cycles_p90"].get<double>() == Approx(16.75));
  CHECK(summary["cycles_worst"].get<double>() == Approx(17.5));
  CHECK(summary["cycles_worst_reference"] == "variant");
  for (const char* key : {"cycles_pearson", "issue_error_points", "top_stall_right_pct",
                          "top_two_right_pct", "stall_rank_agreement"}) {
    INFO(key);
    CHECK(summary[key].is_number());
  }
  CHECK(summary["occupancy_error_points"].is_null());
  CHECK(summary["eligible_error_warps"].is_null());
  CHECK(json["by_use"]["held_out"]["cycles_mape"].get<double>() == Approx(17.5));
  CHECK(json["by_use"]["develop"]["failed"] == 1);
  CHECK(json["by_family"]["streaming"]["references"] == 2);
  CHECK(json["by_family"]["other"]["cycles_mape"].is_null());
}

TEST_CASE("JSON: the pairs and how many signs are right") {
  const auto what_if = nlohmann::json::parse(validation_json(sample()))["what_if"];
  REQUIRE(what_if["pairs"].size() == 1);
  const auto& pair = what_if["pairs"][0];
  CHECK(pair["from"] == "base");
  CHECK(pair["to"] == "variant");
  CHECK(pair["predicted_change"].get<double>() == Approx(2));
  CHECK(pair["measured_change"].get<double>() == Approx(3));
  CHECK(pair["size_error"].get<double>() == Approx(-0.25));
  CHECK(pair["counts"] == true);
  CHECK(pair["sign_right"] == true);
  CHECK(what_if["summary"]["pairs"] == 1);
  CHECK(what_if["summary"]["counted"] == 1);
  CHECK(what_if["summary"]["sign_right_pct"] == 100);
  CHECK(what_if["summary"]["mean_size_error_pct"].get<double>() == Approx(25));
}

TEST_CASE("JSON of nothing has every part still") {
  const auto json = nlohmann::json::parse(validation_json({}));
  CHECK(json["references"].is_array());
  CHECK(json["summary"]["references"] == 0);
  CHECK(json["summary"]["cycles_mape"].is_null());
  CHECK(json["what_if"]["pairs"].is_array());
}

TEST_CASE("CSV: a row for each metric and stall reason of each reference") {
  const std::string csv = validation_csv(sample(), ValidationView::references);
  CHECK(first_line(csv) == "reference,family,use,status,metric,kind,predicted,measured,error");
  has(csv, "\nbase,streaming,develop,completed,gpc__cycles_elapsed.max,relative,110,100,0.1\n");
  has(csv, "\nbase,streaming,develop,completed,launch__block_size,input,256,256,0\n");
  has(csv,
      "\nbase,streaming,develop,completed,smsp__average_warps_issue_stalled_wait_per_issue_active"
      ".ratio,difference,2,3,-1\n");
  has(csv, "\nbroken,other,develop,import_failed,,,,,\n");
}

TEST_CASE("CSV: a row for each family, or for each pair") {
  const std::string families = validation_csv(sample(), ValidationView::families);
  CHECK(first_line(families).find("family,references,failed,cycles_mape,cycles_median,cycles_p90,"
                                  "cycles_worst,") == 0);
  has(families, "\nother,0,1,,,,,,,,,\n");
  has(families, "\nstreaming,2,0,");
  const std::string pairs = validation_csv(sample(), ValidationView::what_if);
  CHECK(first_line(pairs) ==
        "from,to,family,use,measured_change,predicted_change,size_error,sign_right");
  has(pairs, "\nbase,variant,streaming,held_out,3,2,-0.25,1\n");
}

TEST_CASE("CSV: rows have as many fields as the header, whatever the names") {
  std::vector<ValidatedReference> all = sample();
  all[0].reference.name = "a \"b\", c";
  all[1].reference.family = "x,y";
  has(validation_csv(all, ValidationView::references), "\n\"a \"\"b\"\", c\",streaming,");
  has(validation_csv(all, ValidationView::families), "\n\"x,y\",0,1,");
}

TEST_CASE("text: a line for each reference, its status where it did not complete") {
  const std::string text = validation_text(sample(), ValidationView::references, false);
  has(text, "-- References --");
  has(text, "\nbase                            100        110   +10.0      -      -  -4.0 right\n");
  has(text, "\nbroken                   import_failed\n");
  has(text, "2 references simulated, 1 not. Cycles: worst 17.5 % (variant)");
  has(text, "1 pairs; of the 1 whose measured cycles differ by more than 5 %");
}

TEST_CASE("text: a line for each family, or for each pair") {
  has(validation_text(sample(), ValidationView::families, false), "-- Families --");
  has(validation_text(sample(), ValidationView::families, false), "\nstreaming             2");
  const std::string pairs = validation_text(sample(), ValidationView::what_if, false);
  has(pairs, "-- What if: ");
  has(pairs,
      "\nbase                          > variant                    +300.0%   +200.0%  ok\n");
}

TEST_CASE("text: details show every metric of every reference") {
  const std::string text = validation_text(sample(), ValidationView::references, true);
  has(text, "-- base --");
  has(text, "Block Size");
}

TEST_CASE("text: a wrong sign stands out, and one of a small change has no mark") {
  ValidatedReference wrong = cycles("wrong", 90, 120);
  ValidatedReference small = cycles("small", 90, 101);
  wrong.reference.pair = small.reference.pair = "a";
  std::istringstream lines(
      validation_text({cycles("a", 100, 100), wrong, small}, ValidationView::what_if, false));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("> wrong") != std::string::npos) CHECK(line.substr(78) == "!!");
    if (line.find("> small") != std::string::npos) CHECK(line.back() == '%');
  }
}

TEST_CASE("text fits 80 columns with columns apart, whatever the names and numbers") {
  std::vector<ValidatedReference> all;
  for (const double huge : {1.0, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18}) {
    all.push_back(
        validated(std::string(120, 'n') + std::to_string(huge), {{kCyclesMetric, {huge, 1}},
                                                                 {kOccupancyMetric, {-huge, 0}},
                                                                 {kEligibleMetric, {huge, 0}},
                                                                 {kIssueMetric, {-100, 0}}}));
    all.back().reference.family = std::string(90, 'f');
    all.back().reference.pair = "label";
  }
  all.push_back(import_failed(std::string(200, 'x')));
  for (const ValidationView view : kViews) {
    std::istringstream lines(validation_text(all, view, false));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
      const std::size_t name = line.find("...");
      if (!line.empty() && line[0] != ' ' && name != std::string::npos) {
        CHECK(line[name + 3] == ' ');  // no number right behind a name
      }
    }
  }
}

TEST_CASE("text of nothing is a summary of nothing") {
  for (const ValidationView view : kViews) {
    has(validation_text({}, view, false), "0 references simulated, 0 not.");
    has(validation_text({}, view, false), "no two references are marked as a pair");
  }
}
